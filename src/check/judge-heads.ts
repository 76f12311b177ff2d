/**
 * Judges the path, the query and the headers of an exchange by a user's own document. Redaction uses it before it masks values:
 * it keeps those that hold no secret, and the verdict on the others.
 */
import type { Exchange, MaskedVerdict, MaskedViolation, WireRequest } from "../wire/exchange.ts";
import { tokensOf } from "../wire/pointer.ts";
import { boundedOnce } from "./bounded-once.ts";
import { isTooMuch } from "./budget.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Policy, Violation } from "./clause.ts";
import { judgeShapes } from "./judge-shapes.ts";
import type { Names } from "./names.ts";
import { type Route, routeOfExchange } from "./route.ts";
import { isUndecided, type Rule, violationOf } from "./rule.ts";
import { requestParts, responseParts } from "./schema-targets.ts";
import { readSubject, type Subject } from "./subject.ts";
import { inWords } from "./unquoted.ts";

/** The verdicts on masked values of both messages. */
export type MaskedVerdicts = Readonly<Partial<Record<"request" | "response", MaskedVerdict>>>;

/** What masking may keep of one exchange, and the verdicts on the rest. */
export interface HeadReading {
  /** Whether the value of a parameter or header can be kept. */
  readonly isOpen: (part: "query" | "headers" | "replyHeaders", name: string, text: string) => boolean;
  /** The same for a cookie; undefined for cookies that are not described. */
  readonly isOpenCookie: (name: string, text: string) => boolean | undefined;
  /** Verdicts that cannot be reached from the masked exchange. */
  readonly lostIn: (masked: Exchange) => MaskedVerdicts;
}

/** Reads the heads of an exchange before they are masked; undefined if no document of a user describes them. */
export type HeadJudge = (exchange: Exchange) => HeadReading | undefined;

/** The strictest policy: the policy of later judges is unknown here. */
const all: Policy = { strict: "all", openEnums: false };

const noBody = new Uint8Array(0);

/** An exchange without its bodies. */
function headsOf({ request, response, ...rest }: Exchange): Exchange {
  const { method, target, headers } = request;
  return {
    ...rest,
    request: { method, target, headers, body: noBody },
    response: response && { status: response.status, headers: response.headers, body: noBody },
  };
}

/** What verdicts on masked values refer to. */
interface Referred {
  /** Document name to SHA-256. */
  readonly digests: Readonly<Record<string, string>>;
  /** Clause id to position. */
  readonly positions: ReadonlyMap<string, number>;
}

const referred = new WeakMap<Catalogue, Referred>();

function referredIn(catalogue: Catalogue): Referred {
  let known = referred.get(catalogue);
  if (!known) {
    const positions = new Map(catalogue.clauses.map(({ id }, position) => [id, position]));
    referred.set(catalogue, (known = { digests: catalogue.digests(), positions }));
  }
  return known;
}

const digestFor = (catalogue: Catalogue, { interface: { document } }: Route): string | undefined =>
  referredIn(catalogue).digests[document];

/** Returns the stored verdict on masked values of a message; undefined if missing or made with another document. */
export function maskedVerdictOn(
  message: Pick<WireRequest, "judged"> | null,
  catalogue: Catalogue,
  route: Route,
): { readonly exercised: readonly number[]; readonly violations: readonly Omit<Violation, "side">[] } | undefined {
  const verdict = message?.judged;
  if (!verdict || verdict.document !== digestFor(catalogue, route)) return undefined;
  const { positions } = referredIn(catalogue);
  const positionsOf = (id: string): number[] => {
    const position = positions.get(id);
    const clause = position === undefined ? undefined : catalogue.clauses[position];
    if (clause?.interface !== route.interface.name) return [];
    return clause.kind === "shape" || rulesOnMasked(route).some((rule) => rule.clause === id) ? [position!] : [];
  };
  return {
    exercised: verdict.clauses.flatMap(positionsOf),
    violations: verdict.violations
      .filter(({ clause }) => positionsOf(clause).length > 0)
      .map(({ missing, ...one }) => ({ ...one, actual: missing ? undefined : inWords("a masked value") })),
  };
}

/** What judging the heads of one message showed. */
interface Judged {
  readonly violations: readonly Violation[];
  /** 1 at the index of every clause that was exercised. */
  readonly marks: Uint8Array;
}

interface Judging extends Judged {
  readonly violations: Violation[];
}

const sides = ["request", "response"] as const;

/** The rules on values that redaction masks. */
const rulesOnMasked = ({ interface: { rules }, operation }: Route): Rule[] =>
  rules.filter(({ readsMasked, operations }) => readsMasked && operations?.has(operation.name) !== false);

