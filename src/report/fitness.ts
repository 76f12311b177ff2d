/** Words of reports on features and clients: those that work, and the clauses that clients miss. */
import { isUnservedUpstream } from "../verdict/outcome.ts";
import type { ClientOutcome, FeatureOutcome, RunResults } from "../verdict/run-results.ts";
import type { Clauses } from "./outline.ts";
import { plural } from "./plural.ts";

export const fieldTitle = "Would the official clients work? What the documents leave open";

export interface Fitness {
  /** By interface: outcome to the features that have it, without those that were not shown where none was. */
  readonly features: readonly { readonly interface: string; readonly outcomes: ReadonlyMap<string, string[]> }[];
  /** Outcome, and whether it was seen or predicted, to the clients that have it, each with its version and why. */
  readonly clients: ReadonlyMap<string, string[]>;
}

const outcomes = ["works", "works, with faults", "broken", "not offered", "not shown"];
const clientOutcomes = ["served", "served, with faults", "not served", "not shown"].flatMap((outcome) => [
  `${outcome} (seen)`,
  `${outcome} (predicted)`,
]);

/** Characters of a reason in one line; results.json holds it whole. */
const maxReasonLength = 120;

/** Lists by key, in the order of `keys`; what has no item is left out. */
function grouped<T>(
  keys: readonly string[],
  items: readonly T[],
  key: (item: T) => string,
  worded: (items: readonly T[]) => string[],
) {
  const found = new Map<string, string[]>();
  for (const one of keys) {
    const own = items.filter((item) => key(item) === one);
    if (own.length > 0) found.set(one, worded(own));
  }
  return found;
}

/** ` (response/text.json #0)`: what decided about a feature of an interface, and why where it does not just work. */
function decidedText(feature: FeatureOutcome): string {
  const said = whyFeature(feature);
  return said === "" ? "" : ` (${said})`;
}

interface NamedReason {
  readonly name: string;
  readonly why: string;
}

/** `text, tools (response.id-type); vision (refused)`: the names that share a reason stand together, the reason once. */
function sharedReasons(told: readonly NamedReason[]): string {
  const names = new Map<string, string[]>();
  for (const { name, why } of told) names.set(why, [...(names.get(why) ?? []), name]);
  return [...names].map(([why, list]) => `${list.join(", ")}${why === "" ? "" : ` (${why})`}`).join("; ");
}

/** `holds text, response/text.json #0`: what decided about a feature; only the place where it just works. */
export function whyFeature({ name, outcome, why, decidedBy }: FeatureOutcome): string {
  const of = name.slice(0, name.indexOf("/"));
  const place = decidedBy && `${decidedBy.source.replace(`${of}/`, "")} #${decidedBy.exchange}`;
  return (outcome === "works" ? [place] : [why, place]).filter((part) => part !== undefined).join(", ");
}

/** `6.49.0, predicted: chat-completions.streaming.choices-required: throws`: how it is known of a client, and why. */
export function whyClient({ version, by, because }: ClientOutcome): string {
  return [`${version}, ${by}`, ...(because.length > 0 ? [reasonsOf(because)] : [])].join(": ");
}

/** The first reason, as far as a line takes it, and how many more there are. */
function reasonsOf([first, ...others]: readonly string[]): string {
  if (first === undefined) return "";
  const more = others.length;
  return `${shortReason(first)}${more > 0 ? `; ${more} more` : ""}`;
}

