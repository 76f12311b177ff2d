/** Compares what touchstone and Prism object to: in exchanges that are made of a document, and in changed copies of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "../../check/catalogue.ts";
import { lenient } from "../../check/clause.ts";
import type { Example } from "../../check/example.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { home } from "../../home.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { headerValue, mediaType } from "../../wire/headers.ts";
import { createChance } from "../legal/chance.ts";
import { type Mutant, mutantOf } from "./plant.ts";
import type { Diagnostic, Prism } from "./prism.ts";

const seed = 20_261_128;

/** Changed exchanges of a document. */
const perDocument = 400;

/** An objection of Prism that touchstone does not share. */
export interface Difference {
  /** The name of the document's file. */
  readonly document: string;
  readonly operation: string;
  /** The change; `unchanged` if Prism objects to an example of ours. */
  readonly kind: string;
  readonly side: "request" | "response";
  /** The place of the change. Indices are written as `*`. */
  readonly pointer: string;
  readonly reply: "success" | "failure" | "none";
  /** Media type of the request. */
  readonly sent: string;
  /** `oneOf` if it is among the objections, else the keyword or code of the first one. */
  readonly keyword: string;
  /** The objection. */
  readonly says: string;
}

/** Explains all differences that have its members. A pointer also explains the places below it. */
export interface Explanation extends Partial<Omit<Difference, "says">> {
  readonly reason: string;
}

export interface Comparison {
  readonly both: number;
  readonly onlyPrism: number;
  readonly onlyTouchstone: number;
  readonly neither: number;
  /** Examples that Prism objects to, or finds no operation for. Nothing is made of them. */
  readonly refused: number;
  readonly differences: readonly Difference[];
}

export const readExplanations = (): readonly Explanation[] =>
  JSON.parse(readFileSync(join(home, "src", "dev", "documents", "differences.json"), "utf8"));

function explains({ reason: _, pointer, ...rest }: Explanation, difference: Difference): boolean {
  const isBelow = pointer === undefined || `${difference.pointer}/`.startsWith(`${pointer}/`);
  return isBelow && Object.entries(rest).every(([name, value]) => difference[name as keyof Difference] === value);
}

/** @returns sentences: differences without a reason, and reasons without a difference */
export function unexplainedDifferences(
  differences: readonly Difference[],
  explanations: readonly Explanation[],
): string[] {
  const needed = new Set<Explanation>();
  const open = differences.filter((difference) => {
    const reasons = explanations.filter((one) => explains(one, difference));
    for (const one of reasons) needed.add(one);
    return reasons.length === 0;
  });
  return [
    ...open.map(
      ({ says, ...where }) => `only Prism objects to ${Object.values(where).join(" ").replaceAll("  ", " ")}: ${says}`,
    ),
    ...explanations
      .filter((one) => !needed.has(one))
      .map(({ reason }) => `differences.json explains what was not found: ${reason}`),
  ];
}

/** Compares on a document. @param name the name of its file */
export async function compareWithPrism(name: string, catalogue: Catalogue, prism: Prism): Promise<Comparison> {
  const { exchanges } = await catalogue.examples();
  const operations = [...groupedByOperation([...catalogue.own].flatMap((own) => exchanges[own] ?? []))];
  const chance = createChance(seed);
  const counts = { both: 0, onlyPrism: 0, onlyTouchstone: 0, neither: 0, refused: 0 };
  const differences: Difference[] = [];
  const seen = new Map<Example, boolean>();

  /** Whether both accept an example. */
  const isAccepted = (operation: string, example: Example): boolean => {
    const { exchange } = example;
    const theirs = prism.judge(exchange);
    const isClean = theirs !== undefined && theirs.length === 0;
    if (!isClean) counts.refused++;
    if (theirs && theirs.length > 0 && !isFoundBy(catalogue, exchange))
      differences.push(
        differenceOf(name, operation, { kind: "unchanged", side: "response", pointer: "" }, exchange, theirs),
      );
    return isClean && !isFoundBy(catalogue, exchange);
  };

  for (let i = 0; i < perDocument; i++) {
    const [operation, examples] = operations[i % operations.length]!;
    const example = chance.pick(examples);
    const accepted = seen.get(example) ?? isAccepted(operation, example);
    seen.set(example, accepted);
    if (!accepted) continue;
    const mutant = mutantOf(example.exchange, chance);
    const theirs = prism.judge(mutant.exchange) ?? [];
    const isOurs = isFoundBy(catalogue, mutant.exchange);
    if (theirs.length === 0) counts[isOurs ? "onlyTouchstone" : "neither"]++;
    else if (isOurs) counts.both++;
    else {
      counts.onlyPrism++;
      differences.push(differenceOf(name, operation, mutant, mutant.exchange, theirs));
    }
  }
  return { ...counts, differences };
}

function groupedByOperation(examples: readonly Example[]): ReadonlyMap<string, readonly Example[]> {
  const groups = new Map<string, Example[]>();
  for (const example of examples) {
    const [operation = ""] = example.name.split(": ", 1);
    const group = groups.get(operation);
    if (group) group.push(example);
    else groups.set(operation, [example]);
  }
  return groups;
}

/** Whether touchstone reports an error or a warning. */
function isFoundBy(catalogue: Catalogue, exchange: Exchange): boolean {
  const at = { source: "", exchange: 0 };
  const { findings } = judge(exchange, at, catalogue, { names: namesFrom(), policy: lenient });
  return findings.some(({ level }) => level === "error" || level === "warning");
}

function differenceOf(
  document: string,
  operation: string,
  { kind, side, pointer }: Pick<Mutant, "kind" | "side" | "pointer">,
  { request, response }: Exchange,
  theirs: readonly Diagnostic[],
): Difference {
  const [first] = theirs;
  return {
    document,
    operation,
    kind,
    side,
    pointer: pointer.replace(/\/\d+(?=\/|$)/g, "/*"),
    reply: response === null ? "none" : response.status < 300 ? "success" : "failure",
    sent: mediaType(headerValue(request.headers, "content-type")) ?? "",
    keyword: theirs.some(({ code }) => code === "oneOf") ? "oneOf" : String(first?.code ?? ""),
    says: first?.message ?? "",
  };
}
