/** The text of an answer so far, put together while it comes. */
import { type Interface, interfaceNamed } from "../check/interface.ts";
import { namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import { jsonOf, streamedValues } from "../run/judge/request-failure.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import { resolvePointer } from "../wire/pointer.ts";

/** The text of an answer that may still be coming; empty where nobody can read it. */
export function textSaid(request: WireRequest, response: WireResponse, interfaces: readonly Interface[]): string {
  const route = routeOf(interfaces, request.method, request.target);
  const replyParts = route && interfaceNamed(interfaces, route.interface.name)?.replyParts;
  if (!replyParts) return "";
  const events = streamedValues(response);
  const whole = events.length > 0 ? undefined : jsonOf(response);
  return replyParts(readSubject({ request, response }, route, namesFrom({})))
    .flatMap(({ kind, pieces }) => (kind === "text" ? pieces : []))
    .map(({ event, pointer }) => resolvePointer(event === undefined ? whole : events[event], pointer))
    .filter((piece) => typeof piece === "string")
    .join("");
}
