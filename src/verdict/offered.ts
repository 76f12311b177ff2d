/** Tells which refusals are explained by what a target does not offer, so that they fail nothing. */

import type { ClauseVerdict, VerdictDocument } from "./document.ts";
import { asksFor, type Feature, isGood, type Shown } from "./feature-outcome.ts";
import type { FeatureOutcome, Incident, RunResults } from "./run-results.ts";

/** Statuses that speak of who asks: beside paths that take the same key, they refuse the path. */
const ofKey = new Set([401, 403]);

/** A function of names that is asked once for each of them. */
function remembered<T>(compute: (...names: string[]) => T): (...names: string[]) => T {
  const known = new Map<string, { readonly value: T }>();
  return (...names) => {
    const key = JSON.stringify(names);
    const one = known.get(key) ?? { value: compute(...names) };
    known.set(key, one);
    return one.value;
  };
}

/**
 * The incidents, with what explains them. A refusal is explained if all requests were refused that share something with it: the
 * path, the need or the same two needs, the feature, or the member that the refusal names. The interface must have answered
 * other requests. Failures of the target's own are never explained.
 */
export function explained(
  incidents: readonly Incident[],
  run: Shown,
  features: readonly Feature[],
  outcomes: ReadonlyMap<string, FeatureOutcome>,
): Incident[] {
  const missing = features.filter(({ name }) => outcomes.get(name)?.outcome === "not offered");
  const cassettes = new Map(run.plan.cassettes.map((cassette) => [cassette.source, cassette]));
  const good = run.answers.filter(isGood);

  /** The name of a need: the feature that is made of it, if there is one. */
  function nameOf(of: string, need: string): string {
    const own = features.filter(({ name }) => name.startsWith(`${of}/`));
    const named =
      own.find(({ name }) => name === `${of}/${need}`) ??
      own.find(({ scenarios }) => scenarios.every(({ needs = [] }) => needs.includes(need)));
    return named?.name ?? `${of}/${need}`;
  }

  /** The name of two needs that are not offered together: `streamed-tools`, `json-mode-with-tools`. */
  function nameOfBoth(of: string, [one, other]: readonly [string, string]): string {
    const word = (need: string): string => nameOf(of, need).slice(of.length + 1);
    return `${of}/${one === "streaming" ? `streamed-${word(other)}` : `${word(one)}-with-${word(other)}`}`;
  }

  const isRefusal = ({ kind }: Incident): boolean => kind === "refused" || kind === "rate-limited";

  /** How many requests of an interface that have all of these needs were refused; 0 where not all of them were. */
  const refusedWith = remembered((of: string, ...needs: readonly string[]): number => {
    const others = incidents.filter((one) => one.interface === of && needs.every((need) => one.needs.includes(need)));
    const isAnswered = good.some((one) => one.interface === of && needs.every((need) => one.asks.includes(need)));
    return isAnswered || !others.every(isRefusal) ? 0 : others.length;
  });

  /** Those needs that most refused requests have in common, so that the wider one is named: tools rather than one kind of them. */
  function widest<T extends readonly string[]>(of: string, all: readonly T[]): T | undefined {
    const counted = all.map((needs) => [needs, refusedWith(of, ...needs)] as const).filter(([, count]) => count > 0);
    return counted.sort(([, a], [, b]) => b - a)[0]?.[0];
  }

  /** The path that nothing good came from, while others of its interface work; undefined where its requests may be what was refused. */
  const missingOperation = remembered((of: string, operation: string): string | undefined => {
    const own = incidents.filter((one) => one.interface === of && one.operation === operation);
    const ofInterface = good.filter((one) => one.interface === of);
    if (!own.every(isRefusal) || ofInterface.some((one) => (one.operation ?? operation) === operation))
      return undefined;
    if (own.every(({ needs }) => needs.includes("streaming"))) return nameOf(of, "streaming");
    const name = `${of}/${/\w*$/.exec(operation)?.[0]}`;
    const isOfPath = own.every(({ notOffered, status = 0 }) => notOffered || ofKey.has(status));
    return isOfPath || missing.some((feature) => feature.name === name) ? name : undefined;
  });

  /** Whether refusals name a member of every request that held it. */
  const isMemberMissing = (of: string, member: string): boolean =>
    !good.some((one) => one.interface === of && one.members?.includes(member));

  function explanationOf(incident: Incident): string | undefined {
    const { source, interface: of, kind, needs, names = [] } = incident;
    if (kind === "absent") return of;
    if (kind !== "refused") return undefined;
    if (!run.answering.has(of))
      return incidents.every((one) => one.interface !== of || one.kind === "refused") ? of : undefined;
    const operation = missingOperation(of, incident.operation);
    if (operation !== undefined) return operation;
    // A need that nothing got explains more than a feature made of it: no tools, and so none in streams.
    const [need] =
      widest(
        of,
        needs.map((one) => [one] as const),
      ) ?? [];
    if (need !== undefined) return nameOf(of, need);
    const ordered = [...needs].sort((a, b) => Number(b === "streaming") - Number(a === "streaming"));
    const pairs = ordered.flatMap((one, i) => ordered.slice(i + 1).map((other) => [one, other] as const));
    const both = widest(of, pairs);
    if (both) return nameOfBoth(of, both);
    const cassette = cassettes.get(source);
    const feature = missing.find((one) => cassette && asksFor(one, cassette));
    if (feature) return feature.name;
    const member = names.find((one) => isMemberMissing(of, one));
    return member === undefined ? undefined : `${of}/${member}`;
  }

  return incidents.map(({ explainedBy: _earlier, ...incident }) => {
    const explainedBy = explanationOf(incident);
    return { ...incident, ...(explainedBy !== undefined && { explainedBy }) };
  });
}

/** The explanations of incidents: names of features and needs, and of interfaces as a whole; sorted by interface, in order otherwise. */
export const notOfferedIn = (incidents: readonly Incident[]): string[] => [
  ...new Set(incidents.flatMap(({ explainedBy }) => explainedBy ?? [])),
];

/** The interfaces that a target does not offer: it has no operation of them, or `lacks` names them. Sorted. */
export function interfacesLacking(results: VerdictDocument | RunResults): string[] {
  if (!("plan" in results)) return [];
  const interfaces = new Set(results.clauses.map(({ id }) => id.slice(0, id.indexOf("."))));
  const absent = results.incidents.flatMap((one) =>
    one.kind === "absent" && one.explainedBy === one.interface ? [one.interface] : [],
  );
  return [...new Set([...absent, ...results.plan.lacks.filter((name) => interfaces.has(name))])].sort();
}

/**
 * The clauses that all reports count: those of the interfaces that the target offers. Unenforced rules have a line of their
 * own; a run that ignores enforcement reports them as untested.
 */
export function countedClauses(results: VerdictDocument | RunResults): ClauseVerdict[] {
  const lacking = new Set(interfacesLacking(results));
  const isOff = "plan" in results && results.options.enforcement === "off";
  return results.clauses
    .filter(({ id }) => !lacking.has(id.slice(0, id.indexOf("."))))
    .flatMap((one): ClauseVerdict[] =>
      one.verdict !== "unenforced" ? [one] : isOff ? [{ ...one, verdict: "untested" }] : [],
    );
}
