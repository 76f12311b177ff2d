/** Holds that the text of a run fits a screen, however much fails, and names the most serious first, as all reports do. */
import { expect, test } from "vitest";
import type { Clause, Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import { exampleNeeded } from "../verdict/example-needed.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { formatGitlab } from "./gitlab.ts";
import { formatJunit } from "./junit.ts";
import { formatMarkdown } from "./markdown.ts";
import { finding, green } from "./results.test-kit.ts";
import { formatText } from "./text.ts";

const idOf = (n: number): string => `messages.response.rule-${String(n).padStart(2, "0")}`;
const clauses = Array.from(
  { length: 60 },
  (_, n): Clause =>
    ({
      ...{ id: idOf(n), interface: "messages", section: "response", on: "response", kind: "shape", level: "must" },
      ...{ basis: "document", document: finding.document, readings: [] },
      says: `Member ${n} is greater than 0, ${"and it is so in every reply that has it ".repeat(3)}.`,
    }) as Clause,
);

/** A run in which the n-th clause fails in n exchanges. */
function failing(count: number): RunResults {
  const findings = clauses.slice(0, count).map(
    ({ id }): Finding => ({
      ...finding,
      clause: id,
      interface: "messages",
      expected: "more than 0 ".repeat(20),
      actual: "0 ".repeat(200),
    }),
  );
  return {
    ...green,
    findings,
    groups: groupsOf(findings).map((group, i) => ({ ...group, exchanges: i + 1, first: [i] })),
    clauses: findings.map(({ clause }, n) => ({ id: clause, verdict: "fail", exercised: 90, failed: n + 1 })),
  };
}

test("a failure takes four lines: its sentence and id, how often and where, what was wrong, and how to run it again", () => {
  const text = formatText(failing(2), { clauses });
  const [title, where, wrong, again] = text
    .split("\n")
    .slice(text.split("\n").findIndex((line) => line.startsWith("✗"))) as [string, string, string, string];
  expect(title).toMatch(/^✗ Member 1 is greater than 0, .*… messages\.response\.rule-01$/);
  expect(title).toHaveLength(100);
  expect(where).toMatch(/^ {2}2 of 90 exchanges, first: \S+ #\d+, response body \/\S+$/);
  expect(wrong).toMatch(/^ {2}expected more than 0 .*, got 0 .*…$/);
  expect(again).toBe("  re-run: touchstone run http://127.0.0.1:8080 --clause messages.response.rule-01");
});

test.each([1, 8, 16, 60])("%i failures fit a screen", (count) => {
  const lines = formatText(failing(count), { clauses }).split("\n");
  expect(lines.length).toBeLessThanOrEqual(50);
  // A command is whole, or it is none.
  for (const line of lines.filter((one) => !one.startsWith("  re-run:"))) expect(line.length).toBeLessThanOrEqual(100);
  expect(lines.filter((line) => line.startsWith("✗")).length).toBe(Math.min(count, count === 60 ? 31 : 60));
});

test("verbose text has every failure with its commands", () => {
  const text = formatText(failing(60), { clauses, verbose: true });
  for (const { id } of clauses) expect(text).toContain(`FAIL ${id}\n`);
});

test("every report names the failure of most exchanges first", () => {
  const results = failing(12);
  const order = [...Array(12).keys()].reverse().map(idOf);
  const named = (text: string): string[] => [...new Set(text.match(/messages\.response\.rule-\d\d/g))];
  expect(named(formatText(results, { clauses }))).toEqual(order);
  expect(named(formatText(results, { clauses, verbose: true }))).toEqual(order);
  expect(named(formatMarkdown(results, { clauses }))).toEqual(order);
  expect(named(formatJunit(results, { clauses }))).toEqual(order);
  expect(named(formatGitlab(results, { clauses }))).toEqual(order);
});

test("a warning shows its place and values if failures leave room", () => {
  const whole = failing(1);
  const warned = {
    ...whole,
    clauses: whole.clauses.map((one) => ({ ...one, verdict: "warning" as const, failed: 0, warned: 7 })),
  };
  const text = formatText(warned, { clauses });
  expect(text).toContain("! Member 0 is greater than 0");
  expect(text).toMatch(/\n {2}7 of 90 exchanges, first: .*\n {2}expected more than 0 .*, got 0 .*\n {2}re-run: /);
  expect(text.split("\n").every((line) => line.length <= 100 || line.startsWith("  re-run: "))).toBe(true);
});

test("operations that need an example are named, with what to do", () => {
  const needs = ["GET /jobs/{id}", "GET /jobs/{id}/events"].map(exampleNeeded);
  const open = needs.map((need, i) => ({
    ...{ id: idOf(i), verdict: "no-verdict" as const, exercised: 0, failed: 0 },
    needs: [need],
  }));
  const text = formatText({ ...green, clauses: open }, { clauses }).replaceAll("\n", " ");
  expect(text).toContain("refuses requests with made-up values: GET /jobs/{id}, GET /jobs/{id}/events. Give examples");
});

test("of many entries without a reason, the first are named and the others counted", () => {
  const unreasoned = Array.from({ length: 9 }, (_, n) => idOf(n));
  const expectations = { entries: [], stale: [], expired: [], unobserved: [], seen: [], unreasoned };
  const text = formatText({ ...green, expectations }, { clauses });
  expect(text.match(/^no reason /gm)).toHaveLength(4);
  expect(text).toContain("and 5 entries more: no reason (--verbose lists them)");
});
