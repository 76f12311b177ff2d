/** Recorded requests become a target's own. */

import { expect, test } from "vitest";
import { modelOf } from "../../interfaces/model.ts";
import { formRequest, jsonRequest } from "../../wire/build.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import { parseForm } from "../../wire/multipart.ts";
import { bareTarget } from "../plan/target.test-kit.ts";
import type { Target } from "../plan/target.ts";
import { hasOwnCredential, withWrongKey } from "../reach/wrong-key.ts";
import { takeOver } from "./captures.ts";
import { mayHoldKey, type Recorded, retarget } from "./retarget.ts";

const target: Target = {
  ...bareTarget("http://127.0.0.1:8080"),
  keys: { "*": "general-key", images: "images-key" },
};
const recorded: Recorded = { interface: "chat-completions", bindings: {}, negative: false };
const chat = (headers: WireRequest["headers"] = [["Authorization", "Bearer [redacted]"]], model = "chat-model") =>
  jsonRequest("/v1/chat/completions", headers, { model, messages: [] });
const known = new Set(["chat-model", "image-v2", "dall-e-2", "generate-model"]);
const sent = (request: WireRequest, of: Partial<Recorded> = {}, to: Partial<Target> = {}): WireRequest =>
  retarget(request, { ...recorded, ...of }, { ...target, ...to }, known).request;
const jsonBody = ({ body }: WireRequest) => JSON.parse(Buffer.from(body).toString());

test("credentials go where the recording had them, in its scheme; the recorder's bookkeeping stays behind", () => {
  const { headers } = sent(
    chat([
      ["Host", "recorder"],
      ["Authorization", "Bearer [redacted]"],
      ["x-api-key", "[redacted]"],
      ["X-Stainless-Lang", "js"],
      ["Content-Length", "7"],
      ["Connection", "keep-alive"],
      ["OpenAI-Organization", "[redacted]"],
      ["Accept", "application/json"],
    ]),
  );
  expect(headers).toEqual([
    ["User-Agent", "touchstone"],
    ["Authorization", "Bearer general-key"],
    ["x-api-key", "general-key"],
    ["Accept", "application/json"],
    ["Content-Type", "application/json"],
  ]);
  const query = sent(jsonRequest("/v1beta/models/m:generateContent?alt=sse&key=%5Bredacted%5D", [], {}));
  expect(query.target).toBe("/v1beta/models/m:generateContent?alt=sse&key=general-key");
});

test("a key stands where the document of its interface wants it, unless the target takes it in the header alone", () => {
  const generate = (headers: WireRequest["headers"], to: Partial<Target> = {}, query = "?alt=sse") => {
    const request = jsonRequest(`/v1beta/models/m:streamGenerateContent${query}`, headers, {});
    const adapted = sent(request, { interface: "generate-content" }, to);
    return [adapted.target.split("?")[1] ?? "", headerValue(adapted.headers, "x-goog-api-key")];
  };
  const recordedKey = [["x-goog-api-key", "[redacted]"]] as const;
  expect(generate(recordedKey)).toEqual(["alt=sse&key=general-key", undefined]);
  expect(generate(recordedKey, {}, "")).toEqual(["key=general-key", undefined]);
  expect(generate(recordedKey, { overrides: { "generate-content": { keyHeader: "x-goog-api-key" } } })).toEqual([
    "alt=sse",
    "general-key",
  ]);
  const documented = "?alt=sse&key=%5Bredacted%5D";
  expect(generate([], {}, documented)).toEqual(["alt=sse&key=general-key", undefined]);
  expect(generate([], { overrides: { "generate-content": { keyHeader: "x-goog-api-key" } } }, documented)).toEqual([
    "alt=sse",
    "general-key",
  ]);
  expect(generate(recordedKey, { headers: [["x-goog-api-key", "own"]] })).toEqual(["alt=sse", "own"]);
  expect(generate([])).toEqual(["alt=sse", undefined]);
});

