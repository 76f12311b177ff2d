/** Tells which refusals are explained by what a target does not offer, so that they fail nothing. */
import { asksFor, type Feature, isGood, type Shown } from "./feature-outcome.ts";
import type { FeatureOutcome, Incident } from "./run-results.ts";

/**
 * The incidents, with what explains them. A refusal is explained where everything was refused that asked for the same feature, has
 * the same need, or holds the member that the refusal names, while the interface answered others; failures of the target's own never are.
 */
export function explained(
  incidents: readonly Incident[],
  run: Shown,
  features: readonly Feature[],
  outcomes: ReadonlyMap<string, FeatureOutcome>,
): Incident[] {
  const missing = features.filter(({ name }) => outcomes.get(name)?.outcome === "not offered");
  const cassettes = new Map(run.plan.cassettes.map((cassette) => [cassette.source, cassette]));

  /** What a need is called: by the feature that is made of it, where there is one. */
  function nameOf(of: string, need: string): string {
    const named = missing.find(
      ({ name, scenarios }) =>
        name.startsWith(`${of}/`) &&
        (name === `${of}/${need}` || scenarios.every(({ needs = [] }) => needs.includes(need))),
    );
    return named?.name ?? `${of}/${need}`;
  }

  function isMissing(of: string, need: string): boolean {
    const others = incidents.filter((one) => one.interface === of && one.needs.includes(need));
    return (
      others.every(({ kind }) => kind === "refused" || kind === "rate-limited") &&
      !run.answers.some((one) => one.interface === of && one.asks.includes(need) && isGood(one))
    );
  }

  /** Whether refusals name a member of every request that held it. */
  const isMemberMissing = (of: string, member: string): boolean =>
    !run.answers.some((one) => one.interface === of && one.members?.includes(member) && isGood(one));

  function explanationOf({ source, interface: of, kind, needs, names = [] }: Incident): string | undefined {
    if (kind === "absent") return of;
    if (kind !== "refused") return undefined;
    if (!run.answering.has(of))
      return incidents.every((one) => one.interface !== of || one.kind === "refused") ? of : undefined;
    // A need that nothing got explains more than a feature made of it: no tools, and so none in streams.
    const need = needs.find((one) => isMissing(of, one));
    if (need !== undefined) return nameOf(of, need);
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

/** What explains incidents: names of features and needs, and of interfaces as a whole; sorted by interface, in order otherwise. */
export const notOfferedIn = (incidents: readonly Incident[]): string[] => [
  ...new Set(incidents.flatMap(({ explainedBy }) => explainedBy ?? [])),
];
