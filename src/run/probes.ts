/** Loads the probes that the build made, selects those a run sends, and sends them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "../check/catalogue.ts";
import { compare } from "../check/order.ts";
import { type Probe, type Probes, readProbes, type Twin } from "../check/probe.ts";
import { home } from "../home.ts";
import type { Answers } from "../verdict/asked.ts";
import type { Shard } from "../verdict/document.ts";
import type { Plan, PlannedProbes } from "../verdict/run-results.ts";
import type { Sender } from "../wire/send.ts";
import type { Asking } from "./ask.ts";
import { askProbes } from "./ask-probes.ts";
import type { ProbeGroup } from "./judge-probes.ts";
import { modelOf } from "./model.ts";
import { lackedNames, needsShownBy } from "./needs.ts";
import type { Slots } from "./slots.ts";

/** `all`: also those that have several replies or images or a long text made where they are accepted. */
export type ProbeChoice = "cheap" | "all";

let loaded: Probes | undefined;

/** All probes; read once. */
export function loadProbes(): Probes {
  loaded ??= readProbes(readFileSync(join(home, "dist", "generated", "probes.json"), "utf8"));
  return loaded;
}

/** Whether a probe asks for nothing that the target lacks: neither in itself, nor in its twin, nor by its clause's section. */
function offeredBy(twins: Probes["twins"], lacks: readonly string[]): (probe: Probe) => boolean {
  if (lacks.length === 0) return () => true;
  const isLacked = (names: readonly string[]): boolean => names.some((name) => lacks.includes(name));
  const offeredTwins = twins.map((twin) => !isLacked(needsShownBy(twin.request, twin.interface)));
  return ({ clause, request, twin }) =>
    !isLacked(lackedNames(...(clause.split(".") as [string, string]))) &&
    offeredTwins[twin]! &&
    !isLacked(needsShownBy(request, twins[twin]!.interface));
}

const probeFolder = "probes";

/** What a twin and its probes are called: `probes/messages/request/top-k-type`. */
export const groupSource = ({ interface: of, name }: Pick<Twin, "interface" | "name">): string =>
  `${probeFolder}/${of}/${name}`;

/**
 * The groups a run sends: within its filters and its shard, without what the target lacks; of more than `left` requests
 * those that decide most clauses.
 */
export function selectProbes(
  { twins, probes }: Probes,
  {
    interfaces,
    sections,
    clauses,
    scenarios,
    lacks,
  }: Pick<Plan, "interfaces" | "sections" | "clauses" | "scenarios" | "lacks">,
  choice: ProbeChoice,
  shard: Shard | null,
  left = Number.POSITIVE_INFINITY,
): ProbeGroup[] {
  const offered = offeredBy(twins, lacks);
  const wanted = (probe: Probe): boolean => {
    const { clause, costly, twin } = probe;
    const [of = "", section = ""] = clause.split(".");
    return (
      (interfaces.length === 0 || interfaces.includes(of)) &&
      (sections.length === 0 || [of, section, `${of}/${section}`].some((name) => sections.includes(name))) &&
      (scenarios !== undefined || clauses.length === 0 || clauses.includes(clause)) &&
      (choice === "all" || !(costly || twins[twin]!.costly)) &&
      offered(probe)
    );
  };
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

/** What at most `most` requests are best spent on: again and again the group that decides most further clauses a request. */
function mostTelling(groups: readonly ProbeGroup[], most: number): ProbeGroup[] {
  const decided = new Set<string>();
  const taken = new Map<ProbeGroup, ProbeGroup>();
  const open = new Set(groups);
  for (let room = most; room > 1; ) {
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
export const probedModels = ({ twins }: Probes): Set<string> =>
  new Set(twins.flatMap(({ request }) => modelOf(request) ?? []));

/**
 * Sends the groups, each in a place of its own; nothing more once the target cannot be reached.
 * @param asking its `knownModels` are those of `probedModels`
 * @param catalogue needed where the target has models of its own
 */
export async function sendProbes(
  groups: readonly ProbeGroup[],
  asking: Pick<Asking, "target" | "knownModels">,
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
      const answers = await slots.within(() => askProbes(group, asking, catalogue, sender));
      gone ||= answers.gone !== undefined;
      onAnswers(group, answers);
    }
  };
  await Promise.all(Array.from({ length: slots.count }, work));
}
