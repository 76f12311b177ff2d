/** Rules on values of the right type that cannot be right (reading X-PLAUSIBLE); each takes the clause it decides. */

import { warns } from "../../check/clause.ts";
import type { Fault, Rule, Spot } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { headerValue } from "../../wire/headers.ts";
import { isObject } from "../../wire/json.ts";

/** A value of a reply, and where it stands. */
export interface PlacedValue<T> {
  readonly value: T;
  readonly spot: Spot;
  /** The way from the spot to the value, e.g. `prompt_tokens_details/cached_tokens`; it is the value's own where absent. */
  readonly below?: string;
  readonly hint?: string;
}

type Usage = PlacedValue<Readonly<Record<string, unknown>>>;

/** A count of tokens that is part of another, which has a name. */
export interface Share extends PlacedValue<number> {
  readonly of: number;
  readonly name: string;
}

const reading = warns("X-PLAUSIBLE");

const fault = ({ spot, below, value, hint }: PlacedValue<unknown>, expected: string): Fault => ({
  side: "response",
  ...spot,
  ...(below !== undefined && { pointer: `${spot.pointer}/${below}` }),
  expected,
  actual: value,
  ...(hint && { hint }),
  reading,
});

/** A rule that looks at one value after another: `expected` says what one should be, undefined where it is. */
export function each<T extends PlacedValue<unknown>>(
  clause: string,
  read: (subject: Subject) => readonly T[],
  expected: (told: T, subject: Subject) => string | undefined,
  spoil: Rule["spoil"],
): Rule {
  const valuesOf = remember(read);
  return {
    clause,
    applies: (subject) => valuesOf(subject).length > 0,
    check(subject) {
      let faults: Fault[] | undefined;
      for (const told of valuesOf(subject)) {
        const wanted = expected(told, subject);
        if (wanted !== undefined) (faults ??= []).push(fault(told, wanted));
      }
      return faults;
    },
    spoil,
  };
}

const steps = new Map<string, readonly string[]>();

/** The number at a path below a value; undefined where none stands there. Paths are of names that no object inherits. */
function numberAt(from: Readonly<Record<string, unknown>>, path: string): number | undefined {
  let value: unknown = from;
  let tokens = steps.get(path);
  if (!tokens) steps.set(path, (tokens = path.split("/")));
  for (const token of tokens) {
    if (!isObject(value)) return undefined;
    value = value[token];
  }
  return typeof value === "number" ? value : undefined;
}

/** The numbers of a usage that stand at these paths, which are fixed ones, e.g. `prompt_tokens_details/cached_tokens`. */
export function countsIn({ value: usage, spot }: Usage, paths: readonly string[]): PlacedValue<number>[] {
  const counts: PlacedValue<number>[] = [];
  for (const below of paths) {
    const value = numberAt(usage, below);
    if (value !== undefined) counts.push({ value, spot, below });
  }
  return counts;
}

/** Those of a usage's counts that are part of another: pairs of the fixed path of each part and the name of its whole. */
export function sharesIn(
  { value: usage, spot }: Usage,
  parts: readonly (readonly [part: string, whole: string])[],
): Share[] {
  const shares: Share[] = [];
  for (const [below, name] of parts) {
    const of = usage[name];
    if (typeof of !== "number" || of < 0) continue;
    const value = numberAt(usage, below);
    if (value !== undefined) shares.push({ value, spot, below, of, name });
  }
  return shares;
}

/** Counts of tokens are not negative. */
export const countsNotNegative = (
  clause: string,
  countsOf: (subject: Subject) => readonly PlacedValue<number>[],
  spoil: Rule["spoil"],
): Rule => each(clause, countsOf, ({ value }) => (value < 0 ? "at least 0" : undefined), spoil);

/** A part of a count is at most the count. */
export const sharesWithin = (
  clause: string,
  sharesOf: (subject: Subject) => readonly Share[],
  spoil: Rule["spoil"],
): Rule =>
  each(
    clause,
    sharesOf,
    ({ value, of, name }) => (value > of ? `at most ${of}, the ${name} it is part of` : undefined),
    spoil,
  );

