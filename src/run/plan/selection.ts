/** Reads the recordings and makes the plan that a run's filters ask for. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { suiteFor } from "../../../suites/suites.ts";
import { sourceNamed } from "../../cassette/sources.ts";
import type { Catalogue } from "../../check/catalogue.ts";
import type { Probes } from "../../check/probe.ts";
import { didYouMean, suggestName } from "../../check/suggest.ts";
import { home } from "../../home.ts";
import { UserError } from "../../user-error.ts";
import type { Shard } from "../../verdict/document.ts";
import type { ClausesShown } from "../../verdict/results.ts";
import type { Plan } from "../../verdict/run-results.ts";
import { parseShard } from "../../verdict/shard.ts";
import type { ProbeGroup } from "../judge/judge-probes.ts";
import type { RunOptions } from "../options.ts";
import {
  groupSource,
  lackedProbes,
  openProbes,
  type ProbeChoice,
  plannedProbes,
  selectProbes,
} from "../send/probes.ts";
import { loadFitness } from "./fitness-data.ts";
import { ownRecordings } from "./own-recordings.ts";
import { lackable, lackedNeeds, makePlan } from "./plan.ts";
import { clausesShownBy } from "./recording-coverage.ts";
import { type Recording, readRecording, recordingsIn } from "./recordings.ts";

export interface Selection {
  /** All of them, whatever the plan takes. */
  readonly recordings: readonly Recording[];
  readonly plan: Plan;
  readonly shard: Shard | null;
  readonly shown: ClausesShown;
  /** All that are made from clauses. */
  readonly allProbes: Probes;
  /** Those of the plan, sent in addition to the recordings. */
  readonly probes: readonly ProbeGroup[];
  readonly probeChoice: ProbeChoice | false;
  /** Whether the recordings are not those that ship with touchstone. */
  readonly ownRecordings: boolean;
}

/** The folder of recordings that ships with touchstone. */
const shipped = resolve(home, "recordings");

/**
 * Selects what to send; UserError for names nobody knows.
 * @param lackedByFile what the target file says the target lacks
 * @param targetFile the name of that file
 */
export async function select(
  options: RunOptions,
  lackedByFile: readonly string[],
  catalogue: Catalogue,
  targetFile = "target file",
): Promise<Selection> {
  const shard = parseShard(options.shard);
  const { recordings: named = shipped } = options;
  const folder = resolve(named);
  if (!existsSync(folder))
    throw new UserError(
      `--recordings ${named}: there is no such folder`,
      "Name a folder of INTERFACE/SECTION/NAME.json, or leave the option out.",
    );
  const recordings: Recording[] = [];
  for (const source of recordingsIn(folder)) {
    const [of, section] = source.split("/") as [string, string];
    // The recordings of an interface that users replace stand in their folder.
    if (folder === shipped && catalogue.own.has(of)) continue;
    if (!catalogue.own.has(of) && !Object.hasOwn(suiteFor(of).sections, section))
      throw new UserError(`recording ${source} belongs to no suite`, "Its path must be INTERFACE/SECTION/NAME.json.");
    recordings.push(await readRecording(folder, source));
  }
  if (folder === shipped)
    recordings.push(...(await ownRecordings(catalogue, new Set(recordings.map(({ source }) => source)))));
  const sections = recordings.flatMap(({ interface: of, section }) => [section, `${of}/${section}`]);
  const lacks = [
    ...new Set([
      ...lackedFrom(`${targetFile}: lacks:`, lackedByFile, recordings),
      ...lackedFrom("--lacks", options.lacks ?? [], recordings),
    ]),
  ].sort();
  known(
    "interface",
    options.interface ?? [],
    catalogue.interfaces.map(({ name }) => name),
  );
  known("section", options.section ?? [], sections);
  known(
    "clause",
    options.clause ?? [],
    catalogue.clauses.map(({ id }) => id),
  );
  const allProbes = await openProbes(catalogue);
  const scenarios = scenariosNamed(options.scenario ?? [], [
    ...recordings.map(({ source }) => source),
    ...allProbes.twins.map(groupSource),
  ]);
  const filters = {
    interfaces: interfacesIn(options, catalogue),
    sections: options.section ?? [],
    clauses: options.clause ?? [],
    scenarios,
    lacks,
    shard,
    limit: options.maxRequests ?? null,
  };
  const shown = clausesShownBy(recordings, catalogue);
  const plan = makePlan(recordings, filters, shown, catalogue.interfaces);
  const choice = options.probes ?? (folder === shipped ? "cheap" : false);
  const left = plan.limit === null ? undefined : plan.limit - plan.exchanges;
  const probes = choice === false ? [] : selectProbes(allProbes, plan, choice, shard, catalogue.interfaces, left);
  const lacked =
    choice === false || lacks.length === 0 ? {} : lackedProbes(allProbes, plan, choice, catalogue.interfaces);
  const planned = {
    ...plan,
    ...(probes.length > 0 && { probes: plannedProbes(probes) }),
    ...(Object.keys(lacked).length > 0 && { lackedProbes: lacked }),
  };
  return {
    recordings,
    plan: planned,
    shard,
    shown,
    allProbes,
    probes,
    probeChoice: choice,
    ownRecordings: folder !== shipped,
  };
}

