/** Judges one exchange: exchange in, findings and exercised clauses out; no I/O, the same answer every time. */
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
  /** Report findings of this side only. */
  readonly side?: Side;
  /** The request is broken on purpose: judge whether it was refused. */
  readonly probe?: boolean;
  /** Findings made of one group, a hundred unless said otherwise; the others are only counted. */
  readonly maxPerGroup?: number;
  /** Judging stops after this many findings, as if the rest were too much: of a caller who needs no more. */
  readonly maxFindings?: number;
  /** Memory for what is exercised, a byte a clause, of a caller who reads it before the next exchange is judged. */
  readonly marks?: Uint8Array;
}

export interface Judgement {
  /** Interface and operation; null for an exchange none of them owns. */
  readonly interface: string | null;
  readonly operation: string | null;
  /** By place; of each group as many as were asked for. */
  readonly findings: readonly Finding[];
  /** All violations, counted by what they have in common. */
  readonly groups: readonly GroupCount[];
  /** 1 at the index of every clause the exchange exercised. */
  readonly exercised: Uint8Array;
  readonly undecided: readonly Undecision[];
  /** Neutral names that it bound by itself, and to what (reading X-NAMES); absent where none. */
  readonly inferred?: Readonly<Record<string, string>>;
  /** Values that laws compare with those of other exchanges in the recording; absent if there are none. */
  readonly session?: readonly GradedValue[];
  /** Some of it was more than judging one exchange may cost. The findings until then stay; the rest is undecided. */
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
 * @param known what its bodies say, as far as nobody need read their bytes for it
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

/** Marks for every clause, all clear. */
const clearMarks = ({ clauses }: Catalogue, { marks }: JudgeOptions): Uint8Array =>
  marks?.fill(0) ?? new Uint8Array(clauses.length);

function nobodys(catalogue: Catalogue, options: JudgeOptions): Judgement {
  const exercised = clearMarks(catalogue, options);
  return { interface: null, operation: null, findings: [], groups: [], exercised, undecided: [], tooMuch: false };
}

/** Whether there was more of a body than is read. */
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

/** How a violation counts in an object whose type is an extension: the unknown type is a note, and what it has is not judged. */
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

  /** Takes it that there was too much of something; whatever else fails is our fault. */
  const giveUp = (error: unknown): void => {
    if (!isTooMuch(error)) throw error;
    tooMuch = true;
  };

  /** Leaves undecided what a side had not shown when judging it stopped. */
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
      // If only some values were looked at, nobody knows which others were met.
      for (const [i, { on, kind }] of catalogue.clauses.entries())
        if (kind === "shape" && (on === "request") === (side === "request")) exercised[i] = 0;
      leave(side, ["shape"]);
    }
  };

  /** Takes over the verdict on values that were masked after they were judged. */
  const takeVerdict = (side: Side): void => {
    const verdict = maskedVerdictOn(exchange[side], catalogue, route);
    for (const index of verdict?.exercised ?? []) exercised[index] = 1;
    for (const one of verdict?.violations ?? []) if (!isSilent(one.reading, policy)) report({ ...one, side });
  };

  const runRule = ({ rule, index }: Indexed): void => {
    if (!rule.applies(subject)) return;
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
    // One try for many rules: they all come to their end, as good as always.
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
