/** A gateway or a client as JUnit XML: a suite a group, a test case a row. */
import { brokenOff, failed, junitXml, passed, skipped, type TestCase, type TestOutcome } from "../junit-xml.ts";
import { brokenOutcome, extentOf, inOrder, toneOf, wordOf } from "./outline.ts";
import type { OutcomeCell, OutcomeExample, OutcomeGroup, OutcomeRow, OutcomeTable } from "./table.ts";

/** Characters of a command. */
const maxCommandLength = 5000;

/** Of a table with one column. What only warns, is a known failure or was not shown is a skipped case. */
export function formatOutcomesJunit(table: OutcomeTable): string {
  const [{ complete, facts, troubles }] = table.columns as [OutcomeTable["columns"][number]];
  const suites = table.groups.map((group) => ({
    name: `${table.kind}.${group.name}`,
    time: 0,
    cases: inOrder(table, group).map((row) => caseOf(table, group, row)),
  }));
  if (troubles.length > 0) {
    const cases = troubles.map((says) => ({ id: "expectations", name: says, outcome: failed("failure", says, "") }));
    suites.push({ name: "known failures", time: 0, cases });
  }
  return junitXml([...suites, ...(complete ? [] : [brokenOff])], Object.fromEntries(facts), 0);
}

function caseOf(table: OutcomeTable, { name }: OutcomeGroup, { id, says, basis, cells }: OutcomeRow): TestCase {
  const cell = cells[0]!;
  return {
    id: `${table.kind}.${name}`,
    name: `${id}: ${says}`,
    outcome: outcomeOf(table, cell),
    properties: {
      outcome: wordOf(cell.outcome),
      ...(cell.level !== null && { level: cell.level }),
      ...(basis !== undefined && { basis }),
    },
    commands: (cell.examples[0]?.commands ?? []).filter(({ command }) => command.length <= maxCommandLength),
  };
}

function outcomeOf(table: OutcomeTable, cell: OutcomeCell): TestOutcome {
  const extent = extentOf(cell);
  const short = [wordOf(cell.outcome), ...(cell.why ? [cell.why] : []), ...(extent ? [`(${extent})`] : [])].join(" ");
  const text = cell.examples.map(exampleText).join("\n\n");
  if (cell.outcome === brokenOutcome) return failed("error", "touchstone failed", cell.why ?? "");
  if (cell.expected) return skipped(`known failure: ${cell.expected.reason}`, text);
  const tone = toneOf(table, cell);
  if (tone === "good") return passed;
  return tone === "bad" ? failed("failure", short, text) : skipped(tone === "warn" ? `warning: ${short}` : short, text);
}

const exampleText = ({ title, why, excerpts }: OutcomeExample): string =>
  [title, ...(why === undefined ? [] : [why]), ...excerpts.map(({ label, text }) => `  ${label}: ${text}`)].join("\n");
