/** The reports of tables of outcomes: what each says, what fails, how columns are set side by side, and that formats agree. */
import { DOMParser } from "@xmldom/xmldom";
import { expect, test } from "vitest";
import { rendered as renderedMarkdown } from "../markdown.test-kit.ts";
import { clauses, finding, results } from "../results.test-kit.ts";
import { clauseGroups, clauseOutcomes } from "./clauses.ts";
import { formatClient } from "./client-text.ts";
import { formatOutcomesJunit } from "./junit.ts";
import { formatOutcomesMarkdown } from "./markdown.ts";
import { cellsOf, concluded, inOrder, isAlike, outcomeExitCode } from "./outline.ts";
import { formatOutcomesSarif } from "./sarif.ts";
import { besideOneAnother } from "./side-by-side.ts";
import { clientTable, gatewayTable } from "./table.test-kit.ts";
import type { OutcomeCell, OutcomeTable } from "./table.ts";
import { formatOutcomes } from "./text.ts";

const table = gatewayTable();
const two = besideOneAnother([gatewayTable(), gatewayTable(["kept", null])], "Gateways", ["old", "new"]);

/** The table with other cells in its first row, and nothing else in it. */
const only = (cell: OutcomeCell, troubles: readonly string[] = []): OutcomeTable => ({
  ...table,
  columns: [{ ...table.columns[0]!, troubles }],
  groups: [{ ...table.groups[0]!, rows: [{ ...table.groups[0]!.rows[0]!, cells: [cell] }] }],
});
const cell: OutcomeCell = { outcome: "kept", level: null, examples: [] };

test.each([
  ["a row of the level error", only({ ...cell, outcome: "dropped", level: "error" }), "fails", 1],
  ["a lost fact", only({ ...cell, outcome: "dropped", level: "warning" }), "loses", 0],
  ["a known failure", only({ ...cell, outcome: "dropped", level: "error", expected: { reason: "r" } }), "conforms", 0],
  ["a stale known failure", only(cell, ["it does not fail"]), "fails", 1],
  ["nothing shown", only({ ...cell, outcome: "not-shown" }), "incomplete", 2],
  ["touchstone's own failure", only({ ...cell, outcome: "broken", level: "error" }), "broken", 2],
  ["what was broken off", { ...table, columns: [{ ...table.columns[0]!, complete: false }] }, "incomplete", 2],
] as const)("%s decides the verdict and the exit code", (_what, own, state, exitCode) => {
  expect(concluded(own, 0).state).toBe(state);
  expect(outcomeExitCode(own)).toBe(exitCode);
});

test("facts that are lost make the headline where nothing fails, in every format", () => {
  const lossy = gatewayTable(["dropped", "warning"]);
  const says = "facts: 1 dropped, 1 changed; nothing fails; 1 known failure";
  expect(concluded(lossy, 0)).toMatchObject({ state: "loses", headline: "Loses 2 of 6", says });
  expect(outcomeExitCode(lossy)).toBe(0);
  expect(formatOutcomes(lossy)).toContain(`\nLOSES 2 OF 6: ${says}\n`);
  expect(formatOutcomes(lossy, { color: true })).toContain(`\u001b[33mLOSES 2 OF 6: ${says}\u001b[0m`);
  expect(formatOutcomesMarkdown(lossy)).toContain(`**Loses 2 of 6**: ${says}`);
  expect(JSON.parse(formatOutcomesSarif(lossy)).runs[0].invocations[0].executionSuccessful).toBe(true);
});

test("rows stand in the order of their weight, and rows that differ before those that do not", () => {
  const ids = (own: OutcomeTable) => inOrder(own, own.groups[0]!).map(({ id }) => id);
  expect(ids(table)).toEqual(["sampling.temperature", "thinking", "seed", "turns"]);
  const swapped = besideOneAnother([gatewayTable(["kept", null]), gatewayTable(["refused", null])], "Gateways");
  expect(ids(swapped)).toEqual(["sampling.temperature", "thinking", "seed", "turns"]);
  expect(isAlike(swapped.groups[0]!.rows[1]!)).toBe(false);
});

test("text tells what is amiss with its example and its command, counts the rest, and ends with the verdict", () => {
  const text = formatOutcomes(table);
  expect(text).toContain("✗ dropped    sampling.temperature  (3 of 14)");
  expect(text).toMatch(/asked {5}\{"temperature":0\.5\}\n {6}arrived {3}nothing\n {6}answered/);
  expect(text).toContain(`-d '{"temperature":0.5}'`);
  expect(text).toContain("✓ kept       1 fact: turns");
  expect(text).not.toContain('asked     {"seed":0.5}');
  expect(formatOutcomes(table, { verbose: true })).toContain("– refused    seed  (2 of 2)");
  expect(text).toContain("– known failure  1 fact: usage");
  expect(text.trimEnd().split("\n").slice(-2)).toEqual([
    "DOES NOT CONFORM: 1 fact fails",
    "facts: 1 dropped, 2 changed, 1 refused, 1 not shown, 2 kept; clauses: 1 holds",
  ]);
});

