/** Holds redaction: no spelling of a credential survives anywhere, and what is judged stays. */
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exchangeLine } from "../cassette/write.ts";
import { fuzz, sample } from "../dev/random.test-kit.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { exchangeOf, formRequest, jsonRequest, jsonResponse } from "../wire/build.ts";
import { decodeContent } from "../wire/encoding.ts";
import type { Exchange, HeaderPairs } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { parseEvents } from "../wire/sse.ts";
import { type RedactOptions, redact } from "./redact.ts";

const secret = "tok/3n+Sécret=42";
const plain = "canary-7f3a9c51e2";

interface Parts {
  target?: string;
  origin?: string;
  headers?: HeaderPairs;
  body?: string | Uint8Array;
  answer?: string | Uint8Array;
  answerHeaders?: HeaderPairs;
}

function exchangeWith({
  target = "/v1/x",
  origin,
  headers = [],
  body = "",
  answer = "",
  answerHeaders = [],
}: Parts): Exchange {
  return {
    ...(origin && { origin }),
    request: { method: "POST", target, headers, body: Buffer.from(body as string) },
    response: { status: 200, headers: answerHeaders, body: Buffer.from(answer as string) },
  };
}
const bearer = (key: string): HeaderPairs => [["Authorization", `Bearer ${key}`]];
const bodyOf = (message: { body: Uint8Array } | null): string => Buffer.from(message!.body).toString("utf8");
const answerOf = (answer: string, key = plain): string =>
  bodyOf(redact(exchangeWith({ headers: bearer(key), answer })).response);

describe("headers", () => {
  const headersOf = (headers: HeaderPairs, options?: RedactOptions): HeaderPairs =>
    redact(exchangeWith({ headers }), options).request.headers;

  test("that held no secret are looked through again for another one, or in a failure", () => {
    const headers: HeaderPairs = [["X-Request-Id", "request-77aa88bb99"]];
    expect(headersOf(headers)).toEqual(headers);
    expect(headersOf(headers, { secrets: ["77aa88bb99"] })).toEqual([["X-Request-Id", "request-xxxxxxxxxx"]]);
    const answered = (status: number): string | undefined => {
      const exchange = exchangeWith({ headers: bearer("hunter"), answerHeaders: [["X-Request-Id", "no hunter here"]] });
      const { headers } = redact({ ...exchange, response: { ...exchange.response!, status } }).response!;
      return headerValue(headers, "x-request-id");
    };
    expect([answered(200), answered(400)]).toEqual(["no hunter here", "no xxxxxx here"]);
  });

  test("off the allow-list keep their names, order and repetition", () => {
    expect(
      headersOf([
        ["X-Api-Key", "k"],
        ["Content-Type", "application/json"],
        ["cookie", "a=b"],
        ["Cookie", "c=d"],
        ["X-Unknown", "v"],
      ]),
    ).toEqual([
      ["X-Api-Key", "[redacted]"],
      ["Content-Type", "application/json"],
      ["cookie", "[redacted]"],
      ["Cookie", "[redacted]"],
      ["X-Unknown", "[redacted]"],
    ]);
  });

  test.each([
    [`Bearer ${plain}`, "Bearer [redacted]"],
    [`bearer  ${plain}`, "bearer  [redacted]"],
    [`Bearer ${plain} x`, "Bearer [redacted] [redacted]"],
    [`Basic ${Buffer.from("u:p").toString("base64")}`, "Basic [redacted]"],
    [`${plain} Bearer`, "[redacted]"],
    [plain, "[redacted]"],
    ["Bearer ", "Bearer "],
    ["Bearer", "Bearer"],
    ["", ""],
  ])("of authorization keep scheme, blanks and emptiness: %j", (value, kept) => {
    expect(headersOf([["Authorization", value]])).toEqual([["Authorization", kept]]);
  });

  test("that judging needs stay, and those a caller names", () => {
    const pairs: HeaderPairs = [
      ["accept", "text/event-stream"],
      ["anthropic-version", "2023-06-01"],
      ["partner-version", "2"],
      ["Content-Encoding", "gzip"],
      ["retry-after", "3"],
      ["x-ratelimit-remaining-tokens", "149984"],
      ["X-Vendor-Key-Version", "2024-01-01"],
    ];
    expect(headersOf(pairs, { keepHeaders: ["x-vendor-key-version"] })).toEqual(pairs);
  });

  test("of the response and its trailers are treated alike", () => {
    const exchange = exchangeWith({
      headers: bearer(plain),
      answerHeaders: [
        ["Set-Cookie", "sid=abcdefgh1; Path=/"],
        ["Server", `x ${plain}`],
      ],
      answer: "sid abcdefgh1",
    });
    const { response } = redact({
      ...exchange,
      response: { ...exchange.response!, reason: plain, trailers: [["X-T", plain]] },
    });
    expect(response).toMatchObject({
      headers: [
        ["Set-Cookie", "[redacted]"],
        ["Server", `x ${"x".repeat(17)}`],
      ],
      trailers: [["X-T", "[redacted]"]],
      reason: "x".repeat(17),
    });
    expect(bodyOf(response)).toBe("sid xxxxxxxxx");
  });
});

