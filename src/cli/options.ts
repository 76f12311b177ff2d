/** Options that several commands share: how to judge, and who may call a server. */
import type { Argv } from "yargs";
import type { Kept } from "../evidence/manifest.ts";
import type { JudgingArgs } from "../interfaces/judging.ts";
import { printable } from "../report/clean.ts";
import { formats } from "../report/formats.ts";
import { isLoopback } from "../wire/callers.ts";
import type { ServerOptions } from "../wire/open-server.ts";

/** The parser's settings for a program behind `--`: its arguments stay texts, and numbers among them as they are written. */
export const programBehindDashes = { "populate--": true, "parse-positional-numbers": false } as const;

export type DocumentsArgs = Pick<JudgingArgs, "documents">;

/** Adds `--documents`. */
export function documentsOption<T>(yargs: Argv<T>): Argv<T & DocumentsArgs> {
  return yargs.option("documents", {
    type: "string",
    array: true,
    nargs: 1,
    describe: "folder or OpenAPI file that describes interfaces of your own (repeatable)",
  }) as Argv<T & DocumentsArgs>;
}

/** `--allow-code`. */
export const allowCode = {
  type: "boolean",
  default: false,
  describe: "run the code (rules.mjs) in folders of documents that the target file names, and its gateway.start",
} as const;

/** A note of a run, on standard error. */
export const onNote = (note: string): void => void process.stderr.write(`${printable(note)}\n`);

/** Adds `--documents`, `--preset`, `--bind` and `--reading`. */
export function judgingOptions<T>(yargs: Argv<T>): Argv<T & JudgingArgs> {
  return documentsOption(yargs)
    .option("preset", {
      type: "string",
      describe: "names to use: those of well-known vendors (vendors), of the documents only (none), or of a JSON file",
    })
    .option("bind", {
      type: "string",
      array: true,
      nargs: 1,
      describe: "name of a neutral term at the target: image-v2=dall-e-2, models.reasoning=o1*,o3*",
    })
    .option("reading", {
      type: "string",
      array: true,
      nargs: 1,
      describe: "interpretation: strict, strict:ID for one entry, or open-enums",
    }) as Argv<T & JudgingArgs>;
}

const reportFiles = formats.results
  .flatMap(({ file, isTracker }) => (file === undefined || isTracker ? [] : [file]))
  .sort();

/** Adds `--out` and `--evidence`. */
export function folderOptions<T>(yargs: Argv<T>): Argv<T & { out?: string; evidence: Kept }> {
  return yargs
    .option("out", {
      type: "string",
      requiresArg: true,
      describe: `folder for results.json, ${reportFiles.join(", ")}, exchanges.jsonl, manifest.json`,
    })
    .option("evidence", {
      choices: ["all", "failing", "none"] as const,
      default: "all" as const,
      describe: "exchanges to keep in --out, redacted",
    }) as never;
}

export type CallerArgs = Pick<ServerOptions, "allowHost" | "allowOrigin">;

/** Adds `--allow-host` and `--allow-origin`, which matter where a loopback address is listened on. */
export function callerOptions<T>(yargs: Argv<T>): Argv<T & CallerArgs> {
  const several = { type: "string", array: true, nargs: 1 } as const;
  return yargs
    .option("allow-host", {
      ...several,
      describe: "on loopback, also answer requests that name this host; other hosts get 403 (repeatable)",
    })
    .option("allow-origin", {
      ...several,
      describe: "on loopback, also answer pages of this origin; other origins get 403 (repeatable)",
    }) as Argv<T & CallerArgs>;
}

/** Prints where a server listens, last of all: whoever reads it may end the server at once. */
export function tellAddress(url: string, host: string): void {
  process.stdout.write(`listening on ${url}\n`);
  if (!isLoopback(host)) process.stderr.write(`Reachable from other machines, since --listen names ${host}.\n`);
}

/** `--for CLIENT`. */
export const forClient = {
  type: "string",
  requiresArg: true,
  describe: "let this client decide the exit code: 1 if it cannot use the target, 2 if the run does not show it",
} as const;
