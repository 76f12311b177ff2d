/** The inputs of fuzzing: recordings changed at the level of bytes, of structure and of the wire, by seed. */
import { exchangeLine, headerLine } from "../cassette/write.ts";
import type { Exchange, HeaderPairs, WireResponse } from "../wire/exchange.ts";
import { spoilDocument, spoiled } from "./hostile.ts";
import type { Chance } from "./legal/chance.ts";

/** Pieces that readers, terminals and numbers are known to trip over. */
const oddPieces: readonly string[] = [
  ...["\u001b]52;c;AAAA\u0007", "\u009b2J", "\u202e", "\0", "\r", "\r\n\r\n", "\n\n", "\ud800", "\ufeff", "\u2028"],
  ...['"', "\\", "\\u", "\\ud800", "{", "}", "]", ",", "null", "1e999", "-0", "99999999999999999999", "__proto__"],
  ...["data: ", "data: [DONE]\n\n", ":\n".repeat(500), "id: 1\n".repeat(200), "[".repeat(3000), '{"a":'.repeat(1000)],
  ...[
    "%",
    "%zz",
    "?&=&",
    "sk-abcdefghijklmnopqrstuvwx",
    '"password":"',
    "Bearer ",
    "-----BEGIN PRIVATE KEY-----",
    "=".repeat(999),
  ],
  ...["Transfer-Encoding: chunked\r\n", "Content-Length: 5\r\n", "HTTP/1.1 200 OK\r\n", "ffffffff\r\n", "0\r\n\r\n"],
];

/** A few bytes changed, dropped, doubled or put in; sometimes the end cut off. */
export function spoilBytes(bytes: Uint8Array, chance: Chance): Buffer {
  let made = Buffer.from(bytes);
  for (let left = 1 + chance.below(6); left > 0; left--) {
    const at = chance.below(made.length + 1);
    const kind = chance.below(12);
    if (kind < 5) made = Buffer.concat([made.subarray(0, at), Buffer.from(chance.pick(oddPieces)), made.subarray(at)]);
    else if (kind < 7) made = Buffer.concat([made.subarray(0, at), made.subarray(at + 1 + chance.below(40))]);
    else if (kind < 9) {
      const again = made.subarray(at, at + 1 + chance.below(200));
      const copies = Array.from({ length: chance.pick([1, 2, 50, 300]) }, () => again);
      made = Buffer.concat([made.subarray(0, at), ...copies, made.subarray(at)]);
    } else if (kind < 11 && at < made.length) made[at] = chance.below(256);
    else if (chance.once(3)) made = made.subarray(0, at);
  }
  return made;
}

const oddText = (text: string, chance: Chance): string => {
  const at = chance.below(text.length + 1);
  return text.slice(0, at) + chance.pick(oddPieces).toWellFormed() + text.slice(at);
};

const oddHeaders = (headers: HeaderPairs, chance: Chance): HeaderPairs => {
  const pair: readonly [string, string] = headers.length > 0 ? chance.pick(headers) : ["x-odd", "1"];
  const odd: HeaderPairs = [
    chance.once(2) ? [oddText(pair[0], chance), pair[1]] : [pair[0], oddText(pair[1], chance)],
    ...(chance.once(3)
      ? [[chance.pick(["content-encoding", "transfer-encoding", "content-type"]), chance.pick(oddPieces)] as const]
      : []),
  ];
  return chance.once(2) ? [...headers, ...odd] : [...odd, ...headers.filter((one) => one !== pair)];
};

function oddResponse(response: WireResponse, chance: Chance): WireResponse {
  const kind = chance.below(8);
  const { length } = response.body;
  if (kind === 0) return { ...response, headers: oddHeaders(response.headers, chance) };
  if (kind === 1) return { ...response, reason: oddText(response.reason ?? "OK", chance) };
  if (kind === 2) return { ...response, trailers: oddHeaders([], chance) };
  if (kind === 3) return { ...response, status: chance.pick([0, 100, 103, 199, 204, 304, 418, 599, 999]) };
  if (kind === 4) return { ...response, body: spoilBytes(response.body, chance) };
  if (kind === 5) return { ...response, cut: chance.pick([0, 1, 2 ** 40]) };
  if (kind === 6)
    return {
      ...response,
      chunks: [
        [0, 1 + chance.below(length + 1)],
        [1e12, length],
      ],
    };
  return {
    ...response,
    redacted: [chance.pick(["/body/0-5", "/body/9-2", "/headers/x", "/path", "x", "/body/0-1e9"])],
  };
}

/** An exchange that a cassette can hold, changed in meaning, in its messages' heads, or byte by byte. */
export function spoilExchange(exchange: Exchange, chance: Chance): Exchange {
  let made = spoiled(exchange, chance);
  for (let left = chance.below(3); left > 0; left--) {
    const kind = chance.below(8);
    const { request, response } = made;
    if (kind < 3 && response) made = { ...made, response: oddResponse(response, chance) };
    else if (kind === 3) made = { ...made, request: { ...request, target: oddText(request.target, chance) } };
    else if (kind === 4) made = { ...made, request: { ...request, headers: oddHeaders(request.headers, chance) } };
    else if (kind === 5) made = { ...made, request: { ...request, body: spoilBytes(request.body, chance) } };
    else if (kind === 6) made = { ...made, aborted: chance.pick(["client", "upstream"] as const) };
    else
      made = {
        ...made,
        request: { ...request, redacted: [chance.pick(["/body/1-9", "/query/key", "/path", "/body/3-3"])] },
      };
  }
  return made;
}

/** A cassette of lines. */
export const cassetteOf = (exchanges: readonly Exchange[]): Buffer =>
  Buffer.from(`${[headerLine({}), ...exchanges.map((one) => exchangeLine(one))].join("\n")}\n`);

/** A JSON document with some places changed. */
export function spoilJson(text: string, chance: Chance): Buffer {
  let document: unknown = JSON.parse(text);
  for (let left = 1 + chance.below(5); left > 0; left--) {
    document = spoilDocument(document, chance);
    if (chance.once(3) && typeof document === "object" && document !== null) {
      const strings = Object.entries(document).filter(([, value]) => typeof value === "string");
      for (const [key, value] of strings.slice(0, 1))
        (document as Record<string, unknown>)[key] = oddText(value, chance);
    }
  }
  return Buffer.from(JSON.stringify(document));
}

const headOf = (first: string, headers: HeaderPairs): string =>
  `${[first, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`;

const framed = /^(?:connection|content-length|transfer-encoding|host|keep-alive)$/i;

/** A response as a service sends it, the connection ending it. */
export function responseBytes({ status, reason = "OK", headers, body }: WireResponse): Buffer {
  const fields = headers.filter(([name]) => !framed.test(name));
  return Buffer.concat([
    Buffer.from(headOf(`HTTP/1.1 ${status} ${reason}`, [...fields, ["Connection", "close"]])),
    body,
  ]);
}

/** A request as a client sends it. */
export function requestBytes({ request }: Exchange, target: string): Buffer {
  const { method, headers, body } = request;
  const fields: HeaderPairs = [
    ["Host", "localhost"],
    ...headers.filter(([name]) => !framed.test(name)),
    ["Content-Length", String(body.length)],
    ["Connection", "close"],
  ];
  return Buffer.concat([Buffer.from(headOf(`${method} ${target} HTTP/1.1`, fields)), body]);
}