describe("the target", () => {
  test.each([
    [`/v1/x?key=${plain}&alt=sse`, "/v1/x?key=%5Bredacted%5D&alt=sse"],
    ["/v1/x?Key=&flag&api-version=2024-02-01", "/v1/x?Key=&flag&api-version=2024-02-01"],
    ["/v1/x?k%65y=abc&unknown=1", "/v1/x?k%65y=%5Bredacted%5D&unknown=%5Bredacted%5D"],
    [`/v1/x?alt=${plain}`, `/v1/x?alt=${"x".repeat(17)}`],
    [`/bot${plain}/x`, `/bot${"x".repeat(17)}/x`],
    ["/v1/x?", "/v1/x?"],
    ["/v1/x?a=%zz", "/v1/x?a=%5Bredacted%5D"],
  ])("%s", (target, redacted) => {
    expect(redact(exchangeWith({ target, headers: bearer(plain) })).request.target).toBe(redacted);
  });

  test("and the origin lose user and password", () => {
    const { origin, response } = redact(exchangeWith({ origin: "https://me:hunter2222@h:8443", answer: "hunter2222" }));
    expect([origin, bodyOf(response)]).toEqual(["https://h:8443", "xxxxxxxxxx"]);
  });
});

describe("a secret is found in a body", () => {
  const carriers: [string, Parts][] = [
    ["authorization", { headers: bearer(secret) }],
    ["x-api-key", { headers: [["x-api-key", secret]] }],
    ["X-Goog-Api-Key", { headers: [["X-Goog-Api-Key", secret]] }],
    ["api-key", { headers: [["api-key", secret]] }],
    ["a cookie", { headers: [["Cookie", `a=1; sid=${secret}`]] }],
    ["a basic password", { headers: [["Authorization", `Basic ${Buffer.from(`me:${secret}`).toString("base64")}`]] }],
    ["a cookie, percent-encoded", { headers: [["Cookie", `sid=${encodeURIComponent(secret)}`]] }],
    ["the query", { target: `/v1/x?key=${encodeURIComponent(secret)}` }],
    ["a target with a user", { target: `http://me:${encodeURIComponent(secret)}@h/v1/x` }],
  ];
  test.each(carriers)("that came in %s", (_, parts) => {
    const { request, response } = redact(exchangeWith({ ...parts, body: `a ${secret} b`, answer: `c ${secret}` }));
    expect([bodyOf(request), bodyOf(response)]).toEqual([`a ${"x".repeat(17)} b`, `c ${"x".repeat(17)}`]);
  });

  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  test.each([
    ["as it is", secret],
    ["in JSON", inJson(secret)],
    ["in JSON of ASCII", replaceText(inJson(secret), "é", "\\u00e9")],
    ["in JSON with escaped slashes", replaceText(inJson(secret), /\//g, "\\/")],
    ["percent-encoded", encodeURIComponent(secret)],
    ["percent-encoded in lower case", replaceText(encodeURIComponent(secret).toLowerCase(), "s%c3", "S%c3")],
    ["form-encoded", new URLSearchParams({ a: secret }).toString().slice(2)],
    ["in base64", base64(secret)],
    ["in base64, shifted by one", base64(`-${secret}-`)],
    ["in base64, shifted by two", base64(`--${secret}--`)],
    ["in URL-safe base64", Buffer.from(`{"${secret}"}`).toString("base64url")],
  ])("%s", (_, spelling) => {
    const masked = answerOf(`<${spelling}>`, secret);
    expect(masked).toHaveLength(Buffer.from(`<${spelling}>`).length);
    const readable = [
      masked,
      decodeURIComponent(masked),
      ...[0, 1].flatMap((from) =>
        [1, 2].map((to) => Buffer.from(masked.slice(1 + from, -to), "base64").toString("utf8")),
      ),
    ].join(" ");
    for (const part of ["Sécret", "S%C3%A9cret", "S\\u00e9cret", "3n+S", "ret=42"])
      expect(readable).not.toContain(part);
    expect(masked).toMatch(/x{9}/);
  });

  test("in JSON within JSON, as tool arguments are", () => {
    const key = 'quote"back\\slash';
    const answer = JSON.stringify({ arguments: JSON.stringify({ key }) });
    expect(JSON.parse(JSON.parse(answerOf(answer, key)).arguments).key).toMatch(/^x+$/);
  });

  test("across chunks, whose lengths stay", () => {
    const exchange = exchangeWith({ headers: bearer(plain), answer: `data: ${plain}\n\n` });
    const chunks = [
      [1, 10],
      [2, 5],
      [3, exchange.response!.body.length - 15],
    ] as const;
    const { response } = redact({ ...exchange, response: { ...exchange.response!, chunks } });
    expect([bodyOf(response), response!.chunks]).toEqual([`data: ${"x".repeat(17)}\n\n`, chunks]);
  });

  test("in a multipart field, whose file stays readable", () => {
    const form = formRequest("/v1/x", bearer(plain), [
      ["user", plain],
      ["f", { filename: "a", bytes: Buffer.from([0, 255]) }],
    ]);
    const { request } = redact(exchangeOf(form, null));
    expect(request.body.length).toBe(form.body.length);
    expect(bodyOf(request)).not.toContain(plain);
  });

  test.each([
    ["a scheme that is not known", `ApiToken ${plain}`],
    ["several values", `Bearer ${"0".repeat(20)}, Bearer ${plain}`],
    ["parameters", `Custom id=7, key="${plain}"`],
    ["a user without a password", `Basic ${Buffer.from(`${plain}:`).toString("base64")}`],
  ])("that came in authorization beside %s", (_, value) => {
    const { response } = redact(exchangeWith({ headers: [["Authorization", value]], answer: `no ${plain}` }));
    expect(bodyOf(response)).toBe(`no ${"x".repeat(17)}`);
  });

  test("that the client sent as its key before, also where it does not send it now; cookies are not kept in mind", () => {
    const options = { remembered: new Set<string>() };
    redact(exchangeWith({ headers: [...bearer(plain), ["Cookie", "sid=cookie-0123456789abc"]] }), options);
    for (let i = 0; i < 7; i++) redact(exchangeWith({ target: `/v1/x?key=another-key-0123456789-${i}` }), options);
    const answer = `${plain} cookie-0123456789abc`;
    const answered = (): string => bodyOf(redact(exchangeWith({ answer }), options).response);
    expect(answered()).toBe(`${"x".repeat(17)} cookie-0123456789abc`);
    redact(exchangeWith({ target: "/v1/x?key=another-key-0123456789-7" }), options);
    expect([answered(), options.remembered.size]).toEqual([answer, 8]);
  });

  test("under gzip that nobody names; the body is then dropped", () => {
    const hidden = (more: HeaderPairs, text: string) =>
      redact(exchangeWith({ headers: bearer(plain), answer: gzipSync(text), answerHeaders: more })).response!;
    const transfer: HeaderPairs = [["Transfer-Encoding", "gzip, chunked"]];
    for (const answerHeaders of [[], transfer]) {
      const { body, cut } = hidden(answerHeaders, `no ${plain}`);
      expect([body.length, cut]).toEqual([0, gzipSync(`no ${plain}`).length]);
    }
    expect(hidden([], "yes").cut).toBeUndefined();
    const twice = gzipSync(gzipSync(`no ${plain}`));
    const encoded = exchangeWith({
      headers: bearer(plain),
      answer: twice,
      answerHeaders: [["Content-Encoding", "gzip"]],
    });
    expect(redact(encoded).response).toMatchObject({ body: { length: 0 }, cut: twice.length });
  });

  test.each(["gzip", "deflate"])("under %s; the body is then kept without it", (coding) => {
    const body = (coding === "gzip" ? gzipSync : deflateSync)(JSON.stringify({ key: plain }));
    const answerHeaders: HeaderPairs = [
      ["Content-Encoding", coding],
      ["Content-Length", String(body.length)],
    ];
    const exchange = exchangeWith({ headers: bearer(plain), answer: body, answerHeaders });
    const { response } = redact({ ...exchange, response: { ...exchange.response!, chunks: [[1, body.length]] } });
    expect(response).toEqual({
      status: 200,
      headers: [["Content-Length", "27"]],
      body: Buffer.from(`{"key":"${"x".repeat(17)}"}`),
      redacted: ["/body/8-25"],
    });
  });

  test("under gzip that was cut short", () => {
    const body = gzipSync(`${plain} ${Array.from({ length: 3000 }, (_, i) => (i * 7919) % 9973).join()}`);
    const answer = body.subarray(0, -50);
    const { response } = redact(
      exchangeWith({ headers: bearer(plain), answer, answerHeaders: [["content-encoding", "gzip"]] }),
    );
    expect(bodyOf(response)).toMatch(/^x{17} 0,7919,/);
  });

  test("that the caller names, or a pattern of the caller's", () => {
    const options = { secrets: ["named-secret"], patterns: [/acct_\d+/] };
    expect(bodyOf(redact(exchangeWith({ answer: "named-secret acct_123 acct_4" }), options).response)).toBe(
      `${"x".repeat(12)} ${"x".repeat(8)} ${"x".repeat(6)}`,
    );
  });
});

describe("keys are known by their shape", () => {
  const keys = [
    "sk-ant-api03-AbC_dEf-0123456789xyz",
    "sk-proj-0123456789abcdefABCDEF",
    `AIza${"SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY"}`,
    "gsk_0123456789abcdefABCDEF",
    "xai-0123456789abcdefABCDEF",
  ];
  test.each(keys)("%s", (key) => {
    for (const around of ["", '"', "\\n", "%20", "/", "=", " "])
      expect(answerOf(`a${around || " "}${key}`)).toBe(`a${around || " "}${"x".repeat(key.length)}`);
  });

  test("a private key within JSON, which stays JSON", () => {
    const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----";
    const { pem, n } = JSON.parse(answerOf(JSON.stringify({ pem: key, n: "kept" })));
    expect([pem, n]).toEqual([expect.stringMatching(/^x+ RSA PRIVATE KEY-----$/), "kept"]);
  });

  test.each([
    ["JSON", `{"authorization_token": "${plain}"}`],
    ["a URL within HTML", `<a href="/x?a=1&amp;key=${plain}">`],
    ["a form with bare line feeds", `--b\nContent-Disposition: form-data; name="api_key"\n\n${plain}\n--b--`],
  ])("or by the name beside them, in %s", (_, text) => {
    expect(answerOf(text, "unused")).toBe(replaceText(text, plain, "x".repeat(17)));
  });

  test.each([
    "task-0123456789abcdefABCDEF",
    "sk-short",
    "whisk-0123456789abcdef01234",
    "risk-based-authentication-systems",
    `xxAIza${"a".repeat(35)}`,
    `AIza${"a".repeat(36)}`,
  ])("and %s is none", (text) => {
    expect(answerOf(text)).toBe(text);
  });
});

describe("in a body of several windows", () => {
  const size = 1_200_000;
  const filler = Buffer.from("task-0123456789abcdefABCDEF monkey=0123456789 ".repeat(size / 40)).subarray(0, size);
  // The search goes on to its next stretch there, and anywhere.
  const borders = [0, 1 << 20].flatMap((border) => [-300, -20, -9, -1, 0, 1, 300].map((by) => border + by));
  const places = [...borders, 64 << 10, 327_600, size - 60].filter((at) => at >= 0 && at + 60 < size);
  const withAt = (at: number, text: string): Buffer => {
    const body = Buffer.from(filler);
    // The last letter keeps what follows from being a key of its own.
    body.write(` ${text} w`, at);
    return body;
  };

  test.each([
    ["by value", plain, "x".repeat(plain.length)],
    ["by value, escaped", replaceText(plain, /a/g, "\\u0061"), /^ (?!canary).*x{9}/],
    ["by shape", "sk-proj-0123456789abcdefABCDEF", "x".repeat(30)],
    ["by a label", '"api_key": "0123456789abcdef"', `"api_key": "${"x".repeat(16)}"`],
  ])("a secret is found %s, wherever it stands, and nothing else", (_, text, found) => {
    for (const at of sample(places, 3)) {
      const body = withAt(at, text);
      const redacted = Buffer.from(redact(exchangeWith({ headers: bearer(plain), answer: body })).response!.body);
      expect(redacted.toString("latin1", at, at + text.length + 2)).toMatch(
        typeof found === "string" ? ` ${found} ` : found,
      );
      const [before, after] = [redacted.subarray(0, at), redacted.subarray(at + text.length + 2)];
      expect(before.equals(body.subarray(0, at)) && after.equals(body.subarray(at + text.length + 2))).toBe(true);
    }
  });

  test("a value that begins where a window does is not taken for the start of a word", () => {
    for (const [word, length] of [
      ["task-0123456789abcdefABCDEF", 2],
      ["monkey=0123456789abcdef", 3],
    ] as const)
      for (let window = 1; window < 4; window++)
        for (const by of [-256, 0]) {
          const body = Buffer.alloc((window << 18) + 1000, " ");
          body.write(word, (window << 18) + by - length);
          expect(Buffer.from(redact(exchangeWith({ answer: body })).response!.body).equals(body)).toBe(true);
        }
  });

  test("a value longer than a window is hidden whole", () => {
    for (const at of [0, 200_000, 262_100]) {
      const answer = `${" ".repeat(at)}{"password":"${"aB3".repeat(200_000)}","b":"kept"}`;
      expect(answerOf(answer) === replaceText(answer, /aB3/g, "xxx")).toBe(true);
    }
  });

  test("a key that a request names in its second window is looked for in the response", () => {
    const key = "Zk3v9QpLm27TbXe1";
    const body = JSON.stringify({ a: "b ".repeat(200_000), client_secret: key });
    expect(bodyOf(redact(exchangeWith({ body, answer: `no ${key}` })).response)).toBe(`no ${"x".repeat(16)}`);
  });
});

describe("in events", () => {
  const events = (...texts: string[]): string =>
    texts.map((text) => `data: ${JSON.stringify({ id: "same", delta: { text } })}\n\n`).join("");
  const padding = events(...Array.from({ length: 50_000 }, (_, i) => ` word${i}`));
  const streamedText = (body: string): string =>
    Array.from(body.matchAll(/"text":"([^"]*)/g), ([, text]) => text).join("");

  test.each([
    ["a few", ""],
    ["many", padding],
    ["a stream that begins with blank lines", "\n\r\n\n"],
    ["a stream that begins with what is no field", "retry-after: 5\n\n"],
  ])("a secret in pieces is found in %s", (_, before) => {
    const answer = before + events(plain.slice(0, 5), plain.slice(5, 9), "", plain.slice(9)) + before;
    const masked = answerOf(answer);
    expect(masked.length).toBe(answer.length);
    expect(streamedText(masked)).toContain("x".repeat(plain.length));
    expect(streamedText(masked)).not.toContain(plain);
  });

  test("the beginning of an address that is kept secret stays readable in others", () => {
    const answer = JSON.stringify({ data: [{ url: "http://127.0.0.1:44461/images/a.png" }] });
    const kept = redact(exchangeWith({ answer }), { secrets: ["http://127.0.0.1:44461/v1"] });
    expect(bodyOf(kept.response)).toBe(answer);
  });

  test("a long part of a key that the caller names is hidden in a whole answer, too", () => {
    const key = "q7Kd92LmXw4Rt8Zp1NbVc6Hs";
    const text = JSON.stringify({ error: { message: `Incorrect key: ${key.slice(0, 14)}...` } });
    const kept = redact(exchangeWith({ answer: text }), { secrets: [key] });
    expect(bodyOf(kept.response)).toBe(replaceText(text, key.slice(0, 14), "x".repeat(14)));
  });

  test.each(["client", "upstream"] as const)("broken off by the %s, the start of a secret is found", (aborted) => {
    for (const before of ["", padding.slice(0, padding.indexOf("data", 1 << 21))]) {
      const start = before + events("see ", plain.slice(0, 4), plain.slice(4, 7));
      for (const end of [4, 5, 9]) {
        const torn = events(plain.slice(7)).slice(0, '{"id":"same","delta":{"text":"data: '.length + end);
        const whole = exchangeWith({ headers: bearer(plain), answer: start + torn });
        const masked = bodyOf(redact({ ...whole, aborted }).response);
        expect(streamedText(masked).slice(streamedText(before).length)).toBe(`see ${"x".repeat(7 + end)}`);
      }
      // Without a secret nothing changes.
      const clean = exchangeWith({
        headers: bearer(plain),
        answer: `${before}${events("see ", "this")}data: {"id":"sa`,
      });
      expect(redact({ ...clean, aborted }).response!.body).toBe(clean.response!.body);
    }
  });
});

