/** Shows that JSON is read as it was written, however deep it nests, and that differences are found where they are. */
import { expect, test } from "vitest";
import { differencesOf } from "./json-differences.ts";
import { find, jsonNodes, pointerOf, written } from "./json-nodes.ts";
import { runsOf, visible } from "./shown.ts";

test("every value keeps its spelling, and its place", () => {
  const json = jsonNodes(' {"a\\u0062": [1.0, -2e9, "x\\"]"], "a": null, "a": {} }');
  expect(json.stopped).toBeUndefined();
  expect(json.nodes.map((node) => [node.kind, node.key, node.depth, node.size, written(json, node)])).toEqual([
    ["object", undefined, 0, 3, json.text.trim()],
    ["array", '"a\\u0062"', 1, 3, '[1.0, -2e9, "x\\"]"]'],
    ["number", undefined, 2, 0, "1.0"],
    ["number", undefined, 2, 0, "-2e9"],
    ["string", undefined, 2, 0, '"x\\"]"'],
    ["word", '"a"', 1, 0, "null"],
    ["object", '"a"', 1, 0, "{}"],
  ]);
});

test("a pointer leads to its value, past shortened names too, or says what of it leads nowhere", () => {
  const json = jsonNodes(`{"a/b":[{"x":1},{"${"n".repeat(2_000)}":2}]}`);
  expect(written(json, json.nodes[find(json, "/a~1b/0/x").position]!)).toBe("1");
  const long = find(json, `/a~1b/1/${"n".repeat(60)}…(2000 characters, 00000000)`);
  expect(written(json, json.nodes[long.position]!)).toBe("2");
  const lost = find(json, "/a~1b/1/y/z");
  expect([pointerOf(json, lost.position), lost.missing]).toEqual(["/a~1b/1", ["y", "z"]]);
});

test("what nests a hundred thousand deep is read, and what ends or goes wrong in the middle is read until there", () => {
  const depth = 100_000;
  expect(jsonNodes("[".repeat(depth) + "]".repeat(depth)).nodes).toHaveLength(depth);
  const cut = jsonNodes('{"a":{"b":[1,2');
  expect([cut.nodes.length, cut.stopped]).toEqual([5, 14]);
  expect(jsonNodes('{"a":1,}').stopped).toBe(7);
  expect(jsonNodes("").nodes).toEqual([]);
  expect(jsonNodes('"never closed').stopped).toBe(0);
});

test("differences are told by their places, in both directions, and order and white space are none", () => {
  const before = jsonNodes('{"a":1,"b":[1,{"x":true}],"gone":"g","same":"\\u0061"}');
  const after = jsonNodes('{ "b":[1,{"x":false},3], "a":1, "same":"a", "n/ew":[] }');
  expect(differencesOf(before, after).sort((one, other) => (one.pointer < other.pointer ? -1 : 1))).toEqual([
    { pointer: "/b/1/x", before: "true", after: "false" },
    { pointer: "/b/2", before: undefined, after: "3" },
    { pointer: "/gone", before: '"g"', after: undefined },
    { pointer: "/n~1ew", before: undefined, after: "[]" },
  ]);
});

test("a difference at the bottom of what nests deep is found in time linear in it", () => {
  const nested = (value: number): ReturnType<typeof jsonNodes> =>
    jsonNodes(`${'{"a":'.repeat(50_000)}${value}${"}".repeat(50_000)}`);
  expect(differencesOf(nested(1), nested(2))).toMatchObject([{ before: "1", after: "2" }]);
});

test("what steers, hides or was lost is shown as such, and emoji stay whole", () => {
  const text = "a\u202eb\u200b👩‍💻\ud800 \ufffdc";
  const runs = runsOf({ text, cuts: [[2, 7]], broken: [[text.indexOf("\ufffd"), 0xfe]] }, 0, text.length);
  expect(runs.map((run) => (run.kind === "cut" ? run.left : `${run.kind} ${run.text}`))).toEqual([
    "plain a",
    "escape \\u202e",
    7,
    "plain b",
    "escape \\u200b",
    "plain 👩‍💻",
    "escape \\ud800",
    "plain  ",
    "bytes \\xfe",
    "plain c",
  ]);
  expect(runsOf({ text: "a\n\tb\r\nc\r" }, 0, 8, true).map(({ kind }) => kind)).toEqual(["plain", "escape"]);
  expect(visible("a\u202eb")).toBe("a\\u202eb");
});