/** A reason that fits a line. */
export const shortReason = (reason: string): string =>
  reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}…` : reason;

/** Undefined where nothing was shown of any feature. @param isWhole whether each feature names what decided it; else those that share a reason stand together */
export function fitnessOf({ features = [], clients = [] }: RunResults, isWhole = true): Fitness | undefined {
  const interfaces = [...new Set(features.map(({ name }) => name.split("/")[0]!))];
  const shown = interfaces.flatMap((of) => {
    const own = features.filter(({ name }) => name.startsWith(`${of}/`));
    if (own.every(({ outcome }) => outcome === "not shown")) return [];
    const [{ why } = { why: undefined }] = own;
    if (own.every((one) => one.outcome === "not offered" && one.why === why)) {
      const all = `all of it${why === undefined ? "" : ` (${why})`}`;
      return [{ interface: of, outcomes: new Map([["not offered", [all]]]) }];
    }
    const nameOf = ({ name }: FeatureOutcome): string => name.slice(of.length + 1);
    const byOutcome = grouped(
      outcomes,
      own,
      ({ outcome }) => outcome,
      (same) =>
        isWhole
          ? same.map((feature) => `${nameOf(feature)}${decidedText(feature)}`)
          : [
              sharedReasons(
                same.map((one) => ({ name: nameOf(one), why: one.outcome === "works" ? "" : (one.why ?? "") })),
              ),
            ],
    );
    return [{ interface: of, outcomes: byOutcome }];
  });
  if (shown.length === 0) return undefined;
  const told = clients.filter(isWorthTelling);
  return {
    features: shown,
    clients: grouped(
      clientOutcomes,
      told,
      ({ outcome, by }) => `${outcome} (${by})`,
      (same) =>
        isWhole
          ? same.map(clientText)
          : [
              sharedReasons(
                same.map(({ name, version, because }) => ({ name: `${name} ${version}`, why: reasonsOf(because) })),
              ),
            ],
    ),
  };
}

/** Whether more is to be said of a client than what its features say. */
export const isWorthTelling = ({ outcome, because }: ClientOutcome): boolean =>
  outcome !== "not shown" || because.some((reason) => !/: not (?:asked|offered|shown)$/.test(reason));

/** `openai 6.49.0 (chat-completions.streaming.choices-required: throws)` */
export function clientText({ name, version, because }: ClientOutcome): string {
  return `${name} ${version}${because.length > 0 ? ` (${reasonsOf(because)})` : ""}`;
}

/** `openai 6.49.0: not shown (predicted): chat-completions/streaming: not asked`: what decides a run for one client, every reason of it. */
export function clientLine(results: RunResults, name: string): string {
  const { version, outcome, by, because } = (results.clients ?? []).find((client) => client.name === name)!;
  const also = isUnservedUpstream(results, name) ? ", as upstream" : "";
  return [
    `${name} ${version}: ${outcome}${also} (${by})`,
    ...(because.length > 0 ? [because.map(shortReason).join("; ")] : []),
  ].join(": ");
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

/**
 * The experience of clients with the target: a line for each that had a problem, the number of those that had none, and one
 * line for those that could not be used.
 */
export function trialLines({ trials = [] }: Pick<RunResults, "trials">): readonly string[] {
  const fine = trials.filter(({ outcome }) => outcome === "fine");
  const missing = trials.filter(({ outcome }) => outcome === "not installed");
  const others = trials
    .filter(({ outcome }) => outcome !== "fine" && outcome !== "not installed")
    .map(({ client, scenario, outcome, detail }) =>
      [`${client}, ${scenario}: ${outcome}`, detail].filter((part) => part !== "").join(": "),
    );
  const used = trials.length - missing.length;
  const names = [
    ...grouped(
      [...new Set(fine.map(({ client }) => client))],
      fine,
      (one) => one.client,
      (own) => own.map(({ scenario }) => scenario),
    ),
  ];
  const which = fine.length < used ? `: ${names.map(([client, of]) => `${client} (${of.join("; ")})`).join(", ")}` : "";
  return [
    ...others,
    ...(fine.length > 0 ? [`${fine.length} of ${plural(used, "scenario")} passed${which}`] : []),
    ...(missing.length > 0
      ? [`not installed: ${missing.map(({ client, detail }) => `${client} (${detail})`).join("; ")}`]
      : []),
  ];
}
