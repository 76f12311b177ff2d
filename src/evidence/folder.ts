/** The folder that `--out` names: reports, results, the exchanges they follow from, and a manifest. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CassetteHeader, Recorded } from "../cassette/format.ts";
import type { Interfaces } from "../check/catalogue.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import { timesOf } from "../report/times.ts";
import { bodyFile, bodyFileIn } from "../run/send/curl.ts";
import { UserError } from "../user-error.ts";
import { makeFolder, replaceFile } from "./files.ts";
import { createGrowingFile } from "./growing-file.ts";
import { exchangesName, type Manifest, manifestName, manifestText, type Provenance, resultsName } from "./manifest.ts";
import { refuseForeignFiles } from "./ownership.ts";
import { type FolderKind, resultsPieces } from "./reports.ts";
import { createEvidenceStore } from "./spool.ts";

export interface OutputFolder<D> {
  /** Keeps an exchange that says for which request it stands. */
  add(recorded: Recorded): void;
  /** Keeps a line, without its end, of what was seen besides exchanges until the folder is closed: for a run that goes on where it was killed. */
  note(line: string): void;
  /** Leaves what a run came to that did not end: exchanges, and results that say they are incomplete. */
  leave(document: D, header: CassetteHeader, beside?: Iterable<string>): void;
  /**
   * Writes every file; results after all they speak of, and the manifest last, since it says that all is there.
   * @param documents document name to the digest of what restates it
   * @param beside what was seen besides exchanges, where folders of this kind have a file for it
   */
  close(
    document: D,
    header: CassetteHeader,
    catalogue: Interfaces,
    documents: Manifest["documents"],
    provenance: Provenance,
    beside?: Iterable<string>,
  ): void;
}

export interface FolderOptions {
  /** Bytes of exchanges that are kept; of those beyond it only the beginnings of their bodies are. */
  readonly maxEvidence?: number;
}

/** Attempts to write the last files, and milliseconds between them. */
const maxTries = 6;
const retryMs = 1_000;

/** The file that grows while a run goes on, of those that are sorted at its end. */
export const spoolOf = (name: string): string => `${name}.unsorted`;
const spoolName = spoolOf(exchangesName);

/** A body that a command reads. */
const isBody = (name: string): boolean => /^body-[0-9a-f]{16}\.\w+$/.test(name);

/** Whether an exchange is one of these. */
function isAmong(places: readonly ExchangePlace[]): (place: ExchangePlace) => boolean {
  const failing = new Set(places.map(({ source, exchange }) => `${exchange} ${source}`));
  return ({ source, exchange }) => failing.has(`${exchange} ${source}`);
}

/**
 * Makes the folder, and leaves results in it that say they are incomplete: what a killed run must not pass for. The remains of
 * an earlier run there go. UserError where it cannot be written, now and later, and where it would write over files of others.
 */
export function openFolder<D extends object>(
  folder: string,
  unfinished: D,
  evidence: Provenance["evidence"],
  kind: FolderKind<D>,
  { maxEvidence = Number.POSITIVE_INFINITY }: FolderOptions = {},
): OutputFolder<D> {
  const { reports, beside: besideName } = kind;
  const path = (name: string): string => join(folder, name);
  function writing<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`--out ${folder} cannot be written: ${(error as Error).message}`, "Choose another folder.");
    }
  }
  /** Writes the last files. A disk that is full for a moment must not cost a whole run. */
  function insisting(write: () => void): void {
    for (let tries = 1; ; tries++) {
      try {
        write();
        return;
      } catch (error) {
        const isRefused = /^(?:ENOSPC|EDQUOT|EIO|EROFS)$/.test((error as NodeJS.ErrnoException).code ?? "");
        if (!isRefused || tries === maxTries) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
      }
    }
  }
  const { store, notes } = writing(() => {
    makeFolder(folder);
    const own = [...Object.keys(reports), ...(besideName === undefined ? [] : [besideName, spoolOf(besideName)])];
    const stale = [manifestName, exchangesName, ...own, ...readdirSync(folder).filter(isBody)];
    refuseForeignFiles(folder, [...stale, resultsName, spoolName]);
    for (const name of stale) rmSync(path(name), { force: true });
    replaceFile(path(resultsName), resultsPieces(unfinished));
    if (evidence === "none") return { store: undefined, notes: undefined };
    return {
      store: createEvidenceStore(path(spoolName), maxEvidence),
      notes: besideName === undefined ? undefined : createGrowingFile(path(spoolOf(besideName))),
    };
  });
  const wantedIn = (document: D) => (evidence === "all" ? () => true : isAmong(kind.failing(document)));
  const files: Record<string, string> = {};
  const keep = (name: string, content: string | Iterable<string>): void =>
    void (files[name] = replaceFile(path(name), content));
  function writeExchanges(document: D, header: CassetteHeader, beside: Iterable<string>): void {
    if (store) files[exchangesName] = store.write(path(exchangesName), header, wantedIn(document));
    if (store && besideName !== undefined) keep(besideName, beside);
    writeBodies(document);
  }
  function removeSpools(): void {
    store?.remove();
    notes?.remove();
  }
  /** The bodies that commands read from files, where they were kept whole. */
  function writeBodies(document: D): void {
    for (const { curl, ...place } of kind.commands(document)) {
      const name = bodyFileIn(curl);
      const body = name === undefined || name in files ? undefined : store?.at(place)?.exchange.request.body;
      if (name !== undefined && body && bodyFile(body) === name) files[name] = replaceFile(path(name), [body]);
    }
  }
  const writeAll: OutputFolder<D>["close"] = (document, header, catalogue, documents, provenance, beside = []) => {
    const exchanges = store?.each(wantedIn(document)) ?? [];
    const times = timesOf(store?.times(wantedIn(document)) ?? []);
    const contents = { catalogue, exchanges, times, made: provenance };
    for (const [name, make] of Object.entries(reports)) keep(name, make(document, contents));
    writeExchanges(document, header, beside);
    keep(resultsName, resultsPieces(document));
    replaceFile(path(manifestName), manifestText(files, documents, provenance));
  };
  return {
    add: (recorded) => store?.add(recorded),
    note: (line) => notes?.add([line], line.length),
    leave: (document, header, beside = []) =>
      writing(() => {
        const lines = [...beside];
        insisting(() => {
          writeExchanges(document, header, lines);
          replaceFile(path(resultsName), resultsPieces(document));
        });
        removeSpools();
      }),
    close: (document, header, catalogue, documents, provenance, beside = []) =>
      writing(() => {
        const lines = [...beside];
        insisting(() => writeAll(document, header, catalogue, documents, provenance, lines));
        removeSpools();
      }),
  };
}