test("a request broken in its credentials on purpose stays broken", () => {
  const header = (request: WireRequest, to: Partial<Target> = {}) =>
    headerValue(sent(request, { negative: true }, to).headers, "authorization");
  const extra = { headers: [["Authorization", "Bearer extra"]] as const };
  expect(header(chat([]))).toBeUndefined();
  expect(header(chat([]), extra)).toBeUndefined();
  expect(header(chat([["Authorization", "Token [redacted]"]]))).toBe("Token general-key");
  expect(header(chat([["Authorization", "Bearer "]]))).toBe("Bearer ");
  expect(header(chat(), extra)).toBe("Bearer extra");
});

test("header names and models become the target's, by what the recording says its own mean", () => {
  const names = { "partner-version": "anthropic-version" };
  const request = jsonRequest("/v1/messages", [["anthropic-version", "2023-06-01"]], { model: "m" });
  const version = (to: Partial<Target>) => sent(request, { interface: "messages", bindings: { names } }, to).headers;
  expect(version({})).toContainEqual(["partner-version", "2023-06-01"]);
  expect(version({ bindings: [{ names: { "partner-version": "X-Version" } }] })).toContainEqual([
    "x-version",
    "2023-06-01",
  ]);

  const model = (recordedModel: string, models: Record<string, string>, of: Partial<Recorded> = {}) =>
    modelOf(sent(chat(undefined, recordedModel), of, { models }));
  expect(model("chat-model", {})).toBe("chat-model");
  expect(model("chat-model", { "*": "any" })).toBe("any");
  expect(model("chat-model", { "*": "any", "chat-completions": "own" })).toBe("own");
  expect(model("chat-model", { "chat-completions": "own", "chat-model": "exact" })).toBe("exact");
  expect(model("never-answered", { "*": "any" })).toBe("never-answered");
  const reasoning = { bindings: { models: { reasoning: ["chat-*"] } } };
  expect(model("chat-model", { "*": "any", reasoning: "thinker" }, reasoning)).toBe("thinker");
  const vendor = { interface: "images", bindings: { names: { "image-v2": "dall-e-2" } } };
  expect(model("dall-e-2", { "*": "any" }, vendor)).toBe("image-v2");
  expect(model("dall-e-2", { "image-v2": "painter" }, vendor)).toBe("painter");
});

test("the model is found and replaced in paths and forms, and the bytes around it stay", () => {
  const path = sent(
    jsonRequest("/v1beta/models/generate-model:generateContent?key=[redacted]", [], {}),
    { interface: "generate-content" },
    { models: { "generate-content": "a/b" } },
  );
  expect(path.target).toBe("/v1beta/models/a%2Fb:generateContent?key=general-key");
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  const form = formRequest(
    "/v1/images/edits",
    [["Authorization", "Bearer [redacted]"]],
    [
      ["image", { filename: "a.png", contentType: "image/png", bytes }],
      ["model", "image-v2"],
      ["prompt", "model"],
    ],
  );
  const adapted = sent(form, { interface: "images" }, { models: { "image-v2": "painter-with-a-long-name" } });
  const parsed = parseForm(adapted.body, headerValue(adapted.headers, "content-type"));
  expect(parsed.ok && parsed.parts.map(({ name, text }) => [name, text])).toEqual([
    ["image", undefined],
    ["model", "painter-with-a-long-name"],
    ["prompt", "model"],
  ]);
  expect(parsed.ok && Buffer.from(parsed.parts[0]!.bytes).equals(bytes)).toBe(true);
  expect(headerValue(adapted.headers, "authorization")).toBe("Bearer images-key");
});

test("bound values come from earlier answers; a missing one says what was needed", () => {
  const request = jsonRequest("/v1/messages", [], { messages: [{}, { content: [{ id: "old" }] }] });
  const bind = [{ from: { exchange: 0, pointer: "/content/0/id" }, to: "/messages/1/content/0/id" }];
  const bound = takeOver(request, bind, [{ content: [{ id: "new" }] }]);
  expect(bound.ok && jsonBody(bound.request)).toEqual({ messages: [{}, { content: [{ id: "new" }] }] });
  expect(takeOver(request, bind, [undefined])).toEqual({
    ok: false,
    needs: "a value at /content/0/id of the answer to exchange 0",
  });
});

