/** Holds HAR import to what exporters really write, and export to what import reads. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { exchangeOf, formRequest, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../wire/build.ts";
import type { Exchange, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { parseForm } from "../wire/multipart.ts";
import { fromHar } from "./har.ts";
import { toHar } from "./har-export.ts";

type Entry = Record<string, unknown>;

function imported(entry: Entry): Exchange {
  const har = {
    log: { entries: [{ request: { method: "POST", url: "https://h/p" }, response: { status: 200 }, ...entry }] },
  };
  return fromHar(JSON.parse(JSON.stringify(har)), "x")[0]!.exchange;
}
const text = (message: { body: Uint8Array } | null): string => Buffer.from(message!.body).toString("utf8");

describe("a URL", () => {
  test.each([
    ["https://api.h.com:8443/v1/x?a=1&b=%20#frag", "https://api.h.com:8443", "/v1/x?a=1&b=%20"],
    ["https://api.h.com", "https://api.h.com", "/"],
    ["https://api.h.com?a=1", "https://api.h.com", "/?a=1"],
    ["<HOST>/v1/x?a=1", "<HOST>", "/v1/x?a=1"],
    ["<BASE_URL>v1/x", "<BASE_URL>", "/v1/x"],
    ["http://<HOST>/v1/x", "http://<HOST>", "/v1/x"],
    ["localhost:8080/v1/x", "localhost:8080", "/v1/x"],
    ["/v1/x:verb?a", undefined, "/v1/x:verb?a"],
    ["v1/x:verb", undefined, "/v1/x:verb"],
    ["", undefined, "/"],
  ])("%s is read", (url, origin, target) => {
    const { origin: from, request } = imported({ request: { url } });
    expect([from, request.target]).toEqual([origin, target]);
  });

  test("without its query takes it from the list", () => {
    const queryString = [{ name: "a b", value: "1&2" }, { name: "c" }];
    expect(imported({ request: { url: "https://h/p", queryString } }).request.target).toBe("/p?a%20b=1%262&c=");
  });
});

describe("a request", () => {
  test("body is text, base64, JSON itself, or parameters", () => {
    const bodyOf = (postData: Entry): string => text(imported({ request: { url: "/", postData } }).request);
    expect(bodyOf({ text: "ä" })).toBe("ä");
    expect(bodyOf({ text: "w6Q=", encoding: "base64" })).toBe("ä");
    expect(bodyOf({ text: { a: 1 } })).toBe('{"a":1}');
    expect(bodyOf({ mimeType: "application/x-www-form-urlencoded", params: [{ name: "a", value: "1 2" }] })).toBe(
      "a=1+2",
    );
  });

  test("form is put together from its parameters", () => {
    const params = [
      { name: "model", value: "m" },
      { name: "image", fileName: "a.png", contentType: "image/png", value: "PNG" },
    ];
    const { request } = imported({
      request: {
        url: "/",
        headers: [{ name: "Content-Type", value: "multipart/form-data; boundary=lost" }],
        postData: { mimeType: "multipart/form-data", params },
      },
    });
    expect(parseForm(request.body, headerValue(request.headers, "content-type"))).toMatchObject({
      parts: [
        { name: "model", text: "m" },
        { name: "image", filename: "a.png", contentType: "image/png", bytes: Buffer.from("PNG") },
      ],
    });
    expect(request.cut).toBeUndefined();
  });

  test("form whose files were left out is not judged as if they were empty", () => {
    const postData = { mimeType: "multipart/form-data", params: [{ name: "image", fileName: "a.png" }] };
    expect(imported({ request: { url: "/", postData } }).request.cut).toBeGreaterThan(0);
  });

  test("body that was not kept is told from an empty one", () => {
    expect(imported({ request: { url: "/", bodySize: 20 } }).request).toMatchObject({ cut: 20, body: { length: 0 } });
    expect(imported({ request: { url: "/", bodySize: 0 } }).request.cut).toBeUndefined();
    const headers = [{ name: "Content-Length", value: "20" }];
    expect(imported({ request: { url: "/", bodySize: -1, headers } }).request.cut).toBe(20);
    expect(
      imported({ request: { url: "/", bodySize: -1, headers, postData: { text: "" } } }).request.cut,
    ).toBeUndefined();
    expect(imported({ request: { url: "/", bodySize: -1 } }).request.cut).toBeUndefined();
    expect(imported({ response: { status: 200, content: { size: 9 } } }).response).toMatchObject({ cut: 9 });
    expect(imported({ response: { status: 204, content: { size: 0 } } }).response?.cut).toBeUndefined();
  });
});

describe("headers", () => {
  const headers = (response: Entry): unknown => imported({ response: { status: 200, ...response } }).response?.headers;

  test("are pairs in order, from a list or a map, without pseudo-headers", () => {
    expect(
      headers({
        headers: [
          { name: ":status", value: "200" },
          { name: "A", value: "1", comment: "" },
          { name: "a", value: 2 },
          {},
        ],
      }),
    ).toEqual([
      ["A", "1"],
      ["a", "2"],
    ]);
    expect(headers({ headers: { "X-A": "1" } })).toEqual([["X-A", "1"]]);
    expect(headers({})).toEqual([]);
  });

  test("say the media type that only stands beside the content", () => {
    expect(headers({ content: { mimeType: "application/json", text: "{}" } })).toEqual([
      ["content-type", "application/json"],
    ]);
    expect(headers({ content: { mimeType: "x-unknown", text: "" } })).toEqual([]);
  });

  test("the headers of a request are those listed: a content type that was not sent is not made up", () => {
    const postData = { mimeType: "application/json", text: "{}" };
    expect(imported({ request: { url: "/", headers: [], postData } }).request.headers).toEqual([]);
    expect(imported({ request: { url: "/", postData } }).request.headers).toEqual([
      ["content-type", "application/json"],
    ]);
  });

  const length = { name: "Content-Length", value: "2" };
  const gzip = { name: "Content-Encoding", value: "gzip" };
  test("lose an encoding that was undone, and the length it had", () => {
    expect(headers({ headers: [gzip, { ...length, value: "33" }], content: { text: "{}" } })).toEqual([]);
    expect(headers({ headers: [gzip, length], content: { text: "e30=", encoding: "base64" } })).toEqual([
      ["Content-Length", "2"],
    ]);
  });

  test.each([
    ["gzip", gzipSync("{}")],
    ["br", brotliCompressSync("{}")],
    ["gzip", gzipSync("{}").subarray(0, 15)],
    ["rot13", Buffer.from("{}")],
  ])("keep an encoding that was not undone: %s", (value, body) => {
    const encoding = { name: "content-encoding", value };
    const content = { text: body.toString("base64"), encoding: "base64" };
    expect(headers({ headers: [encoding], content })).toEqual([["content-encoding", value]]);
  });
});

describe("an entry", () => {
  test("without response, or with status 0, broke off", () => {
    expect(imported({ response: undefined })).toMatchObject({ response: null, aborted: "upstream" });
    expect(imported({ response: { status: 0, _error: "net::ERR_ABORTED" } })).toMatchObject({
      response: null,
      aborted: "client",
    });
  });

  test.each([
    ["2026-01-02T03:04:05.678Z", 1767323045678],
    ["2026-01-02T04:04:05.678+01:00", 1767323045678],
    [1767323045, 1767323045000],
    [1767323045678, 1767323045678],
    ["", undefined],
    [undefined, undefined],
  ])("began at %j", (startedDateTime, started) => expect(imported({ startedDateTime }).started).toBe(started));

  test("may carry members of others, web socket messages too", () => {
    const entry = {
      _webSocketMessages: [{ data: "x" }],
      cache: {},
      comment: "x",
      timings: { send: -1 },
      time: 12.5,
      response: { status: 200, statusText: "OK", cookies: [{}], comment: "" },
    };
    expect(imported(entry).response).toEqual({
      status: 200,
      reason: "OK",
      headers: [],
      body: Buffer.alloc(0),
      time: 12.5,
    });
  });
});

test("odd members never make it throw", () => {
  for (const odd of [null, 1, "x", [], [null], {}, { name: null }])
    for (const member of ["headers", "postData", "queryString", "method", "content", "cookies", "bodySize", "status"]) {
      imported({ request: { url: "/", [member]: odd }, response: { status: 200, [member]: odd } });
      imported({ [member]: odd, request: { url: "/" }, response: odd });
    }
});

test("of a WebSocket the heads are exported", () => {
  const headers = [
    ["Connection", "Upgrade"],
    ["uPGRADE", "websocket"],
  ] as const;
  const request = { method: "GET", target: "/v1/realtime?model=m", headers, body: Buffer.alloc(0) };
  const upgraded = { sent: 5, received: 7, ended: "client" } as const;
  const response = { status: 101, reason: "Switching Protocols", headers, body: Buffer.alloc(0) };
  const har = JSON.parse(JSON.stringify(toHar([{ request, response: { ...response, upgraded } }], "1")));
  expect(fromHar(har, "x")[0]!.exchange).toMatchObject({ request, response });
});

describe("what is exported is imported again:", () => {
  const png = Buffer.from([0x89, 0x50, 0xff, 0]);
  const json = jsonRequest("/v1/x?alt=sse", [["Accept", "*/*"]], { model: "ä" });
  const cases: [string, Exchange][] = [
    ["JSON", exchangeOf(json, { ...jsonResponse({ id: "1" }), reason: "OK", time: 12 })],
    [
      "a form with a file",
      exchangeOf(
        formRequest(
          "/v1/y",
          [],
          [
            ["a", "b"],
            ["f", { filename: "x.png", bytes: png }],
          ],
        ),
        jsonResponse({}, 400),
      ),
    ],
    [
      "an image",
      exchangeOf(
        { ...json, method: "GET", body: Buffer.alloc(0) },
        { status: 200, headers: [["content-type", "image/png"]], body: png },
      ),
    ],
    ["no response", { ...exchangeOf(json, null), aborted: "client", started: 1767323045678, origin: "https://h" }],
    [
      "a stream broken off",
      {
        ...exchangeOf(json, {
          status: 200,
          headers: [["content-type", "text/event-stream"]],
          body: Buffer.from("data: {"),
        }),
        aborted: "upstream",
      },
    ],
    [
      "what was masked, and where",
      exchangeOf({ ...json, redacted: ["/body/2-4"] }, { ...jsonResponse({}), redacted: ["/headers/a"] }),
    ],
    ["a body cut by the recorder", exchangeOf({ ...json, cut: 7 }, { ...jsonResponse({}), cut: 9 })],
    [
      "an unknown encoding",
      exchangeOf(json, {
        status: 200,
        headers: [
          ["content-type", "text/plain"],
          ["content-encoding", "rot13"],
        ],
        body: Buffer.from("uryyb"),
      }),
    ],
  ];
  test.each(cases)("%s", (_, exchange) => {
    const har = JSON.parse(JSON.stringify(toHar([exchange], "1")));
    const { origin: _origin, started: _started, ...back } = fromHar(har, "x")[0]!.exchange;
    const { origin: _o, started: _s, ...rest } = exchange;
    expect({ ...back, request: { ...back.request, body: text(back.request) } }).toEqual({
      ...rest,
      request: { ...rest.request, body: text(rest.request) },
      response: rest.response && { ...rest.response, body: Buffer.from(rest.response.body) },
    });
  });

  test("a stream in the pieces of its events, without the pieces", () => {
    const response = streamResponse([sseEvent({ a: 1 }), sseEvent("[DONE]")]);
    const har = toHar([exchangeOf(json, response)], "1");
    expect(text(fromHar(har, "x")[0]!.exchange.response)).toBe('data: {"a":1}\n\ndata: [DONE]\n\n');
  });

  test("a compressed body as what it says", () => {
    const body = gzipSync("{}");
    const headers: WireResponse["headers"] = [
      ["content-type", "application/json"],
      ["content-encoding", "gzip"],
      ["content-length", String(body.length)],
    ];
    const { response } = fromHar(toHar([exchangeOf(json, { status: 200, headers, body })], "1"), "x")[0]!.exchange;
    expect([text(response), response?.headers]).toEqual(["{}", [["content-type", "application/json"]]]);
  });

  test("with the members that HAR 1.2 demands", () => {
    const { log } = toHar([cases[0]![1]], "9") as { log: { entries: Entry[]; version: string; creator: unknown } };
    expect([log.version, log.creator]).toEqual(["1.2", { name: "touchstone", version: "9" }]);
    const [entry] = log.entries;
    expect(Object.keys(entry!)).toEqual(["startedDateTime", "time", "request", "response", "cache", "timings"]);
    expect(Object.keys(entry!["request"] as Entry).sort()).toEqual([
      "bodySize",
      "cookies",
      "headers",
      "headersSize",
      "httpVersion",
      "method",
      "postData",
      "queryString",
      "url",
    ]);
    expect(Object.keys(entry!["response"] as Entry).sort()).toEqual([
      "bodySize",
      "content",
      "cookies",
      "headers",
      "headersSize",
      "httpVersion",
      "redirectURL",
      "status",
      "statusText",
    ]);
    expect(entry!["request"]).toMatchObject({
      url: "http://localhost/v1/x?alt=sse",
      queryString: [{ name: "alt", value: "sse" }],
    });
  });
});
