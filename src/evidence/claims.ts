/** Holds what a folder claims of itself: its files against its manifest and against what they should say. */
import { join } from "node:path";
import type { Recorded, SentJson } from "../cassette/format.ts";
import { byExchange, type ExchangePlace } from "../check/finding-order.ts";
import { isBindings } from "../check/names.ts";
import { version } from "../home.ts";
import {
  isShippedPreset,
  type Judging,
  judgingOf,
  type KnownReadings,
  type Preset,
  presetFrom,
  readPreset,
} from "../interfaces/judging.ts";
import { readPlainFile } from "../plain-file.ts";
import { isSamePage } from "../report/page/same.ts";
import { type Times, timesOf } from "../report/times.ts";
import { UserError } from "../user-error.ts";
import type { RunSettings } from "../verdict/run-results.ts";
import { duplicateKeys } from "../wire/json-issues.ts";
import { isText } from "./canonical-lines.ts";
import type { Problem } from "./compare.ts";
import { exchangesName, type Manifest, manifestName, pageName, resultsName } from "./manifest.ts";
import { digestOf } from "./read-folder.ts";
import { type FolderContents, type FolderKind, resultsPieces } from "./reports.ts";

const asWritten = "Verify the folder as it was written.";

/** UserError where another version, or other clauses, judged a folder. */
export function refuseOtherCatalogue(
  { touchstone, documents }: Pick<Manifest, "touchstone" | "documents">,
  own: Manifest["documents"],
): void {
  const remedy = "Verify with the touchstone that judged, or judge by this one's clauses with --any-version.";
  if (touchstone !== version())
    throw new UserError(`touchstone ${touchstone} judged this folder, and this is ${version()}`, remedy);
  const other = [...new Set([...Object.keys(own), ...Object.keys(documents)])].find(
    (name) => own[name] !== documents[name],
  );
  if (other === undefined) return;
  if (/\.mjs(?: \(not run\))?$/.test(other)) refuseOtherCode(other, documents[other], own[other]);
  if (!Object.hasOwn(documents, other))
    throw new UserError(
      `this folder was judged without the document ${other}`,
      "Name no other --documents than the run did.",
    );
  if (!Object.hasOwn(own, other))
    throw new UserError(
      `this folder was judged by the document ${other}, which does not ship with touchstone`,
      "Name it as the run did: --documents PATH",
    );
  throw new UserError(`this folder was judged by other clauses of the document ${other} than these`, remedy);
}

/** The rules of a user's own are code, which is the same or judges otherwise. */
function refuseOtherCode(name: string, judged: string | undefined, here: string | undefined): never {
  const called = (digest: string | undefined): string => (digest === undefined ? "none" : digest.slice(0, 12));
  throw new UserError(
    `this folder was judged by another ${name} (${called(judged)}) than is here (${called(here)})`,
    "Verify with --documents of the folder that judged, or judge by this one with --any-version.",
  );
}

/** Whether code beside users' own documents ran when a folder was judged, so that it has to run again. */
export const ranCode = (documents: Manifest["documents"]): boolean =>
  !Object.keys(documents).some((name) => name.endsWith(".mjs (not run)"));

/** Files of code among the digests of a catalogue: what ran when something was judged. */
export const codeIn = (digests: Manifest["documents"]): Manifest["documents"] =>
  Object.fromEntries(Object.entries(digests).filter(([name]) => name.endsWith(".mjs")));

/** Checks the manifest's claims about files and versions. */
export function* filesThatDiffer(
  folder: string,
  manifest: Manifest,
  maxEvidence: number,
  { reports, beside }: Pick<FolderKind<never>, "reports" | "beside">,
): Generator<Problem> {
  const file = manifestName;
  const text = readPlainFile(join(folder, file), asWritten).toString("utf8");
  yield* membersTwice(file, text);
  if (text !== `${JSON.stringify(manifest, null, 2)}\n`) yield { file, what: "it is not written as a run writes it" };
  const exchanges = manifest.evidence === "none" ? [] : [exchangesName, ...(beside === undefined ? [] : [beside])];
  for (const name of [resultsName, ...exchanges, ...Object.keys(reports)])
    if (!Object.hasOwn(manifest.files, name)) yield { file, what: `it does not name ${name}` };
  for (const [name, digest] of Object.entries(manifest.files)) {
    // A name with a way in it would lead out of the folder.
    if (/[/\\]/.test(name) || name === "..") yield { file, what: `it names ${name}, which is no file of the folder` };
    else if (digestOf(join(folder, name), maxEvidence) !== digest)
      yield { file: name, what: "it is not the file of the manifest" };
  }
}

