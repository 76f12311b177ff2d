/** Runs to set side by side: results with the verdicts a test names. */
import type { Clause, Finding } from "../../check/clause.ts";
import { groupsOf } from "../../check/groups.test-kit.ts";
import type { ClauseVerdict } from "../../verdict/document.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import type { Standing } from "../../verdict/standing.ts";
import { finding, green } from "../results.test-kit.ts";
import { type Compared, sideBySide } from "./compare.ts";
import type { SideBySide } from "./document.ts";

const clauseOf = (id: string): Clause => ({
  id,
  interface: id.split(".")[0]!,
  section: id.split(".")[1]!,
  says: `The ${id.split(".")[2]} is as documented.`,
  on: "response",
  kind: "behaviour",
  level: "must",
  basis: "document",
  document: finding.document,
  readings: [],
});

const verdictOf = (id: string, state: Standing): ClauseVerdict => {
  const bad = state === "fail" || state === "expected" || state === "inherited";
  const warns = state === "warning";
  const accepts = state === "unenforced";
  return {
    id,
    verdict: bad ? "fail" : (state as ClauseVerdict["verdict"]),
    exercised: bad || warns || accepts || state === "pass" ? 3 : 0,
    failed: bad ? 2 : 0,
    ...(warns && { warned: 1 }),
    ...(accepts && { unenforced: 1 }),
    ...(state === "expected" && { expected: { reason: "known since spring" } }),
  };
};

/** A run whose clauses came to these states; `unasked` ones are no part of it. */
export function runOf(states: Readonly<Record<string, Standing>>, more: Partial<RunResults> = {}): RunResults {
  const part = Object.entries(states).filter(([, state]) => state !== "unasked");
  const findings = part
    .filter(([, state]) => ["fail", "expected", "warning", "unenforced"].includes(state))
    .map(
      ([clause, state]): Finding => ({
        ...finding,
        clause,
        interface: clause.split(".")[0]!,
        level: state === "fail" || state === "expected" ? "error" : (state as "warning" | "unenforced"),
        expected: "what is right",
        actual: "what is wrong",
        ...(state === "unenforced" && { reading: "X-ENFORCE" }),
      }),
    );
  return {
    ...green,
    clauses: part.map(([id, state]) => verdictOf(id, state)),
    findings,
    groups: groupsOf(findings).map((group, i) => ({ ...group, exchanges: 1, first: [i] })),
    ...more,
  };
}

/** Runs as columns, called a, b, c, ... */
export function compared(...runs: readonly RunResults[]): SideBySide {
  const columns = runs.map(
    (results, i): Compared => ({ name: "abcdefgh"[i]!, started: "2026-01-02T03:04:05.000Z", results }),
  );
  const ids = [...new Set(runs.flatMap(({ clauses }) => clauses.map(({ id }) => id)))];
  return sideBySide(columns, ids.map(clauseOf));
}
