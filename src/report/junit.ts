/** JUnit XML: one test case a clause, grouped by section; what CI systems read. */
import type { ClauseVerdict } from "../verdict/document.ts";
import { xmlText } from "./clean.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import { type ClauseGroups, clauseTable, groupsByClause, placeOf, placesOf, sectionsOf } from "./outline.ts";

/** Failures are what fails and is not expected; every verdict that is neither pass nor fail, a warning too, is a skipped case. */
export function formatJunit(results: Results, options: ReportOptions): string {
  const clauses = clauseTable(options.clauses);
  const found = groupsByClause(results);
  const suites = sectionsOf(results).map(({ interface: of, section, clauses: own }) =>
    suiteOf(
      `${of}.${section}`,
      own.map((verdict) => ({
        name: verdict.id,
        outcome: outcomeOf(verdict, found.get(verdict.id), clauses.get(verdict.id)?.says ?? verdict.id),
      })),
    ),
  );
  if (isRun(results)) {
    const cases: Case[] = [
      ...results.incidents.map(({ source, exchange, problem, expected }) => ({
        name: `${source}, exchange ${exchange}`,
        outcome: expected ? skipped(`expected: ${expected.reason}`) : failed("failure", problem, problem),
      })),
      ...(results.expectations?.stale ?? []).map((name) => ({
        name: `expectation of ${name}`,
        outcome: failed("failure", "stale: it is expected to fail, and does not", ""),
      })),
    ];
    if (cases.length > 0) suites.push(suiteOf("run", cases));
  }
  if (!results.complete)
    suites.push(
      suiteOf("complete", [{ name: "the run came to its end", outcome: failed("error", "it was broken off", "") }]),
    );
  const total = (key: keyof Omit<Suite, "xml">): number => suites.reduce((sum, suite) => sum + suite[key], 0);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="touchstone" tests="${total("tests")}" failures="${total("failures")}" errors="${total("errors")}" skipped="${total("skips")}">
${suites.map(({ xml }) => xml).join("")}</testsuites>
`;
}

interface Outcome {
  readonly kind: "passed" | "failure" | "error" | "skipped";
  readonly xml: string;
}
interface Case {
  readonly name: string;
  readonly outcome: Outcome;
}
interface Suite {
  readonly xml: string;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skips: number;
}

const skipped = (why: string): Outcome => ({ kind: "skipped", xml: `<skipped message="${xmlText(why)}"/>` });
const failed = (kind: "failure" | "error", message: string, details: string): Outcome => ({
  kind,
  xml: `<${kind} message="${xmlText(message)}">${xmlText(details)}</${kind}>`,
});

function outcomeOf(
  { verdict, needs = [], expected }: ClauseVerdict,
  groups: ClauseGroups | undefined,
  says: string,
): Outcome {
  if (verdict === "pass") return { kind: "passed", xml: "" };
  if (verdict === "broken") return failed("error", "touchstone failed", needs.join("\n"));
  if (verdict === "warning")
    return {
      kind: "skipped",
      xml: `<skipped message="warning: ${xmlText(says)}">${xmlText(detailsOf(groups))}</skipped>`,
    };
  if (verdict !== "fail") return skipped([verdict, ...needs].join("; "));
  if (expected) return skipped(`expected: ${expected.reason}`);
  return failed("failure", says, detailsOf(groups));
}

function detailsOf(groups: ClauseGroups | undefined): string {
  const { places, others } = placesOf(groups ?? { id: "", groups: [] });
  const lines = places.map(
    ({ finding, more }) =>
      `${placeOf(finding)}\n  expected ${finding.expected}\n  actual ${finding.actual}${more === undefined ? "" : `\n${more}`}`,
  );
  return [...lines, ...(others === "" ? [] : [others])].join("\n");
}

function suiteOf(name: string, cases: readonly Case[]): Suite {
  const count = (kind: Outcome["kind"]): number => cases.filter(({ outcome }) => outcome.kind === kind).length;
  const [failures, errors, skips] = [count("failure"), count("error"), count("skipped")];
  const head = `<testsuite name="${xmlText(name)}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skips}">`;
  const body = cases.map(({ name: own, outcome }) => {
    const open = `    <testcase classname="${xmlText(name)}" name="${xmlText(own)}"`;
    return outcome.xml === "" ? `${open}/>\n` : `${open}>${outcome.xml}</testcase>\n`;
  });
  return { xml: `  ${head}\n${body.join("")}  </testsuite>\n`, tests: cases.length, failures, errors, skips };
}