test("a message says where it was masked, in its own body as it is kept, and a second time adds nothing", () => {
  const exchange: Exchange = {
    origin: "https://u:p@h",
    request: {
      method: "POST",
      target: `/v1/${plain}?alt=sse&a%2Fb=${plain}&model=${plain}`,
      headers: [
        ["Authorization", `Bearer ${plain}`],
        ["User-Agent", `me ${plain}`],
        ["Accept", "*/*"],
      ],
      body: gzipSync(`é ${plain}, ${plain}`),
    },
    response: {
      status: 200,
      reason: plain,
      headers: [["X-Odd", "1"]],
      body: Buffer.from("nothing"),
      trailers: [["X-T", plain]],
    },
  };
  const coded = { ...exchange.request, headers: [...exchange.request.headers, ["Content-Encoding", "gzip"] as const] };
  const once = redact({ ...exchange, request: coded });
  const { request, response } = once;
  expect(request.redacted).toEqual([
    ...["/origin", "/path", "/query/a~1b", "/query/model"],
    ...["/body/3-20", "/body/22-39", "/headers/authorization", "/headers/user-agent"],
  ]);
  expect(bodyOf(request)).toBe(`é ${"x".repeat(17)}, ${"x".repeat(17)}`);
  expect(response!.redacted).toEqual(["/headers/x-odd", "/reason", "/trailers/x-t"]);
  expect(redact(once)).toEqual(once);
  expect(redact(exchangeWith({ answer: "nothing" })).response).not.toHaveProperty("redacted");
});

