/** Makes of an exchange what a page shows of it. */
import type { Interface } from "../check/interface.ts";
import { namesFrom } from "../check/names.ts";
import type { ReplyPart } from "../check/reply-parts.ts";
import { type Route, routeOfExchange } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import type { Exchange, WireRequest, WireResponse } from "../wire/exchange.ts";
import { viewedBody } from "./body.ts";
import { type Bounds, bounds as usual } from "./bounds.ts";
import type { ViewedExchange } from "./viewed.ts";

/** The facts about an exchange beside what passed. */
export type Known = Pick<ViewedExchange, "source" | "exchange" | "part" | "failure">;

export interface ViewOptions {
  readonly bounds?: Bounds;
  /** Positions of stream events that findings name: they are not left out. */
  readonly events?: ReadonlySet<number>;
}

const names = namesFrom();

/** The parts of a reply, as far as the events that bring them are listed. */
function partsIn(exchange: Exchange, route: Route, body: NonNullable<ViewedExchange["response"]>["body"]): ReplyPart[] {
  const parts = route.interface.replyParts?.(readSubject(exchange, route, names)) ?? [];
  if (body?.kind !== "stream" || body.events.length === body.count) return [...parts];
  const listed = new Set(body.events.map(({ position }) => position));
  return parts.map((part) => ({
    ...part,
    pieces: part.pieces.filter(({ event }) => event === undefined || listed.has(event)),
  }));
}

/** The members that both sides of an exchange have. */
const sideOf = ({ headers, body, cut, redacted }: WireRequest | WireResponse) => ({
  headers,
  bytes: body.length,
  ...(cut !== undefined && { unrecorded: cut }),
  ...(redacted && redacted.length > 0 && { redacted }),
});

/** An exchange as plain JSON; a pure function of what it is given. @param interfaces those that it may be of */
export function viewedExchange(
  exchange: Exchange,
  known: Known,
  interfaces: readonly Interface[],
  options: ViewOptions = {},
): ViewedExchange {
  const { origin, started, request, response, aborted } = exchange;
  const { bounds = usual, events } = options;
  const asked = viewedBody(request, bounds);
  const { chunks } = response ?? {};
  const answered = response
    ? viewedBody(response, bounds, { ...(chunks && { chunks }), ...(events && { events }) })
    : undefined;
  const route = routeOfExchange(interfaces, exchange);
  const replyParts = route ? partsIn(exchange, route, answered) : [];
  return {
    ...known,
    ...(route && { interface: route.interface.name, operation: route.operation.name }),
    ...(origin !== undefined && { origin }),
    ...(started !== undefined && { started }),
    request: { method: request.method, target: request.target, ...sideOf(request), ...(asked && { body: asked }) },
    response: response && {
      status: response.status,
      ...(response.reason !== undefined && { reason: response.reason }),
      ...sideOf(response),
      ...(answered && { body: answered }),
      ...(response.trailers && response.trailers.length > 0 && { trailers: response.trailers }),
      ...(chunks?.[0] && { first: chunks[0][0] }),
      ...(response.time !== undefined && { time: response.time }),
      ...(response.upgraded && { upgraded: response.upgraded }),
    },
    ...(aborted && { aborted }),
    ...(replyParts.length > 0 && { replyParts }),
  };
}
