/** Verdicts do not depend on order or sharding, and expectations are held to what happened. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Clause, Finding, Level } from "../check/clause.ts";
import { byPlace } from "../check/finding-order.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import type { Judgement } from "../check/judge.ts";
import { fuzz } from "../dev/random.test-kit.ts";
import { applyExpectations } from "./apply-expectations.ts";
import type { ClauseVerdict, Expectation } from "./document.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { isPlaceholder, readExpectations } from "./expectations.ts";
import { createChoice } from "./finding-sample.ts";
import { mergeShards } from "./merge.ts";
import { runExitCode } from "./outcome.ts";
import type { Incident, RunResults } from "./run-results.ts";
import { emptyPlan, settings } from "./settings.test-kit.ts";
import { createTally } from "./tally.ts";
import { updateExpectations } from "./update-expectations.ts";

const document = { name: "messages", section: "Errors" };
const clause = (name: string, more: Partial<Clause> = {}): Clause => ({
  id: `messages.errors.${name}`,
  interface: "messages",
  section: "errors",
  says: "It is so.",
  on: "response",
  kind: "behaviour",
  level: "must",
  basis: "document",
  document,
  readings: [],
  ...more,
});
const names = ["a", "b", "c"];
const clauses = names.map((name) => clause(name));

const finding = (source: string, exchange: number, name: string, level: Level): Finding => ({
  source,
  exchange,
  interface: "messages",
  operation: "POST /v1/messages",
  side: "response",
  in: "body",
  event: null,
  pointer: "/x",
  clause: `messages.errors.${name}`,
  level,
  message: "m",
  expected: "e",
  actual: "a",
  document,
});

const evidence = (exercised: string[], findings: Finding[] = [], more: Partial<Evidence> = {}): Evidence => ({
  judged: true,
  exercised: exercised.map((name) => `messages.errors.${name}`),
  findings,
  groups: groupsOf(findings),
  undecided: [],
  missed: [],
  ...more,
});

const verdictsOf = (pieces: readonly Evidence[], of = clauses, failsAt: Level = "error"): Record<string, string> => {
  const tally = createTally(of, failsAt);
  for (const piece of pieces) tally.add(piece);
  return Object.fromEntries(tally.document(true).clauses.map(({ id, verdict }) => [id.slice(16), verdict]));
};

/** The counts of three workers, each in another order, put together. */
function sharedOut(pieces: readonly Evidence[]): ReturnType<typeof createTally> {
  const shares = [0, 1, 2].map((worker) => {
    const tally = createTally(clauses);
    for (const piece of pieces.filter((_, i) => i % 3 === worker).reverse()) tally.add(piece);
    return tally.share();
  });
  const together = createTally(clauses);
  for (const share of shares.reverse()) together.absorb(structuredClone(share));
  return together;
}

test("a clause passes when exercised, fails on an error, and is untested otherwise; a warning neither passes nor fails it", () => {
  const pieces = [evidence(["a", "b"], [finding("s", 0, "a", "error"), finding("s", 0, "b", "warning")])];
  expect(verdictsOf(pieces)).toEqual({ a: "fail", b: "warning", c: "untested" });
  expect(verdictsOf(pieces, clauses, "warning")).toEqual({ a: "fail", b: "fail", c: "untested" });
});

test("a warning outweighs any number of passes, and an error any number of warnings; a note is a pass", () => {
  const warns = evidence(["a", "b"], [finding("s", 0, "a", "warning"), finding("s", 0, "b", "warning")]);
  const fails = evidence(["b"], [finding("s", 1, "b", "error"), finding("s", 1, "b", "warning")]);
  const notes = evidence(["c"], [finding("s", 2, "c", "note")]);
  const passes = evidence(["a", "b", "c"]);
  const tally = createTally(clauses);
  for (const piece of [passes, warns, fails, notes, passes]) tally.add(piece);
  expect(tally.document(true).clauses).toEqual([
    { id: clauses[0]!.id, verdict: "warning", exercised: 3, failed: 0, warned: 1 },
    { id: clauses[1]!.id, verdict: "fail", exercised: 4, failed: 1, warned: 1 },
    { id: clauses[2]!.id, verdict: "pass", exercised: 3, failed: 0 },
  ]);
});

