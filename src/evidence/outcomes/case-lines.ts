/** What was seen of a client as evidence, and back: exchanges as lines of a cassette, what it handed back in a file beside them. */
import type { CaseEvidence } from "../../cases/client-document.ts";
import type { ClientDocument } from "../../cases/document.ts";
import { sourceOf } from "../../cases/judge/judge-case.ts";
import type { CaseObservation } from "../../cases/observation.ts";
import type { CassetteHeader, Recorded } from "../../cassette/format.ts";
import { compare } from "../../check/finding-order.ts";
import { joinBindings } from "../../check/names.ts";
import { UserError } from "../../user-error.ts";
import { formatChecker } from "../../verdict/read-results.ts";
import { boundedExchange } from "../evidence-line.ts";

/** What the first line of the exchanges says. */
export const clientHeader = ({ client, options }: Pick<ClientDocument, "client" | "options">): CassetteHeader => ({
  title: `what ${client} asked, and how it was answered`,
  bindings: { ...joinBindings(options.bindings) },
});

export const recordedCase = ({ seen, exchanges }: CaseEvidence): Recorded[] =>
  exchanges.map((exchange, i) =>
    boundedExchange(exchange, { source: sourceOf(seen), exchange: i, part: "case", interface: seen.interface }),
  );

/** The text of the file beside the exchanges: a line a case, in their order. */
export function* observationLines(evidence: readonly Pick<CaseEvidence, "seen">[]): Generator<string> {
  const sorted = evidence.toSorted((a, b) => compare(sourceOf(a.seen), sourceOf(b.seen)));
  for (const { seen } of sorted) yield `${JSON.stringify(seen)}\n`;
}

/** The observations of a file. UserError for what is none. */
export async function observationsFrom(text: string, path: string, remedy: string): Promise<CaseObservation[]> {
  const problemOf = await formatChecker("observation");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, i) => {
      let content: unknown;
      try {
        content = JSON.parse(line);
      } catch {
        throw new UserError(`${path}: line ${i + 1} is no JSON`, remedy);
      }
      const problem = problemOf(content);
      if (problem !== undefined)
        throw new UserError(`${path}: line ${i + 1} says nothing of a case: ${problem}`, remedy);
      return content as CaseObservation;
    });
}

/** What was seen of each case. UserError for exchanges that are of none. @param path of the file of exchanges */
export function casesFrom(
  observations: readonly CaseObservation[],
  kept: readonly Recorded[],
  path: string,
  remedy: string,
): CaseEvidence[] {
  const bySource = new Map(observations.map((seen) => [sourceOf(seen), [] as Recorded["exchange"][]]));
  for (const [i, { exchange, asked }] of kept.entries()) {
    const own = asked?.part === "case" ? bySource.get(asked.source) : undefined;
    if (!own) throw new UserError(`${path}: exchange ${i} is of no case that was tried`, remedy);
    if (asked!.exchange !== own.length)
      throw new UserError(`${path}: exchange ${i} is not the next one of its case`, remedy);
    own.push(exchange);
  }
  return observations.map((seen) => ({ seen, exchanges: bySource.get(sourceOf(seen))! }));
}
