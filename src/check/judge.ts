/** Judges one exchange: returns its findings and the exercised clauses. No I/O; deterministic. */
import type { Exchange, KnownBodies } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { memberAt, tokensOf } from "../wire/pointer.ts";
import type { Body } from "./body.ts";
import { boundedOnce } from "./bounded-once.ts";
import { isTooMuch, spend, TooMuch, tooMuchToJudge, violationCost } from "./budget.ts";
import type { Catalogue } from "./catalogue.ts";
import {
  type Clause,
  type Finding,
  type Grade,
  isSilent,
  isStrict,
  notes,
  type Policy,
  type Side,
  strictOnly,
  type Violation,
} from "./clause.ts";
import { excerptPointer } from "./excerpt.ts";
import { findingOf, levelIn } from "./finding.ts";
import { byPlace } from "./finding-order.ts";
import { createGroups, type GroupCount, maxReported } from "./groups.ts";
import { maskedVerdictOn } from "./judge-heads.ts";
import { judgeShapes } from "./judge-shapes.ts";
import type { GradedValue } from "./law.ts";
import { maxMisshapen } from "./laws/view.ts";
import type { Names } from "./names.ts";
import { originalPlace } from "./original-pointer.ts";
import { type Route, routeOfExchange } from "./route.ts";
import { isUndecided, type UndecidedCode, violationOf } from "./rule.ts";
import { type Indexed, rulesBySide } from "./rules-by-side.ts";
import { type Part, requestParts, responseParts } from "./schema-targets.ts";
import { readSubject, type Subject } from "./subject.ts";

export interface JudgeOptions {
  readonly names: Names;
  readonly policy: Policy;
  /** Reports findings of this side only. */
  readonly side?: Side;
  /** Whether the request is invalid on purpose, so that the server has to reject it. */
  readonly probe?: boolean;
  /** Maximum number of findings per group; 100 by default. Further violations are only counted. */
  readonly maxPerGroup?: number;
  /** Maximum number of findings. Judging then stops, as if the exchange was too large. */
  readonly maxFindings?: number;
  /** Memory for `exercised`, one byte per clause. The next exchange overwrites it. */
  readonly marks?: Uint8Array;
}

export interface Judgement {
  /** Interface and operation; null if no interface describes the exchange. */
  readonly interface: string | null;
  readonly operation: string | null;
  /** Sorted by place; at most `maxPerGroup` of each group. */
  readonly findings: readonly Finding[];
  /** Number of violations in each group. */
  readonly groups: readonly GroupCount[];
  /** 1 at the index of each exercised clause. */
  readonly exercised: Uint8Array;
  readonly undecided: readonly Undecision[];
  /** Inferred bindings of neutral names (reading X-NAMES); absent if there are none. */
  readonly inferred?: Readonly<Record<string, string>>;
  /** Values that laws compare with those of other exchanges in the recording; absent if there are none. */
  readonly session?: readonly GradedValue[];
  /** Whether judging stopped at its step budget. The rest of the clauses is undecided. */
  readonly tooMuch: boolean;
}

/** A clause that an exchange does not decide, and why. */
export interface Undecision {
  readonly clause: string;
  readonly needs: string;
  readonly code?: UndecidedCode;
}

/**
 * Judges one exchange.
 * @param at the source's name and the exchange's 0-based position in it, repeated in findings
 * @param known parsed bodies, if there are any
 */
export function judge(
  exchange: Exchange,
  at: { readonly source: string; readonly exchange: number },
  catalogue: Catalogue,
  options: JudgeOptions,
  known?: KnownBodies,
): Judgement {
  return boundedOnce(catalogue.interfaces, () => {
    const route = routeOfExchange(catalogue.interfaces, exchange);
    if (!route) return nobodys(catalogue, options);
    return judgeRouted(exchange, at, route, catalogue, options, known);
  });
}

/** Returns marks for all clauses, set to 0. */
const clearMarks = ({ clauses }: Catalogue, { marks }: JudgeOptions): Uint8Array =>
  marks?.fill(0) ?? new Uint8Array(clauses.length);