test("a clause that passed names the first exchange that showed it, whatever the order; one that did not names none", () => {
  const shown = (names: string[], source: string, exchange: number, findings: Finding[] = []): Evidence =>
    evidence(names, findings, { at: { source, exchange } });
  const pieces = [
    shown(["a", "b"], "t", 0),
    shown(["a"], "s", 1),
    shown(["a"], "s", 0),
    shown(["b"], "s", 2, [finding("s", 2, "b", "error")]),
  ];
  for (const order of [pieces, pieces.toReversed()]) {
    const tally = createTally(clauses);
    for (const piece of order) tally.add(piece);
    const places = tally.document(true).clauses.map(({ shownIn }) => shownIn);
    expect(places).toEqual([{ source: "s", exchange: 0 }, undefined, undefined]);
  }
});

test("an undecided clause says what would decide it, and never hides a failure or a pass", () => {
  const missed = (verdict: "skipped" | "no-verdict" | "broken", ...ids: string[]) =>
    evidence([], [], {
      judged: false,
      missed: [{ clauses: ids.map((n) => `messages.errors.${n}`), verdict, why: verdict }],
    });
  expect(
    verdictsOf([missed("skipped", "a", "b"), missed("no-verdict", "b"), missed("broken", "c"), evidence(["c"])]),
  ).toEqual({ a: "skipped", b: "no-verdict", c: "broken" });
  expect(
    verdictsOf([
      missed("no-verdict", "a"),
      missed("broken", "b"),
      evidence(["a", "b"], [finding("s", 0, "b", "error")]),
    ]),
  ).toEqual({ a: "pass", b: "fail", c: "untested" });
  const tally = createTally([clause("a", { kind: "unobservable", reason: "it happens at the vendor" })]);
  expect(tally.document(true).clauses).toMatchObject([{ verdict: "no-verdict", needs: ["it happens at the vendor"] }]);
  tally.add(missed("skipped", "a"));
  expect(tally.document(true).clauses).toMatchObject([{ verdict: "skipped" }]);
});

test("a fault of a rule that could not decide everything still counts", () => {
  const piece = evidence([], [finding("s", 0, "a", "error")], {
    undecided: [{ clause: "messages.errors.a", needs: "x" }],
  });
  const tally = createTally(clauses);
  tally.add(piece);
  expect(tally.document(true).clauses[0]).toMatchObject({ verdict: "fail", exercised: 1, failed: 1 });
});

const anyEvidence = fc
  .record({
    source: fc.constantFrom("x", "y"),
    exchange: fc.nat(3),
    exercised: fc.subarray(names),
    failing: fc.subarray(names),
    /** How many places of one exchange are alike. */
    alike: fc.constantFrom(1, 1, 3, 60),
    tooMuch: fc.boolean(),
  })
  .map(({ source, exchange, exercised, failing, alike, tooMuch }) => {
    const findings = failing.flatMap((name) =>
      Array.from({ length: alike }, (_, i) => ({
        ...finding(source, exchange, name, name === "c" ? "warning" : "error"),
        pointer: `/x/${i}`,
      })),
    );
    const unjudged = { source, exchange, operation: "o", why: "too much to judge" };
    return evidence(exercised, findings, { at: { source, exchange }, ...(tooMuch && { unjudged }) });
  });

const results = (pieces: readonly Evidence[], index: number, of: number): RunResults => {
  const tally = createTally(clauses);
  for (const piece of pieces) tally.add(piece);
  return {
    ...tally.document(true),
    target: { kind: "url", url: "http://x", bindings: {} },
    plan: { ...emptyPlan, exchanges: pieces.length },
    shard: of > 1 ? { index, of } : null,
    options: settings,
    incidents: [],
    expectations: null,
    reproduce: [],
    versions: { touchstone: "0", node: "20" },
    documents: {},
  };
};

