/** Loads the `rules.mjs` of a folder that somebody named: code, whose bytes are what a digest says. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { OwnCode } from "../check/interface.ts";
import { fileIn, readPlainFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { hear, startThread } from "../worker.ts";
import { watchGlobals } from "./changed-globals.ts";
import { codeOf, holdProcess, thrownText } from "./own-code.ts";
import { exportsOf, type OwnExports } from "./own-exports.ts";
import type { TrialMessage } from "./trial-load.ts";

/** Bytes of one file of code. */
const maxBytes = 16 << 20;

/** Milliseconds in which a file has to be there. */
const maxLoading = 10_000;

const remedy = "Put the code itself there, or take the file away.";

export const rulesName = "rules.mjs";

/** A file of code by its name in the folder, and its SHA-256. */
export interface CodeFile {
  readonly name: string;
  readonly digest: string;
}

/**
 * The files of code in a folder that has a `rules.mjs`: that file, and the others that it may import. Nothing of them runs.
 * UserError for a link, for one that is too large, and for imports of what lies elsewhere.
 */
export function codeFilesIn(folder: string): CodeFile[] {
  if (fileIn(folder, rulesName, remedy) === undefined) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  return names.sort().map((name) => {
    const path = join(folder, name);
    const bytes = readPlainFile(path, remedy, maxBytes);
    const stray = strayImport(bytes.toString("utf8"), names);
    if (stray !== undefined)
      throw new UserError(
        `${path} imports ${stray}, which is no .mjs file of its folder`,
        "Put what it imports beside it: verify has to know all that judged. Packages are imported by their names.",
      );
    return { name, digest: createHash("sha256").update(bytes).digest("hex") };
  });
}

/** A file that code imports by its path, which is none of its folder. */
function strayImport(text: string, names: readonly string[]): string | undefined {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  for (const [, path = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`]((?:\.{0,2}\/|file:)[^"'`\n]*)["'`]/g))
    if (!names.includes(path.replace(/^\.\//, ""))) return path;
  return undefined;
}

/** Maximum number of different words that are remembered of code that is not run. */
const maxWords = 200_000;

/** Every word of files of `codeFilesIn`; undefined if there are too many. */
export function wordsIn(folder: string, files: readonly CodeFile[]): ReadonlySet<string> | undefined {
  const words = new Set<string>();
  for (const { name } of files) {
    const text = readPlainFile(join(folder, name), remedy, maxBytes).toString("utf8");
    for (const [word] of text.matchAll(/[\w-]+/g)) {
      words.add(word);
      if (words.size > maxWords) return undefined;
    }
  }
  return words;
}

const loaded = new Map<string, Promise<OwnExports>>();

/**
 * What the `rules.mjs` of a folder exports, each time the same for the same bytes.
 * UserError where it cannot be loaded, or exports something else than an interface has.
 * @param files of `codeFilesIn`
 * @param of name of the interface
 */
export function loadRules(
  folder: string,
  files: readonly CodeFile[],
  of: string,
): Promise<{ readonly exports: OwnExports; readonly code: OwnCode }> {
  const file = join(folder, rulesName);
  const code = codeOf(file);
  const key = `${resolve(file)} ${of} ${files.map(({ digest }) => digest).join(" ")}`;
  let own = loaded.get(key);
  if (!own) {
    own = importHeld(file, files, code, of);
    loaded.set(key, own);
    // Who mends it may try again.
    own.catch(() => loaded.delete(key));
  }
  return own.then((exports) => ({ exports, code }));
}

async function importHeld(file: string, files: readonly CodeFile[], code: OwnCode, of: string): Promise<OwnExports> {
  // Another text of the same file is another module.
  const url = pathToFileURL(resolve(file));
  url.search = createHash("sha256")
    .update(files.map(({ digest }) => digest).join())
    .digest("hex")
    .slice(0, 16);
  await tryLoading(file, url.href);
  const release = holdProcess();
  const changedGlobals = watchGlobals();
  let module: Readonly<Record<string, unknown>>;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), maxLoading);
  });
  try {
    module = (await Promise.race([import(/* @vite-ignore */ url.href), tooLate])) as typeof module;
  } catch (error) {
    changedGlobals();
    throw cannotBeLoaded(file, error);
  } finally {
    clearTimeout(timer);
    release();
  }
  const changed = changedGlobals();
  if (changed !== undefined)
    throw new UserError(
      `${file} changes ${changed}, on which all else relies`,
      "Write a function of your own instead, and import no package that changes globals.",
    );
  try {
    return exportsOf(module, file, of, code);
  } catch (error) {
    throw error instanceof UserError ? error : cannotBeLoaded(file, error);
  }
}

const late = (): Error => new Error(`it is not there after ${maxLoading / 1000} seconds`);

const cannotBeLoaded = (file: string, error: unknown): UserError =>
  new UserError(`${file} cannot be loaded: ${thrownText(error)}`, "Mend the file; node --check FILE shows slips.");

/**
 * Loads a module in a thread first: nothing could stop a loop in this one. UserError for one that does not come to an end, and for
 * one that throws later. Whatever else is amiss is told where it is loaded in earnest.
 */
function tryLoading(file: string, url: string): Promise<void> {
  const thread = startThread("documents/trial-load", { workerData: url, stdout: true, stderr: true });
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isLoaded = false;
    // A thread ends only after all that it printed is read.
    for (const stream of [thread.stdout, thread.stderr]) stream.resume();
    const end = (problem?: Error): void => {
      clearTimeout(timer);
      letGo();
      void thread.terminate();
      if (problem) reject(problem);
      else resolve();
    };
    const letGo = hear<TrialMessage>(thread, {
      onMessage(message) {
        if ("loaded" in message) isLoaded = true;
        else end(new UserError(`${file} fails beside its functions: ${message.thrown}`, synchronous));
      },
      onEnd: () => end(),
    });
    const tooLate = (): void =>
      end(
        isLoaded
          ? new UserError(`${file} still runs ${maxLoading / 1000} seconds after it was loaded`, synchronous)
          : cannotBeLoaded(file, late()),
      );
    // A busy machine may take its time to start a thread.
    thread.once("online", () => (timer = setTimeout(tooLate, maxLoading)));
  });
}

const synchronous = "Take out timers, connections and promises: rules are synchronous, and start nothing.";
