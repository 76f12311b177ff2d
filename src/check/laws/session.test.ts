/** Laws on sessions: what is a repeated value, and what is a retry, a replay or a request for a known thing. */
import { expect, test } from "vitest";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import type { Exchange, WireResponse } from "../../wire/exchange.ts";
import { namesFrom } from "../names.ts";
import { readSubject } from "../subject.ts";
import { compileSessionLaws, createSession } from "./session.ts";

const law = { kind: "unique", of: { response: "/id", event: "*", at: "/id" }, within: "session" };
const [compiled] = compileSessionLaws([{ clause: "things.laws.ids", on: "exchange", law }]);
const operation = { name: "POST /v1/things", method: "POST", at: () => 0, schemas: {}, terminator: "[DONE]" };

const post = (body: unknown, response: WireResponse, target = "/v1/things", method = "POST"): Exchange => ({
  request: { ...jsonRequest(target, [], body), method },
  response,
});
const reply = (id: unknown, text = "x", more: object = {}) =>
  jsonResponse({ id, text, created: Math.random(), ...more });
const stream = (id: string, deltas: readonly string[]) => streamResponse(deltas.map((text) => sseEvent({ id, text })));
const withHeader = (response: WireResponse, name: string, value: string): WireResponse => ({
  ...response,
  headers: [...response.headers, [name, value]],
});

function repeatsIn(exchanges: readonly (Exchange & { readonly operation?: string })[]): number[] | undefined {
  const members = exchanges.map((exchange, position) => {
    const name = exchange.operation ?? operation.name;
    const route = { interface: { name: "things", streams: () => false }, operation: { ...operation, name } };
    return { subject: readSubject(exchange, route, namesFrom()), position, comparableReply: () => undefined };
  });
  if (!compiled!.applies(members, [])) return undefined;
  return [...compiled!.check(members, [])].map(({ of }) => of.position);
}

const a = { text: "a" };
const b = { text: "b" };

test.each<[string, readonly (Exchange & { readonly operation?: string })[], number[] | undefined]>([
  ["different ids", [post(a, reply("x1")), post(b, reply("x2", "y"))], []],
  ["an id of an earlier response", [post(a, reply("x1")), post(b, reply("x1", "y"))], [1]],
  ["an id of an earlier stream", [post(a, stream("x1", ["p", "q"])), post(b, stream("x1", ["r"]))], [1]],
  ["one id for all", [post(a, reply("x1")), post(b, reply("x1", "y")), post({}, reply("x1", "z"))], [1, 2]],
  ["a retry with another text", [post(a, reply("x1")), post(a, reply("x1", "y"))], undefined],
  ["a retry and another request", [post(a, reply("x1")), post(a, reply("x1", "y")), post(b, reply("x2", "z"))], []],
  ["a replay for a similar request", [post(a, reply("x1")), post(b, reply("x1", "x", { cached: true }))], []],
  ["a stream cut elsewhere", [post(a, stream("x1", ["pq", "r"])), post(b, stream("x1", ["p", "qr"]))], []],
  ["a cache hit", [post(a, reply("x1")), post(b, withHeader(reply("x1", "y"), "x-cache", "HIT"))], undefined],
  ["an aged response", [post(a, reply("x1")), post(b, withHeader(reply("x1", "y"), "age", "3"))], undefined],
  ["a cache miss", [post(a, reply("x1")), post(b, withHeader(reply("x1", "y"), "x-cache", "MISS"))], [1]],
  [
    "a thing that is read again",
    [post(a, reply("x1")), post({}, reply("x1", "y"), "/v1/things?n=2", "GET")],
    undefined,
  ],
  ["a thing that is changed", [post(a, reply("x1")), post(b, reply("x1", "y"), "/v1/things/x1")], undefined],
  ["an id that the client chose", [post(a, reply("x1")), post({ id: "x1", text: "y" }, reply("x1", "y"))], undefined],
  ["another operation", [post(a, reply(1)), { ...post(b, reply(1, "y")), operation: "POST /v1/others" }], undefined],
  ["bare ids", [post(a, jsonResponse({ id: "x1" })), post(b, jsonResponse({ id: "x1" }))], [1]],
  ["equal numbers", [post(a, jsonResponse({ id: "x1", n: 1 })), post(b, jsonResponse({ id: "x1", n: 1 }))], []],
  ["other numbers", [post(a, jsonResponse({ id: "x1", n: 1 })), post(b, jsonResponse({ id: "x1", n: 2 }))], [1]],
  ["numbers and strings", [post(a, reply(1)), post(b, reply("1", "y"))], []],
  ["empty ids", [post(a, reply("")), post(b, reply("", "y"))], undefined],
  ["a single exchange", [post(a, reply("x1"))], undefined],
  ["a masked body", [post(a, reply("x1")), post(b, { ...reply("x1", "y"), redacted: ["/body/1-2"] })], undefined],
  ["a masked header", [post(a, reply("x1")), post(b, { ...reply("x1", "y"), redacted: ["/headers/x"] })], [1]],
  ["a number in the path", [post(a, reply(1)), post(b, reply(1, "y"))], [1]],
  ["a number that names a thing", [post(a, reply(1)), post(b, reply(1, "y"), "/v1/things/1")], undefined],
])("judges %s", (_name, exchanges, expected) => {
  expect(repeatsIn(exchanges)).toEqual(expected);
});

test("a counterexample is two exchanges with one value", () => {
  const good = [post(a, reply("x1")), post(b, stream("x2", ["y", "z"]))];
  expect(repeatsIn(good)).toEqual([]);
  expect(repeatsIn(compiled!.spoil(good)!)).toEqual([1]);
  expect(compiled!.spoil([post(a, reply("x1")), post(a, reply("x2"))])).toBeUndefined();
});

test("renewed values differ, and keep their length", () => {
  const long = post(a, reply("thing-0123456789"));
  const bodies = [2, 10].map(
    (number) => JSON.parse(Buffer.from(compiled!.session!.renew(long, number).response!.body).toString()).id,
  );
  expect(bodies).toEqual(["thing-0123456782", "thing-0123456710"]);
});

test("memory is bounded: values beyond are reported, and earlier ones still compared", () => {
  const session = createSession(2);
  const value = (digest: string) => ({
    ...{ clause: "c", operation: "o", digest, request: digest + Math.random(), response: digest + Math.random() },
    ...({ side: "response", in: "body", pointer: "/id", actual: digest } as const),
  });
  expect([...session.add([value("1"), value("2")], 0).unremembered]).toEqual([]);
  expect([...session.add([value("3")], 1).unremembered]).toEqual(["c"]);
  expect(session.add([value("3")], 2).repeats).toEqual([]);
  expect(session.add([value("1")], 3).repeats.map(({ earlier }) => earlier)).toEqual([0]);
});