test("the same evidence gives the same document in any order, and from any split into shards", () => {
  fc.assert(
    fc.property(
      fc.array(anyEvidence, { maxLength: 12 }),
      fc.integer({ min: 2, max: 4 }),
      fc.infiniteStream(fc.nat()),
      (pieces, of, random) => {
        const whole = results(pieces, 1, 1);
        const shuffled = pieces
          .map((piece) => ({ piece, at: random.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ piece }) => piece);
        expect(results(shuffled, 1, 1)).toEqual(whole);
        const shards = Array.from({ length: of }, (_, i) =>
          results(
            pieces.filter((_p, j) => j % of === i),
            i + 1,
            of,
          ),
        );
        expect(mergeShards(shards.reverse(), "2030-01-01")).toEqual({ ok: true, results: whole });
      },
    ),
    fuzz(100),
  );
});

test("a hundred alike findings are told, all are counted, and every exchange with an error has one that is told", () => {
  const exchanges = Array.from({ length: 250 }, (_, exchange) => {
    const errors = ["a", "b"].map((name) => ({ ...finding("s", exchange, name, "error"), pointer: `/x/${exchange}` }));
    const warnings = [3, 1, 2].map((i) => ({ ...finding("s", exchange, "c", "warning"), pointer: `/y/${i}/z` }));
    return evidence([], [...errors, ...warnings]);
  });
  const whole = createTally(clauses);
  for (const piece of exchanges) whole.add(piece);
  const { findings, groups, summary } = whole.document(true);
  expect(summary).toEqual({ exchanges: 250, errors: 500, warnings: 750, notes: 0, unjudged: 0 });
  const told = (name: string): Finding[] => findings.filter(({ clause }) => clause.endsWith(`.${name}`));
  expect([told("a").length, told("b").length, told("c").length]).toEqual([250, 100, 100]);
  expect(new Set(findings.filter(({ level }) => level === "error").map(({ exchange }) => exchange)).size).toBe(250);
  expect(groups.map(({ pointer, count, exchanges: of }) => [pointer, count, of])).toEqual([
    ["/x/*", 250, 250],
    ["/x/*", 250, 250],
    ["/y/*/z", 750, 250],
  ]);
  for (const { clause, pointer, first } of groups)
    for (const position of first)
      expect(findings[position]).toMatchObject({
        clause,
        pointer: expect.stringMatching(pointer.replaceAll("*", "\\d+")),
      });
  expect(groups.map(({ first }) => first.length)).toEqual([3, 3, 3]);
  // Told as they come, the same ones are chosen.
  const choice = createChoice();
  const counted = createTally(clauses, "error", false);
  const inOrder = exchanges.flatMap((piece) => [...piece.findings].sort(byPlace)).filter(choice.takes);
  for (const piece of exchanges) counted.add(piece);
  expect({ ...counted.document(true, choice), findings: inOrder }).toEqual(whole.document(true));
  // In another order, and put together from the shares of workers, too.
  expect(sharedOut(exchanges).document(true)).toEqual(whole.document(true));
});

test("places that an exchange had too many to tell apart are one group, whose findings it names", () => {
  const findings = Array.from({ length: 1500 }, (_, i) => ({
    ...finding("s", 0, "a", "warning"),
    pointer: `/${String(i).padStart(4, "x")}`,
  }));
  const tally = createTally(clauses);
  tally.add(evidence([], findings));
  const { groups } = tally.document(true);
  expect(groups).toHaveLength(1001);
  expect(groups[0]).toMatchObject({ pointer: "/**", count: 500, exchanges: 1 });
  expect(groups[0]!.first).toHaveLength(3);
});

