/** Writes the page that lists every clause: `schemas/README.md`. */
import type { Clause } from "../check/clause.ts";

/** Text that must not end a cell of a table or be taken for markup. */
const cell = (text: string): string => text.replace(/[\\|<*]/g, "\\$&");

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

const kindOf = ({ kind, reason, basis }: Clause): string =>
  `${kind === "unobservable" ? `unobservable: ${cell(reason ?? "")}` : kind}${basis === "field" ? " (field)" : ""}`;

function rowOf(clause: Clause): string[] {
  const { id, level, says, document, also = [], readings } = clause;
  const places = [document.section, ...also].map(cell).join("; ");
  return [`\`${id}\``, level, kindOf(clause), cell(says), places, readings.join(", ")];
}

function countsOf(name: string, clauses: readonly Clause[]): (string | number)[] {
  const count = (holds: (clause: Clause) => boolean): number => clauses.filter(holds).length;
  return [
    name,
    clauses.length,
    count(({ kind }) => kind !== "unobservable"),
    count(({ kind }) => kind === "shape"),
    count(({ kind }) => kind === "behaviour"),
    count(({ kind }) => kind === "unobservable"),
    count(({ basis }) => basis === "field"),
  ];
}

const introduction = `# The clauses

Written by \`npm run clauses:page\` from the \`*.clauses.json\` files of this folder; a test fails when it is stale.

Every statement of the three documents, restated in one sentence. The *level* follows the sentence: \`must\` finds errors,
\`should\` warnings, \`may\` notes. A clause of kind *shape* is decided by JSON Schema, one of *behaviour* by a rule, and an
*unobservable* one by nothing that an exchange shows. *(field)* marks what the documents do not say and services agree on;
it warns at most. *Readings* are the ids in \`readings.json\` that grade it, where the documents leave a question open;
those with \`"of": "run"\` grade what a run makes of answers, whatever clause its request was made from, and those with
\`"of": "gateway"\` say what a gateway may fairly convert.`;

/**
 * The page, in Markdown.
 * @param interfaces their names, in the order of the page
 */
export function clausesPage(clauses: readonly Clause[], interfaces: readonly string[]): string {
  const of = (name: string): readonly Clause[] => clauses.filter((clause) => clause.interface === name);
  const parts = [
    introduction,
    table(
      ["interface", "clauses", "decidable", "shape", "behaviour", "unobservable", "field"],
      [...interfaces.map((name) => countsOf(name, of(name))), countsOf("all", clauses)],
    ),
  ];
  for (const name of interfaces) {
    const own = of(name);
    parts.push(`## ${name}`);
    for (const section of new Set(own.map((clause) => clause.section)))
      parts.push(
        `### ${name}/${section}`,
        table(
          ["clause", "level", "kind", "says", "section of the document", "readings"],
          own.filter((clause) => clause.section === section).map(rowOf),
        ),
      );
  }
  return `${parts.join("\n\n")}\n`;
}
