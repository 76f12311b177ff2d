/** The folder that `--out` names: reports, results, the exchanges they follow from, and a manifest. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CassetteHeader, Recorded } from "../cassette/format.ts";
import type { Interfaces } from "../check/catalogue.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import type { Results } from "../report/options.ts";
import { timesOf } from "../report/times.ts";
import { bodyFile, bodyFileIn } from "../run/send/curl.ts";
import { UserError } from "../user-error.ts";
import { makeFolder, replaceFile } from "./files.ts";
import { exchangesName, type Manifest, manifestName, manifestText, type Provenance, resultsName } from "./manifest.ts";
import { refuseForeignFiles } from "./ownership.ts";
import { type Reports, reports, resultsPieces, sourcesIn } from "./reports.ts";
import { createEvidenceStore } from "./spool.ts";

export interface OutputFolder {
  /** Keeps an exchange that says for which request it stands. */
  add(recorded: Recorded): void;
  /** Leaves what a run came to that did not end: exchanges, and results that say they are incomplete. */
  leave(results: Results, header: CassetteHeader): void;
  /**
   * Writes every file; results after all they speak of, and the manifest last, since it says that all is there.
   * @param documents document name to the digest of what restates it
   */
  close(
    results: Results,
    header: CassetteHeader,
    catalogue: Interfaces,
    documents: Manifest["documents"],
    provenance: Provenance,
  ): void;
}

export interface FolderOptions {
  /** Reports that it holds beside its results. */
  readonly formats?: Reports;
  /** Bytes of exchanges that are kept; of those beyond it only the beginnings of their bodies are. */
  readonly maxEvidence?: number;
}

/** The exchanges so far, while a run goes on. */
const spoolName = `${exchangesName}.unsorted`;

/** A body that a command reads. */
const isBody = (name: string): boolean => /^body-[0-9a-f]{16}\.\w+$/.test(name);

/** The exchanges that results find fault with. */
function failingIn(results: Results): (place: ExchangePlace) => boolean {
  const { incidents = [], reproduce = [] } = results as Partial<Record<"incidents" | "reproduce", ExchangePlace[]>>;
  const places = [...results.findings.filter(({ level }) => level !== "note"), ...incidents, ...reproduce];
  const failing = new Set(places.map(({ source, exchange }) => `${exchange} ${source}`));
  return ({ source, exchange }) => failing.has(`${exchange} ${source}`);
}

/**
 * Makes the folder, and leaves results in it that say they are incomplete: what a killed run must not pass for. The remains of
 * an earlier run there go. UserError where it cannot be written, now and later, and where it would write over files of others.
 */
export function openFolder(
  folder: string,
  unfinished: Results,
  evidence: Provenance["evidence"],
  { formats = reports, maxEvidence = Number.POSITIVE_INFINITY }: FolderOptions = {},
): OutputFolder {
  const path = (name: string): string => join(folder, name);
  function writing<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`--out ${folder} cannot be written: ${(error as Error).message}`, "Choose another folder.");
    }
  }
  const store = writing(() => {
    makeFolder(folder);
    const stale = [manifestName, exchangesName, ...Object.keys(formats), ...readdirSync(folder).filter(isBody)];
    refuseForeignFiles(folder, [...stale, resultsName, spoolName]);
    for (const name of stale) rmSync(path(name), { force: true });
    replaceFile(path(resultsName), resultsPieces(unfinished));
    return evidence === "none" ? undefined : createEvidenceStore(path(spoolName), maxEvidence);
  });
  const wantedIn = (results: Results) => (evidence === "all" ? () => true : failingIn(results));
  const files: Record<string, string> = {};
  const keep = (name: string, content: string | Iterable<string>): void =>
    void (files[name] = replaceFile(path(name), content));
  function writeExchanges(results: Results, header: CassetteHeader): void {
    if (store) files[exchangesName] = store.write(path(exchangesName), header, wantedIn(results));
    writeBodies(results);
    store?.remove();
  }
  /** The bodies that commands read from files, where they were kept whole. */
  function writeBodies(results: Results): void {
    for (const { curl, ...place } of "reproduce" in results ? results.reproduce : []) {
      const name = bodyFileIn(curl);
      const body = name === undefined || name in files ? undefined : store?.at(place)?.exchange.request.body;
      if (name !== undefined && body && bodyFile(body) === name) files[name] = replaceFile(path(name), [body]);
    }
  }
  return {
    add: (recorded) => store?.add(recorded),
    leave: (results, header) =>
      writing(() => {
        writeExchanges(results, header);
        replaceFile(path(resultsName), resultsPieces(results));
      }),
    close: (results, header, catalogue, documents, provenance) =>
      writing(() => {
        const exchanges = store?.each(wantedIn(results)) ?? [];
        const times = timesOf(store?.times(wantedIn(results)) ?? []);
        const sources = sourcesIn(results, { catalogue, exchanges, times, made: provenance });
        for (const [name, format] of Object.entries(formats)) keep(name, format(results, sources));
        writeExchanges(results, header);
        keep(resultsName, resultsPieces(results));
        replaceFile(path(manifestName), manifestText(files, documents, provenance));
      }),
  };
}
