/** Proves that every decidable clause's check passes good exchanges and fails broken ones, for that reason alone. */

import { boundedOnce } from "../check/bounded-once.ts";
import type { Catalogue } from "../check/catalogue.ts";
import type { Clause, Finding, Policy } from "../check/clause.ts";
import { isDecidable, lenient } from "../check/clause.ts";
import type { Example } from "../check/example.ts";
import { judge, type Undecision } from "../check/judge.ts";
import { type Names, namesFrom } from "../check/names.ts";
import type { Rule } from "../check/rule.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type Traced, trace, type Variant, variantsOf } from "./counterexamples.ts";
import type { Ground } from "./ground.ts";
import {
  blameDocument,
  type Gap,
  gapOf,
  isUnbreakable,
  isWorthTrying,
  newProofRecord,
  type ProofRecord,
  placesTriedOfDerived,
} from "./proof-record.ts";
import { proveLaws } from "./prove-laws.ts";
import { negativesShown, notFound } from "./prove-negatives.ts";
import { createRoom } from "./room.ts";
import { spoiledBy } from "./spoiled.ts";
import { textClausesBeside } from "./text-mutants.ts";
import type { Tracer } from "./trace.ts";

export type { Gap } from "./proof-record.ts";

export interface Proof {
  readonly clauses: readonly string[];
  readonly proven: readonly string[];
  readonly gaps: readonly Gap[];
  /** An exchange that breaks exactly the clause. */
  readonly counterexamples: ReadonlyMap<string, Exchange>;
  /** The good exchange each counterexample was made from. */
  readonly origins: ReadonlyMap<string, Example>;
  /** What recordings violate beside what they say, in sentences. */
  readonly unnamed: readonly string[];
}

const strictly: Policy = { strict: "all", openEnums: false };
const at = { source: "proof", exchange: 0 };

interface Context {
  readonly catalogue: Catalogue;
  readonly names: Names;
}

/** An example read, traced and judged once. */
interface Good extends Traced {
  readonly example: Example;
  readonly probe: boolean;
  /** Indices of the clauses that it exercises. */
  readonly exercised: readonly number[];
  /** How rules failed on it, by clause: they are code of a user's own. */
  readonly failed: readonly Undecision[];
}

/** @param marks a byte for each clause, which are set anew */
function goodOf(example: Example, { catalogue, names }: Context, tracer: Tracer, marks: Uint8Array): Good | undefined {
  const { exchange, probe = false } = example;
  return boundedOnce(catalogue.interfaces, () => {
    const traced = trace(exchange, catalogue, names, tracer);
    const { undecided } = judge(exchange, at, catalogue, { names, policy: lenient, probe, marks });
    const exercised: number[] = [];
    for (let i = marks.indexOf(1); i >= 0; i = marks.indexOf(1, i + 1)) exercised.push(i);
    const failed = undecided.filter(({ code }) => code === "rule-failed");
    return traced && { ...traced, example, probe, exercised, failed };
  });
}

const findingsOf = (exchange: Exchange, probe: boolean, context: Context, policy: Policy): readonly Finding[] =>
  judge(exchange, at, context.catalogue, { names: context.names, policy, probe }).findings;

/** What a good exchange finds before it is broken: many variants are made of each. */
const findingsBefore = new WeakMap<Good, Map<string, readonly string[]>>();

function clausesBefore(
  good: Good,
  exchange: Exchange,
  key: string,
  context: Context,
  policy: Policy,
): readonly string[] {
  const known = findingsBefore.get(good) ?? new Map<string, readonly string[]>();
  findingsBefore.set(good, known);
  const clauses = known.get(key) ?? findingsOf(exchange, good.probe, context, policy).map(({ clause }) => clause);
  known.set(key, clauses);
  return clauses;
}

