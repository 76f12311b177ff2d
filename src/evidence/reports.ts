/** The reports that a folder holds beside its results: each a function of what else is in it. */
import type { Recorded } from "../cassette/format.ts";
import type { Interfaces } from "../check/catalogue.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import { type Format, formats, type Render, type Reported, type ReportSources } from "../report/formats.ts";
import { gathered, jsonPieces } from "../report/json.ts";
import type { Results } from "../report/options.ts";
import { plural } from "../report/plural.ts";
import type { Times } from "../report/times.ts";
import type { Provenance } from "./manifest.ts";
import { pageOf } from "./page.ts";

/** The content of a folder beside its results. */
export interface FolderContents {
  readonly catalogue: Interfaces;
  /** Every exchange of the folder, in order; may be gone through once. */
  readonly exchanges: Iterable<Recorded>;
  /** How long their answers took. */
  readonly times: Times;
  readonly made: Provenance;
}

/** Makes the content of a file, whole or in pieces. */
export type MakeFile<D> = (document: D, contents: FolderContents) => string | Iterable<string>;

/** The folders of one kind of document. */
export interface FolderKind<D> {
  /** Reports beside the results: file name to how its content is made. */
  readonly reports: Readonly<Record<string, MakeFile<D>>>;
  /** Files that some folders of this kind hold as well. */
  readonly trackers: Readonly<Record<string, MakeFile<D>>>;
  /** What was seen besides exchanges; its name, where there is such a file. */
  readonly beside?: string;
  /** The exchanges that it finds fault with. */
  readonly failing: (document: D) => readonly ExchangePlace[];
  /** Commands, each with the exchange whose request it sends: long bodies stand in files. */
  readonly commands: (document: D) => readonly (ExchangePlace & { readonly curl: string })[];
  /** What it claims that no exchange can show, a sentence each. */
  readonly unshown: (document: D) => readonly string[];
}

/** The sources of a folder's reports. */
const sourcesIn = (results: Results, { catalogue, exchanges, times, made }: FolderContents): ReportSources => ({
  clauses: catalogue.clauses,
  times,
  page: () => pageOf(results, exchanges, catalogue, made),
});

/** Files are written at once, so what makes them is loaded before. @param makes how a format makes its file */
export async function loadedReports<Of extends keyof Reported, D>(
  wanted: readonly Format<Of>[],
  makes: (render: Render<Of>) => MakeFile<D>,
): Promise<Readonly<Record<string, MakeFile<D>>>> {
  const rows = wanted.map(async ({ file, render }) =>
    file === undefined ? [] : [[file, makes(await render())] as const],
  );
  return Object.fromEntries((await Promise.all(rows)).flat());
}

const ofResults =
  (render: Render<"results">): MakeFile<Results> =>
  (results, contents) =>
    render(results, sourcesIn(results, contents));

/** The folders of runs and checks. Code scanning and merge requests read their trackers. */
export const resultsFolder: FolderKind<Results> = {
  reports: await loadedReports(
    formats.results.filter(({ isTracker }) => !isTracker),
    ofResults,
  ),
  trackers: await loadedReports(
    formats.results.filter(({ isTracker }) => isTracker === true),
    ofResults,
  ),
  failing: ({ findings, ...results }) => {
    const { incidents = [], reproduce = [] } = results as Partial<Record<"incidents" | "reproduce", ExchangePlace[]>>;
    return [...findings.filter(({ level }) => level !== "note"), ...incidents, ...reproduce];
  },
  commands: (results) => ("reproduce" in results ? results.reproduce : []),
  unshown(results) {
    const { trials = [], again = [] } = "target" in results ? results : {};
    return [
      ...(trials.length > 0
        ? [`what clients made of the target in ${plural(trials.length, "trial")}; no exchange here shows it`]
        : []),
      ...(again.length > 0
        ? [
            `${plural(again.length, "failure")} asked again, with ever smaller requests and their commands; no verdict depends on it, and no exchange here shows it`,
          ]
        : []),
    ];
  },
};

/** The same with their trackers. */
export const trackedFolder: FolderKind<Results> = {
  ...resultsFolder,
  reports: { ...resultsFolder.reports, ...resultsFolder.trackers },
};

/** The text of `results.json`. */
export const resultsPieces = (document: object): Generator<string> => gathered(jsonPieces(document));
