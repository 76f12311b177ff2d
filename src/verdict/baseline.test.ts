/** The comparison with a baseline blames an upstream only for what it was shown to do, and a target only for what it does itself. */
import { expect, test } from "vitest";
import type { Finding, Level } from "../check/clause.ts";
import { baselineOf, mendedIn, mergeBaselines, withBaseline } from "./baseline.ts";
import type { ClauseVerdict, Upstream, Verdict } from "./document.ts";
import { runExitCode } from "./outcome.ts";
import type { Baseline, Incident, PlannedProbes, RunResults } from "./run-results.ts";

const id = "chat-completions.response.id-required";

interface Shown {
  readonly verdict?: Verdict;
  /** Sources in which the clause is violated, each in one exchange. */
  readonly in?: readonly string[];
  readonly level?: Level;
  /** Exchanges that fail; as many as sources unless said. */
  readonly failed?: number;
  readonly sent?: readonly string[];
  readonly probes?: readonly PlannedProbes[];
  readonly incidents?: readonly Pick<Incident, "source" | "kind">[];
}

const recordings = ["chat-completions/a/one.json", "chat-completions/a/two.json", "chat-completions/b/three.json"];
const [one, two, three] = recordings as [string, string, string];

function results({ verdict = "pass", level = "error", sent = recordings, probes, ...shown }: Shown): RunResults {
  const { in: sources = [], failed = sources.length, incidents = [] } = shown;
  const findings = sources.map((source) => ({ source, exchange: 0, clause: id, level, side: "response" }) as Finding);
  const clause: ClauseVerdict = {
    ...{ id, verdict, exercised: 9 },
    ...(verdict === "warning" ? { failed: 0, warned: failed } : { failed }),
  };
  return {
    complete: true,
    target: { kind: "url", url: "http://127.0.0.1:1", bindings: {} },
    plan: {
      cassettes: sent.map((source) => ({ source, interface: "chat-completions", section: "a", exchanges: 1 })),
      ...(probes && { probes }),
    },
    options: { level: "error" },
    findings,
    clauses: [clause],
    incidents: incidents.map((incident) => ({ ...incident, exchange: 0, interface: "chat-completions", needs: [] })),
  } as unknown as RunResults;
}

const baseline = (shown: Shown, sha256 = "0"): Baseline =>
  baselineOf(results(shown), { kind: "target", sha256: [sha256] });
const outcomeOf = (here: Shown, there: Shown): Upstream | undefined =>
  withBaseline(results(here), baseline(there)).clauses[0]!.upstream;

test.each<[string, Shown, Shown, Upstream | undefined]>([
  ["kept here: nothing is said", {}, { verdict: "fail", in: [one] }, undefined],
  ["the same requests", { verdict: "fail", in: [one] }, { verdict: "fail", in: [one, two] }, { outcome: "fails" }],
  ["kept there", { verdict: "fail", in: [one] }, {}, { outcome: "passes" }],
  ["never seen there", { verdict: "fail", in: [one] }, { verdict: "untested" }, { outcome: "not-shown" }],
  [
    "kept there, but the request was not sent",
    { verdict: "fail", in: [one] },
    { sent: [two, three] },
    { outcome: "not-shown" },
  ],
  [
    "kept there, but the request was not answered",
    { verdict: "fail", in: [one] },
    { incidents: [{ source: one, kind: "server-error" }] },
    { outcome: "not-shown" },
  ],
  [
    "more requests here",
    { verdict: "fail", in: [one, two] },
    { verdict: "fail", in: [two] },
    { outcome: "differs", onlyIn: [one] },
  ],
  [
    "the others were not sent there",
    { verdict: "fail", in: [one, two] },
    { verdict: "fail", in: [two], sent: [two] },
    { outcome: "fails" },
  ],
  [
    "no request in common",
    { verdict: "fail", in: [one] },
    { verdict: "fail", in: [two], sent: [two] },
    { outcome: "not-shown" },
  ],
  [
    "a warning there",
    { verdict: "fail", in: [one] },
    { verdict: "warning", level: "warning", in: [one] },
    { outcome: "differs" },
  ],
  [
    "a failure there, a warning here",
    { verdict: "warning", level: "warning", in: [one] },
    { verdict: "fail", in: [one] },
    { outcome: "fails" },
  ],
  [
    "too many there to be listed",
    { verdict: "fail", in: [one] },
    { verdict: "fail", in: [two], failed: 300 },
    { outcome: "fails" },
  ],
  [
    "too many here to be listed, and few there",
    { verdict: "fail", in: [one], failed: 300 },
    { verdict: "fail", in: [one] },
    { outcome: "differs" },
  ],
])("%s", (_name, here, there, expected) => {
  expect(outcomeOf(here, there)).toEqual(expected);
});

