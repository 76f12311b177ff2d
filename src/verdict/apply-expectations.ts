/** Holds the failures a target admits to against what happened: marks them, and tells which entries nobody needs. */
import type { Clause, Level } from "../check/clause.ts";
import type { Admission, CheckDocument, ClauseVerdict, Expectation, ExpectationsOutcome, SeenIn } from "./document.ts";
import type { Evidence } from "./evidence.ts";
import { isPlaceholder, nameOf } from "./expectations.ts";
import type { Incident } from "./run-results.ts";
import { createTally, type Share } from "./tally.ts";

/** The events that expectations speak of. */
export interface Happened {
  readonly clauses: readonly ClauseVerdict[];
  readonly incidents: readonly Incident[];
  /** Clauses in the cassettes that entries name them in. */
  readonly seen: readonly SeenIn[];
}

export interface AppliedExpectations {
  readonly clauses: readonly ClauseVerdict[];
  readonly incidents: readonly Incident[];
  readonly outcome: ExpectationsOutcome;
}

/** Counts clauses in the cassettes that entries name them in; what others show is passed over. */
export interface Places {
  add(source: string, counts: Share["counts"]): void;
  /** Adds what the evidence of one cassette shows. */
  addEvidence(source: string, evidence: readonly Evidence[], failsAt: Level): void;
  /** Adds what other places counted. */
  absorb(seen: readonly SeenIn[]): void;
  /** In the order of entries. */
  all(): SeenIn[];
}

/** @param clauses those of the catalogue; only evidence is counted by them */
export function createPlaces(entries: readonly Expectation[], clauses: readonly Clause[] = []): Places {
  const bySource = new Map<
    string,
    Map<string, { exercised: number; failed: number; warned: number; unenforced: number }>
  >();
  for (const { clause, cassette } of entries) {
    if (clause === undefined || cassette === undefined) continue;
    const own = bySource.get(cassette) ?? new Map();
    bySource.set(cassette, own.set(clause, { exercised: 0, failed: 0, warned: 0, unenforced: 0 }));
  }
  const add: Places["add"] = (source, counts) => {
    const own = bySource.get(source);
    if (!own) return;
    for (const [clause, exercised, failed, warned, unenforced] of counts) {
      const count = own.get(clause);
      if (!count) continue;
      count.exercised += exercised;
      count.failed += failed;
      count.warned += warned;
      count.unenforced += unenforced;
    }
  };
  return {
    add,
    addEvidence(source, evidence, failsAt) {
      const own = bySource.get(source);
      if (!own) return;
      const tally = createTally(
        clauses.filter(({ id }) => own.has(id)),
        failsAt,
        false,
      );
      for (const one of evidence) tally.add(one);
      add(source, tally.share().counts);
    },
    absorb(seen) {
      for (const { clause, cassette, exercised, failed, warned, unenforced = 0 } of seen)
        add(cassette, [[clause, exercised, failed, warned, unenforced, [], [], []]]);
    },
    all: () =>
      [...bySource].flatMap(([cassette, own]) =>
        [...own].map(([clause, { unenforced, ...count }]) => ({
          ...{ clause, cassette, ...count },
          ...(unenforced > 0 && { unenforced }),
        })),
      ),
  };
}

/**
 * Marks the failures that are expected, and finds entries that are stale, expired or without a reason.
 * @param answered sources of cassettes that were answered without an incident
 * @param today `YYYY-MM-DD`; an entry counts up to and including its `expires`
 * @param whole false where the run saw only a part (a shard, some sections): nothing is called stale then
 */