/** Members whose name stands twice in one object: of these every reader takes another. */
function* membersTwice(file: string, text: string): Generator<Problem> {
  for (const place of duplicateKeys(text)) yield { file, what: `${place} is there twice` };
}

/** Exchanges stand in the order of their places, each once. */
export function* exchangesOutOfPlace(kept: readonly (SentJson & ExchangePlace)[]): Generator<Problem> {
  for (const [i, one] of kept.entries()) {
    const { source, exchange } = one;
    const at = { file: exchangesName, source, exchange };
    const before = kept[i - 1];
    const order = before ? byExchange(before, one) || (before.shard?.index ?? 0) - (one.shard?.index ?? 0) : -1;
    if (order > 0) yield { ...at, what: "it was moved: exchanges stand in the order of sources and positions" };
  }
}

/** A preset that ships with touchstone, or what the results hold of another; no name leads to a file of this machine. */
function presetOf(preset: string | object | null): Preset | undefined {
  if (preset === null) return undefined;
  if (typeof preset !== "string") return presetFrom(preset, "its preset", asWritten);
  if (!/^[\w-]+$/.test(preset) || !isShippedPreset(preset))
    throw new UserError(`there is no preset ${preset}`, asWritten);
  return readPreset(preset);
}

/**
 * How a folder says that was judged; UserError for what nobody can have judged by.
 * @param documents users' own documents that judged
 * @param others bindings that apply as well
 */
export function judgingTold(
  { preset, bindings, readings, enforcement }: Pick<RunSettings, "preset" | "bindings" | "readings" | "enforcement">,
  known: KnownReadings,
  documents: readonly string[] = [],
  others: readonly unknown[] = [],
): Judging {
  if (![...bindings, ...others].every(isBindings))
    throw new UserError("its bindings have names, models or credentials that cannot be read", asWritten);
  return judgingOf(presetOf(preset), bindings, { reading: readings, enforcement, documents }, known);
}

/** How long the answers of kept exchanges took. */
export const timesOfKept = (kept: readonly Recorded[]): Times =>
  timesOf(
    kept.flatMap(({ exchange, asked }) =>
      asked ? [{ source: asked.source, exchange: asked.exchange, time: exchange.response?.time }] : [],
    ),
  );

/** The files that do not say what these results come to. @param files those that the manifest lists */
export function* textsThatDiffer<D extends object>(
  folder: string,
  right: D,
  contents: FolderContents,
  isSame: boolean,
  files: Manifest["files"],
  { reports, trackers }: FolderKind<D>,
): Generator<Problem> {
  const results = readPlainFile(join(folder, resultsName), asWritten);
  yield* membersTwice(resultsName, results.toString("utf8"));
  if (isSame && !isText(results, resultsPieces(right)))
    yield { file: resultsName, what: "it says what the exchanges come to, but is not written as a run writes it" };
  const listed = Object.entries(trackers).filter(([name]) => Object.hasOwn(files, name));
  for (const [name, make] of [...Object.entries(reports), ...listed])
    if (!isReport(name, readPlainFile(join(folder, name), asWritten).toString("utf8"), make(right, contents)))
      yield { file: name, what: "it is not the report of what the exchanges come to" };
}

/** Whether a file is this report, however its page was compressed. */
function isReport(name: string, claimed: string, report: string | Iterable<string>): boolean {
  const own = typeof report === "string" ? report : [...report].join("");
  return name === pageName ? isSamePage(claimed, own) : claimed === own;
}
