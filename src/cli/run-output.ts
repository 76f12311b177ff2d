/** What `touchstone run` leaves: the text of its plan, and files, each replaced in one step. */

import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clause } from "../check/clause.ts";
import { formatGitlab } from "../report/gitlab.ts";
import { formatHtml } from "../report/html.ts";
import { gathered, jsonPieces } from "../report/json.ts";
import { formatJunit } from "../report/junit.ts";
import { formatMarkdown } from "../report/markdown.ts";
import { plural } from "../report/outline.ts";
import { formatSarif } from "../report/sarif.ts";
import { UserError } from "../user-error.ts";
import type { Expectation, Plan, RunResults } from "../verdict/document.ts";

/** Writes beside the file and renames, so that nobody ever sees half of it; in pieces, since results may exceed one string. */
function replaceFile(file: string, content: string | Iterable<string>): void {
  const part = openSync(`${file}.part`, "w");
  try {
    for (const piece of typeof content === "string" ? [content] : content) writeFileSync(part, piece);
  } catch (error) {
    rmSync(`${file}.part`, { force: true });
    throw error;
  } finally {
    closeSync(part);
  }
  renameSync(`${file}.part`, file);
}

/** Writes an expectations file for people. */
export function saveExpectations(file: string, entries: readonly Expectation[]): void {
  replaceFile(file, `${JSON.stringify({ expectations: entries }, null, 2)}\n`);
}

/** Makes a folder and those above it. Node's own way never ends where the system answers ENOENT below a folder that is there, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Makes the folder and leaves an incomplete result in it: what a killed run must not pass for. */
export function openOutput(folder: string, unfinished: RunResults): void {
  try {
    makeFolder(folder);
    replaceFile(join(folder, "results.json"), gathered(jsonPieces(unfinished)));
  } catch (error) {
    throw new UserError(`--out ${folder} cannot be written: ${(error as Error).message}`, "Choose another folder.");
  }
}

/** Writes what code scanning and merge requests read, beside what `closeOutput` writes. */
export function writeTrackers(folder: string, results: RunResults, clauses: readonly Clause[]): void {
  replaceFile(join(folder, "results.sarif"), formatSarif(results, { clauses }));
  replaceFile(join(folder, "gl-code-quality-report.json"), formatGitlab(results, { clauses }));
}

/** Writes every report; results.json last, since it says that all is there. */
export function closeOutput(folder: string, results: RunResults, clauses: readonly Clause[]): void {
  replaceFile(join(folder, "junit.xml"), formatJunit(results, { clauses }));
  replaceFile(join(folder, "report.html"), formatHtml(results, { clauses }));
  replaceFile(join(folder, "summary.md"), formatMarkdown(results, { clauses }));
  replaceFile(join(folder, "results.json"), gathered(jsonPieces(results)));
}

/** A plan as lines. */
export function planText({ cassettes, exchanges, probes = [] }: Plan): string {
  const lines = cassettes.map(
    ({ source, exchanges: own, skipped }) =>
      `${source}  ${skipped === undefined ? plural(own, "request") : `skipped: the target lacks ${skipped}`}`,
  );
  const sent = cassettes.filter(({ skipped }) => skipped === undefined).length;
  const probed = probes.map(
    ({ interface: of, requests, paid }) =>
      `probes/${of}  ${plural(requests, "request")}, ${paid} of which a service should accept, and may charge for`,
  );
  const total = `${plural(exchanges, "request")} of ${plural(sent, "recording")}`;
  const more =
    probes.length > 0
      ? `, and ${plural(
          probes.reduce((sum, { requests }) => sum + requests, 0),
          "probe",
        )}`
      : "";
  return `${[...lines, ...probed, `${total}${more}; nothing was sent`].join("\n")}\n`;
}
