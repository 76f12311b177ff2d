/** `touchstone prove --facts`: shows that each fact which a gateway breaks is told, alone; exit code 1 unless all are. */
import type { FactProof } from "../gateway/prove-facts.ts";
import type { DocumentsArgs } from "./options.ts";

interface FactsArgs extends DocumentsArgs {
  readonly interface?: string | undefined;
  readonly format: string;
}

const nameOf = ({ route }: FactProof): string => `${route.from} to ${route.to}`;

/** A line a route: how many facts, in how many ways, are told where they are broken. */
function tableOf(proofs: readonly FactProof[]): string {
  const names = [...new Set(proofs.map(nameOf))];
  const lines = names.map((name) => {
    const all = proofs.filter((proof) => nameOf(proof) === name);
    const broken = all.filter(({ how }) => how !== undefined);
    const told = broken.filter(({ verdict }) => verdict === "proven").length;
    const facts = new Set(all.map(({ side, fact }) => `${side} ${fact}`)).size;
    const kept = all.filter(({ how, verdict }) => how === undefined && verdict === "proven").length;
    return `${name.padEnd(38)} ${facts} facts, ${kept} shown kept; ${told} of ${broken.length} breakages told alone\n`;
  });
  return lines.join("");
}

/** Proves facts of all routes, or of those from one interface. */
export async function proveAllFacts({ interface: from, format }: FactsArgs): Promise<void> {
  const { openCatalogue } = await import("../interfaces/catalogue.ts");
  const { proveFacts, provenRoutes } = await import("../gateway/prove-facts.ts");
  const { createPrinter } = await import("../report/terminal/printer.ts");
  const { progress } = createPrinter();
  const proofs: FactProof[] = [];
  const routes = provenRoutes.filter((route) => from === undefined || route.from === from);
  for await (const proof of proveFacts(await openCatalogue(), routes)) {
    proofs.push(proof);
    progress(`${nameOf(proof)}: ${proof.fact}`);
  }
  progress("");
  const gaps = proofs.filter(({ verdict }) => verdict !== "proven");
  if (format === "json") process.stdout.write(`${JSON.stringify({ facts: proofs }, null, 2)}\n`);
  else {
    process.stdout.write(tableOf(proofs));
    for (const { verdict, side, fact, how, why, ...rest } of gaps)
      process.stdout.write(
        `${verdict.padEnd(10)} ${nameOf(rest as FactProof)}: ${side} ${fact}, ${how ?? "unbroken"}${why ? `: ${why}` : ""}\n`,
      );
    process.stdout.write(`${proofs.length - gaps.length} proven, ${gaps.length} not\n`);
  }
  process.exitCode = proofs.length > 0 && gaps.length === 0 ? 0 : 1;
}
