/** Reads results of runs from their files. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { excerpt, excerptPointer } from "../check/excerpt.ts";
import { home } from "../home.ts";
import { readJsonFile } from "../json-file.ts";
import { UserError } from "../user-error.ts";
import { isObject } from "../wire/json.ts";
import type { CheckDocument } from "./document.ts";
import type { CheckPart } from "./merge-checks.ts";
import type { RunResults } from "./run-results.ts";

/** The advice about files that are no such results. */
export const remedy = "Give results.json files that touchstone run --out DIR wrote.";

/** Says what keeps a value from having a format; undefined where nothing does. */
type FormatChecker = (content: unknown) => string | undefined;

/** Our formats that are read. */
type Format = "results" | "findings" | "manifest" | "side-by-side" | "gateway" | "client" | "observation" | "outcomes";

/** A schema takes long to compile. */
const checkers = new Map<string, Promise<FormatChecker>>();

/** The checker of one of our formats. */
export function formatChecker(format: Format): Promise<FormatChecker> {
  const known = checkers.get(format) ?? newChecker(format);
  checkers.set(format, known);
  return known;
}

async function newChecker(format: string): Promise<FormatChecker> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({ strictTypes: false, validateFormats: false });
  const schema = (name: string): object =>
    JSON.parse(readFileSync(join(home, "schemas", "formats", `${name}.schema.json`), "utf8"));
  for (const name of ["names", "expectations", "findings"])
    if (name !== format) ajv.addSchema(schema(name), `${name}.schema.json`);
  const validate = ajv.compile(schema(format));
  return (content) => {
    if (validate(content)) return undefined;
    const { instancePath = "", message = "" } = validate.errors?.[0] ?? {};
    return excerpt(`${excerptPointer(instancePath) || "it"} ${message}`);
  };
}

/** One file's results. */
function readOne(file: string, problemOf: (content: unknown) => string | undefined): RunResults {
  const content = readJsonFile(file, file, remedy);
  const problem = problemOf(content);
  if (problem !== undefined) throw new UserError(`${file}: no results of a run: ${problem}`, remedy);
  const results = content as RunResults;
  if (results.complete !== true) throw new UserError(`${file}: the run it comes from did not finish`, "Run it again.");
  return results;
}

/** The results of finished runs; UserError for anything else, also for what a killed run left behind. */
export async function readResults(files: readonly string[]): Promise<RunResults[]> {
  const problemOf = await formatChecker("results");
  return files.map((file) => readOne(file, problemOf));
}

/** Whether a file holds a part of a check, and no run. */
const isCheckPart = (content: unknown): boolean =>
  isObject(content) && isObject(content["shard"]) && "operations" in content && !("plan" in content);

/** The document of one whole check; undefined where the files are anything else. UserError where it is damaged, or did not end. */
export async function readWholeCheck(files: readonly string[]): Promise<CheckDocument | undefined> {
  const [file] = files;
  if (file === undefined || files.length > 1 || !statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const content = readJsonFile(file, file, remedy);
  if (!isObject(content) || !("operations" in content) || "plan" in content || content["shard"]) return undefined;
  const problem = (await formatChecker("findings"))(content);
  if (problem !== undefined)
    throw new UserError(`${file}: no results of a check: ${problem}`, "Judge the files again.");
  const document = content as unknown as CheckDocument;
  if (!document.complete)
    throw new UserError(`${file}: the check it comes from did not finish`, "Judge the files again.");
  return document;
}

/**
 * The documents of `check --shard --format json`; undefined where the first file holds none, and UserError where another one holds
 * none.
 */
export async function readCheckParts(files: readonly string[]): Promise<readonly CheckPart[] | undefined> {
  const [first] = files;
  if (first === undefined || !statSync(first, { throwIfNoEntry: false })?.isFile()) return undefined;
  if (!isCheckPart(readJsonFile(first, first, remedy))) return undefined;
  const problemOf = await formatChecker("findings");
  return files.map((file) => {
    const content = readJsonFile(file, file, remedy);
    const problem = isCheckPart(content) ? problemOf(content) : "it has no shard of recordings";
    if (problem !== undefined)
      throw new UserError(
        `${file}: no shard of a check: ${problem}`,
        "Give what touchstone check --shard I/N --format json printed, of every I.",
      );
    return content as CheckPart;
  });
}