test("some thousand members with any number of names are told, the same whatever the order, and all are counted", () => {
  const exchanges = Array.from({ length: 60 }, (_, exchange) =>
    evidence(
      [],
      Array.from({ length: 100 }, (_, i) => ({
        ...finding("s", exchange, "a", "warning"),
        pointer: `/${(i * 7919) % 100}x${exchange}`,
      })),
    ),
  );
  const whole = createTally(clauses);
  for (const piece of exchanges) whole.add(piece);
  const { findings, groups, summary } = whole.document(true);
  expect([findings.length, groups.length, summary.warnings]).toEqual([1000, 1001, 6000]);
  expect(groups[0]).toMatchObject({ pointer: "/**", count: 5000 });
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(6000);
  expect(sharedOut(exchanges).document(true)).toEqual(whole.document(true));
});

test("shards that are missing, doubled, of other runs or broken off are not merged", () => {
  const [one, two] = [results([], 1, 2), results([], 2, 2)];
  const problem = (parts: RunResults[]): string | false => {
    const merged = mergeShards(parts, "2030-01-01");
    return !merged.ok && merged.problem;
  };
  expect(problem([])).toMatch(/no results/);
  expect(problem([one])).toMatch(/shard 2 of 2 is missing/);
  // As it is there twice, it counts once.
  expect(problem([one, one])).toMatch(/shard 2 of 2 is missing/);
  expect(problem([one, { ...one, complete: true, reproduce: [{ source: "x", exchange: 0, curl: "" }] }])).toMatch(
    /twice/,
  );
  expect(problem([one, { ...two, complete: false }])).toMatch(/incomplete/);
  expect(problem([one, { ...two, target: { ...two.target, url: "http://y" } }])).toMatch(/differ/);
  expect(problem([one, two])).toBe(false);
});

const verdict = (name: string, outcome: ClauseVerdict["verdict"]): ClauseVerdict => ({
  id: name,
  verdict: outcome,
  exercised: 1,
  failed: outcome === "fail" ? 1 : 0,
});
const incident: Incident = {
  source: "i/s/x.json",
  exchange: 0,
  interface: "i",
  operation: "o",
  kind: "refused",
  problem: "p",
  needs: [],
};
const hold = (entries: Expectation[], seen: ClauseVerdict[], incidents: Incident[] = [], whole = true) =>
  applyExpectations(entries, { clauses: seen, incidents, seen: [] }, new Set(["i/s/good.json"]), "2030-01-15", whole);
const update = (entries: Expectation[], clauses: ClauseVerdict[], incidents: Incident[] = []): Expectation[] =>
  updateExpectations({
    clauses,
    incidents,
    findings: [],
    plan: { clauses: [] },
    options: { level: "error" },
    expectations: hold(entries, clauses, incidents).outcome,
  });

test("an expected failure is marked, and does not fail the run; others do", () => {
  const seen = [verdict("a", "fail"), verdict("b", "fail")];
  const held = hold(
    [
      { clause: "a", reason: "known", ticket: "T-1" },
      { cassette: "i/s/x.json", reason: "no tools" },
    ],
    seen,
    [incident],
  );
  expect(held.clauses[0]?.expected).toEqual({ reason: "known", ticket: "T-1" });
  expect(held.incidents[0]?.expected).toEqual({ reason: "no tools" });
  const run = { ...results([], 1, 1), clauses: held.clauses, incidents: held.incidents, expectations: held.outcome };
  expect(runExitCode(run)).toBe(1);
  expect(runExitCode({ ...run, clauses: held.clauses.slice(0, 1) })).toBe(0);
  expect(runExitCode({ ...run, complete: false })).toBe(2);
  expect(runExitCode({ ...run, clauses: [verdict("a", "broken")] })).toBe(2);
});