describe("what is judged stays", () => {
  test("without a secret the bytes are the very same, compressed ones too", () => {
    const body = gzipSync("{}");
    const exchange = exchangeWith({ headers: [["Content-Encoding", "gzip"]], body, answer: '{"id":"chatcmpl-123"}' });
    const { request, response } = redact(exchange);
    expect(decodeContent(request.body, headerValue(request.headers, "content-encoding"))).toMatchObject({ ok: true });
    expect([request.body, response!.body]).toEqual([exchange.request.body, exchange.response!.body]);
  });

  test("JSON stays JSON, numbers stay numbers, events stay events, base64 stays base64", () => {
    expect(JSON.parse(answerOf('{"id":12345678,"x":[1]}', "12345678"))).toEqual({ id: 11111111, x: [1] });
    expect(parseEvents(Buffer.from(answerOf(`event: a\ndata: {"t":"${plain}"}\n\n`))).events).toMatchObject([
      { event: "a", data: `{"t":"${"x".repeat(17)}"}` },
    ]);
    const data = Buffer.from(`\x89PNG ${plain}`).toString("base64");
    expect(answerOf(data)).toMatch(/^[A-Za-z0-9+/]+=*$/);
  });

  test("words that short keys are made of are left alone", () => {
    expect(answerOf("this is a test", "test")).toBe("this is a test");
  });

  test("the argument is not altered, and redacting twice is redacting once", () => {
    const exchange = exchangeOf(
      jsonRequest(`/v1/x?key=${plain}`, bearer(plain), { user: plain }),
      jsonResponse({ echo: plain }),
    );
    const before = structuredClone(exchange);
    const once = redact(exchange);
    expect(exchange).toEqual(before);
    expect(redact(once)).toEqual(once);
  });
});

