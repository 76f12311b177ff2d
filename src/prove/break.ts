/** Makes the reference implementation violate chosen clauses on the wire. */

import type { Catalogue } from "../check/catalogue.ts";
import type { Finding, Policy } from "../check/clause.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import type { Names } from "../check/names.ts";
import { didYouMean } from "../check/suggest.ts";
import { UserError } from "../user-error.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import type { Piece, Reply } from "../wire/listen.ts";
import { trace, variantsOf } from "./counterexamples.ts";
import { tracerOf } from "./ground.ts";
import { spoiledBy } from "./spoiled.ts";

/** A violation that a reply was made to have. */
export interface Breach {
  readonly clause: string;
  /** Readings that must be strict for the breach to be seen; empty where it is seen by default. */
  readonly strict: readonly string[];
}

const strictly: Policy = { strict: "all", openEnums: false };
const at = { source: "", exchange: 0 };

/** The exchange that a reply makes of a request. */
export function exchangeOf(request: WireRequest, reply: Reply): Exchange {
  const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes));
  return { request, started: Date.now(), response: { status: reply.status, headers: reply.headers, body } };
}

/** The broken exchange's response, in as many pieces as it has chunks. */
export function replyOf({ response, aborted }: Exchange, original: Reply): Reply {
  if (!response) return original;
  const pieces: Piece[] = [];
  let from = 0;
  for (const [, length] of response.chunks ?? [[0, response.body.length] as const]) {
    pieces.push({ bytes: response.body.subarray(from, from + length) });
    from += length;
  }
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== "content-length");
  return { ...original, status: response.status, headers, pieces, ...(aborted === "upstream" && { abort: true }) };
}

/** One way to break a clause. */
export interface Breakage {
  readonly exchange: Exchange;
  readonly strict: Breach["strict"];
}

/**
 * Ways to break one clause of an exchange, and nothing else. Candidates that break others as well are passed over, and
 * violations that only a strict reading sees come last.
 */
export function createBreakages(catalogue: Catalogue, names: Names) {
  const rules = new Map(catalogue.interfaces.flatMap((one) => one.rules.map((rule) => [rule.clause, rule] as const)));

  const judged = (exchange: Exchange, policy: Policy, probe: boolean) =>
    judge(exchange, at, catalogue, { names, policy, side: "response", probe });

  function* candidates(clause: string, exchange: Exchange): Generator<Exchange> {
    const broken = spoiledBy(() => rules.get(clause)?.spoil(exchange));
    if (broken) yield { ...broken, request: exchange.request };
    const traced = trace(exchange, catalogue, names, tracerOf(catalogue));
    for (const { part, visit } of traced?.visits ?? [])
      if (traced && visit.clause === clause && part.place.side === "response")
        for (const variant of variantsOf(traced, part, visit)) if (variant.breaks) yield variant.exchange;
  }

  return function* (
    clause: string,
    exchange: Exchange,
    policies: readonly Policy[] = [lenient, strictly],
  ): Generator<Breakage> {
    const index = catalogue.indexOf(clause);
    const also = [...(rules.get(clause)?.alsoBreaks ?? []), ...(catalogue.clauses[index]?.alsoBreaks ?? [])];
    // A spoil counts on what its rule has seen: it is asked only about what exercises the clause. A request at fault may be
    // one that was sent to see it refused.
    const probe = [false, true].find((is) => judged(exchange, lenient, is).exercised[index] === 1);
    if (probe === undefined) return;
    const broken = [...candidates(clause, exchange)];
    for (const policy of policies) {
      const known = new Set([...also, ...judged(exchange, policy, probe).findings.map((finding) => finding.clause)]);
      for (const candidate of broken) {
        const { findings } = judged(candidate, policy, probe);
        const own = findings.filter((finding) => finding.clause === clause);
        const others = findings.filter((finding) => finding.clause !== clause && finding.level !== "note");
        if (own.length === 0 || others.some((finding) => !known.has(finding.clause))) continue;
        yield { exchange: candidate, strict: policy === strictly ? readingsOf(own) : [] };
      }
    }
  };
}

/**
 * Breaks `clauses` in every reply where that is possible, in the first way there is, and leaves other replies alone.
 * UserError for a clause nobody knows.
 * @param onBreach called for every breach that was made
 */
export function createBreaker(
  catalogue: Catalogue,
  clauses: readonly string[],
  names: Names,
  onBreach: (breach: Breach) => void = () => undefined,
) {
  for (const clause of clauses)
    if (!catalogue.clauses.some(({ id }) => id === clause))
      throw new UserError(
        `--break ${clause}: there is no such clause`,
        `${didYouMean(
          clause,
          catalogue.clauses.map(({ id }) => id),
        )}touchstone clauses lists them all.`,
      );
  const breakagesOf = createBreakages(catalogue, names);

  function breaking(exchange: Exchange, clause: string): Exchange {
    for (const { exchange: broken, strict } of breakagesOf(clause, exchange)) {
      onBreach({ clause, strict });
      return broken;
    }
    return exchange;
  }

  return (request: WireRequest, reply: Reply): Reply => {
    if (clauses.length === 0) return reply;
    const whole = exchangeOf(request, reply);
    const broken = clauses.reduce(breaking, whole);
    return broken === whole ? reply : replyOf(broken, reply);
  };
}

const readingsOf = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.flatMap(({ reading }) => (reading === undefined ? [] : [reading]))),
];