test("an entry is stale when what it expects is looked for and does not fail; a partial run calls nothing stale", () => {
  const entries: Expectation[] = [
    { clause: "passes", reason: "r" },
    { clause: "untested", reason: "r" },
    { cassette: "i/s/good.json", reason: "r" },
  ];
  const seen = [verdict("passes", "pass"), verdict("untested", "untested")];
  expect(hold(entries, seen).outcome.stale).toEqual(["i/s/good.json", "passes"]);
  expect(hold(entries, seen, [], false).outcome.stale).toEqual([]);
  const run = { ...results([], 1, 1), expectations: hold(entries, seen).outcome };
  expect(runExitCode(run)).toBe(1);
});

test("a failure that is expected and now is a warning is neither marked nor called stale", () => {
  const held = hold([{ clause: "a", reason: "r" }], [verdict("a", "warning")]);
  expect(held.clauses[0]?.expected).toBeUndefined();
  expect(held.outcome.stale).toEqual([]);
  expect(update([{ clause: "a", reason: "r" }], [verdict("a", "warning")])).toHaveLength(1);
  expect(runExitCode({ ...results([], 1, 1), clauses: held.clauses })).toBe(0);
});

test("an entry counts up to its last day, and excuses nothing after it", () => {
  const seen = [verdict("a", "fail")];
  expect(hold([{ clause: "a", reason: "r", expires: "2030-01-15" }], seen).clauses[0]?.expected).toBeDefined();
  const after = hold([{ clause: "a", reason: "r", expires: "2030-01-14" }], seen);
  expect(after.clauses[0]?.expected).toBeUndefined();
  expect(after.outcome.expired).toEqual(["a"]);
});

const seenIn = (cassette: string, failed: number, exercised = 1, warned = 0) => ({
  clause: "a",
  cassette,
  exercised,
  failed,
  warned,
});
const inPlaces = (entries: Expectation[], failed: number, seen: ReturnType<typeof seenIn>[]) =>
  applyExpectations(
    entries,
    { clauses: [{ ...verdict("a", failed > 0 ? "fail" : "pass"), failed }], incidents: [incident], seen },
    new Set(),
    "2030-01-15",
    true,
  );

test("an entry that names a cassette excuses its clause there alone, and not what is not answered", () => {
  const entries: Expectation[] = [
    { clause: "a", cassette: "i/s/x.json", reason: "first" },
    { clause: "a", cassette: "i/s/y.json", reason: "second", expires: "2030-02-01" },
  ];
  const covered = inPlaces(entries, 3, [seenIn("i/s/x.json", 1), seenIn("i/s/y.json", 2)]);
  expect(covered.clauses[0]?.expected).toEqual({ reason: "first; second", expires: "2030-02-01" });
  expect(covered.incidents[0]?.expected).toBeUndefined();
  const elsewhere = inPlaces(entries, 4, [seenIn("i/s/x.json", 1), seenIn("i/s/y.json", 2)]);
  expect(elsewhere.clauses[0]?.expected).toBeUndefined();
  const gone = inPlaces(entries, 1, [seenIn("i/s/x.json", 1), seenIn("i/s/y.json", 0)]);
  expect(gone.outcome.stale).toEqual(["a in i/s/y.json"]);
  const unseen = inPlaces(entries, 1, [seenIn("i/s/x.json", 1), seenIn("i/s/y.json", 0, 0)]);
  expect([unseen.outcome.stale, unseen.outcome.unobserved]).toEqual([[], ["a in i/s/y.json"]]);
});

test("an entry without a reason of its own excuses nothing and is told, and so is one of which nothing was seen", () => {
  const held = hold(
    [
      { clause: "a", reason: "TBD: look into it" },
      { clause: "b", reason: "r" },
    ],
    [verdict("a", "fail"), verdict("b", "skipped")],
  );
  expect(held.clauses[0]?.expected).toBeUndefined();
  expect(held.outcome).toMatchObject({ unreasoned: ["a"], unobserved: ["b"], stale: [] });
});

