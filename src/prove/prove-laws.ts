/** Proves that every law passes good exchanges and fails broken ones, for that reason alone. */

import type { Catalogue } from "../check/catalogue.ts";
import { type Finding, lenient, type Policy } from "../check/clause.ts";
import type { Conversation, Examples } from "../check/example.ts";
import { judge } from "../check/judge.ts";
import { judgeLaws } from "../check/judge-laws.ts";
import type { Law } from "../check/law.ts";
import { type Names, namesFrom } from "../check/names.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Gap } from "./proof-record.ts";
import { type NegativeShown, notFound } from "./prove-negatives.ts";
import { spoiledBy } from "./spoiled.ts";

const strictly: Policy = { strict: "all", openEnums: false };

interface Context {
  readonly catalogue: Catalogue;
  readonly names: Names;
}

/** All that is found in exchanges that belong together, alone and together. */
function findingsOf(exchanges: readonly Exchange[], { catalogue, names }: Context, policy: Policy) {
  const placed = exchanges.map((exchange, position) => ({ exchange, position }));
  const together = judgeLaws(placed, "proof", catalogue, { names, policy });
  const alone = placed.flatMap(
    ({ exchange, position }) =>
      judge(exchange, { source: "proof", exchange: position }, catalogue, { names, policy }).findings,
  );
  return { exercised: together.exercised, findings: [...together.findings, ...alone] };
}

const clausesIn = (findings: readonly Finding[]): Set<string> =>
  new Set(findings.filter(({ level }) => level !== "note").map(({ clause }) => clause));

const unmade = "no counterexample could be made";

/** The gap in the proof of a law; undefined if it is whole. */
function gapIn(
  law: Law,
  sets: readonly Conversation[],
  context: Context,
  negatives: readonly NegativeShown[],
): Gap | undefined {
  const gap = (kind: Gap["kind"], why: string): Gap => ({ clause: law.clause, kind, why });
  const missed = negatives.find(({ isFound }) => !isFound);
  if (missed) return gap("silent", notFound(missed));
  let found: Gap = gap("dead", "no example exercises it");
  for (const { name, exchanges } of sets) {
    const good = findingsOf(exchanges, context, lenient);
    if (!good.exercised.includes(law.clause)) continue;
    if (good.findings.some(({ clause }) => clause === law.clause)) return gap("false-positive", name);
    if (found.kind === "dead") found = gap("silent", unmade);
    const broken = spoiledBy(
      () => law.spoil(exchanges),
      (why) => {
        found = gap("silent", why);
      },
    );
    if (!broken) {
      if (negatives.length > 0 && found.why === unmade) return undefined;
      continue;
    }
    for (const policy of [lenient, strictly]) {
      const { findings } = findingsOf(broken, context, policy);
      if (!findings.some(({ clause }) => clause === law.clause)) {
        if (found.kind !== "collateral") found = gap("silent", `the law's spoil of ${name}`);
        continue;
      }
      const before = clausesIn(findingsOf(exchanges, context, policy).findings);
      const others = [...clausesIn(findings)].filter((clause) => clause !== law.clause && !before.has(clause));
      if (others.length === 0) return undefined;
      found = gap("collateral", `the law's spoil of ${name} also breaks ${others.join(", ")}`);
    }
  }
  return found;
}

/** The gaps in the proofs of the laws among these clauses, and which of the clauses laws decide. */
export function proveLaws(
  catalogue: Catalogue,
  conversations: Examples["conversations"],
  wanted: (clause: string) => boolean,
  negatives: readonly NegativeShown[] = [],
): { readonly decided: readonly string[]; readonly gaps: readonly Gap[] } {
  const context: Context = { catalogue, names: namesFrom() };
  const decided: string[] = [];
  const gaps: Gap[] = [];
  for (const { name, laws = [] } of catalogue.interfaces)
    for (const law of laws) {
      if (!wanted(law.clause)) continue;
      decided.push(law.clause);
      const own = negatives.filter(({ clause }) => clause === law.clause);
      const gap = gapIn(law, conversations[name] ?? [], context, own);
      if (gap) gaps.push(gap);
    }
  return { decided, gaps };
}
