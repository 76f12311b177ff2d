/** `touchstone clauses [words..]`: lists, filters, searches and explains clauses. */
import type { CommandModule } from "yargs";
import type { Clause, Reading } from "../check/clause.ts";
import { didYouMean } from "../check/suggest.ts";
import type { Explanation } from "../prove/explain.ts";
import { printable } from "../report/clean.ts";
import { UserError } from "../user-error.ts";
import { type DocumentsArgs, documentsOption } from "./options.ts";

interface ClausesArgs extends DocumentsArgs {
  readonly words?: readonly string[] | undefined;
  readonly interface?: string | undefined;
  readonly section?: string | undefined;
  readonly kind?: string | undefined;
  readonly untested?: string | undefined;
  readonly readings: boolean;
  readonly write: boolean;
  readonly format: string;
}

export const command: CommandModule<object, ClausesArgs> = {
  command: "clauses [words..]",
  describe: "List, search and explain clauses",
  builder: (yargs) =>
    documentsOption(yargs)
      .positional("words", {
        type: "string",
        array: true,
        describe: "a clause id to explain, or words to search for in ids, sentences and headings",
      })
      .option("interface", { type: "string", describe: "only this interface" })
      .option("section", { type: "string", describe: "only this section" })
      .option("kind", { choices: ["shape", "behaviour", "unobservable"] as const, describe: "only this kind" })
      .option("untested", {
        type: "string",
        requiresArg: true,
        describe: "only what a run left untested, by its results.json; last what no run asks for, and why",
      })
      .option("readings", {
        type: "boolean",
        default: false,
        describe: "list interpretations instead: what the documents leave open, and what --reading makes strict",
      })
      .option("write", {
        type: "boolean",
        default: false,
        describe: "write the derived clauses into the folder of --documents, so that you can edit them",
      })
      .option("format", { choices: ["text", "json"] as const, default: "text" }) as never,
  async handler({ words = [], ...args }) {
    const { openClauses } = await import("../interfaces/open-clauses.ts");
    const data = await openClauses(args.documents);
    const { clauses, readings, own } = data;
    if (args.write) {
      const { writeClauses } = await import("../documents/write.ts");
      for (const file of await writeClauses(args.documents ?? [])) process.stdout.write(`wrote ${printable(file)}\n`);
      process.stdout.write(
        "next: edit sentence, level (must, should, may) or name; leave out what is to stay as derived\n",
      );
      return;
    }
    if (args.readings) return printReadings(readings, words, args.format);
    const untested = args.untested === undefined ? undefined : await untestedIn(args.untested);
    const listed = clauses.filter(
      (clause) =>
        (untested === undefined || untested.has(clause.id)) &&
        (args.interface === undefined
          ? own.size === 0 || own.has(clause.interface)
          : clause.interface === args.interface) &&
        (args.section === undefined || clause.section === args.section) &&
        (args.kind === undefined || clause.kind === args.kind),
    );
    const json = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    const named = words.length === 1 ? listed.find(({ id }) => id === words[0]) : undefined;
    if (named) {
      const shown = await exampleOf(named, args.documents);
      if (args.format === "json") json([{ ...named, example: shown }]);
      else process.stdout.write(explain(named, readings, shown));
      return;
    }
    const { search, suggestWords } = await import("../check/search.ts");
    const found = search(listed, words);
    if (found.length === 0 && words.length > 0) {
      const sought = words.join(" ");
      const meant = suggestWords(listed, words);
      throw new UserError(
        `there is no clause ${sought}, and none that says so`,
        meant === undefined ? "touchstone clauses lists them all." : `Did you mean ${meant}?`,
      );
    }
    if (args.format === "json") json(found);
    else if (untested) process.stdout.write(untestedText(found));
    else {
      process.stdout.write(found.map((clause) => hitText(clause, words.length > 0)).join(""));
      if (words.length === 0) process.stdout.write(contradictionsText(data.contradictions?.() ?? {}, args.interface));
    }
  },
};

