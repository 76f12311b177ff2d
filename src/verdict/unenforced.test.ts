/** Holds what the verdict `unenforced` outweighs, that it fails nothing, and that it survives sharding and expectations. */
import { expect, test } from "vitest";
import type { Clause, FindingLevel } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import { applyExpectations } from "./apply-expectations.ts";
import type { ClauseVerdict } from "./document.ts";
import type { Evidence } from "./evidence.ts";
import { mergeClauses } from "./merge.ts";
import { createTally } from "./tally.ts";

const id = "messages.request.top-k-type";
const document = { name: "messages", section: "Body" };
const clause: Clause = {
  id,
  interface: "messages",
  section: "request",
  says: "x",
  on: "request",
  kind: "behaviour",
  level: "must",
  basis: "document",
  document,
  readings: [],
};

const showing = (exchange: number, ...levels: FindingLevel[]): Evidence => {
  const findings = levels.map((level) => ({
    ...{ source: "s", exchange, interface: "messages", operation: "POST /v1/messages" },
    ...({ side: "request", in: "body", event: null, pointer: "/top_k", clause: id } as const),
    ...{ level, message: "m", expected: "e", actual: "a", document },
  }));
  return { judged: false, findings, groups: groupsOf(findings), exercised: [id], undecided: [], missed: [] };
};

const tallied = (pieces: readonly Evidence[], failsAt: "error" | "note" = "error") => {
  const tally = createTally([clause], failsAt);
  for (const piece of pieces) tally.add(piece);
  return tally.document(true);
};

test("unenforced outweighs passes and notes, and whatever else is violated outweighs it", () => {
  const accepted = showing(0, "unenforced", "note");
  const verdictOf = (...more: Evidence[]) => tallied([accepted, ...more]).clauses[0];
  expect(verdictOf(showing(1), showing(2, "note"))).toEqual({
    id,
    verdict: "unenforced",
    exercised: 3,
    failed: 0,
    unenforced: 1,
  });
  expect(verdictOf(showing(1, "warning"))).toMatchObject({ verdict: "warning", warned: 1, unenforced: 1 });
  expect(verdictOf(showing(1, "unenforced", "error"))).toMatchObject({ verdict: "fail", failed: 1, unenforced: 1 });
});

test("unenforced fails at no level, and no sum counts it", () => {
  const { clauses, summary } = tallied([showing(0, "unenforced")], "note");
  expect(clauses[0]).toMatchObject({ verdict: "unenforced", failed: 0 });
  expect(summary).toMatchObject({ errors: 0, warnings: 0, notes: 0 });
});

test("shards keep it: of one that passes and one that is unenforced the sum is unenforced", () => {
  const [accepts] = tallied([showing(0, "unenforced")]).clauses;
  const [passes] = tallied([showing(0)]).clauses;
  expect(mergeClauses([[accepts!], [passes!], [accepts!]])).toEqual([
    { id, verdict: "unenforced", exercised: 3, failed: 0, unenforced: 2 },
  ]);
});

test("an expectation of a rule that is unenforced excuses nothing and is not stale", () => {
  const happened: ClauseVerdict = { id, verdict: "unenforced", exercised: 1, failed: 0, unenforced: 1 };
  const entries = [
    { clause: id, reason: "r" },
    { clause: id, cassette: "probes/x", reason: "r" },
  ];
  const seen = [{ clause: id, cassette: "probes/x", exercised: 1, failed: 0, warned: 0, unenforced: 1 }];
  const held = applyExpectations(entries, { clauses: [happened], incidents: [], seen }, new Set(), "2030-01-15", true);
  expect(held.clauses[0]?.expected).toBeUndefined();
  expect(held.outcome).toMatchObject({ stale: [], unobserved: [] });
});
