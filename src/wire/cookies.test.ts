import { expect, test } from "vitest";
import { cookiesIn, cookieText, cookieValue, withCookie } from "./cookies.ts";
import type { HeaderPairs } from "./exchange.ts";

const headers: HeaderPairs = [
  ["Cookie", "a=1; b = x=y ;c"],
  ["Accept", "b=2"],
  ["cookie", "B=3; a=4"],
];

test("reads cookies of all headers in order; names are case-sensitive", () => {
  expect(cookiesIn(headers)).toEqual([
    ["a", "1"],
    ["b", "x=y"],
    ["", "c"],
    ["B", "3"],
    ["a", "4"],
  ]);
  expect(["a", "b", "B", "accept"].map((name) => cookieValue(headers, name))).toEqual(["1", "x=y", "3", undefined]);
});

test("an empty cookie counts only if no other one has its name", () => {
  const twice: HeaderPairs = [["Cookie", "session=; a=; session=abc"]];
  expect(["session", "a"].map((name) => cookieValue(twice, name))).toEqual(["abc", ""]);
});

test.each<[name: string, value: string | undefined, from: HeaderPairs, to: HeaderPairs]>([
  ["a", undefined, [["Cookie", "a=1; b=2"]], [["Cookie", "b=2"]]],
  ["a", undefined, [["Cookie", "a=1"]], []],
  ["a", "3", [["Cookie", "a=1; b=2"]], [["Cookie", "b=2; a=3"]]],
  [
    "a",
    "3",
    [["Accept", "a=1"]],
    [
      ["Accept", "a=1"],
      ["cookie", "a=3"],
    ],
  ],
  [
    "a",
    "3",
    [
      ["cookie", "b=2"],
      ["Cookie", "a=1; c=4"],
    ],
    [
      ["cookie", "b=2; a=3"],
      ["Cookie", "c=4"],
    ],
  ],
  ["a", "3", [["Cookie", ""]], [["Cookie", "a=3"]]],
])("sets the cookie %s to %s in %j", (name, value, from, to) => {
  expect(withCookie(from, name, value)).toEqual(to);
});

test("encodes only what no cookie may contain", () => {
  expect(cookieText("a=b[c]/+%20")).toBe("a=b[c]/+%20");
  expect(cookieText('a b;c,d"\\é')).toBe("a%20b%3Bc%2Cd%22%5C%C3%A9");
});
