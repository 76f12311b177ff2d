/** Reads the progress that a killed run against a client left in its folder, so that another one can go on from there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CaseEvidence, ClientTerms } from "../../cases/client-document.ts";
import type { ClientDocument } from "../../cases/document.ts";
import { sourceOf } from "../../cases/judge/judge-case.ts";
import { readJsonFile } from "../../json-file.ts";
import { fileIn, readPlainFile } from "../../plain-file.ts";
import { UserError } from "../../user-error.ts";
import { formatChecker } from "../../verdict/read-results.ts";
import { isObject } from "../../wire/json.ts";
import { spoolOf } from "../folder.ts";
import { exchangesName, observationsName, resultsName } from "../manifest.ts";
import { spooled, wholeLines } from "../spool.ts";
import { casesFrom, observationsFrom } from "./case-lines.ts";

export interface Unfinished {
  /** Cases that need not be tried again. */
  readonly evidence: readonly CaseEvidence[];
  /** The day for which expectations were read. */
  readonly today: string;
  /** When the first case was tried, Unix milliseconds; undefined where none was. */
  readonly started: number | undefined;
}

const remedy = "Leave out --resume to start anew.";

/** The settings that must be the same, as text, by the names that people know them by. */
function settingsOf({ client, versions, documents, options }: ClientTerms): Readonly<Record<string, string>> {
  const { interfaces, cases, isCommand, once, every, timeout, limit, preset, bindings, readings } = options;
  const all = {
    ...{ client, versions, "documents of the interfaces": documents, "--interface": interfaces, "--case": cases },
    ...{ "--timeout": timeout, "--limit": limit, "--preset": preset, "--bind": bindings, "--reading": readings },
    ...{ "--once": once, "--every": every, "kind of client": isCommand },
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)]));
}

/**
 * The progress of a run with the same client, versions and options; undefined if nothing is there. UserError if the run there
 * ended, or was another one.
 */
export async function readUnfinished(folder: string, terms: ClientTerms): Promise<Unfinished | undefined> {
  const file = fileIn(folder, resultsName, remedy);
  if (file === undefined) return undefined;
  const content = readJsonFile(file, file, remedy);
  const isClient = isObject(content) && content["kind"] === "client";
  const problem = isClient ? (await formatChecker("client"))(content) : "it is of another command";
  if (problem !== undefined) throw new UserError(`${file}: no run of touchstone client to resume: ${problem}`, remedy);
  const document = content as unknown as ClientDocument;
  if (document.complete) throw new UserError(`${folder} holds a run that ended, so nothing is left to resume`, remedy);
  const [before, now] = [settingsOf(document), settingsOf(terms)];
  const other = Object.keys(now).find((name) => before[name] !== now[name]);
  if (other !== undefined)
    throw new UserError(
      `${folder} holds a run with another setting (${other}): ${before[other]} there, ${now[other]} now`,
      `Give the same settings as before. ${remedy}`,
    );
  const readSpool = (name: string): string => {
    const path = join(folder, spoolOf(name));
    return existsSync(path) ? readPlainFile(path, remedy).toString("utf8") : "";
  };
  const path = join(folder, spoolOf(observationsName));
  const observations = await observationsFrom(wholeLines(readSpool(observationsName)).join("\n"), path, remedy);
  const whole = new Set(observations.map(sourceOf));
  const kept = [...spooled(readSpool(exchangesName))].filter(({ asked }) => asked && whole.has(asked.source));
  const evidence = casesFrom(observations, kept, join(folder, spoolOf(exchangesName)), remedy);
  const times = kept.flatMap(({ exchange }) => exchange.started ?? []);
  const started = times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined;
  return { evidence, today: document.options.today, started };
}
