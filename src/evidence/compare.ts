/** Tells how results differ from those that their exchanges come to, by clause and exchange. */
import { isDeepStrictEqual } from "node:util";
import type { ClientDocument } from "../cases/document.ts";
import type { Finding } from "../check/clause.ts";
import type { GatewayDocument } from "../gateway/document.ts";
import type { VerdictDocument } from "../verdict/document.ts";
import type { RunResults } from "../verdict/run-results.ts";

/** Something that does not hold, and where. */
export interface Problem {
  readonly file: string;
  readonly clause?: string;
  /** A fact or a case. */
  readonly row?: string;
  readonly source?: string;
  readonly exchange?: number;
  readonly what: string;
}

type Difference = Omit<Problem, "file">;

/** Characters of a value that are shown, and those of them before the first difference. */
const [maxShown, maxBefore] = [80, 20];

/** `name is CLAIMED, and should be RIGHT`; of long values the part in which they differ. */
function differenceOf(name: string, claimed: unknown, right: unknown): string {
  const [a, b] = [claimed, right].map((value) => JSON.stringify(value) ?? "nothing") as [string, string];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const start = Math.max(a.length, b.length) <= maxShown || same < maxShown / 2 ? 0 : same - maxBefore;
  const shown = (text: string): string =>
    `${start > 0 ? "…" : ""}${text.slice(start, start + maxShown - 1)}${text.length > start + maxShown - 1 ? "…" : ""}`;
  return `${name} is ${shown(a)}, and should be ${shown(b)}`;
}

/** The document of a run, a check, a gateway or a client. */
type Compared = VerdictDocument &
  Partial<Pick<RunResults, "incidents" | "reproduce">> &
  Partial<Pick<GatewayDocument, "facts">> &
  Partial<Pick<ClientDocument, "cases">>;

/** The members of two objects that differ, as words. */
function* membersThatDiffer(claimed: object, right: object): Generator<string> {
  const [a, b] = [claimed as Record<string, unknown>, right as Record<string, unknown>];
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
    if (!isDeepStrictEqual(a[name], b[name])) yield differenceOf(name, a[name], b[name]);
}

/** Items of two lists by what names them, several of one name in order. */
function* pairs<T>(
  claimed: readonly T[],
  right: readonly T[],
  nameOf: (item: T) => string,
): Generator<readonly [claimed: T | undefined, right: T | undefined]> {
  const byName = new Map<string, [T[], T[]]>();
  for (const [side, list] of [claimed, right].entries())
    for (const item of list) {
      const entry = byName.get(nameOf(item)) ?? [[], []];
      byName.set(nameOf(item), entry);
      entry[side as 0 | 1].push(item);
    }
  for (const [a, b] of byName.values()) for (let i = 0; i < Math.max(a.length, b.length); i++) yield [a[i], b[i]];
}

/** How two lists differ, item by item. */
function* lists<T extends object>(
  claimed: readonly T[],
  right: readonly T[],
  called: string,
  nameOf: (item: T) => string,
  placeOf: (item: T) => Omit<Difference, "what">,
): Generator<Difference> {
  for (const [a, b] of pairs(claimed, right, nameOf)) {
    if (!a) yield { ...placeOf(b!), what: `${called} is missing that the exchanges show` };
    else if (!b) yield { ...placeOf(a), what: `${called} is told that the exchanges do not show` };
    else for (const difference of membersThatDiffer(a, b)) yield { ...placeOf(a), what: `${called}: ${difference}` };
  }
}

const place = ({ source, exchange }: { readonly source: string; readonly exchange: number }) => ({ source, exchange });
const findingPlace = (finding: Finding) => ({ clause: finding.clause, ...place(finding) });

/**
 * Everything in which results differ from what they should be.
 * @param right what the exchanges come to
 */
export function* differencesBetween<T extends Compared>(claimed: T, right: T): Generator<Difference> {
  yield* lists(
    claimed.clauses,
    right.clauses,
    "a verdict",
    ({ id }) => id,
    ({ id }) => ({ clause: id }),
  );
  yield* lists(
    claimed.findings,
    right.findings,
    "a finding",
    ({ source, exchange, side, in: within, event, pointer, clause }) =>
      JSON.stringify([source, exchange, side, within, event, pointer, clause]),
    findingPlace,
  );
  yield* lists(
    claimed.groups,
    right.groups,
    "a group of findings",
    ({ clause, level, side, in: within, pointer }) => JSON.stringify([clause, level, side, within, pointer]),
    ({ clause }) => ({ clause }),
  );
  const byPlace = (item: { readonly source: string; readonly exchange: number }): string => JSON.stringify(place(item));
  yield* lists(claimed.incidents ?? [], right.incidents ?? [], "an incident", byPlace, place);
  yield* lists(claimed.unjudged, right.unjudged, "an exchange that was not judged as a whole", byPlace, place);
  yield* lists(claimed.reproduce ?? [], right.reproduce ?? [], "a command", byPlace, place);
  yield* lists(
    claimed.facts ?? [],
    right.facts ?? [],
    "what became of a fact",
    ({ side, fact }) => JSON.stringify([side, fact]),
    ({ side, fact }) => ({ row: `${side} ${fact}` }),
  );
  yield* lists(
    claimed.cases ?? [],
    right.cases ?? [],
    "what was made of a case",
    (one) => `${one.interface}/${one.case}`,
    (one) => ({ row: `${one.interface}/${one.case}` }),
  );
  const { clauses: _c, findings: _f, groups: _g, incidents: _i, unjudged: _u, reproduce: _r, ...more } = claimed;
  const { facts: _facts, cases: _cases, ...others } = more;
  for (const [name, value] of Object.entries(others)) {
    const wanted: unknown = right[name as keyof T];
    if (isDeepStrictEqual(value, wanted)) continue;
    if (typeof value !== "object" || value === null || typeof wanted !== "object" || wanted === null)
      yield { what: differenceOf(name, value, wanted) };
    else for (const difference of membersThatDiffer(value, wanted)) yield { what: `${name}: ${difference}` };
  }
}
