/** Searches kept exchanges for words: in their heads, in their bodies, and in the text of their replies. */
import type { Interface } from "../check/interface.ts";
import { namesFrom } from "../check/names.ts";
import type { ReplyPlace } from "../check/reply-parts.ts";
import { routeOfExchange } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import { utf8Text } from "../wire/bytes.ts";
import { decodeContent } from "../wire/encoding.ts";
import type { Exchange, WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { resolvePointer } from "../wire/pointer.ts";

const names = namesFrom();

function bodyText(message: WireRequest | WireResponse | null): string {
  if (!message) return "";
  const decoded = decodeContent(message.body, headerValue(message.headers, "content-encoding"));
  return decoded.ok ? utf8Text(decoded.bytes) : "";
}

/** The texts of a reply, put together: a stream carries them in pieces, and may split a word. */
function replyText(exchange: Exchange, interfaces: readonly Interface[]): string {
  const route = routeOfExchange(interfaces, exchange);
  if (!route?.interface.replyParts) return "";
  const subject = readSubject(exchange, route, names);
  const body = subject.response?.body;
  function textAt({ event, pointer }: ReplyPlace): string {
    const whole = body?.kind === "json" ? body.sent : undefined;
    const value = event !== undefined && body?.kind === "stream" ? body.events[event]?.sent : whole;
    const text = resolvePointer(value, pointer);
    return typeof text === "string" ? text : "";
  }
  const parts = route.interface.replyParts(subject);
  return parts.map(({ pieces }) => pieces.map(textAt).join("")).join("\n");
}

/** Whether an exchange holds every word. @param words in lower case */
export function holdsAll(exchange: Exchange, words: readonly string[], interfaces: readonly Interface[]): boolean {
  const { request, response } = exchange;
  const head = `${request.method} ${request.target} ${response?.status ?? ""}`;
  const text = [head, bodyText(request), bodyText(response)].join("\n").toLowerCase();
  const missing = words.filter((word) => !text.includes(word));
  if (missing.length === 0) return true;
  const reply = replyText(exchange, interfaces).toLowerCase();
  return missing.every((word) => reply.includes(word));
}