export function applyExpectations(
  entries: readonly Expectation[],
  { clauses, incidents, seen }: Happened,
  answered: ReadonlySet<string>,
  today: string,
  whole: boolean,
): AppliedExpectations {
  const isExpired = ({ expires }: Expectation): boolean => expires !== undefined && expires < today;
  const valid = entries.filter((entry) => !isExpired(entry) && !isPlaceholder(entry.reason));
  const verdicts = new Map(clauses.map(({ id, verdict }) => [id, verdict]));
  const places = new Map(seen.map((one) => [nameOf(one), one]));
  const unanswered = new Set(incidents.map(({ source }) => source));

  /** Why a failing clause is expected: it as a whole, or in all the exchanges in which it fails. */
  function admissionOf({ id, failed }: ClauseVerdict): Admission | undefined {
    const own = valid.filter(({ clause }) => clause === id);
    const wide = own.find(({ cassette }) => cassette === undefined);
    if (wide) return admissionFrom([wide]);
    const excused = own.filter((entry) => (places.get(nameOf(entry))?.failed ?? 0) > 0);
    const covered = excused.reduce((sum, entry) => sum + places.get(nameOf(entry))!.failed, 0);
    return covered > 0 && covered === failed ? admissionFrom(excused) : undefined;
  }

  /** Whether the failure of an entry was looked for and did not happen. */
  function isGone({ clause, cassette, ...entry }: Expectation): boolean {
    if (clause === undefined) return answered.has(cassette!);
    if (cassette === undefined) return verdicts.get(clause) === "pass";
    const seenIn = places.get(nameOf({ clause, cassette, ...entry }));
    const { exercised = 0, failed = 0, warned = 0, unenforced = 0 } = seenIn ?? {};
    return exercised > 0 && failed + warned + unenforced === 0;
  }

  function isUnobserved(entry: Expectation): boolean {
    const { clause, cassette } = entry;
    if (clause === undefined) return !answered.has(cassette!) && !unanswered.has(cassette!);
    if (cassette !== undefined) return (places.get(nameOf(entry))?.exercised ?? 0) === 0;
    return ["untested", "skipped", "no-verdict"].includes(verdicts.get(clause) ?? "untested");
  }

  const named = (list: readonly Expectation[]): string[] => list.map(nameOf).sort();
  const mark = <T extends object>(item: T, admission: Admission | undefined): T =>
    admission ? { ...item, expected: admission } : item;
  const ofCassettes = new Map(valid.filter(({ clause }) => clause === undefined).map((one) => [one.cassette, one]));
  return {
    clauses: clauses.map((clause) => mark(clause, clause.verdict === "fail" ? admissionOf(clause) : undefined)),
    incidents: incidents.map((incident) => {
      const entry = incident.kind === "rate-limited" ? undefined : ofCassettes.get(incident.source);
      return mark(incident, entry && admissionFrom([entry]));
    }),
    outcome: {
      entries,
      stale: whole ? named(entries.filter(isGone)) : [],
      expired: named(entries.filter(isExpired)),
      unreasoned: named(entries.filter(({ reason }) => isPlaceholder(reason))),
      unobserved: named(entries.filter(isUnobserved)),
      seen,
    },
  };
}

/**
 * A document of recordings, with the failures marked that are admitted to.
 * @param seen clauses in the cassettes that entries name them in
 */
export function withExpectations(
  document: CheckDocument,
  entries: readonly Expectation[],
  seen: readonly SeenIn[],
  today: string,
  whole: boolean,
): CheckDocument {
  const { clauses, outcome } = applyExpectations(
    entries,
    { clauses: document.clauses, incidents: [], seen },
    new Set(),
    today,
    whole,
  );
  return { ...document, clauses, expectations: outcome };
}

/** The admission of several entries together; it lasts until the first of them expires. */
function admissionFrom(entries: readonly Expectation[]): Admission {
  const texts = (of: "reason" | "ticket"): string[] => [...new Set(entries.flatMap((entry) => entry[of] ?? []))];
  const tickets = texts("ticket");
  const [expires] = entries.flatMap((entry) => entry.expires ?? []).sort();
  return {
    reason: texts("reason").join("; "),
    ...(tickets.length > 0 && { ticket: tickets.join(", ") }),
    ...(expires !== undefined && { expires }),
  };
}
