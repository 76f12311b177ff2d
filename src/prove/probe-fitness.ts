/** Reads good requests once, and decides which variants may be sent as probes. */

import type { Catalogue } from "../check/catalogue.ts";
import { type Clause, lenient, levelOf, type Policy } from "../check/clause.ts";
import { interfaceNamed } from "../check/interface.ts";
import { judge } from "../check/judge.ts";
import type { Names } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { requestParts } from "../check/schema-targets.ts";
import { readSubject } from "../check/subject.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Traced, Variant } from "./counterexamples.ts";
import type { Room } from "./room.ts";
import type { Tracer } from "./trace.ts";
import type { ValueVariants } from "./value-variants.ts";

/** Bytes of a body beyond which a request is no probe: sending it proves little for what it costs. */
const largest = 256 << 10;

export interface Tools {
  readonly catalogue: Catalogue;
  readonly names: Names;
  readonly tracer: Tracer;
  readonly forms: ValueVariants;
  /** Why clauses have no probe so far: places in the list of reasons. */
  readonly missed: Map<string, number>;
  /** What may be judged of documents of users. */
  readonly room: Room;
}

/** The judgement of a request alone. */
interface Judged {
  readonly errors: readonly string[];
  /** Clauses violated at lower levels. */
  readonly others: readonly string[];
  readonly exercised: Uint8Array;
}

/** A request that breaks nothing. */
export interface Good {
  readonly exchange: Exchange;
  readonly judged: Judged;
  readonly traced: Traced;
}

/** Another model is another thing to ask for, which a target need not have. */
const isOfModel = / at \/model(\/0)?$/;

export const isBeyond = ({ breaks }: Variant): boolean => breaks;

function judgeAlone(exchange: Exchange, { catalogue, names, room }: Tools, policy: Policy) {
  room.spend(room.costOf(exchange));
  return judge(exchange, { source: "probe", exchange: 0 }, catalogue, { names, policy, side: "request" });
}

function judgedAlone(exchange: Exchange, tools: Tools): Judged {
  const { findings, exercised } = judgeAlone(exchange, tools, lenient);
  const of = (error: boolean): string[] => [
    ...new Set(findings.filter(({ level }) => (level === "error") === error).map(({ clause }) => clause)),
  ];
  return { errors: of(true), others: of(false), exercised };
}

const strictly: Policy = { strict: "all", openEnums: false };

/** The reading by which a variant is beyond a rule that its twin keeps, where there is one. */
export function disputedBy(variant: Exchange, twin: Exchange, tools: Tools): string | undefined {
  const foundIn = (exchange: Exchange) =>
    judgeAlone(exchange, tools, strictly).findings.filter(({ level }) => level !== "note");
  const known = new Set(foundIn(twin).map(({ clause }) => clause));
  return foundIn(variant).find(({ clause }) => !known.has(clause))?.reading;
}

/** Reads a request; undefined where it breaks a clause, or breaks more at lower levels than `allowed`. */
export function goodOf(exchange: Exchange, tools: Tools, allowed?: readonly string[]): Good | undefined {
  const judged = judgedAlone(exchange, tools);
  if (judged.errors.length > 0 || (allowed && !judged.others.every((id) => allowed.includes(id)))) return undefined;
  const route = routeOf(tools.catalogue.interfaces, exchange.request.method, exchange.request.target);
  if (!route) return undefined;
  const subject = readSubject(exchange, route, tools.names);
  const visits = requestParts(subject).flatMap((part) =>
    tools.tracer.visits(part.schema, part.value).map((visit) => ({ part, visit })),
  );
  return { exchange, judged, traced: { exchange, subject, visits } };
}

/** Reasons why clauses have no probe, the most telling last. */
const reasons = [
  "no request is known that breaks it alone",
  `a request that breaks it has more than ${largest >> 10} KiB`,
  "a request that breaks it breaks another rule as well",
  "only a strict reading finds it broken, so that no service need refuse what breaks it",
  "what breaks it is no error, so that no service need refuse it",
  "requests of its operation are too large, or have too many parameters, to try each of their places",
] as const;

/** Whether no more requests as large as this one are tried for a clause, which is noted. */
export function isTooDear(exchange: Exchange, clause: Clause, { catalogue, room, missed }: Tools): boolean {
  if (!catalogue.own.has(clause.interface) || !room.isSpent() || room.costOf(exchange) === 0) return false;
  missed.set(clause.id, reasons.length - 1);
  return true;
}

/** Why a clause has no probe. */
export function whyUnprobed(clause: Clause, { missed }: Tools): string {
  return levelOf(clause) === "error" ? reasons[missed.get(clause.id) ?? 0]! : reasons[4];
}

/** Remembers why a variant that breaks a clause is not fit to be sent. */
function miss(clause: Clause, exchange: Exchange, { errors, others }: Judged, tools: Tools): void {
  const isFoundStrictly = (): boolean =>
    judgeAlone(exchange, tools, strictly).findings.some(({ clause: id }) => id === clause.id);
  const why = others.includes(clause.id)
    ? 4
    : !errors.includes(clause.id)
      ? Number(isFoundStrictly()) * 3
      : exchange.request.body.length > largest
        ? 1
        : 2;
  tools.missed.set(clause.id, Math.max(why, tools.missed.get(clause.id) ?? 0));
}

/** The variants that are fit to be sent: beyond exactly one rule, or within all of them. */
export function fit(variants: Iterable<Variant>, clause: Clause, twin: Good, tools: Tools): Variant[] {
  const allowed = new Set([clause.id, ...(clause.alsoBreaks ?? [])]);
  const kept: Variant[] = [];
  const { otherThings } = interfaceNamed(tools.catalogue.interfaces, clause.interface)?.requests ?? {};
  for (const variant of variants) {
    const exchange: Exchange = { ...variant.exchange, response: null };
    if (!variant.breaks && (isOfModel.test(variant.how) || otherThings?.test(variant.how))) continue;
    // If a clause can be broken in several ways, one shows whether it is kept; a whole body is tried as text and as a
    // list.
    const body = Buffer.from(exchange.request.body).toString("latin1", 0, 1);
    const isTold = variant.how.endsWith(" at the root") && body === "[";
    if (variant.breaks && !isTold && kept.some(isBeyond)) continue;
    const size = exchange.request.body.length;
    const judged = judgedAlone(exchange, tools);
    const exact = judged.errors.includes(clause.id) && judged.errors.every((id) => allowed.has(id));
    const legal = judged.errors.length === 0 && judged.others.every((id) => twin.judged.others.includes(id));
    if (size <= largest && (variant.breaks ? exact : legal)) kept.push({ ...variant, exchange });
    else if (variant.breaks) miss(clause, exchange, judged, tools);
  }
  return kept;
}
