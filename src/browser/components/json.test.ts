/** Shows that JSON is read as it was written, however deep it nests, and that differences are found where they are. */
import { expect, test } from "vitest";
import type { ViewedExchange } from "../../view/viewed.ts";
import { changesOf } from "./changes.ts";
import { differencesOf } from "./json-differences.ts";
import { find, jsonNodes, pointerOf, written } from "./json-nodes.ts";
import { type Mark, placed } from "./marks.ts";
import { runsOf, visible } from "./shown.ts";
import { newIn, timesOf } from "./stream-reading.ts";

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

test("JSON that nests a hundred thousand deep is read; a text that ends or goes wrong in the middle is read until there", () => {
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

test("steering, hidden and lost characters are shown as such, and emoji stay whole", () => {
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

const mark = (pointer: string): Mark => ({
  level: "error",
  side: "response",
  in: "body",
  event: null,
  pointer,
  says: "",
  isFocus: false,
});

test("a mark stands at its value, at what lacks it, or at nothing where the page does not hold its place", () => {
  const json = jsonNodes('{"a":[1,2],"b":{"c":3');
  const { at, missing, lost } = placed(json, ["/a/1", "/a/7", "/b/d", "/e"].map(mark));
  expect([...at].map(([position, [one]]) => [pointerOf(json, position), one!.pointer])).toEqual([
    ["/a/1", "/a/1"],
    ["/a", "/a/7"],
  ]);
  expect(missing.size).toBe(0);
  expect(lost.map(({ pointer }) => pointer)).toEqual(["/b/d", "/e"]);
  const whole = placed(jsonNodes('{"b":{}}'), [mark("/b/d")]);
  expect([...whole.missing.values()]).toMatchObject([[{ name: "d" }]]);
});

test("the line of an event holds only what is new since the one before", () => {
  const line = (now: string, before: string): string => newIn(jsonNodes(now), jsonNodes(before));
  expect(line('{"id":"chatcmpl-1","n":1,"x":[2]}', '{"id":"chatcmpl-1","n":1,"x":[1]}')).toBe('{"n":1,"x":[2]}');
  expect(line('{"id":"chatcmpl-2"}', '{"id":"chatcmpl-1"}')).toBe('{"id":"chatcmpl-2"}');
  expect(line("[DONE]", "{}")).toBe("[DONE]");
});

test("a pause is one between events that follow each other, not across those that are left out", () => {
  const events = [0, 1, 5, 6].map((position) => ({ position, time: position * 10, text: "" }));
  expect(timesOf([...events, { position: 7, time: 75, text: "" }])).toEqual({ first: 0, last: 75, pause: [15, 7] });
  expect(timesOf([{ position: 0, text: "" }])).toBeNull();
});

test("a probe differs from its twin where it was changed, not in what every sending has of its own", () => {
  const asked = (target: string, headers: readonly (readonly [string, string])[], prompt: string): ViewedExchange => ({
    source: "probes/images",
    exchange: 0,
    request: {
      method: "POST",
      target,
      headers,
      bytes: 1,
      body: { kind: "form", count: 1, fields: [{ name: "prompt", bytes: 1, value: { text: prompt } }] },
    },
    response: null,
  });
  const type = "multipart/form-data; boundary=";
  const changes = changesOf(
    asked(
      "/v1/a?x=1",
      [
        ["Content-Type", `${type}one`],
        ["content-length", "1"],
        ["X-Key", "good"],
      ],
      "a",
    ),
    asked(
      "/v1/b?x=2",
      [
        ["content-type", `${type}two`],
        ["content-length", "2"],
      ],
      "b",
    ),
  );
  expect(changes).toEqual([
    { in: "path", pointer: "", before: "/v1/a", after: "/v1/b" },
    { in: "query", pointer: "/x", before: "1", after: "2" },
    { in: "headers", pointer: "/x-key", before: "good", after: undefined },
    { in: "form", pointer: "/prompt", before: "a", after: "b" },
  ]);
});
