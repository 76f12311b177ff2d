/** Holds the table of several targets: what differs, what each cell shows, and what may not be laid to the targets. */
import { expect, test } from "vitest";
import { formatChecker } from "../../verdict/read-results.ts";
import type { Standing } from "../../verdict/standing.ts";
import { rendered } from "../markdown.test-kit.ts";
import { bad, evil, results } from "../results.test-kit.ts";
import { aheadOf } from "./ahead.ts";
import type { Agreement, SideBySide } from "./document.ts";
import { formatSideBySideMarkdown } from "./markdown.ts";
import { columnNames } from "./names.ts";
import { compared, runOf } from "./results.test-kit.ts";
import { formatSideBySide } from "./text.ts";

const rowsOf = ({ sections }: SideBySide) => sections.flatMap(({ rows }) => rows);

test.each<[Standing[], Agreement]>([
  [["pass", "fail"], "differs"],
  [["pass", "expected"], "differs"],
  [["pass", "warning"], "differs"],
  [["warning", "fail"], "differs"],
  [["unenforced", "warning"], "differs"],
  [["fail", "expected"], "violated"],
  [["fail", "untested"], "violated"],
  [["pass", "unenforced"], "enforcement"],
  [["unenforced", "skipped"], "unenforced"],
  [["pass", "pass"], "kept"],
  [["pass", "untested"], "kept"],
  [["pass", "no-verdict"], "kept"],
  [["pass", "broken"], "kept"],
  [["untested", "skipped"], "open"],
  [["unasked", "no-verdict"], "open"],
])("%j side by side is called %s, and each cell keeps its state", (states, agreement) => {
  const document = compared(...states.map((state) => runOf({ "messages.response.usage": state })));
  expect(rowsOf(document)).toMatchObject([{ agreement, cells: states.map((state) => ({ state })) }]);
});

const ids = ["messages.response.a", "messages.response.b", "messages.response.c", "images.edits.d"];
const three = compared(
  runOf({ [ids[0]!]: "pass", [ids[1]!]: "pass", [ids[2]!]: "fail", [ids[3]!]: "pass" }),
  runOf({ [ids[0]!]: "pass", [ids[1]!]: "expected", [ids[2]!]: "fail", [ids[3]!]: "skipped" }),
  runOf({ [ids[0]!]: "untested", [ids[1]!]: "fail", [ids[2]!]: "fail", [ids[3]!]: "unasked" }),
);

test("sections come in order; in each, what differs comes first, then what all violate", () => {
  expect(
    three.sections.map(({ interface: of, section, rows }) => [of, section, rows.map(({ clause }) => clause)]),
  ).toEqual([
    ["images", "edits", [ids[3]]],
    ["messages", "response", [ids[1], ids[2], ids[0]]],
  ]);
  expect(three.sections.map(({ differing }) => differing)).toEqual([0, 1]);
});

test("each column says on how many clauses, features and clients it is better than another", () => {
  expect(aheadOf(three)[0]).toEqual({ what: "clauses, of 2 with a verdict for all", counts: [1, 0, 0] });
  const two = compared(
    runOf({ [ids[0]!]: "pass", [ids[1]!]: "warning", [ids[2]!]: "fail", [ids[3]!]: "fail" }),
    runOf({ [ids[0]!]: "pass", [ids[1]!]: "expected", [ids[2]!]: "warning", [ids[3]!]: "skipped" }),
  );
  expect(aheadOf(two)[0]).toEqual({ what: "clauses, of 3 with a verdict for all", counts: [1, 1] });
  const cell = (outcome: string) => ({ outcome, why: "" });
  const features = [
    { name: "text", differs: true, cells: [cell("works"), cell("works, with faults")] },
    { name: "tools", differs: true, cells: [cell("not offered"), cell("broken")] },
    { name: "audio", differs: true, cells: [cell("works"), cell("not shown")] },
    { name: "errors", differs: true, cells: [cell("works"), null] },
  ] as unknown as SideBySide["features"];
  const clients = [
    { name: "openai", differs: true, cells: [cell("served"), cell("not served")] },
  ] as unknown as SideBySide["clients"];
  expect(aheadOf({ ...two, features, clients }).slice(1)).toEqual([
    { what: "features", counts: [1, 1] },
    { what: "clients", counts: [1, 0] },
  ]);
  expect(formatSideBySide(two)).toContain("better than another on");
});

test("a column counts what has a verdict apart from what was not shown, and admitted failures apart from others", () => {
  expect(
    three.columns.map(({ clauses, shown, admitted, standing }) => [clauses, shown, admitted, standing.state]),
  ).toEqual([
    [4, 4, 0, "fails"],
    [4, 3, 1, "fails"],
    [3, 2, 0, "fails"],
  ]);
  expect(three.columns[1]!.counts).toMatchObject({ pass: 1, expected: 1, fail: 1, skipped: 1, untested: 0 });
});