/** Adds what these rules decide. */
function judgeRules(route: Route, subject: Subject, catalogue: Catalogue, { violations, marks }: Judging): void {
  for (const rule of rulesOnMasked(route)) {
    const outcomes = rule.applies(subject) ? [...(rule.check(subject) ?? [])] : undefined;
    if (!outcomes || outcomes.some(isUndecided)) continue;
    marks[catalogue.indexOf(rule.clause)] = 1;
    for (const outcome of outcomes) if (!isUndecided(outcome)) violations.push(violationOf(rule, outcome));
  }
}

function judged(
  exchange: Exchange,
  route: Route,
  catalogue: Catalogue,
  names: Names,
): Record<(typeof sides)[number], Judged> {
  const subject = readSubject(exchange, route, names);
  const judge = (parts: Parameters<typeof judgeShapes>[0]): Judging => {
    const marks = new Uint8Array(catalogue.clauses.length);
    const violations: Violation[] = [];
    judgeShapes(parts, catalogue, marks, all, subject.budget, (violation) => violations.push(violation));
    return { violations, marks };
  };
  const request = judge(requestParts(subject));
  judgeRules(route, subject, catalogue, request);
  return { request, response: judge(responseParts(subject)) };
}

/** Returns the parameter, header or cookie of a violation. Clients choose the names below it, so they may be secret. */
function placeOf({ in: place, pointer }: Violation): string {
  const tokens = tokensOf(pointer);
  const depth = place === "headers" && tokens[0] === "cookie" ? 2 : 1;
  return pointer
    .split("/")
    .slice(0, depth + 1)
    .join("/");
}

const keyOf = (violation: Violation): string => `${violation.clause} ${violation.in} ${placeOf(violation)}`;

function maskedOf(violation: Violation): MaskedViolation {
  const { clause, in: place, expected, actual, reading } = violation;
  return {
    clause,
    in: place as MaskedViolation["in"],
    pointer: placeOf(violation),
    expected,
    ...(actual === undefined && { missing: true }),
    ...(reading && { reading }),
  };
}

/** Returns the part of a verdict that masking loses, or undefined. */
function lostBy(before: Judged, after: Judged, catalogue: Catalogue, document: string): MaskedVerdict | undefined {
  const kept = new Set(after.violations.map(keyOf));
  const lost = new Map(before.violations.filter((one) => !kept.has(keyOf(one))).map((one) => [keyOf(one), one]));
  const clauses = catalogue.clauses.filter((_, i) => before.marks[i] === 1 && after.marks[i] === 0).map(({ id }) => id);
  if (lost.size + clauses.length === 0) return undefined;
  return { document, clauses, violations: [...lost.values()].map(maskedOf) };
}

/** Creates the judge of heads, or returns undefined if there are no users' documents. */
export function createHeadJudge(catalogue: Catalogue, names: Names): HeadJudge | undefined {
  if (catalogue.own.size === 0) return undefined;
  const { interfaces } = catalogue;
  return (exchange) => {
    const route = routeOfExchange(interfaces, exchange);
    const document = route && catalogue.own.has(route.interface.name) && digestFor(catalogue, route);
    if (!route || !document) return undefined;
    const { parameters, replyHeaders } = route.operation;
    const { key, keyClauses } = route.interface;
    const keyCookies = new Set([...(key?.cookie === undefined ? [] : [key.cookie]), ...(keyClauses?.cookies ?? [])]);
    if (!parameters && !replyHeaders && keyCookies.size === 0) return undefined;
    const replies = exchange.response && replyHeaders?.(exchange.response.status);
    return {
      isOpen(part, name, text) {
        const reading = part === "replyHeaders" ? replies : parameters?.[part];
        return reading?.isOpen(name, text) === true;
      },
      isOpenCookie: (name, text) => (keyCookies.has(name) ? false : parameters?.openCookies?.(name, text)),
      lostIn(masked) {
        try {
          return boundedOnce(interfaces, () => {
            const before = judged(headsOf(exchange), route, catalogue, names);
            const after = judged(headsOf(masked), route, catalogue, names);
            const verdicts: { -readonly [K in keyof MaskedVerdicts]: MaskedVerdicts[K] } = {};
            for (const side of sides) {
              const lost = lostBy(before[side], after[side], catalogue, document);
              if (lost) verdicts[side] = lost;
            }
            return verdicts;
          });
        } catch (error) {
          if (!isTooMuch(error)) throw error;
          return {};
        }
      },
    };
  };
}
