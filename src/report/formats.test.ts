/** Tries every format of the table with what a hostile target may have sent. */
import { expect, test } from "vitest";
import type { Change } from "../drift/document.ts";
import { noExamples } from "./drift/examples.ts";
import { driftPage } from "./drift/page.ts";
import { filesOf, formats, type Reported, rendered } from "./formats.ts";
import { createOutcomePacker, outcomePage } from "./outcomes/page.ts";
import { besideOneAnother } from "./outcomes/side-by-side.ts";
import { hostileTable } from "./outcomes/table.test-kit.ts";
import { createPacker } from "./page/pack.ts";
import { reportPage } from "./page/page.ts";
import { bad, clauses, evil, results } from "./results.test-kit.ts";
import { sideBySide } from "./side-by-side/compare.ts";
import { sideBySidePage } from "./side-by-side/page.ts";

const targets = sideBySide(
  [bad, results].map((run) => ({ name: evil, started: evil, results: run })),
  clauses,
);
const both = { before: 1, after: 1 };
const seen = { in: 1, of: 1, example: { source: evil, exchange: 0 }, lacking: null };
const change: Change = {
  kind: "removed",
  interface: "messages",
  operation: evil,
  side: "response",
  in: "body",
  pointer: `/${evil}`,
  where: [evil],
  before: evil,
  after: null,
  count: 1,
  exchanges: 1,
  seen: { before: seen, after: seen },
  chance: 0,
  allowed: false,
  allowedBefore: true,
  clause: null,
  move: "target",
};
const changes = {
  changes: [change],
  summary: {
    changes: 1,
    forbidden: 1,
    exchanges: both,
    compared: both,
    alike: 0,
    unmatched: both,
    unread: both,
    undocumented: both,
  },
};
const readings = {};
const outcomes = { document: bad, table: hostileTable(1) };
const outcomeColumns = besideOneAnother([hostileTable(2), hostileTable(1)], evil);
const documents: Reported = { results: bad, targets, outcomes, outcomeColumns, changes };
const bundle = { script: "script", style: "style" };
const pages: Readonly<Record<keyof Reported, () => Iterable<string>>> = {
  results: () =>
    reportPage(bad, { clauses, readings, clients: [], made: null }, createPacker(bad, []).finish("absent"), bundle),
  targets: () => sideBySidePage(targets, { clauses, readings, exchanges: [] }, bundle),
  outcomes: () => outcomePageOf(outcomes.table),
  outcomeColumns: () => outcomePageOf(outcomeColumns),
  changes: () =>
    driftPage(
      { before: "a", after: "b", compared: "2026-01-01", document: changes, sentences: {} },
      noExamples,
      bundle,
    ),
};

function outcomePageOf(table: Reported["outcomeColumns"] | Reported["outcomes"]["table"]): Iterable<string> {
  const exchanges = table.columns.map((_one, i) => createOutcomePacker(table, i, bad, []).finish("absent"));
  const sources = { command: [evil], clauses, readings, findings: bad.findings, exchanges };
  return outcomePage(table, sources, bundle);
}

/** Characters that steer a terminal, or have text read in another order. */
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** The first place that steers, with what stands around it. */
function steeringIn(report: string): string | undefined {
  const at = report.search(steering);
  return at < 0 ? undefined : JSON.stringify(report.slice(Math.max(0, at - 40), at + 40));
}

/** Formats for programs: there, JSON is data. */
const isData = (text: string): boolean => /^[[{]/.test(text);

const all = (Object.keys(formats) as (keyof Reported)[]).flatMap((of) =>
  formats[of].map(({ name }) => [of, name] as const),
);

test.each(all)("%s as %s: nothing that a target sent steers, and no page holds its markup", async (of, name) => {
  const report = [...(await rendered(of, name, documents[of], { clauses, page: pages[of] }))].join("");
  expect(report.length).toBeGreaterThan(10);
  if (isData(report)) expect(() => JSON.parse(report)).not.toThrow();
  else expect(steeringIn(report)).toBeUndefined();
  if (name === "html") expect(report.includes("<img")).toBe(false);
});

test("the JSON of a folder is written first, and no two formats of one document share a file", () => {
  expect([...filesOf("targets")]).toEqual([
    ["json", "side-by-side.json"],
    ["html", "side-by-side.html"],
    ["markdown", "side-by-side.md"],
  ]);
  expect([...filesOf("changes").keys()]).toEqual(["json", "text", "markdown", "html"]);
  for (const rows of Object.values(formats)) {
    const files = rows.flatMap(({ file }) => file ?? []);
    expect(new Set(files).size).toBe(files.length);
  }
});