test("a cell has its counts, its first places and why", () => {
  const cell = rowsOf(three).find(({ clause }) => clause === ids[1])!.cells[1];
  expect(cell).toMatchObject({
    state: "expected",
    exercised: 3,
    failed: 2,
    findings: 1,
    why: ["known since spring"],
    places: [
      { source: "messages/response/text.json", exchange: 2, expected: "what is right", actual: "what is wrong" },
    ],
  });
});

test("requests that are not answered and admitted to keep a column from simply conforming", () => {
  const [incident] = results.incidents;
  const run = runOf({}, { incidents: [{ ...incident!, expected: { reason: "no tools" } }] });
  const { columns, unanswered } = compared(run, runOf({}));
  expect(columns[0]).toMatchObject({ admitted: 1, standing: { state: "conforms" } });
  expect(columns[0]!.says).toBe("conforms but for 1 request known to go unanswered, as far as tested");
  expect(unanswered).toMatchObject([
    { operation: "POST /v1/messages", cells: [{ requests: 1, expected: true }, null] },
  ]);
});

test.each<[string, Parameters<typeof runOf>[1]]>([
  ["touchstone", { versions: { touchstone: "0.0.9", node: "20.19.0" } }],
  ["clauses of messages", { documents: { messages: "f".repeat(64) } }],
  ["preset", { options: { ...results.options, preset: "vendors" } }],
  ["readings", { options: { ...results.options, readings: ["strict:X-NULL"] } }],
  ["level that fails", { options: { ...results.options, level: "warning" } }],
  ["probes", { options: { ...results.options, probes: false } }],
  ["recordings", { options: { ...results.options, ownRecordings: true } }],
  ["asked only", { plan: { ...results.plan, interfaces: ["messages"] } }],
  ["said to lack", { plan: { ...results.plan, lacks: ["tools"] } }],
  ["requests at most", { plan: { ...results.plan, limit: 5 } }],
])("columns that are not alike in %s are told so, and no others", (what, more) => {
  const plain = runOf({}, { documents: { messages: "0".repeat(64) } });
  const document = compared(plain, { ...plain, ...more });
  expect(document.unlike.map((one) => one.what)).toEqual([what]);
  expect(formatSideBySide(document)).toMatch(new RegExp(`Not alike in more than the target:\\n[^\\n]*\\n${what} `));
  expect(rendered(formatSideBySideMarkdown(document)).texts("td")).toContain(what);
  expect(formatSideBySide(compared(plain, plain))).not.toContain("Not alike");
});

test("the text tells differences, places, and states that are no verdict", () => {
  const text = formatSideBySide(three);
  for (const line of [
    /^clauses with a verdict +4 of 4 +3 of 4 +2 of 3$/m,
    /^messages\/response +2 pass, 1 FAIL +1 pass, 1 known failure, 1 FAIL +0 pass, 2 FAIL, 1 untested$/m,
    /^They differ on 1 clause:\nclause +a +b +c\nmessages.response.b +pass +known failure 2 of 3 +FAIL 2 of 3$/m,
    /^Violated by all that have a verdict, 1 clause:$/m,
    /^ {2}b: messages\/response\/text.json, exchange 2: response body at \/stop_reason\n {4}expected {2}what is right\n {4}actual {4}what is wrong$/m,
    /^known failure +violated, and accepted for now with a reason$/m,
    /^untested +no answer showed it: it is not passed$/m,
    /^4 clauses: 1 differ, 1 are violated and 2 kept by all that have a verdict, /m,
  ])
    expect(text).toMatch(line);
});

test("the text tells what differs before all else, and hides sections that come to the same", () => {
  const text = formatSideBySide(three);
  const at = [
    "They differ on 1 clause",
    "b: messages/response/text.json, exchange 2",
    "section ",
    "Violated by all",
  ].map((part) => text.indexOf(part));
  expect(at[0]).toBeGreaterThan(0);
  expect(at[1]).toBeGreaterThan(at[0]!);
  expect(Math.min(at[2]!, at[3]!)).toBeGreaterThan(at[1]!);
  const alike = formatSideBySide(compared(results, results));
  expect(alike).toMatch(/^\d+ sections? with the same counts in all columns: hidden/m);
  expect(alike).not.toMatch(/^section /m);
});

test("as Markdown every row has a cell for each column, differences come first, and evidence is folded", () => {
  const { texts, rows } = rendered(formatSideBySideMarkdown(three));
  expect(texts("h2")[0]).toBe("They differ on 1 clause");
  expect(rows.filter((cells) => cells.length !== 4)).toEqual([]);
  expect(rows).toContainEqual(["bThe b is as documented.", "✅", "🟧 2 of 3", "❌ 2 of 3"]);
  expect(texts("li").join()).toContain("expected what is right, got what is wrong (known since spring)");
});

