/** Proves that every decidable clause's check passes good exchanges and fails broken ones, for that reason alone. */
import type { Clause, Finding, Policy } from "../check/clause.ts";
import { lenient } from "../check/clause.ts";
import { type Catalogue, judge } from "../check/judge.ts";
import { type Names, namesFrom } from "../check/names.ts";
import type { Rule } from "../check/rule.ts";
import { type Example, examples } from "../interfaces/examples.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type Traced, trace, type Variant, variantsOf } from "./counterexamples.ts";
import { mutantsOf } from "./mutants.ts";
import { createTracer, type Visit } from "./trace.ts";

/** What is wrong with one clause's proof. */
export interface Gap {
  readonly clause: string;
  /** `dead`: nothing exercises it. `silent`: a violation went unnoticed. `noisy`: others always fail along. `harsh`: a legal twin was accused. */
  readonly kind: "dead" | "silent" | "noisy" | "harsh";
  readonly why: string;
}

export interface Proof {
  readonly clauses: readonly string[];
  readonly proven: readonly string[];
  readonly gaps: readonly Gap[];
  /** An exchange that breaks exactly the clause. */
  readonly counterexamples: ReadonlyMap<string, Exchange>;
  /** The good exchange each counterexample was made from. */
  readonly origins: ReadonlyMap<string, Example>;
}

const strictly: Policy = { strict: "all", openEnums: false };
/** How many different places are tried for one keyword of one subschema. */
const placesTried = 3;

type Outcome = "exact" | "noisy" | "unnoticed";

interface Bench {
  readonly catalogue: Catalogue;
  readonly names: Names;
}

/** An example read, traced and judged once. */
interface Good extends Traced {
  readonly example: Example;
  readonly probe: boolean;
  readonly exercised: Uint8Array;
}

const at = { source: "proof", exchange: 0 };

function findingsOf(exchange: Exchange, probe: boolean, bench: Bench, policy: Policy): readonly Finding[] {
  return judge(exchange, at, bench.catalogue, { names: bench.names, policy, probe }).findings;
}

const graver = (finding: Finding): boolean => finding.level !== "note";

/** Whether a broken exchange is found out, and for the right reason; falls back to the strict readings. */
function outcomeOf(
  variant: Variant,
  allowed: readonly string[],
  good: Good,
  bench: Bench,
): { outcome: Outcome; others: string[] } {
  const { clause } = variant;
  // A broken request may well contradict the old reply to it; what is asked here is whether the request's fault is found.
  const alone = bench.catalogue.clauses[bench.catalogue.indexOf(clause)]?.on === "request";
  const [broken, original] = [variant.exchange, good.exchange].map((one) => (alone ? { ...one, response: null } : one));
  let others: string[] = [];
  let noticed = false;
  for (const policy of [lenient, strictly]) {
    const findings = findingsOf(broken!, good.probe, bench, policy);
    if (!findings.some((finding) => finding.clause === clause)) continue;
    noticed = true;
    const before = new Set(findingsOf(original!, good.probe, bench, policy).map((finding) => finding.clause));
    others = findings
      .filter(
        (finding) => finding.clause !== clause && !allowed.includes(finding.clause) && !before.has(finding.clause),
      )
      .filter(graver)
      .map((finding) => finding.clause);
    if (others.length === 0) return { outcome: "exact", others };
  }
  return { outcome: noticed ? "noisy" : "unnoticed", others };
}

/** Collects what happened to one clause over all its counterexamples. */
class Ledger {
  exercised = false;
  exact: { readonly exchange: Exchange; readonly from: Example } | undefined;
  unnoticed: string | undefined;
  noisy: string | undefined;
  harsh: string | undefined;
  private readonly tried = new Map<unknown, number>();

  /** Whether this subschema and keyword have been tried often enough. */
  enough(visit: Visit): boolean {
    const { node, keyword, member } = visit;
    if (mutantsOf(visit).beyond.length === 0) return true;
    const perKeyword = (this.tried.get(node) ?? new Map<string, number>()) as Map<string, number>;
    this.tried.set(node, perKeyword as never);
    const key = `${keyword} ${member ?? ""}`;
    const count = (perKeyword.get(key) ?? 0) + 1;
    perKeyword.set(key, count);
    return count > placesTried;
  }
}

