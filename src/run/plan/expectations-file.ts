/** Reads and writes a file of known failures. */
import { existsSync, readFileSync } from "node:fs";
import { didYouMean } from "../../check/suggest.ts";
import { readJsonFile } from "../../json-file.ts";
import { UserError } from "../../user-error.ts";
import type { Expectation } from "../../verdict/document.ts";
import { nameOf, readExpectations } from "../../verdict/expectations.ts";

/** An entry as it may look. */
const entryExample = `{"expectations": [{"clause": "ID", "reason": "It answers in another order."}]}`;

const cassetteExample = `"cassette": "chat-completions/response/text"`;

/** The names that entries may use. */
export interface KnownNames {
  /** What a cassette of the file is, and where they are listed; recordings and groups of probes unless said. */
  readonly listed?: { readonly noun: string; readonly where: string };
  readonly clauses: ReadonlySet<string>;
  /** The source of a recording or a group of probes, by what a user calls it; undefined for a stranger. */
  cassette(name: string): string | undefined;
}

/**
 * Reads an expectations file; entries name cassettes by their sources, however the file calls these.
 * @param mayBeAbsent true where the file is about to be written
 */
export function readExpectationsFile(file: string, known: KnownNames, mayBeAbsent: boolean): readonly Expectation[] {
  if (mayBeAbsent && !existsSync(file)) return [];
  const content = readJsonFile(file, `known failures ${file}`, `Write ${entryExample}.`);
  const reading = readExpectations(content);
  if (!reading.ok)
    throw new UserError(
      `known failures ${file}: ${reading.problem}`,
      `Every entry looks like those of ${entryExample}; ${cassetteExample} says in which recording alone.`,
    );
  const entries: Expectation[] = [];
  for (const entry of reading.entries) {
    const { clause, cassette } = entry;
    if (clause !== undefined && !known.clauses.has(clause))
      throw new UserError(
        `known failures ${file}: there is no clause ${clause}`,
        `${didYouMean(clause, known.clauses)}touchstone clauses lists them all.`,
      );
    const source = cassette === undefined ? undefined : known.cassette(cassette);
    if (cassette !== undefined && source === undefined)
      throw new UserError(
        `known failures ${file}: there is no ${known.listed?.noun ?? "recording"} ${cassette}`,
        known.listed?.where ??
          "touchstone run --dry-run lists them; a group of probes is called probes/INTERFACE/SECTION/CLAUSE, as findings call it.",
      );
    const named = source === undefined ? entry : { ...entry, cassette: source };
    if (entries.some((one) => nameOf(one) === nameOf(named)))
      throw new UserError(`known failures ${file}: two entries are about ${nameOf(named)}`, "Leave one of them.");
    entries.push(named);
  }
  return entries;
}

/** The subject of an entry, whether or not it gives the ending of a recording's file. */
const aboutOf = (entry: Expectation): string => nameOf(entry).replace(/\.jsonl?$/, "");

/** The text of an expectations file with other entries. All else in the file stays, and so do its indentation and the names of cassettes. */
export function expectationsText(file: string, expectations: readonly Expectation[]): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "{}";
  const [, indentation = "  "] = /^\s*\{\r?\n([ \t]+)"/.exec(text) ?? [];
  const content = JSON.parse(text) as { readonly expectations?: readonly Expectation[] };
  const written = new Map(content.expectations?.map((entry) => [aboutOf(entry), entry]));
  const entries = expectations.map((entry) => {
    const was = written.get(aboutOf(entry))?.cassette;
    return was === undefined ? entry : { ...entry, cassette: was };
  });
  return `${JSON.stringify({ ...content, expectations: entries }, null, indentation)}\n`;
}
