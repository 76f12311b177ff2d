/** `touchstone clauses [id]`: lists, filters and explains clauses. */
import type { CommandModule } from "yargs";
import type { Clause } from "../check/clause.ts";
import { suggestName } from "../check/suggest.ts";
import type { Reading } from "../interfaces/clause-data.ts";
import type { Explanation } from "../prove/explain.ts";
import { printable } from "../report/clean.ts";
import { UserError } from "../user-error.ts";

interface ClausesArgs {
  readonly id?: string | undefined;
  readonly interface?: string | undefined;
  readonly section?: string | undefined;
  readonly kind?: string | undefined;
  readonly format: string;
}

export const command: CommandModule<object, ClausesArgs> = {
  command: "clauses [id]",
  describe: "List, filter and explain clauses",
  builder: (yargs) =>
    yargs
      .positional("id", { type: "string", describe: "explain this clause" })
      .option("interface", { type: "string", describe: "only this interface" })
      .option("section", { type: "string", describe: "only this section" })
      .option("kind", { choices: ["shape", "behaviour", "unobservable"] as const, describe: "only this kind" })
      .option("format", { choices: ["text", "json"] as const, default: "text" }) as never,
  async handler(args) {
    const { loadClauses, loadReadings } = await import("../interfaces/clause-data.ts");
    const all = loadClauses();
    const chosen = all.filter(
      (clause) =>
        (args.id === undefined || clause.id === args.id) &&
        (args.interface === undefined || clause.interface === args.interface) &&
        (args.section === undefined || clause.section === args.section) &&
        (args.kind === undefined || clause.kind === args.kind),
    );
    if (args.id !== undefined && chosen.length === 0) {
      const near = suggestName(
        args.id,
        all.map(({ id }) => id),
      );
      throw new UserError(
        `there is no clause ${args.id}`,
        near ? `Did you mean ${near}?` : "touchstone clauses lists them all.",
      );
    }
    const shown = args.id === undefined ? undefined : await exampleOf(chosen[0]!);
    if (args.format === "json")
      process.stdout.write(`${JSON.stringify(shown ? [{ ...chosen[0], example: shown }] : chosen, null, 2)}\n`);
    else if (args.id !== undefined) process.stdout.write(explain(chosen[0]!, loadReadings(), shown));
    else for (const { id, level, says } of chosen) process.stdout.write(`${id}  [${level}]  ${says}\n`);
  },
};

async function exampleOf(clause: Clause): Promise<Explanation | undefined> {
  const { loadCatalogue } = await import("../interfaces/catalogue.ts");
  const { explainClause } = await import("../prove/explain.ts");
  return explainClause(clause, await loadCatalogue());
}

function explain(
  clause: Clause,
  readings: Readonly<Record<string, Reading>>,
  example: Explanation | undefined,
): string {
  const lines = [
    clause.id,
    `  ${clause.says}`,
    `  document  ${clause.document.name}, ${[clause.document.section, ...(clause.also ?? [])].join("; ")}`,
    `  level     ${clause.level}${clause.basis === "field" ? " (what the field agrees on, not the document: warns at most)" : ""}`,
    `  on        ${clause.on}, decided by ${clause.kind === "shape" ? "JSON Schema" : clause.kind === "behaviour" ? "a rule" : "nothing on the wire"}`,
  ];
  if (clause.reason) lines.push(`  because   ${clause.reason}`);
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