/** Whether a broken exchange is found out, and for the right reason; falls back to the strict readings. */
function outcomeOf(
  variant: Variant,
  allowed: readonly string[],
  good: Good,
  context: Context,
): { outcome: "exact" | "collateral" | "unnoticed"; others: readonly string[] } {
  const { clause } = variant;
  // A broken request may contradict its old response. Only the violation in the request counts here.
  const alone = context.catalogue.clauses[context.catalogue.indexOf(clause)]?.on === "request";
  const whole = (exchange: Exchange): Exchange => (alone ? { ...exchange, response: null } : exchange);
  let others: string[] = [];
  let noticed = false;
  for (const policy of [lenient, strictly]) {
    const findings = findingsOf(whole(variant.exchange), good.probe, context, policy);
    if (!findings.some((finding) => finding.clause === clause)) continue;
    noticed = true;
    const key = `${alone} ${policy === lenient}`;
    const before = clausesBefore(good, whole(good.exchange), key, context, policy);
    const known = new Set([clause, ...allowed, ...before]);
    others = findings.filter((one) => !known.has(one.clause) && one.level !== "note").map((one) => one.clause);
    if (others.length === 0) return { outcome: "exact", others };
  }
  return { outcome: noticed ? "collateral" : "unnoticed", others };
}

function note(
  record: ProofRecord,
  variant: Variant,
  alsoBreaks: readonly string[],
  good: Good,
  context: Context,
  beside: readonly string[] = [],
): void {
  if (!variant.breaks) {
    const accused = findingsOf(variant.exchange, good.probe, context, lenient).some(
      ({ clause, level }) => clause === variant.clause && level === "error",
    );
    if (accused) record.falsePositive ??= variant.how;
    return;
  }
  const { interfaces } = context.catalogue;
  const { outcome, others } = boundedOnce(interfaces, () => outcomeOf(variant, alsoBreaks, good, context));
  const exact = { exchange: variant.exchange, from: good.example };
  if (outcome === "exact") record.exact ??= exact;
  else if (outcome === "unnoticed") record.unnoticed ??= variant.how;
  else if (others.every((id) => beside.includes(id))) record.entangled ??= exact;
  else record.collateral ??= `${variant.how} also breaks ${[...new Set(others)].join(", ")}`;
}

/** @param goods those that exercise it */
function noteRule(record: ProofRecord, rule: Rule, goods: readonly Good[], context: Context): void {
  const { clause, spoil, alsoBreaks = [] } = rule;
  const also = [...alsoBreaks, ...alsoBreaksOf(context.catalogue, clause)];
  for (const good of goods) {
    if (record.exact) break;
    const exchange = spoiledBy(
      () => spoil(good.exchange),
      (why) => {
        record.failed ??= why;
      },
    );
    if (exchange) note(record, { clause, breaks: true, exchange, how: "the rule's spoil" }, also, good, context);
  }
}

const alsoBreaksOf = (catalogue: Catalogue, clause: string): readonly string[] =>
  catalogue.clauses[catalogue.indexOf(clause)]?.alsoBreaks ?? [];

/**
 * Proves every decidable clause, or those `wanted` accepts.
 * Takes a few seconds for all.
 * @param ground what counterexamples are made from
 * @param onProgress told as good exchanges are broken, and rules asked to, how many of how many are done
 */