/** Readings whose id or words hold every word. */
function printReadings(all: Readonly<Record<string, Reading>>, words: readonly string[], format: string): void {
  const found = Object.entries(all).filter(([id, { asks, default: lenient, strict }]) => {
    const text = [id, asks, lenient, strict].join("\n").toLowerCase();
    return words.every((word) => text.includes(word.toLowerCase()));
  });
  if (found.length === 0)
    throw new UserError(
      `there is no reading ${words.join(" ")}, and none that says so`,
      `${didYouMean(words[0] ?? "", Object.keys(all))}touchstone clauses --readings lists them all.`,
    );
  if (format === "json") return void process.stdout.write(`${JSON.stringify(Object.fromEntries(found), null, 2)}\n`);
  const lines = found.flatMap(([id, { asks, default: lenient, strict }]) => [
    `${id}  ${asks}`,
    `    by default: ${lenient}`,
    `    strict: ${strict}`,
  ]);
  process.stdout.write(`${lines.map(printable).join("\n")}\n`);
}

/** Ids of the clauses that a run did not show. */
async function untestedIn(file: string): Promise<ReadonlySet<string>> {
  const { readResults } = await import("../verdict/read-results.ts");
  const [results] = await readResults([file]);
  return new Set(results!.clauses.flatMap(({ id, verdict }) => (verdict === "untested" ? [id] : [])));
}

/** Clauses that other answers would show, one a line; then those that no run asks for, below the reason. */
function untestedText(clauses: readonly Clause[]): string {
  const noAnswer = "no answer showed them";
  const reasons = [noAnswer, ...new Set(clauses.flatMap(({ unasked = [] }) => unasked))];
  const lines = reasons.flatMap((reason) => {
    const own = clauses.filter(({ unasked = noAnswer }) => unasked === reason);
    const named = own.map(({ id, says }) => `  ${id}  ${says}`);
    return own.length > 0 ? [`${own.length} untested, since ${reason}`, ...named] : [];
  });
  return `${lines.map(printable).join("\n") || "nothing is untested"}\n`;
}

/** Contradictions of documents, one a line below the name of the interface. */
function contradictionsText(
  all: Readonly<Record<string, readonly { readonly place: string; readonly says: string }[]>>,
  only: string | undefined,
): string {
  const lines = Object.entries(all).flatMap(([name, list]) =>
    list.length === 0 || (only !== undefined && only !== name)
      ? []
      : [`the document of ${name} contradicts itself:`, ...list.map(({ place, says }) => `  ${place}  ${says}`)],
  );
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/** One line a clause; of one that was searched for, a second line says where the document has it. */
function hitText(clause: Clause, searched: boolean): string {
  const opaque = clause.opaque ? `    opaque: ${printable(clause.reason ?? "")}\n` : "";
  const line = `${clause.id}  [${clause.level}]  ${clause.says}\n${opaque}`;
  return searched ? `${line}    ${placeOf(clause)}\n` : line;
}

const placeOf = ({ document, also = [] }: Clause): string =>
  `${document.name}, ${[document.section, ...also].join("; ")}`;

async function exampleOf(clause: Clause, documents: readonly string[] | undefined): Promise<Explanation | undefined> {
  const { openCatalogue } = await import("../interfaces/catalogue.ts");
  const { explainClause } = await import("../prove/explain.ts");
  const { groundOf } = await import("../prove/ground.ts");
  const catalogue = await openCatalogue(documents);
  return explainClause(clause, catalogue, await groundOf(catalogue));
}

function explain(
  clause: Clause,
  readings: Readonly<Record<string, Reading>>,
  example: Explanation | undefined,
): string {
  const lines = [
    clause.id,
    `  ${clause.says}`,
    `  document  ${placeOf(clause)}`,
    `  level     ${clause.level}${clause.basis === "field" ? " (what the field agrees on, not the document: warns at most)" : ""}`,
    `  on        ${clause.on}, decided by ${clause.kind === "shape" ? "JSON Schema" : clause.kind === "behaviour" ? "a rule" : "nothing on the wire"}`,
  ];
  if (clause.reason) lines.push(`  because   ${clause.reason}`);
  if (clause.unasked) lines.push(`  unasked   no run has a target show it: ${clause.unasked}`);
  for (const id of clause.readings) {
    const reading = readings[id];
    lines.push(`  reading   ${id}: ${reading?.asks ?? ""}`);
    if (reading) lines.push(`              by default: ${reading.default}`, `              strict: ${reading.strict}`);
  }
  if (example) {
    const { place, passes, fails, message, level, strict } = example;
    lines.push(`  example   ${example.example}`);
    lines.push(`    passes  ${passes === undefined ? "as it stands" : `${place}: ${passes}`}`);
    lines.push(
      `    fails   ${place}: ${fails}`,
      `            ${level}${strict ? ", where readings are strict" : ""}: ${message}`,
    );
  }
  return `${lines.map(printable).join("\n")}\n`;
}
