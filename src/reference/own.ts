/** Answers of users' own interfaces: the replies of the good exchanges that their documents have or their schemas give. */

import type { Answer } from "../check/answer.ts";
import type { Catalogue } from "../check/catalogue.ts";
import type { Finding } from "../check/clause.ts";
import { findingOf } from "../check/finding.ts";
import type { Interface } from "../check/interface.ts";
import { namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { readSubject, type Subject } from "../check/subject.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import { hopByHop } from "../wire/headers.ts";
import { isJsonLines } from "../wire/json-lines.ts";
import type { Piece, Reply } from "../wire/listen.ts";
import { jsonReply } from "./answer.ts";

const blankLine = Buffer.from("\n\n");
const lineEnd = Buffer.from("\n");

/** An answer's body, an event a piece where it is a stream. */
function piecesOf({ body, headers }: WireResponse): Piece[] {
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const isLines = isJsonLines(type);
  if (!isLines && !/^text\/event-stream/i.test(type)) return [{ bytes: body }];
  const eventEnd = isLines ? lineEnd : blankLine;
  const bytes = Buffer.from(body);
  const pieces: Piece[] = [];
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(eventEnd, from);
    const to = found < 0 ? bytes.length : found + eventEnd.length;
    pieces.push({ bytes: bytes.subarray(from, to) });
    from = to;
  }
  return pieces;
}

/** The key that tells one request from another. */
const askedIn = ({ method, target, body }: Pick<WireRequest, "method" | "target" | "body">): string =>
  `${method} ${target} ${Buffer.from(body).toString("latin1")}`;

/** A recorded answer as a reply; what belongs to the connection it came on is left out. */
function replyOf(response: WireResponse): Reply {
  const headers = response.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !hopByHop.has(lower) && lower !== "content-length";
  });
  return { status: response.status, headers, pieces: piecesOf(response) };
}

/** The key that a request carries, without the scheme before it. */
const keyIn = ({ request, query }: Subject, { key = {} }: Interface): string | undefined =>
  key.header === undefined ? query[key.query ?? ""] : request.headers[key.header]?.replace(/^Bearer /i, "");

/**
 * Answers requests of users' own interfaces. A request that breaks their documents is refused in their own error shape. Any
 * other gets the longest good reply of its operation, as a stream if one is asked for.
 */
export async function ownAnswers(catalogue: Catalogue): Promise<Answer> {
  const names = namesFrom({});
  /** The longest: it shows most of what the document describes. */
  const replies = new Map<string, WireResponse>();
  /** The recorded reply to a request. */
  const recordedReplies = new Map<string, WireResponse>();
  const { exchanges } = await catalogue.examples();
  for (const name of catalogue.own)
    for (const { exchange, probe, recorded } of exchanges[name] ?? []) {
      const { request, response } = exchange;
      const route = routeOf(catalogue.interfaces, request.method, request.target);
      if (probe || !response || response.status >= 300 || route?.interface.name !== name) continue;
      if (recorded) recordedReplies.set(askedIn(request), response);
      const isStream = route.interface.streams(readSubject(exchange, route, names));
      const key = `${isStream} ${name} ${route.operation.name}`;
      if (response.body.length > (replies.get(key)?.body.length ?? -1)) replies.set(key, response);
    }
  const wrongKey = (subject: Subject, id: string): Finding => {
    const clause = catalogue.clauses[catalogue.indexOf(id)]!;
    const fault = {
      clause: id,
      side: "request",
      in: "headers",
      pointer: "",
      expected: "a key that was given out",
    } as const;
    return findingOf({ ...fault, actual: undefined }, clause, "error", { source: "", exchange: 0 }, subject);
  };
  return ({ subject, faults, request }) => {
    const route = routeOf(catalogue.interfaces, request.method, request.target);
    if (!subject || !route) return undefined;
    const [finding] = faults;
    if (finding) {
      const status = route.interface.keyClauses?.onRequests.includes(finding.clause) ? 401 : 400;
      return jsonReply(status, route.interface.refusalBody({ status, message: finding.message, finding }));
    }
    const { unknown: unknownKey, operations } = route.interface.keyClauses ?? {};
    const isDemanded = operations?.includes(route.operation.name) !== false;
    if (unknownKey !== undefined && isDemanded && keyIn(subject, route.interface) === "wrong-key") {
      const message = "the key is wrong";
      return jsonReply(
        401,
        route.interface.refusalBody({ status: 401, message, finding: wrongKey(subject, unknownKey) }),
      );
    }
    const isStream = route.interface.streams(subject);
    const found =
      recordedReplies.get(askedIn(request)) ??
      replies.get(`${isStream} ${route.interface.name} ${route.operation.name}`);
    const message = `no example of ${route.operation.name} has ${isStream ? "a stream" : "a reply"} to answer with`;
    return found ? replyOf(found) : jsonReply(501, { error: { message } });
  };
}