test("no line of a cassette shows a secret, wherever it is put", () => {
  const key = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/);
  const place = fc.constantFrom("plain", "json", "base64", "percent", "gzip");
  fc.assert(
    fc.property(
      key,
      place,
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      fc.nat(60),
      (value, where, left, right, cut) => {
        const text = `${left}${value}${right}`;
        const written = {
          plain: text,
          json: JSON.stringify({ a: text }),
          base64: Buffer.from(text).toString("base64"),
          percent: new URLSearchParams({ a: text }).toString(),
          gzip: text,
        }[where];
        const answer = where === "gzip" ? gzipSync(written) : Buffer.from(written);
        const first = Math.min(cut, answer.length);
        const exchange = exchangeWith({
          target: `/v1/${encodeURIComponent(value)}?key=${value}`,
          headers: [
            ["x-api-key", value],
            ["User-Agent", value],
          ],
          body: written,
          answer,
          answerHeaders: where === "gzip" ? [["content-encoding", "gzip"]] : [],
        });
        const redacted = redact({
          ...exchange,
          response: {
            ...exchange.response!,
            chunks: [
              [1, first],
              [2, answer.length - first],
            ],
          },
        });
        expect(exchangeLine(redacted)).not.toContain(value);
        for (const message of [redacted.request, redacted.response!]) {
          const decoded = decodeContent(message.body, headerValue(message.headers, "content-encoding"));
          const body = Buffer.from(decoded.ok ? decoded.bytes : message.body).toString("latin1");
          expect(body).not.toContain(value);
          if (where === "base64") expect(Buffer.from(body, "base64").toString("latin1")).not.toContain(value);
        }
      },
    ),
    fuzz(200),
  );
});

