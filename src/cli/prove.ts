/**
 * `touchstone prove`: shows that every decidable clause's check can fail. Exit code 1 unless all are proven, except where a
 * user's own document contradicts itself, or has no example.
 */
import type { CommandModule } from "yargs";
import type { Catalogue } from "../check/catalogue.ts";
import { UserError } from "../user-error.ts";
import { type DocumentsArgs, documentsOption } from "./options.ts";

interface ProveArgs extends DocumentsArgs {
  readonly interface?: string | undefined;
  readonly clause?: readonly string[] | undefined;
  readonly format: string;
  readonly facts: boolean;
  readonly cases: boolean;
}

export const command: CommandModule<object, ProveArgs> = {
  command: "prove",
  describe: "Prove that every decidable clause has a check that can fail",
  builder: (yargs) =>
    documentsOption(yargs)
      .option("interface", { type: "string", describe: "only clauses of this interface" })
      .option("clause", { type: "string", array: true, requiresArg: true, describe: "only this clause (repeatable)" })
      .option("facts", {
        type: "boolean",
        default: false,
        describe: "prove that each fact which a gateway breaks is told, alone",
      })
      .option("cases", {
        type: "boolean",
        default: false,
        describe: "prove that each fault of a client is told by its cases, alone",
      })
      .option("format", { choices: ["text", "json"] as const, default: "text" }) as never,
  async handler(args) {
    if (args.facts) {
      const { proveAllFacts } = await import("./prove-facts.ts");
      await proveAllFacts(args);
      return;
    }
    if (args.cases) {
      const { proveAllCases } = await import("./prove-cases.ts");
      await proveAllCases(args);
      return;
    }
    const { openCatalogue } = await import("../interfaces/catalogue.ts");
    const { groundOf } = await import("../prove/ground.ts");
    const { prove } = await import("../prove/prove.ts");
    const { didYouMean } = await import("../check/suggest.ts");
    const { printable } = await import("../report/clean.ts");
    const { createPrinter } = await import("../report/terminal/printer.ts");
    const { progress } = createPrinter();
    const catalogue = await openCatalogue(args.documents);
    const { own } = catalogue;
    for (const id of args.clause ?? [])
      if (!catalogue.clauses.some((clause) => clause.id === id))
        throw new UserError(
          `there is no clause ${id}`,
          `${didYouMean(
            id,
            catalogue.clauses.map((clause) => clause.id),
          )}touchstone clauses lists them all.`,
        );
    const ground = await groundOf(catalogue);
    const { left = [], wrong = [] } = ground;
    for (const sentence of [...left, ...wrong]) process.stderr.write(`${printable(sentence)}\n`);
    const proof = prove(
      catalogue,
      ground,
      (clause) =>
        (args.interface === undefined
          ? own.size === 0 || own.has(clause.interface)
          : clause.interface === args.interface) &&
        (args.clause === undefined || args.clause.includes(clause.id)),
      (done, all) => progress(`${done} of ${all} examples and rules`),
    );
    progress("");
    const { clauses, proven, gaps } = proof;
    for (const sentence of proof.unnamed) process.stderr.write(`${printable(sentence)}\n`);
    const contradictions = args.clause ? [] : contradictionsOf(catalogue, args.interface);
    const ids = (...kinds: string[]): string[] =>
      gaps.filter(({ kind }) => kinds.includes(kind)).map(({ clause }) => clause);
    if (args.format === "json")
      process.stdout.write(
        `${JSON.stringify({ clauses, proven, silent: ids("silent", "collateral", "false-positive"), dead: ids("dead"), ...(ids("unexampled").length > 0 && { unexampled: ids("unexampled") }), ...(ids("contradicted").length > 0 && { contradicted: ids("contradicted") }), ...(contradictions.length > 0 && { contradictions }) }, null, 2)}\n`,
      );
    else {
      for (const one of catalogue.interfaces) {
        const of = (list: readonly string[]): number => list.filter((id) => id.startsWith(`${one.name}.`)).length;
        if (of(clauses) > 0)
          process.stdout.write(`${one.name.padEnd(18)} ${of(proven)} of ${of(clauses)} decidable clauses proven\n`);
      }
      for (const { clause, kind, why } of gaps)
        process.stdout.write(`${kind.padEnd(14)} ${clause}: ${printable(why)}\n`);
      if (contradictions.length > 0) process.stdout.write("contradictions of the document, which are no gaps:\n");
      for (const { place, says } of contradictions) process.stdout.write(`  ${printable(`${place}  ${says}`)}\n`);
      const [unexampled, contradicted] = [ids("unexampled").length, ids("contradicted").length];
      const rest =
        (unexampled > 0 ? `, ${unexampled} without an example` : "") +
        (contradicted > 0 ? `, ${contradicted} contradicted by the document` : "");
      process.stdout.write(
        `${proven.length} proven, ${ids("silent", "collateral", "false-positive").length} silent, ${ids("dead").length} dead${rest}\n`,
      );
    }
    // A recording may show what no example can be made of. No check is at fault.
    const faults = gaps.filter(({ kind }) => kind !== "unexampled" && kind !== "contradicted").length;
    process.exitCode = faults + wrong.length === 0 ? 0 : 1;
  },
};

interface Contradiction {
  readonly place: string;
  readonly says: string;
}

/** Contradictions of users' own documents, each once. */
function contradictionsOf({ contradictions }: Catalogue, only: string | undefined): Contradiction[] {
  const found = new Map<string, Contradiction>();
  for (const [name, list] of Object.entries(contradictions?.() ?? {}))
    for (const one of only === undefined || only === name ? list : []) found.set(`${one.place} ${one.says}`, one);
  return [...found.values()];
}
