/** Decides which cassettes a run sends, by filters, missing features, shard, and request limit. */

import { compare } from "../../check/finding-order.ts";
import { type Interface, interfaceNamed } from "../../check/interface.ts";
import { needsShownBy, shownNeeds } from "../../interfaces/needs.ts";
import type { Shard } from "../../verdict/document.ts";
import type { Feature } from "../../verdict/feature-outcome.ts";
import { lackNamesOf, lackWords } from "../../verdict/lacked-names.ts";
import type { ClausesShown } from "../../verdict/results.ts";
import type { Plan, PlannedCassette } from "../../verdict/run-results.ts";
import { interfaceAt, interfacesOf, type Recording } from "./recordings.ts";

export interface Filters {
  readonly interfaces: readonly string[];
  readonly sections: readonly string[];
  readonly clauses: readonly string[];
  /** Sources of recordings and groups of probes; each is taken whole, whatever clauses it shows. */
  readonly scenarios: readonly string[];
  readonly lacks: readonly string[];
  readonly shard: Shard | null;
  readonly limit: number | null;
}

/** The names that `lacks` may hold: needs of recordings, interfaces, sections, `<interface>/<section>` and `keys`; sorted. */
export function lackable(recordings: readonly Recording[]): string[] {
  const names = recordings.flatMap(({ interface: of, section, needs }) => [...needs, of, section, `${of}/${section}`]);
  return [...new Set([...names, ...lackWords])].sort();
}

/**
 * The needs that a name in `lacks` means: itself, or those of the feature that reports call so. `several choices` is
 * `several-choices`, and means `n`.
 */
export function lackedNeeds(name: string, features: readonly Feature[]): readonly string[] {
  const called = name.trim().replaceAll(" ", "-");
  const own = features.filter((feature) => feature.name.endsWith(`/${called}`));
  const needs = own.flatMap(({ scenarios }) =>
    scenarios.every(({ sections, named }) => sections === undefined && named === undefined)
      ? scenarios.flatMap((scenario) => scenario.needs ?? [])
      : [],
  );
  return needs.length > 0 ? [...new Set(needs)] : [called];
}

/**
 * The name by which a target lacks a section. A word that is a need as well means all that asks for it, in any section.
 * @param needs those that requests show
 */
export const lackedNames = (of: string, section: string, needs: ReadonlySet<string>): string[] =>
  lackNamesOf(of, section).filter((name) => name !== section || !needs.has(section));

/** Makes the plan. Pure: the same recordings and filters give the same plan everywhere. */
export function makePlan(
  recordings: readonly Recording[],
  filters: Filters,
  shown: ClausesShown,
  described: readonly Interface[],
): Plan {
  const { interfaces, sections, clauses, scenarios, lacks, shard, limit } = filters;
  const passes = (list: readonly string[], name: string): boolean => list.length === 0 || list.includes(name);
  const all = shownNeeds(described);
  const wanted = recordings
    .filter((recording) => interfacesOf(recording).every((of) => passes(interfaces, of)))
    .filter(({ interface: of, section }) => passes(sections, section) || sections.includes(`${of}/${section}`))
    .filter((recording) =>
      scenarios.length > 0
        ? scenarios.includes(recording.source)
        : clauses.length === 0 || shows(recording, clauses, shown),
    )
    .sort((a, b) => compare(a.source, b.source))
    .filter((_recording, i) => !shard || i % shard.of === shard.index - 1);
  const planned = wanted.map((recording): PlannedCassette => {
    const { source, interface: of, section, needs, exchanges } = recording;
    const shown =
      lacks.length === 0
        ? []
        : exchanges.flatMap(({ exchange }, i) =>
            needsShownBy(exchange.request, interfaceNamed(described, interfaceAt(recording, i))),
          );
    const lacking = [...needs, ...shown, ...lackedNames(of, section, all), ...interfacesOf(recording)].find((name) =>
      lacks.includes(name),
    );
    return {
      source,
      interface: of,
      section,
      exchanges: exchanges.length,
      ...(needs.length > 0 && { needs }),
      ...(lacking !== undefined && { skipped: lacking }),
    };
  });
  const cassettes = limit === null ? planned : bounded(planned, limit);
  return {
    interfaces,
    sections,
    clauses,
    ...(scenarios.length > 0 && { scenarios }),
    lacks,
    limit,
    cassettes,
    exchanges: cassettes.reduce((sum, { exchanges, skipped }) => sum + (skipped === undefined ? exchanges : 0), 0),
  };
}

function shows(recording: Recording, clauses: readonly string[], shown: ClausesShown): boolean {
  if (recording.violates.some((id) => clauses.includes(id))) return true;
  return recording.exchanges.some((_exchange, i) => shown(recording.source, i).some((id) => clauses.includes(id)));
}

/** Whole cassettes up to `limit` requests, taken from every section in turn, so that a small bound still looks everywhere. */
function bounded(planned: readonly PlannedCassette[], limit: number): PlannedCassette[] {
  const turns = new Map<string, number>();
  const ranked = planned.map((cassette) => {
    const group = `${cassette.interface}/${cassette.section}`;
    const turn = turns.get(group) ?? 0;
    turns.set(group, turn + 1);
    return { cassette, turn };
  });
  let left = limit;
  const taken: PlannedCassette[] = [];
  for (const { cassette } of ranked.sort((a, b) => a.turn - b.turn || compare(a.cassette.source, b.cassette.source))) {
    const cost = cassette.skipped === undefined ? cassette.exchanges : 0;
    if (cost > left) continue;
    left -= cost;
    taken.push(cassette);
  }
  return taken.sort((a, b) => compare(a.source, b.source));
}