function note(ledger: Ledger, variant: Variant, alsoBreaks: readonly string[], good: Good, bench: Bench): void {
  if (!variant.breaks) {
    const accused = findingsOf(variant.exchange, good.probe, bench, lenient).some(
      ({ clause, level }) => clause === variant.clause && level === "error",
    );
    if (accused) ledger.harsh ??= variant.how;
    return;
  }
  const { outcome, others } = outcomeOf(variant, alsoBreaks, good, bench);
  if (outcome === "exact") ledger.exact ??= { exchange: variant.exchange, from: good.example };
  else if (outcome === "noisy") ledger.noisy ??= `${variant.how} also breaks ${[...new Set(others)].join(", ")}`;
  else ledger.unnoticed ??= variant.how;
}

function noteRule(ledger: Ledger, rule: Rule, goods: readonly Good[], bench: Bench): void {
  const { catalogue } = bench;
  const alsoBreaks = [...(rule.alsoBreaks ?? []), ...alsoBreaksOf(catalogue, rule.clause)];
  for (const good of goods) {
    if (ledger.exact || !good.exercised[catalogue.indexOf(rule.clause)]) continue;
    const broken = rule.spoil(good.exchange);
    if (broken)
      note(
        ledger,
        { clause: rule.clause, breaks: true, exchange: broken, how: "the rule's spoil" },
        alsoBreaks,
        good,
        bench,
      );
  }
}

function gapOf(clause: Clause, ledger: Ledger, isRule: boolean): Gap | undefined {
  const gap = (kind: Gap["kind"], why: string): Gap => ({ clause: clause.id, kind, why });
  if (!ledger.exercised) return gap("dead", "no example exercises it");
  // A rule's spoil may miss in one exchange and hit in another; a schema keyword must never miss.
  if (ledger.unnoticed && !(isRule && ledger.exact)) return gap("silent", ledger.unnoticed);
  if (!ledger.exact)
    return ledger.noisy ? gap("noisy", ledger.noisy) : gap("silent", "no counterexample could be made");
  return ledger.harsh ? gap("harsh", ledger.harsh) : undefined;
}

/**
 * Proves every decidable clause, or those `wanted` accepts.
 * Uses each interface's examples; takes a few seconds for all.
 */
export function prove(catalogue: Catalogue, wanted: (clause: Clause) => boolean = () => true): Proof {
  const bench: Bench = { catalogue, names: namesFrom() };
  const tracer = createTracer();
  const decidable = catalogue.clauses.filter((clause) => clause.kind !== "unobservable" && wanted(clause));
  const ledgers = new Map(decidable.map(({ id }) => [id, new Ledger()]));
  const rules = new Map(catalogue.interfaces.flatMap((one) => one.rules.map((rule) => [rule.clause, rule] as const)));
  for (const one of catalogue.interfaces) {
    if (!decidable.some((clause) => clause.interface === one.name)) continue;
    const goods = (examples[one.name] ?? []).flatMap((example): Good[] => {
      const { exchange, probe = false } = example;
      const traced = trace(exchange, catalogue, bench.names, tracer);
      const { exercised } = judge(exchange, at, catalogue, { names: bench.names, policy: lenient, probe });
      return traced ? [{ ...traced, example, probe, exercised }] : [];
    });
    for (const { exercised } of goods)
      for (const [id, ledger] of ledgers) if (exercised[catalogue.indexOf(id)]) ledger.exercised = true;
    for (const good of goods.filter(({ probe }) => !probe))
      for (const { part, visit } of good.visits) {
        const ledger = ledgers.get(visit.clause);
        if (!ledger || ledger.enough(visit)) continue;
        for (const variant of variantsOf(good, part, visit))
          note(ledger, variant, alsoBreaksOf(catalogue, visit.clause), good, bench);
      }
    for (const rule of one.rules) {
      const ledger = ledgers.get(rule.clause);
      if (ledger) noteRule(ledger, rule, goods, bench);
    }
  }
  const gaps = decidable.flatMap((clause) => gapOf(clause, ledgers.get(clause.id)!, rules.has(clause.id)) ?? []);
  const lacking = new Set(gaps.map(({ clause }) => clause));
  const ids = decidable.map(({ id }) => id);
  return {
    clauses: ids,
    proven: ids.filter((id) => !lacking.has(id)),
    gaps,
    counterexamples: new Map([...ledgers].flatMap(([id, { exact }]) => (exact ? [[id, exact.exchange]] : []))),
    origins: new Map([...ledgers].flatMap(([id, { exact }]) => (exact ? [[id, exact.from]] : []))),
  };
}

function alsoBreaksOf(catalogue: Catalogue, clause: string): readonly string[] {
  return catalogue.clauses[catalogue.indexOf(clause)]?.alsoBreaks ?? [];
}
