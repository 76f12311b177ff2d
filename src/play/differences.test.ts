/** Holds the walk to what differs and nothing else, on odd keys, deep nests and large lists. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { resolvePointer } from "../wire/pointer.ts";
import { type Difference, differences } from "./differences.ts";

const between = (before: unknown, after: unknown): Difference[] => [...differences(before, after)];

test("equal values do not differ, whatever the order of members", () => {
  expect(between({ a: 1, b: [{ c: null, d: "x" }] }, { b: [{ d: "x", c: null }], a: 1 })).toEqual([]);
  expect(between("toString", "toString")).toEqual([]);
});

test("changed, removed and added members are named by their place", () => {
  expect(between({ a: 1, b: { c: 2 }, "x/y~": 0 }, { a: 1, b: { c: "2" }, d: [] })).toEqual([
    { pointer: "/b/c", before: 2, after: "2" },
    { pointer: "/x~1y~0", before: 0 },
    { pointer: "/d", after: [] },
  ]);
});

test("values of different kinds differ as a whole", () => {
  expect(between([1], { 0: 1 })).toEqual([{ pointer: "", before: [1], after: { 0: 1 } }]);
  expect(between({ a: null }, { a: {} })).toEqual([{ pointer: "/a", before: null, after: {} }]);
  expect(between({ a: null }, {})).toEqual([{ pointer: "/a", before: null }]);
});

test("an item put into a list or taken out of it is one difference", () => {
  const messages = [{ role: "system" }, { role: "user" }, { role: "assistant" }];
  const longer = [messages[0], { role: "tool" }, ...messages.slice(1)];
  expect(between(messages, longer)).toEqual([{ pointer: "/1", after: { role: "tool" } }]);
  expect(between(longer, messages)).toEqual([{ pointer: "/1", before: { role: "tool" } }]);
});

test("names of built-in members are members like others", () => {
  const odd = JSON.parse('{"__proto__": {"a": 1}, "toString": "toString", "constructor": ["valueOf"]}');
  expect(between(odd, {})).toEqual([
    { pointer: "/__proto__", before: { a: 1 } },
    { pointer: "/toString", before: "toString" },
    { pointer: "/constructor", before: ["valueOf"] },
  ]);
  expect(between(odd, JSON.parse(JSON.stringify(odd)))).toEqual([]);
});

test("keys and values cannot be mistaken for one another", () => {
  expect(between([{ a: "b" }, { b: "a" }], [{ b: "a" }, { a: "b" }])).toHaveLength(4);
  expect(between([[], {}], [{}, []])).toHaveLength(2);
  expect(between([["a"], ["b"]], [["a", "b"], []])).toHaveLength(2);
});

test("a hundred thousand levels are walked", () => {
  const nest = (core: string): unknown => JSON.parse("[".repeat(1e5) + core + "]".repeat(1e5));
  expect(between(nest("1"), nest("1"))).toEqual([]);
  expect(between(nest("1"), nest("2"))).toEqual([{ pointer: "/0".repeat(1e5), before: 1, after: 2 }]);
});

test("steps grow with the size, not with its square", () => {
  const reads = (items: number): number => {
    let count = 0;
    const counted = (text: string): unknown =>
      JSON.parse(text, (_key, value) =>
        typeof value === "object"
          ? new Proxy(value, {
              get(of, key) {
                count++;
                return Reflect.get(of, key);
              },
            })
          : value,
      );
    const list = (odd: number): string =>
      JSON.stringify(
        Array.from({ length: items }, (_, i) => ({ token: `t${i % odd}`, top: [{ p: i % odd }, { p: 1 }] })),
      );
    between(counted(list(7)), counted(list(5)));
    return count;
  };
  expect(reads(4000) / reads(1000)).toBeLessThan(5);
});

test("every difference holds at its place, and values without any are equal", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
      const [before, after] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
      const found = between(before, after);
      for (const one of found) {
        if ("before" in one) expect(resolvePointer(before, one.pointer)).toBe(one.before);
        if ("after" in one) expect(resolvePointer(after, one.pointer)).toBe(one.after);
      }
      if (found.length === 0) expect(before).toEqual(after);
      else expect(before).not.toEqual(after);
      expect(between(before, JSON.parse(JSON.stringify(a)))).toEqual([]);
    }),
    fuzz(100),
  );
});
