/** Compiles the laws of an interface to rules. */
import type { Exchange } from "../../wire/exchange.ts";
import type { Clause, Grade } from "../clause.ts";
import type { Fault, Rule } from "../rule.ts";
import { remember, type Subject } from "../subject.ts";
import type { LawFault, OrderOfEvents, ReadyLaw } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { type Condition, compileSelector, compileTest, type Select } from "./selector.ts";
import { type Draft, draftOf, maxMisshapen, misshapenTokens, type View, viewOf, withDraft } from "./view.ts";

/** A law as written in a clauses file. Its other members are parameters of its kind. */
export interface WrittenLaw {
  readonly kind: string;
  /** The law holds only for exchanges in which all of these hold. */
  readonly when?: Condition | readonly Condition[];
  /** Grades its violations by a reading. */
  readonly reading?: Grade;
  readonly [parameter: string]: unknown;
}

/** A clause that a law decides. */
export interface LawClause {
  readonly clause: string;
  readonly on: Clause["on"];
  readonly law: WrittenLaw;
}

/** Whether a law compares the exchanges of a session. */
export const isSessionLaw = ({ law }: Pick<LawClause, "law">): boolean => law["within"] === "session";

/** The clauses of an interface that laws on single exchanges decide. */
export const lawClausesOf = (clauses: readonly Clause[], of: string): LawClause[] =>
  clauses
    .flatMap(({ id, interface: owner, on, law }) =>
      law && owner === of ? [{ clause: id, on, law: law as WrittenLaw }] : [],
    )
    .filter((one) => !isSessionLaw(one));

interface Compiled {
  readonly clause: string;
  readonly ready: ReadyLaw;
  readonly selects: readonly Select[];
  readonly holdsWhen: (view: View) => boolean;
  readonly reading: Grade | undefined;
}

export function compileOne({ clause, law }: LawClause): Compiled {
  const { kind: name, when = [], reading, ...parameters } = law;
  const ready = kinds[name]!.compile(parameters as never);
  const conditions = [when].flat().map(({ is = { present: true }, ...selector }) => {
    const isPassed = compileTest(is);
    return { select: compileSelector(selector), isPassed, ifMissing: isPassed(undefined) };
  });
  return {
    clause,
    ready,
    selects: [...ready.selects, ...conditions.map(({ select }) => select)],
    holdsWhen: (view) =>
      conditions.every(({ select, isPassed, ifMissing }) => {
        const picked = select.all(view);
        return picked.length === 0 ? ifMissing : picked.some(({ value }) => isPassed(value));
      }),
    reading,
  };
}

/** Whether a law may apply: no value that it selects has a wrong shape, and its conditions hold. */
export function isJudged({ selects, holdsWhen }: Compiled, view: View): boolean {
  // No law applies without the part of the exchange that its first selector reads.
  if (!selects[0]!.hasPart(view)) return false;
  const { misshapen } = view;
  if (misshapen.length > maxMisshapen) return false;
  for (let i = 0; i < misshapen.length; i++)
    for (const select of selects) if (select.touches(view, misshapen[i]!, misshapenTokens(view, i))) return false;
  return holdsWhen(view);
}

/** Returns the violations, or undefined if the law does not apply or one of its values has a wrong shape. */
function judgeOne(compiled: Compiled, view: View): LawFault[] | undefined {
  return isJudged(compiled, view) ? compiled.ready.judge(view) : undefined;
}

/** Maximum number of attempts to break one law. */
const maxAttempts = 40;

/** Breaks one law of a good exchange. Other laws that break with it are mended; attempts that cannot keep them are discarded. */
function spoiled(one: Compiled, all: readonly Compiled[], exchange: Exchange): Exchange | undefined {
  const others = all.filter((other) => other !== one);
  const before = draftOf(exchange);
  const held = others.filter((other) => judgeOne(other, before)?.length === 0);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const draft = draftOf(exchange);
    if (!one.ready.spoil(draft, attempt)) return undefined;
    const fails = (): boolean => (judgeOne(one, draft)?.length ?? 0) > 0;
    if (!fails()) continue;
    const broken = held.filter((other) => (judgeOne(other, draft)?.length ?? 0) > 0);
    for (const other of broken) other.ready.mend(draft);
    if (fails() && held.every((other) => (judgeOne(other, draft)?.length ?? 0) === 0))
      return withDraft(exchange, draft);
  }
  return undefined;
}

/** Compiles the laws of one interface together: a counterexample of one law keeps the others. */
export function compileLaws(clauses: readonly LawClause[]): Rule[] {
  const all = clauses.map(compileOne);
  return all.map((one): Rule => {
    const judged = remember((subject: Subject) => judgeOne(one, viewOf(subject)));
    return {
      clause: one.clause,
      applies: (subject) => judged(subject) !== undefined,
      check: (subject) => judged(subject)?.map((fault) => faultOf(fault, one.reading)),
      spoil: (exchange) => spoiled(one, all, exchange),
    };
  });
}

function faultOf({ spot, ...fault }: LawFault, reading: Grade | undefined): Fault {
  return { ...spot, ...fault, ...(reading && { reading }) };
}

/** Returns what the laws say about the order of events. */
export const orderOfEvents = (clauses: readonly LawClause[]): OrderOfEvents[] =>
  clauses.flatMap((one) => compileOne(one).ready.order ?? []);

/** Rounds of mending: one law may undo what another one did. */
const rounds = 4;

/** Changes an exchange so that all laws hold. Returns undefined if that fails. */
export function createMender(clauses: readonly LawClause[]): (exchange: Exchange) => Exchange | undefined {
  const all = clauses.map(compileOne);
  const broken = (draft: Draft): Compiled[] => all.filter((one) => (judgeOne(one, draft)?.length ?? 0) > 0);
  return (exchange) => {
    const draft = draftOf(exchange);
    let left = broken(draft);
    if (left.length === 0) return exchange;
    for (let round = 0; round < rounds && left.length > 0; round++) {
      for (const { ready } of left) ready.mend(draft);
      left = broken(draft);
    }
    return left.length === 0 ? withDraft(exchange, draft) : undefined;
  };
}
