/** Loads the probes made at build time, selects those of a run, and sends them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "../../check/catalogue.ts";
import { compare } from "../../check/finding-order.ts";
import { type Interface, interfaceNamed } from "../../check/interface.ts";
import { type Probe, type Probes, readProbes, type Twin } from "../../check/probe.ts";
import { home } from "../../home.ts";
import { modelOf } from "../../interfaces/model.ts";
import { needsShownBy, shownNeeds } from "../../interfaces/needs.ts";
import type { Shard } from "../../verdict/document.ts";
import type { Plan, PlannedProbes } from "../../verdict/run-results.ts";
import type { Answers } from "../../verdict/sent-record.ts";
import type { Sender } from "../../wire/send.ts";
import type { ProbeGroup } from "../judge/judge-probes.ts";
import { lackedNames } from "../plan/plan.ts";
import type { SendContext } from "./send-cassette.ts";
import { sendProbeGroup } from "./send-probes.ts";
import type { Slots } from "./slots.ts";

/** `all`: also those that have several replies or images or a long text made where they are accepted. */
export type ProbeChoice = "cheap" | "all";

let loaded: Probes | undefined;

/** The probes of the interfaces that ship with touchstone; read once. */
export function shippedProbes(): Probes {
  loaded ??= readProbes(readFileSync(join(home, "dist", "generated", "probes.json"), "utf8"));
  return loaded;
}

/** The probes of a catalogue: those made at build time, and those of users' own documents. */
export async function openProbes(catalogue: Catalogue): Promise<Probes> {
  const { own } = catalogue;
  if (own.size === 0) return shippedProbes();
  const { keptProbes } = await import("./kept-probes.ts");
  const made = await keptProbes(catalogue, async () => {
    const { probesOf } = await import("../../prove/probes.ts");
    const { groundOf } = await import("../../prove/ground.ts");
    return probesOf(catalogue, await groundOf(catalogue), own);
  });
  return joinedProbes(shippedProbes(), made, own);
}

/** Both, without what the first has of interfaces that the second replaces. */
function joinedProbes(first: Probes, second: Probes, replaced: ReadonlySet<string>): Probes {
  const kept = first.twins.flatMap((twin, i) => (replaced.has(twin.interface) ? [] : [i]));
  const positions = new Map(kept.map((before, now) => [before, now]));
  const moved = second.probes.map((probe) => ({ ...probe, twin: probe.twin + kept.length }));
  const stay = first.probes.flatMap((probe) => {
    const twin = positions.get(probe.twin);
    return twin === undefined ? [] : [{ ...probe, twin }];
  });
  const unprobed = Object.entries(first.unprobed).filter(([clause]) => !replaced.has(clause.split(".")[0]!));
  return {
    twins: [...kept.map((i) => first.twins[i]!), ...second.twins],
    probes: [...stay, ...moved],
    unprobed: { ...Object.fromEntries(unprobed), ...second.unprobed },
  };
}

/** The need of a probe that the target lacks: its own, its twin's, or its clause's section; undefined if there is none. */
function lackOf(
  twins: Probes["twins"],
  lacks: readonly string[],
  interfaces: readonly Interface[],
): (probe: Probe) => string | undefined {
  if (lacks.length === 0) return () => undefined;
  const lacked = (names: readonly string[]): string | undefined => names.find((name) => lacks.includes(name));
  const needs = shownNeeds(interfaces);
  const needsOf = ({ request }: Pick<Probe, "request">, { interface: of }: Twin): string[] =>
    needsShownBy(request, interfaceNamed(interfaces, of));
  const lackedByTwins = twins.map((twin) => lacked(needsOf(twin, twin)));
  return (probe) => {
    const { clause, twin } = probe;
    const [of = "", section = ""] = clause.split(".");
    return lacked(lackedNames(of, section, needs)) ?? lackedByTwins[twin] ?? lacked(needsOf(probe, twins[twin]!));
  };
}

const probeFolder = "probes";

/** The name of a twin and its probes: `probes/messages/request/top-k-type`. */
export const groupSource = ({ interface: of, name }: Pick<Twin, "interface" | "name">): string =>
  `${probeFolder}/${of}/${name}`;

type ProbeFilters = Pick<Plan, "interfaces" | "sections" | "clauses" | "scenarios" | "lacks">;

/** Whether the filters of a run, but for what the target lacks, let a probe through. */
function passes(
  { clause, costly, twin }: Probe,
  { interfaces, sections, clauses, scenarios }: ProbeFilters,
  choice: ProbeChoice,
  twins: Probes["twins"],
): boolean {
  const [of = "", section = ""] = clause.split(".");
  return (
    (interfaces.length === 0 || interfaces.includes(of)) &&
    (sections.length === 0 || [of, section, `${of}/${section}`].some((name) => sections.includes(name))) &&
    (scenarios !== undefined || clauses.length === 0 || clauses.includes(clause)) &&
    (choice === "all" || !(costly || twins[twin]!.costly))
  );
}

