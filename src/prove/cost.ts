/** Makes a probe cheap for a target that accepts it: one short reply, if its interface says how to ask for that. */
import type { Interface } from "../check/interface.ts";
import { needsShownBy } from "../interfaces/needs.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";

/** Tokens that a reply to a probe may have, where nothing in the request needs more. */
const shortReply = 16;

/** Tokens that a reply may have which is worth nothing where it is cut: a call, a value for a schema, thoughts. */
const wholeReply = 512;

/** The request with one short reply asked for: an accepted probe costs little then. */
export function bounded(exchange: Exchange, of: Interface | undefined): Exchange {
  const { cost } = of?.requests ?? {};
  if (!cost) return exchange;
  const isWhole = needsShownBy(exchange.request, of).some((need) => cost.wholeFor?.includes(need));
  return isWhole ? cost.bounded(exchange, wholeReply, wholeReply) : cost.bounded(exchange, 0, shortReply);
}

/** Whether a request, where it is accepted, has more made than one short reply. */
export const isCostly = (request: WireRequest, of: Interface | undefined): boolean =>
  of?.requests?.cost?.isCostly(request) ?? false;
