/** What reports say of features and clients: which work, and which clauses clients miss. */
import type { RunResults } from "../verdict/run-results.ts";
import type { Clauses } from "./outline.ts";

export const fieldTitle = "Would the official clients work? What the documents leave open";

export interface Fitness {
  /** By interface: outcome to the features that have it, without those that were not shown where none was. */
  readonly features: readonly { readonly interface: string; readonly outcomes: ReadonlyMap<string, string[]> }[];
  /** Outcome to the clients that have it, each with why. */
  readonly clients: ReadonlyMap<string, string[]>;
}

const outcomes = ["works", "works, with faults", "broken", "not offered", "not shown"];
const clientOutcomes = ["served", "served, with faults", "not served", "not shown"];

/** Lists by key, in the order of `keys`; what has no item is left out. */
function grouped<T>(keys: readonly string[], items: readonly T[], key: (item: T) => string, name: (item: T) => string) {
  const found = new Map<string, string[]>();
  for (const one of keys) {
    const names = items.filter((item) => key(item) === one).map(name);
    if (names.length > 0) found.set(one, names);
  }
  return found;
}

/** Undefined where nothing was shown of any feature. */
export function fitnessOf({ features = [], clients = [] }: RunResults): Fitness | undefined {
  const interfaces = [...new Set(features.map(({ name }) => name.split("/")[0]!))];
  const shown = interfaces.flatMap((of) => {
    const own = features.filter(({ name }) => name.startsWith(`${of}/`));
    if (own.every(({ outcome }) => outcome === "not shown")) return [];
    const byOutcome = grouped(
      outcomes,
      own,
      ({ outcome }) => outcome,
      ({ name }) => name.slice(of.length + 1),
    );
    return [{ interface: of, outcomes: byOutcome }];
  });
  if (shown.length === 0) return undefined;
  const told = clients.filter(({ outcome }) => outcome !== "not shown");
  const why = ({ name, outcome, because }: (typeof clients)[number]): string =>
    outcome === "not served" ? `${name} (${because.join("; ")})` : name;
  return { features: shown, clients: grouped(clientOutcomes, told, ({ outcome }) => outcome, why) };
}

/** `works: text, streaming; not offered: vision` */
export const outcomesText = (byOutcome: ReadonlyMap<string, readonly string[]>): string =>
  [...byOutcome].map(([outcome, names]) => `${outcome}: ${names.join(", ")}`).join("; ");

/** Whether a clause is one that the documents leave open. */
export const isOfField = (id: string, clauses: Clauses): boolean => clauses.get(id)?.basis === "field";

/** `openai-stream drops; anthropic waits`: what clients do where a clause is broken; empty where they do without it. */
export function clientsMissing({ clients = [] }: Pick<RunResults, "clients">, id: string): string {
  return clients
    .flatMap(({ name, because }) =>
      because.filter((one) => one.startsWith(`${id}: `)).map((one) => `${name} ${one.slice(id.length + 2)}`),
    )
    .join("; ");
}

/** What official clients made of the target: a line each where something was the matter, and how many found nothing. */
export function trialLines({ trials = [] }: Pick<RunResults, "trials">): readonly string[] {
  const fine = trials.filter(({ outcome }) => outcome === "fine");
  const others = trials
    .filter(({ outcome }) => outcome !== "fine")
    .map(({ client, scenario, outcome, detail }) =>
      [outcome === "not installed" ? "" : `${client}, ${scenario}: ${outcome}`, detail].filter(Boolean).join(": "),
    );
  const all = fine.map(({ client, scenario }) => `${client}, ${scenario}`).join("; ");
  return [...others, ...(fine.length > 0 ? [`nothing amiss in ${fine.length} of ${trials.length}: ${all}`] : [])];
}