/** The interfaces of a run: those that are named, or else, where there are any, those of users' own documents. */
const interfacesIn = ({ interface: named = [] }: RunOptions, { own }: Catalogue): readonly string[] =>
  named.length > 0 ? named : [...own];

/** The sources of the scenarios that a user names. UserError for one nobody knows. */
function scenariosNamed(values: readonly string[], sources: readonly string[]): string[] {
  const all = new Set(sources);
  const named = values.map((value) => {
    const source = sourceNamed(value, all);
    if (source !== undefined) return source;
    const meant = suggestName(value, sources) ?? suggestName(`${value}.json`, sources);
    const ending = sources.filter((name) => `/${name.replace(/\.jsonl?$/, "")}`.endsWith(`/${value}`));
    const likely = new Set([...(meant === undefined ? [] : [meant]), ...ending]);
    const near = (likely.size > 0 ? [...likely] : sources.filter((name) => name.includes(value))).slice(0, 3);
    throw new UserError(
      `--scenario ${value}: there is no such recording, and no such group of probes`,
      `${near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : ""}touchstone run --dry-run lists recordings; findings name both.`,
    );
  });
  return [...new Set(named)].sort();
}

/** The needs, interfaces and sections that names in `lacks` mean. UserError for a name that nobody knows. */
function lackedFrom(where: string, names: readonly string[], recordings: readonly Recording[]): string[] {
  const { features } = loadFitness();
  const all = new Set(lackable(recordings));
  return names.flatMap((name) => {
    if (all.has(name)) return [name];
    const needs = lackedNeeds(name, features).filter((need) => all.has(need));
    if (needs.length > 0) return needs;
    const known = [...all, ...features.map((feature) => feature.name.slice(feature.name.indexOf("/") + 1))];
    throw new UserError(
      `${where} ${name}: there is no such feature, interface or section`,
      `${didYouMean(
        name,
        known.filter((one) => all.has(one) || lackedNeeds(one, features).some((need) => all.has(need))),
      )}Name a feature as reports do (tools, log-probabilities), an interface, a section, or keys. schemas/formats/names.schema.json lists all names.`,
    );
  });
}

function known(option: string, values: readonly string[], all: readonly string[]): void {
  const stranger = values.find((value) => !all.includes(value));
  if (stranger === undefined) return;
  const names = [...new Set(all)].sort();
  throw new UserError(
    `--${option} ${stranger}: there is no such ${option}`,
    didYouMean(stranger, names) +
      (option === "clause" ? "touchstone clauses lists them all." : `There are: ${names.join(", ")}.`),
  );
}
