/** Makes the reference implementation violate chosen clauses on the wire. */

import { lenient } from "../check/clause.ts";
import { type Catalogue, judge, routeOf } from "../check/judge.ts";
import type { Names } from "../check/names.ts";
import { readSubject } from "../check/subject.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import type { Piece, Reply } from "../wire/listen.ts";
import { trace, variantsOf } from "./counterexamples.ts";
import { createTracer, type Tracer } from "./trace.ts";

function exchangeOf(request: WireRequest, reply: Reply): Exchange {
  const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes));
  return { request, response: { status: reply.status, headers: reply.headers, body } };
}

/** The broken exchange's response, in as many pieces as it has chunks. */
function replyOf({ response }: Exchange, original: Reply): Reply {
  if (!response) return original;
  const pieces: Piece[] = [];
  let from = 0;
  for (const [, length] of response.chunks ?? [[0, response.body.length] as const]) {
    pieces.push({ bytes: response.body.subarray(from, from + length) });
    from += length;
  }
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== "content-length");
  return { ...original, status: response.status, headers, pieces };
}

/**
 * Breaks `clauses` in every reply where that is possible, and leaves other replies alone.
 * The result is exactly one clause broken: candidates that break others as well are passed over.
 */
export function createBreaker(catalogue: Catalogue, clauses: readonly string[], names: Names) {
  const rules = catalogue.interfaces.flatMap((one) => one.rules);
  let tracer: Tracer | undefined;

  function* candidates(clause: string, exchange: Exchange): Generator<Exchange> {
    const route = routeOf(catalogue.interfaces, exchange.request.method, exchange.request.target);
    const subject = route && readSubject(exchange, route, names);
    for (const rule of rules) {
      const broken = rule.clause === clause && subject && rule.concerns?.(subject.operation) !== false && rule.applies(subject) ? rule.spoil(exchange) : undefined;
      if (broken) yield { ...broken, request: exchange.request };
    }
    const traced = trace(exchange, catalogue, names, (tracer ??= createTracer()));
    for (const { part, visit } of traced?.visits ?? [])
      if (traced && visit.clause === clause && part.place.side === "response")
        for (const variant of variantsOf(traced, part, visit)) if (variant.breaks) yield variant.exchange;
  }

  function breaking(clause: string, exchange: Exchange): Exchange {
    let noisy: Exchange | undefined;
    for (const broken of candidates(clause, exchange)) {
      const { findings } = judge(broken, { source: "", exchange: 0 }, catalogue, {
        names,
        policy: lenient,
        side: "response",
      });
      if (!findings.some((finding) => finding.clause === clause)) continue;
      if (findings.every((finding) => finding.clause === clause || finding.level === "note")) return broken;
      noisy ??= broken;
    }
    return noisy ?? exchange;
  }

  return (request: WireRequest, reply: Reply): Reply => {
    if (clauses.length === 0) return reply;
    const whole = exchangeOf(request, reply);
    const broken = clauses.reduce((exchange, clause) => breaking(clause, exchange), whole);
    return broken === whole ? reply : replyOf(broken, reply);
  };
}