test.each(["form-data; name=password ", "form-data; name=password\n", '"api_key" \\\\', "Bearer+", "api_key="])(
  "a body of nothing but %j is looked through as fast as any",
  (label) => {
    const answer = label.repeat(40_000);
    expect(bodyOf(redact(exchangeWith({ answer })).response)).toHaveLength(answer.length);
  },
);

describe("behind a label stands a credential", () => {
  const key = "abcdefgh12345678";
  const part = (head: string): string => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${key}\r\n--b--`;
  test.each([
    ["in a part after a long file name", part(`filename="${"f".repeat(999)}"; name="api_key"`)],
    ["in a part of many header lines", part(`name="password"${"\r\nX-More: header".repeat(40)}`)],
    ["behind many blanks", `Bearer ${" ".repeat(99)}${key}`],
    ["behind a plus", `Bearer+${key}`],
    ["that begins with pluses", `Bearer ++++++++++++1234 ${replaceText(key, /\d/g, "x")}`],
    ["behind a scheme told twice", `Bearer Bearer ${key}`],
    ["whose digit comes late", `Bearer ${"a".repeat(999)}${key}`],
    ["in lines of a private key", `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END`],
    ["in the second private key", `-----BEGIN PRIVATE KEY-----" -----BEGIN PRIVATE KEY-----\n${key}\n-----END`],
  ])("%s", (_, answer) => {
    const said = bodyOf(redact(exchangeWith({ answer })).response);
    expect(said).toHaveLength(answer.length);
    expect(said).not.toMatch(/12345678|\d{4}/);
  });
});