/** Clauses whose probes are all left out, by what the target lacks for the first of them; both sorted. */
export function lackedProbes(
  { twins, probes }: Probes,
  filters: ProbeFilters,
  choice: ProbeChoice,
  interfaces: readonly Interface[],
): Record<string, string[]> {
  const lack = lackOf(twins, filters.lacks, interfaces);
  const lacked = new Map<string, string | undefined>();
  for (const probe of probes.filter((one) => passes(one, filters, choice, twins))) {
    const { clause } = probe;
    const own = lack(probe);
    lacked.set(
      clause,
      lacked.has(clause) && lacked.get(clause) === undefined ? undefined : own && (lacked.get(clause) ?? own),
    );
  }
  const byNeed: Record<string, string[]> = {};
  for (const need of [...filters.lacks].sort(compare)) {
    const clauses = [...lacked].filter(([, own]) => own === need).map(([clause]) => clause);
    if (clauses.length > 0) byNeed[need] = clauses.sort(compare);
  }
  return byNeed;
}

/**
 * The groups a run sends: within its filters and its shard, without what the target lacks. If there are more than `left`
 * requests, it takes those that decide most clauses.
 */
export function selectProbes(
  { twins, probes }: Probes,
  filters: ProbeFilters,
  choice: ProbeChoice,
  shard: Shard | null,
  interfaces: readonly Interface[],
  left = Number.POSITIVE_INFINITY,
): ProbeGroup[] {
  const { lacks, scenarios } = filters;
  const lack = lackOf(twins, lacks, interfaces);
  const wanted = (probe: Probe): boolean => passes(probe, filters, choice, twins) && lack(probe) === undefined;
  const groups = twins
    .map(
      (twin, i): ProbeGroup => ({
        source: groupSource(twin),
        twin,
        probes: probes.filter((probe) => probe.twin === i && wanted(probe)),
      }),
    )
    .filter((_group, i) => !shard || i % shard.of === shard.index - 1)
    .filter(({ source, probes: own }) => own.length > 0 && (scenarios?.includes(source) ?? true));
  if (requestsOf(groups) <= left) return groups;
  return mostTelling(groups, left);
}

/** Spends at most `max` requests as well as possible: again and again on the group that decides most further clauses a request. */
function mostTelling(groups: readonly ProbeGroup[], max: number): ProbeGroup[] {
  const decided = new Set<string>();
  const taken = new Map<ProbeGroup, ProbeGroup>();
  const open = new Set(groups);
  for (let room = max; room > 1; ) {
    let best: { readonly group: ProbeGroup; readonly part: ProbeGroup; readonly worth: number } | undefined;
    for (const group of open) {
      const beyondFirst = [...group.probes].sort((a, b) => Number(a.kind !== "beyond") - Number(b.kind !== "beyond"));
      const part = { ...group, probes: requestsOf([group]) <= room ? group.probes : beyondFirst.slice(0, room - 1) };
      const further = new Set(part.probes.map(({ clause }) => clause).filter((clause) => !decided.has(clause)));
      const worth = further.size / requestsOf([part]);
      if (!best || worth > best.worth) best = { group, part, worth };
    }
    if (!best) break;
    open.delete(best.group);
    taken.set(best.group, best.part);
    for (const { clause } of best.part.probes) decided.add(clause);
    room -= requestsOf([best.part]);
  }
  return groups.flatMap((group) => taken.get(group) ?? []);
}

const requestsOf = (groups: readonly ProbeGroup[]): number =>
  groups.reduce((sum, { probes }) => sum + 1 + probes.length, 0);

/** How many requests the groups are, by interface; paid are those that a target should accept. */
export function plannedProbes(groups: readonly ProbeGroup[]): PlannedProbes[] {
  const planned = new Map<string, { interface: string; requests: number; paid: number }>();
  for (const { twin, probes } of groups) {
    const own = planned.get(twin.interface) ?? { interface: twin.interface, requests: 0, paid: 0 };
    planned.set(twin.interface, own);
    own.requests += 1 + probes.length;
    own.paid += 1 + probes.filter(({ kind }) => kind === "within").length;
  }
  return [...planned.values()].sort((a, b) => compare(a.interface, b.interface));
}

/** Every model any twin names: it stands for one of the target's own; others are meant to be unknown. */
export const probedModels = ({ twins }: Probes, interfaces: readonly Interface[]): Set<string> =>
  new Set(twins.flatMap(({ interface: of, request }) => modelOf(request, interfaceNamed(interfaces, of)?.model) ?? []));

/**
 * Sends the groups, each in a place of its own; nothing more once the target cannot be reached.
 * @param asking its `knownModels` are those of `probedModels`
 * @param catalogue needed where the target has models of its own
 */
export async function sendProbes(
  groups: readonly ProbeGroup[],
  asking: Pick<SendContext, "target" | "knownModels" | "heads" | "again">,
  catalogue: Catalogue | undefined,
  sender: Sender,
  slots: Slots,
  onAnswers: (group: ProbeGroup, answers: Answers) => void,
): Promise<void> {
  let gone = false;
  const queue = groups.values();
  // No more of them wait for a place than can have one, so that what comes after is not last.
  const work = async (): Promise<void> => {
    for (const group of queue) {
      if (gone) return;
      const answers = await slots.within(() => sendProbeGroup(group, asking, catalogue, sender));
      gone ||= answers.unreachable !== undefined;
      onAnswers(group, answers);
    }
  };
  await Promise.all(Array.from({ length: slots.count }, work));
}