test("nothing in hostile results or names is interpreted by a terminal or by GitHub, and rows keep their columns", () => {
  const document = compared(bad, results);
  const named = { ...document, columns: document.columns.map((column) => ({ ...column, name: evil, started: evil })) };
  expect(formatSideBySide(named)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  const { elements, searched, rows } = rendered(formatSideBySideMarkdown(named));
  const own = new Set("h1 h2 p ul li table thead tbody tr th td details summary code strong br".split(" "));
  expect([...elements].filter((name) => !own.has(name))).toEqual([]);
  expect(searched.filter((text) => /@\w/.test(text))).toEqual([]);
  expect(rows.filter((cells) => cells.length !== 3)).toEqual([]);
});

test("Markdown is bounded: what does not fit is counted", () => {
  const many = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [`messages.s${i % 200}.c${i}`, "fail" as Standing]),
  );
  const document = compared(runOf(many), runOf({ [Object.keys(many)[0]!]: "pass" }));
  const text = formatSideBySideMarkdown(document);
  expect(Buffer.byteLength(text)).toBeLessThan(65_536);
  const shown = [...text.matchAll(/<summary>(?:<code>messages\/s|Clauses by verdict)/g)].length;
  const left = [...text.matchAll(/^(?:and )?(\d+) more, in the page/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
  // One section holds both a clause that differs and clauses that all violate; all have one table of counts.
  expect(shown + left).toBe(202);
  rendered(text);
});

test("the document has the format that its schema describes", async () => {
  const problemOf = await formatChecker("side-by-side");
  for (const document of [
    three,
    compared(bad, results),
    compared(runOf({}), runOf({}, { incidents: results.incidents })),
  ])
    expect(problemOf(JSON.parse(JSON.stringify(document)))).toBeUndefined();
  expect(problemOf({ ...three, columns: [{}] })).toMatch(/columns\/0/);
});

test("several runs of one target are called by as much of their dates as tells them apart; others by their target", () => {
  const at = (started: string, more = {}) => ({ name: undefined, target: "http://a", started, path: "p", ...more });
  expect(columnNames([at("2026-01-02T03:04:05Z"), at("2026-02-02T03:04:05Z")])).toEqual(["2026-01-02", "2026-02-02"]);
  expect(columnNames([at("2026-01-02T03:04:05Z"), at("2026-01-02T03:05:05Z")])).toEqual([
    "2026-01-02 03:04",
    "2026-01-02 03:05",
  ]);
  expect(columnNames([at("2026-01-02"), at("2026-01-02", { path: "q" })])).toEqual([
    "2026-01-02 (p)",
    "2026-01-02 (q)",
  ]);
  expect(columnNames([at("2026-01-02"), at("2026-01-02", { target: "reference" })])).toEqual(["http://a", "reference"]);
  expect(columnNames([at("2026-01-02"), at("2026-01-03"), at("2026-01-03", { target: "reference" })])).toEqual([
    "http://a 2026-01-02",
    "http://a 2026-01-03",
    "reference",
  ]);
  expect(columnNames([at("2026-01-02", { name: "old" }), at("2026-01-03")])).toEqual(["old", "http://a"]);
});

test("a feature or a client that differs says why in every column where it does not just work", () => {
  const tools = { name: "messages/tools", faults: [] };
  const decidedBy = { source: "messages/tools/one.json", exchange: 0 };
  const why = "3 of 4 exchanges that ask for it fail";
  const client = { name: "anthropic", package: "@anthropic-ai/sdk", version: "1.0.0", by: "predicted" } as const;
  const document = compared(
    runOf(
      {},
      {
        features: [{ ...tools, outcome: "works", why: "holds call", decidedBy }],
        clients: [{ ...client, outcome: "served", because: [] }],
      },
    ),
    runOf(
      {},
      {
        features: [{ ...tools, outcome: "broken", why, decidedBy }],
        clients: [{ ...client, outcome: "not served", because: ["messages.response.type: throws"] }],
      },
    ),
  );
  const [feature] = document.features;
  expect(feature!.cells.map((cell) => cell?.why)).toEqual(["tools/one.json #0", `${why}, tools/one.json #0`]);
  expect(document.clients[0]!.cells[1]!.why).toBe("1.0.0, predicted: messages.response.type: throws");
  const text = formatSideBySide(document);
  expect(text).toContain(`\nmessages/tools\n  b: broken: ${why}, tools/one.json #0\n`);
  expect(text).toContain("\nanthropic\n  b: not served: 1.0.0, predicted: messages.response.type: throws\n");
  expect(rendered(formatSideBySideMarkdown(document)).texts("td").join("\n")).toContain(`broken: ${why}`);
});