test("a key in a cookie goes where the recording had it, and mends no request that lacks it on purpose", () => {
  const key = { cookie: "session" };
  const cookies = (pairs: WireRequest["headers"], of: Partial<Recorded> = {}, to: Partial<Target> = {}): unknown =>
    sent(chat(pairs), of, { places: { "chat-completions": { key, cookies: ["theme"] } }, ...to }).headers.filter(
      ([name]) => /^(?:cookie|authorization)$/i.test(name),
    );
  const negative = { negative: true };
  const own = "session=general-key";
  for (const value of ["session=[redacted]", "session=old", "[redacted]", "a=1; session=old; b=2"])
    expect([value, cookies([["Cookie", value]])]).toEqual([value, [["Cookie", own]]]);
  expect(cookies([["Cookie", "theme=dark; session=[redacted]"]])).toEqual([["Cookie", `theme=dark; ${own}`]]);
  expect(cookies([["Authorization", "Bearer [redacted]"]])).toEqual([["cookie", own]]);
  expect(cookies([["Cookie", "a=1"]])).toEqual([]);
  expect(cookies([["Cookie", "session=[redacted]"]], negative)).toEqual([["Cookie", own]]);
  expect(cookies([["Cookie", "session=broken"]], negative)).toEqual([["Cookie", "session=broken"]]);
  expect(cookies([], negative)).toEqual([]);
  const users = (value: string): Partial<Target> => ({ headers: [["cookie", value]] });
  const masked = [["Cookie", "theme=dark; session=[redacted]"]] as const;
  expect(cookies(masked, {}, users("session=mine"))).toEqual([["cookie", "session=mine"]]);
  expect(cookies(masked, {}, users("a=1"))).toEqual([["cookie", `a=1; ${own}`]]);
  expect(cookies([], negative, users("a=1; session=mine"))).toEqual([["cookie", "a=1"]]);
  expect(cookies([], negative, users("session=mine"))).toEqual([]);
  expect(cookies(masked, {}, { keys: { "*": "a b;c" } })).toEqual([["Cookie", "theme=dark; session=a%20b%3Bc"]]);
  const overrides = { "chat-completions": { keyHeader: "authorization" } };
  expect(cookies(masked, {}, { overrides })).toEqual([
    ["Cookie", "theme=dark"],
    ["authorization", "Bearer general-key"],
  ]);
});

test.each([
  ["/headers/authorization", {}, true],
  ["/headers/x-own", { header: "x-own" }, true],
  ["/headers/x-own", {}, false],
  ["/query/k", {}, true],
  ["/headers/cookie", { cookie: "session" }, true],
  ["/headers/cookie", { header: "authorization" }, false],
  ["/body/key", { cookie: "session" }, false],
])("the masked place %s may hold the key of %j: %s", (place, key, expected) => {
  expect(mayHoldKey(place, key)).toBe(expected);
});

test("a cookie of the user opens a target unless it is the documented key, and a wrong key replaces that one", () => {
  const places = { things: { key: { cookie: "session" } } };
  const users = (value: string): Target => ({ ...target, places, headers: [["Cookie", value]] });
  expect(hasOwnCredential(users("session=mine"))).toBe(false);
  expect(hasOwnCredential(users("session=mine; other=mine"))).toBe(true);
  expect(withWrongKey(users("session=mine; other=mine")).headers).toEqual([["Cookie", "other=mine"]]);
});

test("a cookie goes to a target only if its document describes it, and it was not taken out", () => {
  const request = chat([["Cookie", "a=1; b=2; c=[redacted]"]]);
  const cookies = (described: readonly string[], own: Target["headers"] = []): unknown =>
    sent(request, {}, { places: { "chat-completions": { cookies: described } }, headers: own }).headers.filter(
      ([name]) => name.toLowerCase() === "cookie",
    );
  expect(cookies([])).toEqual([]);
  expect(cookies(["b", "c"])).toEqual([["Cookie", "b=2"]]);
  expect(cookies(["a"], [["cookie", "own"]])).toEqual([["cookie", "own"]]);
});