test.each(["...", "to do", "fix me", "Reason.", " - ", "why?", "TBD: later", "(say here why) added by x"])(
  "%j stands for a reason",
  (reason) => expect(isPlaceholder(reason)).toBe(true),
);
test.each(["known", "The reason is a proxy.", "r", "Without tools, todo lists fail", "理由", "GW-12"])(
  "%j is a reason",
  (reason) => expect(isPlaceholder(reason)).toBe(false),
);

test("updating keeps reasons, adds new failures, drops stale entries, and leaves what was not looked at", () => {
  const entries: Expectation[] = [
    { clause: "goes-on", reason: "mine", ticket: "T" },
    { clause: "gone", reason: "old" },
    { clause: "not-seen", reason: "other interface" },
  ];
  const seen = [verdict("goes-on", "fail"), verdict("gone", "pass"), verdict("new", "fail")];
  const updated = update(entries, seen, [incident]);
  expect(updated.map((entry) => entry.clause ?? entry.cassette)).toEqual(["goes-on", "not-seen", "i/s/x.json", "new"]);
  expect(updated[0]).toEqual(entries[0]);
  expect(readExpectations({ expectations: updated }).ok).toBe(true);
});

test.each([
  [[], /no list/],
  [{ expectations: [{ clause: "a" }] }, /entry 0 \(a\) gives no reason/],
  [{ expectations: [{ clause: "a", reason: "  " }] }, /gives no reason/],
  [{ expectations: [{ reason: "r" }] }, /neither a clause nor a cassette/],
  [{ expectations: [{ clause: "a", reason: "r", expires: "soon" }] }, /no day/],
  [{ expectations: [{ clause: "a", reason: "r", expires: "2027-02-30" }] }, /"2027-02-30", which is no day/],
  [{ expectations: [{ clause: "a", reason: "r", expires: "2027-13-01" }] }, /no day/],
  [{ expectations: [{ clause: "a", reason: "r", scenario: "x" }] }, /"scenario"; "cassette" names a recording/],
  [{ expectations: [{ clause: "a", reason: "r", tiket: "T" }] }, /unknown member "tiket"/],
  [
    {
      expectations: [
        { clause: "a", reason: "r" },
        { clause: "a", reason: "r" },
      ],
    },
    /entry 1 repeats a/,
  ],
  [{ expectations: ["a"] }, /is no object/],
])("expectations %j are refused", (content, message) => {
  const reading = readExpectations(content);
  expect(!reading.ok && reading.problem).toMatch(message);
});

test("a judgement counts as its evidence does", () => {
  const marks = (...names: string[]): Uint8Array =>
    Uint8Array.from(clauses, ({ id }) => (names.includes(id.slice(16)) ? 1 : 0));
  const judgements: Judgement[] = [
    {
      exercised: marks("a", "b"),
      findings: [finding("s", 0, "a", "error"), finding("s", 0, "c", "error")],
      undecided: [],
      tooMuch: false,
    },
    {
      exercised: marks("b"),
      findings: [finding("s", 1, "b", "warning")],
      undecided: [{ clause: clauses[2]!.id, needs: "x" }],
      tooMuch: false,
    },
  ].map((one, exchange) => ({
    interface: "messages",
    operation: "POST /v1/messages",
    groups: groupsOf(one.findings),
    ...one,
    tooMuch: exchange === 1,
  }));
  const [direct, named] = [createTally(clauses), createTally(clauses)];
  for (const [exchange, judgement] of judgements.entries()) {
    direct.addJudgement(judgement, { source: "s", exchange });
    named.add(evidenceOf(judgement, { source: "s", exchange }, { clauses }));
  }
  expect(direct.document(true)).toEqual(named.document(true));
  expect(direct.document(true).clauses.map(({ exercised, failed }) => [exercised, failed])).toEqual([
    [1, 1],
    [2, 0],
    [1, 1],
  ]);
  expect(direct.document(true)).toMatchObject({
    summary: { unjudged: 1 },
    unjudged: [{ source: "s", exchange: 1, operation: "POST /v1/messages", why: "too much to judge" }],
  });
});
