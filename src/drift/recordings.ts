/** Opens recordings for comparing: files and folders of any format, read again as often as they are asked for. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import { namesFrom } from "../check/names.ts";
import type { Judging } from "../interfaces/judging.ts";
import { fileIn } from "../plain-file.ts";
import { redact } from "../redact/redact.ts";
import { UserError } from "../user-error.ts";
import type { Entry, Recording } from "./compare-recordings.ts";

/** Files that a folder of evidence holds beside its exchanges. */
const evidence = { results: "results.json", exchanges: "exchanges.jsonl" } as const;

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The exchanges of a folder that `--out` left; any other path as it is. */
export const exchangesOf = (path: string): string => {
  if (!isFolder(path) || !existsSync(join(path, evidence.results))) return path;
  return fileIn(path, evidence.exchanges, "Give recordings, or folders that --out left.") ?? path;
};

/**
 * The recording that a path names: a file of any format, a folder of them, the exchanges that `--out` left. UserError where it
 * cannot be read.
 */
export async function openRecording(path: string, judging: Pick<Judging, "bindings">): Promise<Recording> {
  if (path === "-")
    throw new UserError("- is read once, and diff reads a recording twice", "Save it to a file, and name that.");
  const sources = await listSources([exchangesOf(path)]);
  return {
    async *entries(): AsyncGenerator<Entry> {
      for (const source of sources) {
        const opened = await openSource(source);
        const names = namesFrom(opened.header.bindings ?? {}, ...judging.bindings);
        const keepHeaders = names.ownHeaders.map(({ own }) => own);
        for await (const { exchange, index } of opened)
          yield { exchange: redact(exchange, { keepHeaders }), source, position: index, names };
      }
    },
  };
}
