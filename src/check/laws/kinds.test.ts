/** What holds for every kind: odd values never throw, counterexamples fail, mended exchanges hold. */
import { expect, test } from "vitest";
import { runsOf } from "../../dev/random.test-kit.ts";
import { compileLaws, createMender, type WrittenLaw } from "./compile.ts";
import { kinds } from "./kinds.ts";
import { mistakeIn } from "./law-schema.ts";
import { exchangeOf, placesIn, type Short } from "./laws.test-kit.ts";

const a = { event: "*", at: "/a" };
const b = { event: "*", at: "/b" };
const keyed = { event: ["x", "y"], at: "/a", by: ["/b"] };

/** Laws of each kind, with the selectors that random exchanges have something for. */
const laws: readonly WrittenLaw[] = [
  { kind: "equal", of: a },
  { kind: "equal", of: { response: "/a" }, to: { request: "/a" } },
  { kind: "count", of: { event: "x" }, is: 1 },
  { kind: "count", of: { response: "/list/*" }, is: { request: "/a" } },
  { kind: "order", of: { event: "x" }, first: true },
  { kind: "order", of: { event: "y", by: ["/b"] }, after: { event: "x", by: ["/b"] } },
  { kind: "bracket", open: { event: "x", by: ["/b"] }, close: { event: "y", by: ["/b"] } },
  { kind: "sequence", of: keyed },
  { kind: "concat", of: keyed, to: { event: "z", at: "/a", by: ["/b"] } },
  { kind: "concat", of: { response: "/list/*" }, to: { response: "/a" } },
  { kind: "sum", of: a, is: [b, { request: "/a" }] },
  { kind: "sum", of: { response: "/a" }, atMost: [{ response: "/list/*" }] },
  { kind: "sum", of: { response: "/a" }, atLeast: [{ response: "/b" }] },
  // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
  { kind: "implies", if: { request: "/a", is: 1 }, then: { response: "/a", is: [1, "a"] } },
  // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
  { kind: "implies", if: { event: "x", at: "/a", by: ["/b"] }, then: { event: "y", at: "/a", by: ["/b"] } },
  // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
  { kind: "implies", if: { request: "/a", is: { present: false } }, then: { ...a, is: { present: false } } },
  // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
  { kind: "implies", if: { status: true, is: 200 }, then: { response: "/a", is: { not: [1, "a"] } } },
  { kind: "member", of: keyed, among: { request: "/list/*" }, ifNone: "any" },
  { kind: "member", of: { response: "/list/*/a" }, among: { request: "/list/*/a" } },
  { kind: "unique", of: keyed },
  { kind: "unique", of: { response: "/list/*" } },
  { kind: "text", of: keyed, is: "json", joined: true },
  { kind: "text", of: { response: "/list/*" }, is: "base64", maxLength: 4 },
  { kind: "text", of: a, is: "json-object" },
  { kind: "event-line", at: "/a", required: true },
  { kind: "event-line" },
];

/** Numbers from 0 to below `n` by a seed (mulberry32). */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

function deep(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

const plain = [0, 1, 2, "a", "b", "{}", "aGk="];
const odd = [null, true, "", -1, 1e300, 0.1, "😀", "__proto__", [], {}, [null], { a: null }, deep(60)];

function randomExchange(roll: (n: number) => number): Short {
  const value = (): unknown => (roll(4) > 0 ? plain[roll(plain.length)] : odd[roll(odd.length)]);
  const some = (make: () => unknown): unknown[] => Array.from({ length: roll(4) }, make);
  const object = (): unknown => ({
    ...(roll(5) > 0 && { a: value() }),
    ...(roll(3) > 0 && { b: roll(2) }),
    ...(roll(2) > 0 && { list: some(() => (roll(2) > 0 ? value() : { a: value() })) }),
  });
  const event = (): unknown => {
    const kind = roll(12);
    if (kind === 0) return value();
    if (kind === 1) return "[DONE]";
    return { type: "xyz"[roll(3)], ...(object() as object) };
  };
  const request = roll(12) > 0 ? object() : value();
  if (roll(2) === 0) {
    const events = [...some(event), ...some(event)];
    return { request, events, lines: events.map(() => ["x", "y", undefined][roll(3)]) };
  }
  return { request, response: roll(12) > 0 ? object() : value(), status: roll(6) > 0 ? 200 : 429 };
}

test("every kind has laws here, and these are well written", () => {
  expect(new Set(laws.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  expect(laws.flatMap((law) => mistakeIn(law) ?? [])).toEqual([]);
});

test.each(laws)("judges, breaks and mends random exchanges: %j", (law) => {
  const clause = { clause: "things.laws.law", on: "exchange", law } as const;
  const [rule] = compileLaws([clause]);
  const mend = createMender([clause]);
  for (let seed = 1; seed <= runsOf(400); seed++) {
    const short = randomExchange(dice(seed));
    const where = `seed ${seed}: ${JSON.stringify(short)}`;
    const exchange = exchangeOf(short);
    const places = placesIn(law, exchange);
    const spoiled = places && places.length > 0 ? undefined : rule!.spoil(exchange);
    if (spoiled) expect(placesIn(law, spoiled)?.length, where).toBeGreaterThan(0);
    const bad = spoiled ?? exchange;
    const mended = mend(bad);
    if (mended) expect(placesIn(law, mended) ?? [], where).toEqual([]);
  }
});
