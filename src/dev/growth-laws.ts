/** Exchanges that grow in one respect, for every kind of law: values, keys and violations. */
import type { Member } from "../check/law.ts";
import { compileLaws, type WrittenLaw } from "../check/laws/compile.ts";
import { compileSessionLaws } from "../check/laws/session.ts";
import { namesFrom } from "../check/names.ts";
import { readSubject } from "../check/subject.ts";
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../wire/build.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type Family, list, reading } from "./growth-family.ts";

const operation = { name: "POST /v1/things", method: "POST", at: () => 0, schemas: {}, terminator: "[DONE]" };
const route = { interface: { name: "things", streams: () => true }, operation };

/** Judging by laws alone. Misshapen values are those of a schema that the exchange violates. */
function lawful(name: string, laws: readonly WrittenLaw[], make: (n: number) => Exchange, misshapen = 0): Family {
  const rules = compileLaws(laws.map((law, i) => ({ clause: `things.laws.law-${i}`, on: "exchange", law })));
  return reading(`laws: ${name}`, make, (exchange) => {
    const subject = readSubject(exchange, route, namesFrom());
    for (let event = 0; event < misshapen; event++)
      subject.misshapen.push({ side: "response", in: "stream", event, pointer: `/${"x/".repeat(200)}` });
    for (const rule of rules) if (rule.applies(subject)) for (const _ of rule.check(subject) ?? []);
  });
}

const stream = (events: readonly unknown[], request: unknown = {}): Exchange =>
  exchangeOf(jsonRequest("/v1/things", [], request), streamResponse(events.map((event) => sseEvent(event))));
const whole = (response: unknown, request: unknown = {}): Exchange =>
  exchangeOf(jsonRequest("/v1/things", [], request), jsonResponse(response));

const delta = (i: number) => ({ type: "delta", n: i, index: 0, part: 0, text: "x" });
const deltas = (n: number) => [
  { type: "start", index: 0, part: 0 },
  ...list(n, delta),
  { type: "end", index: 0, part: 0, text: "x".repeat(n) },
];
const by = ["/index", "/part"];
const of = (event: string | string[], at = "", more: object = { by }) => ({ event, at, ...more });

const onDeltas: readonly WrittenLaw[] = [
  { kind: "sequence", of: of("*", "/n", {}) },
  { kind: "equal", of: of("*", "/index", {}) },
  { kind: "equal", of: of("delta", "/index"), to: of("start", "/index") },
  { kind: "bracket", open: of("start"), close: of("end"), inside: [of("delta")] },
  { kind: "concat", of: of("delta", "/text"), to: of("end", "/text") },
  { kind: "order", of: of("delta"), after: of("start") },
  { kind: "order", of: of("end"), last: true },
  { kind: "count", of: of("delta"), min: 1 },
  { kind: "unique", of: of("*", "/n", {}) },
  { kind: "member", of: of("delta", "/index", {}), among: of("start", "/index", {}) },
  // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
  { kind: "implies", if: of("delta"), then: of("start", "/index") },
  { kind: "sum", of: of("delta", "/index"), atMost: [of("delta", "/n"), of("start", "/part")] },
  { kind: "text", of: of("delta", "/text"), maxLength: 9 },
  { kind: "event-line", required: true },
];

const sessionLaw = { kind: "unique", of: { event: "*", at: "/text", by: ["/n"] }, within: "session" } as const;
const wholeLaw = { kind: "unique", of: { response: "/id" }, within: "session" } as const;
const [ofWhole] = compileSessionLaws([{ clause: "things.laws.session", on: "exchange", law: wholeLaw }]);
const [ofSession] = compileSessionLaws([{ clause: "things.laws.session", on: "exchange", law: sessionLaw }]);
const memberOf = (exchange: Exchange, position: number): Member => ({
  subject: readSubject(exchange, route, namesFrom()),
  position,
  comparableReply: () => undefined,
});

export const families: readonly Family[] = [
  lawful("a long stream", onDeltas, (n) => stream(deltas(n))),
  lawful("as many keys as events", onDeltas, (n) =>
    stream(list(n, (i) => ({ ...delta(n - i), type: ["start", "delta", "end"][i % 3], index: i % (n / 2) }))),
  ),
  lawful("misshapen events", onDeltas, (n) => stream(deltas(n)), 100),
  lawful(
    "sets, each of many items",
    [{ kind: "equal", of: { event: "delta", at: "/set" }, to: { request: "/items/*" }, as: "set" }],
    (n) =>
      stream(
        list(n, () => ({ type: "delta", set: [1, 2] })),
        { items: list(n, String) },
      ),
  ),
  lawful(
    "values that none of many is",
    [{ kind: "member", of: { response: "/names/*" }, among: { request: "/tools/*/name" } }],
    (n) => whole({ names: list(n, (i) => `x${i}`) }, { tools: list(n, (i) => ({ name: `f${i}` })) }),
  ),
  lawful(
    "values that differ from a large one",
    [{ kind: "equal", of: { response: "/list/*" }, to: { request: "/large" } }],
    (n) => whole({ list: list(n, String) }, { large: list(n, String) }),
  ),
  reading(
    "laws: a session of many exchanges",
    (n) => list(n, (i) => whole({ id: `id-${i % (n / 2)}`, i: `${i}` }, { i })).map(memberOf),
    (members) => [...ofWhole!.check(members, [])],
  ),
  reading(
    "laws: a session with long streams below a long name",
    (n) => list(2, (i) => stream([{ ["x".repeat(n)]: list(n, String), i }, ...deltas(n)], { i })).map(memberOf),
    (members) => [...ofSession!.check(members, [])],
  ),
  lawful("lists in lists", [{ kind: "unique", of: { response: "/a/*/b/*", by: ["/a/*/c"] } }], (n) =>
    whole({ a: list(n, (i) => ({ b: [i, i], c: { d: i } })) }),
  ),
];