/** An id is not empty. */
export const idsNotEmpty = (
  clause: string,
  idsOf: (subject: Subject) => readonly PlacedValue<string>[],
  spoil: Rule["spoil"],
): Rule => each(clause, idsOf, ({ value }) => (value === "" ? "an id that is not empty" : undefined), spoil);

const day = 86_400;

/** When the exchange began by the recorder's clock, in seconds; imports bring a time of their own, that of a file or of nothing. */
const recorderClock = ({ exchange: { started, imported } }: Subject): number | undefined =>
  imported || !started ? undefined : started / 1000;

/** When the reply was made by the server's clock, in seconds. */
const serverClock = remember(({ exchange: { response } }: Subject): number | undefined => {
  const date = Date.parse((response && headerValue(response.headers, "date")) ?? "");
  return Number.isNaN(date) ? undefined : date / 1000;
});

/** A creation time lies within a day of the exchange by one of its clocks; milliseconds are another clause's fault. */
export const createdNearby = (
  clause: string,
  createdOf: (subject: Subject) => readonly PlacedValue<number>[],
  spoil: Rule["spoil"],
): Rule =>
  each(
    clause,
    (subject) => ((recorderClock(subject) ?? serverClock(subject)) ? createdOf(subject).filter(isSeconds) : []),
    ({ value }, subject) => {
      const near = (clock: number | undefined): boolean => clock !== undefined && Math.abs(value - clock) <= day;
      const own = recorderClock(subject);
      if (near(own) || near(serverClock(subject))) return undefined;
      return `a time within a day of the exchange, which was at ${Math.floor(own ?? serverClock(subject)!)}`;
    },
    spoil,
  );

const isSeconds = ({ value }: PlacedValue<number>): boolean => value <= 1e11;

/** Tool calls of one reply have ids of their own. */
export function callIdsDistinct(
  clause: string,
  idsOf: (subject: Subject) => readonly PlacedValue<string>[],
  spoil: Rule["spoil"],
): Rule {
  return {
    clause,
    applies: (subject) => idsOf(subject).length > 0,
    check(subject) {
      const ids = idsOf(subject);
      if (ids.length < 2) return undefined;
      const known = new Set<string>();
      const again = ids.filter(({ value }) => value !== "" && known.size === known.add(value).size);
      return again.map((one) => fault(one, "an id no other call of the reply has"));
    },
    spoil,
  };
}

/** Tokens below which no model comes to a maximum of its own. */
const fewTokens = 512;
/** Bytes of request and reply in which there are no more of them, where nobody counted. */
const fewBytes = { body: 4 * fewTokens, stream: 100 * fewTokens };

/** Why a reply ended that was cut short. */
export interface Cut extends PlacedValue<string> {
  /** Tokens of request and reply; undefined where they are not told. */
  readonly tokens: number | undefined;
}

function isShort({ tokens, spot }: Cut, { exchange: { request, response } }: Subject): boolean {
  if (tokens !== undefined) return tokens < fewTokens;
  return request.body.length + (response?.body.length ?? 0) < fewBytes[spot.in === "stream" ? "stream" : "body"];
}

/** A reply that finishes for length has reached a bound: one that was asked for, or that of a model, which no short exchange reaches. */
export const lengthBounded = (
  clause: string,
  cutsOf: (subject: Subject) => readonly Cut[] | undefined,
  spoil: Rule["spoil"],
): Rule => {
  const read = remember(cutsOf);
  return {
    clause,
    applies: (subject) => read(subject) !== undefined,
    check(subject) {
      let faults: Fault[] | undefined;
      for (const cut of read(subject) ?? [])
        if (isShort(cut, subject))
          (faults ??= []).push(
            fault(cut, "another reason, since neither request nor reply shows a bound that was reached"),
          );
      return faults;
    },
    spoil,
  };
};

const boundName = /^max|predict/i;

/** Whether a request bounds its reply, by a documented name or by another. */
export function isBounded(asked: unknown): boolean {
  if (!isObject(asked)) return false;
  for (const name in asked) if ((asked[name] ?? null) !== null && boundName.test(name)) return true;
  return false;
}