function nobodys(catalogue: Catalogue, options: JudgeOptions): Judgement {
  const exercised = clearMarks(catalogue, options);
  return { interface: null, operation: null, findings: [], groups: [], exercised, undecided: [], tooMuch: false };
}

/** Whether a body is longer than the limit. */
const isCut = (body: Body | undefined): boolean =>
  body?.kind === "unreadable" ? body.tooMuch === true : body?.kind === "stream" && !body.whole;

/** The values that laws on sessions compare, with the level of a violation. */
function gradedValues(
  { interface: { laws = [] } }: Route,
  subject: Subject,
  catalogue: Catalogue,
  policy: Policy,
  giveUp: (error: unknown) => void,
): GradedValue[] {
  const graded: GradedValue[] = [];
  for (const { clause: id, session } of laws) {
    if (!session) continue;
    const clause = catalogue.clauses[catalogue.indexOf(id)]!;
    try {
      for (const value of session.valuesOf(subject)) {
        const level = isSilent(value.reading, policy) ? "off" : levelIn(value, clause, policy);
        if (level !== "off") graded.push({ ...value, level });
      }
    } catch (error) {
      giveUp(error);
    }
  }
  return graded;
}

/** Returns the reading of a violation within an object of an extension type: a note on `type`, and silence on the rest. */
function extensionReading({ pointer: path }: Violation, root: unknown, separator: string): Grade | undefined {
  const tokens = tokensOf(path);
  let value = root;
  for (let depth = 0; depth <= tokens.length && typeof value === "object" && value !== null; depth++) {
    const type = isObject(value) ? value["type"] : undefined;
    const at = typeof type === "string" ? type.indexOf(separator) : -1;
    if (at > 0 && at + separator.length < (type as string).length)
      return depth === tokens.length - 1 && tokens[depth] === "type" ? notes("X-EXTENSION") : strictOnly("X-EXTENSION");
    const member = memberAt(value, tokens[depth] ?? "");
    value = member === undefined ? undefined : (value as Record<string, unknown>)[member];
  }
  return undefined;
}