test("probes count as sent where as many were sent", () => {
  const source = "probes/chat-completions/request/n-type";
  const probes = [{ interface: "chat-completions", requests: 7, paid: 1 }];
  const here = { verdict: "fail", in: [source], probes } as const;
  expect(outcomeOf(here, { probes })).toEqual({ outcome: "passes" });
  expect(outcomeOf(here, { probes: [{ ...probes[0]!, requests: 6 }] })).toEqual({ outcome: "not-shown" });
  expect(outcomeOf(here, {})).toEqual({ outcome: "not-shown" });
});

test.each<[Incident["kind"], Incident["kind"] | undefined, Upstream["outcome"]]>([
  ["server-error", "server-error", "fails"],
  ["server-error", "unanswered", "fails"],
  ["refused", "absent", "fails"],
  ["server-error", "refused", "differs"],
  ["refused", "server-error", "differs"],
  ["refused", "rate-limited", "not-shown"],
  ["refused", undefined, "passes"],
])("a request that is %s here and %s there %s", (here, there, expected) => {
  const incidents = there ? [{ source: one, kind: there }] : [];
  const compared = withBaseline(results({ incidents: [{ source: one, kind: here }] }), baseline({ incidents }));
  expect(compared.incidents[0]!.upstream).toEqual({ outcome: expected });
  expect(runExitCode(compared)).toBe(expected === "fails" ? 0 : 1);
});

test("an interface of which nothing was answered there is not shown by its first question", () => {
  const incidents = recordings.map((source) => ({ source, kind: "refused" as const }));
  const here = results({ incidents: [{ source: "smoke-test/chat-completions", kind: "server-error" }] });
  expect(withBaseline(here, baseline({ incidents })).incidents[0]!.upstream!.outcome).toBe("not-shown");
  expect(withBaseline(here, baseline({})).incidents[0]!.upstream!.outcome).toBe("passes");
});

test("what fails there and is in order here is mended", () => {
  const there = baseline({ verdict: "fail", in: [one], incidents: [{ source: two, kind: "refused" }] });
  expect(mendedIn(withBaseline(results({}), there))).toEqual({ clauses: [id], sources: [two] });
  expect(mendedIn(withBaseline(results({ verdict: "untested", sent: [one] }), there))).toEqual({
    clauses: [],
    sources: [],
  });
});

test("a comparison replaces an earlier one", () => {
  const first = withBaseline(results({ verdict: "fail", in: [one] }), baseline({ verdict: "fail", in: [one] }));
  expect(withBaseline(first, baseline({})).clauses[0]!.upstream).toEqual({ outcome: "passes" });
});

test("baselines of shards are one", () => {
  const parts = [
    baseline({ verdict: "fail", in: [one], sent: [one] }, "a"),
    baseline({ sent: [two] }, "b"),
    baseline({ verdict: "untested", sent: [three] }, "c"),
  ];
  const merged = mergeBaselines(parts);
  const whole = baseline({ verdict: "fail", in: [one] });
  const { unserved: _unserved, ...facts } = whole;
  expect(merged).toEqual({ ...facts, sha256: ["a", "b", "c"] });
  expect(mergeBaselines([parts[0]!])).toBe(parts[0]);
});