export function prove(
  catalogue: Catalogue,
  ground: Ground,
  wanted: (clause: Clause) => boolean = () => true,
  onProgress: (done: number, all: number) => void = () => {},
): Proof {
  const context: Context = { catalogue, names: namesFrom() };
  const decidable = catalogue.clauses.filter((clause) => isDecidable(clause) && wanted(clause));
  const records = new Map(decidable.map(({ id }) => [id, newProofRecord()]));
  const rules = new Set(catalogue.interfaces.flatMap((one) => one.rules.map(({ clause }) => clause)));
  const placesOf = (of: string): number =>
    catalogue.own.has(of) ? placesTriedOfDerived(decidable.length) : Number.POSITIVE_INFINITY;
  const concerned = catalogue.interfaces.filter(({ name }) => decidable.some((clause) => clause.interface === name));
  const steps = concerned.reduce(
    (sum, { name, rules }) => sum + (ground.exchanges[name] ?? []).length + rules.length,
    0,
  );
  const room = createRoom(catalogue);
  const marks = new Uint8Array(catalogue.clauses.length);
  /** The first good example that exercises a clause. */
  const witnesses = new Map<string, Example>();
  let done = 0;
  for (const one of concerned) {
    const isOwn = catalogue.own.has(one.name);
    const goods = (ground.exchanges[one.name] ?? []).flatMap(
      (example) => goodOf(example, context, ground.tracer, marks) ?? [],
    );
    const ruled = new Map<string, Good[]>(one.rules.map(({ clause }) => [clause, []]));
    for (const good of goods) {
      const { exercised, example, failed } = good;
      for (const index of exercised) {
        const { id } = catalogue.clauses[index]!;
        ruled.get(id)?.push(good);
        const record = records.get(id);
        if (!record) continue;
        record.exercised = true;
        if (!witnesses.has(id)) witnesses.set(id, example);
      }
      for (const { clause, needs } of failed) {
        const record = records.get(clause);
        if (record) record.failed ??= needs;
      }
    }
    for (const good of goods) {
      onProgress(done++, steps);
      if (good.probe) continue;
      for (const { part, visit } of good.visits) {
        const record = records.get(visit.clause);
        if (record && isOwn && isUnbreakable(visit)) record.unbreakable = true;
        if (!record) continue;
        const cost = isOwn ? room.costOf(good.exchange, part.schema) : 0;
        if (cost > 0 && room.isSpent()) {
          record.isLeft = true;
          continue;
        }
        if (!isWorthTrying(record, visit, placesOf(one.name))) continue;
        for (const variant of variantsOf(good, part, visit)) {
          room.spend(cost);
          note(record, variant, alsoBreaksOf(catalogue, visit.clause), good, context, textClausesBeside(visit));
          if (record.exact && placesOf(one.name) === 1) break;
        }
      }
    }
    for (const rule of one.rules) {
      onProgress(done++, steps);
      const record = records.get(rule.clause);
      if (record) noteRule(record, rule, ruled.get(rule.clause)!, context);
    }
  }
  for (const record of records.values()) record.exact ??= record.entangled;
  const negatives = negativesShown(catalogue, Object.values(ground.negatives ?? {}).flat());
  for (const { clause, path, isFound, exact: exchange } of negatives) {
    const record = records.get(clause);
    const from = witnesses.get(clause);
    if (!record) continue;
    if (!isFound) record.failed ??= notFound({ path });
    else if (exchange && from) record.exact ??= { exchange, from };
  }
  const laws = proveLaws(catalogue, ground.conversations, (clause) => records.has(clause), negatives);
  const ofLaws = new Set(laws.decided);
  let contradictions: ReturnType<NonNullable<Catalogue["contradictions"]>> | undefined;
  const gaps = decidable
    .filter(({ id }) => !ofLaws.has(id))
    .flatMap(
      (clause) =>
        gapOf(clause, records.get(clause.id)!, rules.has(clause.id), ground.unexampled?.[clause.interface]) ?? [],
    )
    .concat(laws.gaps)
    .map((gap) => {
      const clause = catalogue.clauses[catalogue.indexOf(gap.clause)]!;
      // The document is searched for contradictions only if there is a gap in it.
      if (catalogue.own.has(clause.interface)) contradictions ??= catalogue.contradictions?.();
      const found = contradictions?.[clause.interface];
      return found ? blameDocument(gap, clause, found) : gap;
    });
  const lacking = new Set(gaps.map(({ clause }) => clause));
  const ids = decidable.map(({ id }) => id);
  const exact = [...records].flatMap(([id, record]) => (record.exact ? [[id, record.exact] as const] : []));
  return {
    clauses: ids,
    proven: ids.filter((id) => !lacking.has(id)),
    gaps,
    counterexamples: new Map(exact.map(([id, { exchange }]) => [id, exchange])),
    origins: new Map(exact.map(([id, { from }]) => [id, from])),
    unnamed: [
      ...new Set(
        negatives.flatMap(({ path, others }) =>
          others.length > 0 ? [`${path} violates ${others.join(", ")} as well, and does not say so`] : [],
        ),
      ),
    ],
  };
}