function judgeRouted(
  exchange: Exchange,
  at: { readonly source: string; readonly exchange: number },
  route: Route,
  catalogue: Catalogue,
  options: JudgeOptions,
  known: KnownBodies | undefined,
): Judgement {
  const exercised = clearMarks(catalogue, options);
  const subject = readSubject(exchange, route, options.names, options.probe, known);
  const { side: only, policy, maxPerGroup = maxReported, maxFindings } = options;
  const { extensions } = route.interface;
  const findings: Finding[] = [];
  const groups = createGroups();
  const undecided: Undecision[] = [];
  let reported = 0;
  let tooMuch = false;

  const report = (found: Violation): void => {
    spend(subject.budget, violationCost + found.pointer.length);
    const clause = catalogue.clauses[catalogue.indexOf(found.clause)]!;
    const level = levelIn(found, clause, policy);
    if (level === "off") return;
    if (!only || found.side === only) {
      if (reported === maxFindings) throw new TooMuch();
      reported++;
    }
    const violation = originalPlace(found, subject);
    const pointer = excerptPointer(violation.pointer);
    const count = groups.add({ clause: clause.id, level, side: violation.side, in: violation.in, pointer });
    if (count <= maxPerGroup) findings.push(findingOf({ ...violation, pointer }, clause, level, at, subject));
  };

  /** Stops judging when the step budget is exhausted. Rethrows all other errors. */
  const giveUp = (error: unknown): void => {
    if (!isTooMuch(error)) throw error;
    tooMuch = true;
  };

  /** Marks the clauses of a side as undecided, except for the exercised ones. */
  const leave = (side: Side, kinds: readonly Clause["kind"][]): void => {
    for (const [i, { id, interface: of, on, kind }] of catalogue.clauses.entries())
      if (of === route.interface.name && kinds.includes(kind) && (on === "request") === (side === "request"))
        if (exercised[i] === 0) undecided.push({ clause: id, needs: tooMuchToJudge });
  };

  const runShapes = (side: Side, parts: (subject: Subject) => Iterable<Part>): void => {
    try {
      judgeShapes(parts(subject), catalogue, exercised, policy, subject.budget, (found, value) => {
        const reading = extensions === undefined ? undefined : extensionReading(found, value, extensions);
        if (reading && isSilent(reading, policy)) return;
        if (!reading && subject.misshapen.length <= maxMisshapen) subject.misshapen.push(found);
        report(reading ? { ...found, reading } : found);
      });
    } catch (error) {
      giveUp(error);
      // Only some values were judged: other clauses may be exercised by the rest.
      for (const [i, { on, kind }] of catalogue.clauses.entries())
        if (kind === "shape" && (on === "request") === (side === "request")) exercised[i] = 0;
      leave(side, ["shape"]);
    }
  };

  /** Clauses decided by a stored verdict. */
  let decidedBefore: Set<number> | undefined;

  /** Adds the stored verdict on masked values. */
  const takeVerdict = (side: Side): void => {
    const verdict = maskedVerdictOn(exchange[side], catalogue, route);
    for (const index of verdict?.exercised ?? []) {
      exercised[index] = 1;
      decidedBefore ??= new Set();
      decidedBefore.add(index);
    }
    for (const one of verdict?.violations ?? []) if (!isSilent(one.reading, policy)) report({ ...one, side });
  };

  const runRule = ({ rule, index }: Indexed): void => {
    if (decidedBefore?.has(index) || !rule.applies(subject)) return;
    let decided = true;
    const outcomes = rule.check(subject);
    if (outcomes)
      for (const outcome of outcomes) {
        if (isUndecided(outcome)) {
          if (outcome.unless !== undefined && isStrict(options.policy, outcome.unless)) continue;
          decided = false;
          const { needs, code } = outcome;
          undecided.push({ clause: rule.clause, needs, ...(code && { code }) });
        } else if (!isSilent(outcome.reading, policy)) report(violationOf(rule, outcome));
      }
    if (decided) exercised[index] = 1;
  };

  const { code } = route.interface;
  const runRules = (rules: readonly Indexed[]): void => {
    let i = 0;
    // One `try` for many rules, because rules rarely throw.
    const runRest = (): void => {
      for (; i < rules.length; i++) runRule(rules[i]!);
    };
    for (; i < rules.length; i++)
      try {
        if (code) code.run(runRest);
        else runRest();
      } catch (error) {
        const { clause } = rules[i]!.rule;
        if (code && !isTooMuch(error)) {
          undecided.push({ clause, needs: code.failure(`the rule on ${clause}`, error), code: "rule-failed" });
          continue;
        }
        giveUp(error);
        undecided.push({ clause, needs: tooMuchToJudge });
      }
  };
  const rules = rulesBySide(catalogue, route);

  runShapes("request", requestParts);
  takeVerdict("request");
  runRules(rules.request);
  if (findings.length > 0)
    subject.requestFaults = [...new Set(findings.filter(({ level }) => level === "error").map(({ clause }) => clause))];
  runShapes("response", responseParts);
  takeVerdict("response");
  runRules(rules.response);
  if (subject.response?.body.kind === "stream") runRules(rules.stream);
  const session = gradedValues(route, subject, catalogue, policy, giveUp);
  for (const side of ["request", "response"] as const)
    if (isCut(subject[side]?.body)) {
      tooMuch = true;
      leave(side, ["shape", "behaviour"]);
    }
  const ofSide = <T extends { readonly side: Side }>(list: T[]): T[] =>
    only ? list.filter(({ side }) => side === only) : list;
  return {
    interface: route.interface.name,
    operation: route.operation.name,
    findings: ofSide(findings).sort(byPlace),
    groups: ofSide(groups.all()),
    exercised,
    undecided,
    ...(session.length > 0 && { session: ofSide(session) }),
    ...(Object.keys(subject.inferred).length > 0 && { inferred: { ...subject.inferred } }),
    tooMuch,
  };
}
