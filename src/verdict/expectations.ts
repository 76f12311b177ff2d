/** The failures a target admits to: read, held against what happened, and written again. */

import { compare } from "../check/order.ts";
import { isObject } from "../wire/json.ts";
import type { Admission, ClauseVerdict, Expectation, ExpectationsOutcome, Incident } from "./document.ts";

export type ExpectationsReading =
  | { readonly ok: true; readonly entries: readonly Expectation[] }
  /** What is wrong with the file, in words. */
  | { readonly ok: false; readonly problem: string };

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** What an entry is about: a clause id, or a cassette's path. */
export function nameOf(entry: Expectation): string {
  return entry.clause ?? entry.cassette;
}

/** Reads the parsed content of an expectations file: `{ "expectations": [{ "clause", "reason", "ticket"?, "expires"? }] }`. */
export function readExpectations(content: unknown): ExpectationsReading {
  const list = isObject(content) ? content["expectations"] : undefined;
  if (!Array.isArray(list)) return { ok: false, problem: `it has no list "expectations"` };
  const other = Object.keys(content as object).find((key) => key !== "expectations" && key !== "$schema");
  if (other !== undefined) return { ok: false, problem: `it has an unknown member ${JSON.stringify(other)}` };
  const entries: Expectation[] = [];
  const seen = new Set<string>();
  for (const [i, item] of list.entries()) {
    const problem = problemOf(item);
    if (problem) return { ok: false, problem: `entry ${i} ${problem}` };
    const entry = item as Expectation;
    if (seen.has(nameOf(entry))) return { ok: false, problem: `entry ${i} repeats ${nameOf(entry)}` };
    seen.add(nameOf(entry));
    entries.push(entry);
  }
  return { ok: true, entries };
}

function problemOf(item: unknown): string | undefined {
  if (!isObject(item)) return "is no object";
  const { clause, cassette, reason, ticket, expires } = item;
  if ((clause === undefined) === (cassette === undefined)) return "must name either a clause or a cassette";
  const name = clause ?? cassette;
  if (typeof name !== "string" || name === "") return `names no ${clause === undefined ? "cassette" : "clause"}`;
  if (typeof reason !== "string" || reason.trim() === "") return `(${name}) gives no reason`;
  if (ticket !== undefined && typeof ticket !== "string") return `(${name}) has a ticket that is no text`;
  if (expires !== undefined && (typeof expires !== "string" || !day.test(expires)))
    return `(${name}) has an "expires" that is no day such as 2030-12-31`;
  const unknown = Object.keys(item).find((key) => !["clause", "cassette", "reason", "ticket", "expires"].includes(key));
  return unknown === undefined ? undefined : `(${name}) has an unknown member ${JSON.stringify(unknown)}`;
}

export interface AppliedExpectations {
  readonly clauses: readonly ClauseVerdict[];
  readonly incidents: readonly Incident[];
  readonly outcome: ExpectationsOutcome;
}

/**
 * Marks the failures that are expected, and finds entries that are stale or expired.
 * @param answered sources of cassettes that were answered without an incident
 * @param today `YYYY-MM-DD`; an entry counts up to and including its `expires`
 * @param whole false where the run saw only a part (a shard, some sections): nothing is called stale then
 */
export function applyExpectations(
  entries: readonly Expectation[],
  seen: { readonly clauses: readonly ClauseVerdict[]; readonly incidents: readonly Incident[] },
  answered: ReadonlySet<string>,
  today: string,
  whole: boolean,
): AppliedExpectations {
  const valid = new Map<string, Admission>();
  const expired: string[] = [];
  for (const entry of entries) {
    if (entry.expires !== undefined && entry.expires < today) expired.push(nameOf(entry));
    else valid.set(nameOf(entry), admissionOf(entry));
  }
  const mark = <T extends object>(item: T, name: string, failed: boolean): T => {
    const admission = failed ? valid.get(name) : undefined;
    return admission ? { ...item, expected: admission } : item;
  };
  const passes = new Set(seen.clauses.filter(({ verdict }) => verdict === "pass").map(({ id }) => id));
  const stale = entries
    .filter((entry) => (entry.clause === undefined ? answered.has(entry.cassette) : passes.has(entry.clause)))
    .map(nameOf);
  return {
    clauses: seen.clauses.map((clause) => mark(clause, clause.id, clause.verdict === "fail")),
    incidents: seen.incidents.map((incident) => mark(incident, incident.source, incident.kind !== "rate-limited")),
    outcome: { entries, stale: whole ? stale.sort() : [], expired: expired.sort() },
  };
}

function admissionOf({ reason, ticket, expires }: Expectation): Admission {
  return { reason, ...(ticket !== undefined && { ticket }), ...(expires !== undefined && { expires }) };
}

/**
 * The entries that fit what happened: reasons of failures that go on are kept, new failures get a reason to fill in,
 * entries whose failure is gone are dropped. Entries nothing was learned about stay.
 */
export function updateExpectations(
  outcome: ExpectationsOutcome,
  seen: { readonly clauses: readonly ClauseVerdict[]; readonly incidents: readonly Incident[] },
): Expectation[] {
  const gone = new Set(outcome.stale);
  const kept = outcome.entries.filter((entry) => !gone.has(nameOf(entry)));
  const known = new Set(kept.map(nameOf));
  const failing = seen.clauses.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  const failed = seen.incidents.filter(({ kind }) => kind !== "rate-limited");
  const unanswered = [...new Set(failed.map(({ source }) => source))];
  const added: Expectation[] = [
    ...failing.filter((id) => !known.has(id)).map((clause) => ({ clause, reason: newReason })),
    ...unanswered.filter((source) => !known.has(source)).map((cassette) => ({ cassette, reason: newReason })),
  ];
  return [...kept, ...added].sort((a, b) => compare(nameOf(a), nameOf(b)));
}

const newReason = "added by --update-expectations; say here why this fails";