test("cases that went amiss for one reason are one block, and one alone has its line", () => {
  const lines = formatClient(clientTable()).split("\n");
  expect(lines.slice(3, 9)).toEqual([
    "✗ dropped       2 cases      it raised no error and handed back nothing",
    "    cut/head  What cut/head asks for.",
    "    cut/text  What cut/text asks for.",
    "✗ dropped       failure/401  it refused a legal answer",
    "    What failure/401 asks for.",
    "! changed       24 cases     it asked 100 times in 0.0 s and did not give up",
  ]);
  expect(lines.filter((line) => line.includes("it asked"))).toHaveLength(1);
  expect(
    lines
      .slice(9)
      .join()
      .match(/failure\/with-a-long-name-/g),
  ).toHaveLength(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(100);
  const { texts } = renderedMarkdown(formatOutcomesMarkdown(clientTable()));
  expect(texts("summary").slice(1)).toEqual([
    "❌ dropped (2 cases): it raised no error and handed back nothing",
    "❌ dropped failure/401: What failure/401 asks for.",
    "⚠️ changed (24 cases): it asked 100 times in 0.0 s and did not give up",
  ]);
});

test("facts are told alone, even where they share a reason", () => {
  const own = clientTable();
  const facts = { ...own, groups: own.groups.map((group) => ({ ...group, noun: "fact" })) };
  expect(renderedMarkdown(formatOutcomesMarkdown(facts)).texts("summary").slice(1)).toHaveLength(27);
});

test("side by side, text and Markdown show the rows that differ, and count those that do not", () => {
  const text = formatOutcomes(two);
  expect(text).toMatch(/^What was asked {8}old {16}new\nsampling\.temperature {2}DROPPED \(3 of 14\) {2}kept$/m);
  expect(text).toContain("  2 facts alike in all columns, and nothing amiss");
  const { rows, texts } = renderedMarkdown(formatOutcomesMarkdown(two));
  expect(texts("h2")).toEqual(["Where they differ", "Amiss in all of them", "Alike, and nothing amiss"]);
  expect(rows).toContainEqual([
    "sampling.temperatureWhat sampling.temperature asks for.",
    "❌ dropped (3 of 14)",
    "✅ kept",
  ]);
});

test("a row that one column lacks has no cell there", () => {
  const short = { ...table, groups: table.groups.slice(1) };
  const { groups } = besideOneAnother([short, table], "Gateways");
  expect(groups.map(({ name }) => name)).toEqual(["answer", "upstream", "request"]);
  expect(groups[2]!.rows[0]!.cells).toEqual([null, expect.objectContaining({ outcome: "kept" })]);
  expect(cellsOf(besideOneAnother([short, table], "Gateways"), 0)).toHaveLength(4);
});

test("JUnit has a suite a group and a case a row; warnings, known failures and what was not shown are skipped", () => {
  const xml = new DOMParser().parseFromString(formatOutcomesJunit(table), "text/xml");
  const names = (tag: string) => [...xml.getElementsByTagName(tag)].map((one) => one.getAttribute("name"));
  expect(names("testsuite")).toEqual(["gateway.request", "gateway.answer", "gateway.upstream"]);
  expect(names("testcase")).toHaveLength(8);
  const [failure, ...others] = [...xml.getElementsByTagName("failure")];
  expect(others).toEqual([]);
  expect(failure!.getAttribute("message")).toBe("dropped It is gone without a word. (3 of 14)");
  expect(failure!.textContent).toContain('asked: {"temperature":0.5}');
  expect([...xml.getElementsByTagName("skipped")].map((one) => one.getAttribute("message"))).toEqual([
    "warning: changed (1 of 9)",
    "refused (2 of 2)",
    "known failure: known since spring",
    "not shown",
  ]);
  expect(xml.documentElement!.getAttribute("failures")).toBe("1");
  const incomplete = { ...table, columns: [{ ...table.columns[0]!, complete: false }] };
  expect(formatOutcomesJunit(incomplete)).toContain('errors="1"');
});

test("SARIF has a rule and a result for each row that is amiss, and suppresses what is known", () => {
  const [run] = JSON.parse(formatOutcomesSarif(table)).runs;
  expect(run.results.map(({ ruleId, level }: { ruleId: string; level: string }) => [ruleId, level])).toEqual([
    ["gateway.request.sampling.temperature", "error"],
    ["gateway.request.thinking", "warning"],
    ["gateway.answer.usage", "error"],
  ]);
  expect(run.results[2].suppressions[0].justification).toBe("known since spring");
  expect(run.invocations[0]).toEqual({ executionSuccessful: true, exitCode: 1 });
  const again = JSON.parse(formatOutcomesSarif(gatewayTable(["changed", "error"]))).runs[0].results;
  expect(again[0].partialFingerprints).not.toEqual(run.results[0].partialFingerprints);
  expect(again[1].partialFingerprints).toEqual(run.results[1].partialFingerprints);
});

test("clauses that were judged beside become rows: what nothing showed has none", () => {
  const all = { name: "client", title: "What the client got", takes: () => true };
  const [group] = clauseGroups(results, clauses, [all]);
  expect(group!.rows.map(({ id, cells }) => [id, cells[0]!.outcome, cells[0]!.level])).toEqual([
    ["messages.response.ping", "violated", "error"],
    ["messages.response.stop-reason", "violated", "error"],
    ["messages.response.usage", "holds", null],
  ]);
  const [ping, stop] = group!.rows.map(({ cells }) => cells[0]!);
  expect(ping!.expected).toEqual({ reason: "known since spring" });
  expect([stop!.count, stop!.of]).toEqual([1, 3]);
  expect(stop!.examples[0]!.exchanges).toEqual([
    { says: "the exchange", source: finding.source, exchange: finding.exchange },
  ]);
  expect(stop!.examples[0]!.excerpts[0]).toEqual({ label: "where", text: "response body at /stop_reason" });
  expect(clauseGroups(results, clauses, [{ ...all, takes: ({ section }) => section === "streaming" }])).toEqual([]);
  expect(clauseOutcomes.map(({ outcome }) => outcome)).toEqual(["broken", "violated", "holds"]);
});
