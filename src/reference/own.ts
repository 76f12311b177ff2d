/** Serves users' own interfaces with the responses of good exchanges, recorded or made from schemas. */

import type { Answer } from "../check/answer.ts";
import type { Catalogue } from "../check/catalogue.ts";
import { type Finding, lenient } from "../check/clause.ts";
import { findingOf } from "../check/finding.ts";
import { type Interface, keyAt } from "../check/interface.ts";
import { judge } from "../check/judge.ts";
import type { Law } from "../check/law.ts";
import { createMender, lawClausesOf } from "../check/laws/compile.ts";
import { namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { readSubject, type Subject } from "../check/subject.ts";
import type { Exchange, WireRequest, WireResponse } from "../wire/exchange.ts";
import { hopByHop } from "../wire/headers.ts";
import { isJsonLines } from "../wire/json-lines.ts";
import type { Piece, Reply } from "../wire/listen.ts";
import { jsonReply } from "./answer.ts";

const blankLine = Buffer.from("\n\n");
const lineEnd = Buffer.from("\n");

/** Splits a response body into chunks: one for each event of a stream, otherwise a single one. */
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

/** Key of a request. Requests with equal keys are the same request. */
const askedIn = ({ method, target, body }: Pick<WireRequest, "method" | "target" | "body">): string =>
  `${method} ${target} ${Buffer.from(body).toString("latin1")}`;

/** Converts a recorded response to a reply, without hop-by-hop headers. */
function replyOf(response: WireResponse): Reply {
  const headers = response.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !hopByHop.has(lower) && lower !== "content-length";
  });
  return { status: response.status, headers, pieces: piecesOf(response) };
}

/**
 * Replaces response values that laws require to be unique in a session. Keeps a value if its replacement would violate a clause.
 * @param number determines the new values
 */
function withOwnValues(
  exchange: Exchange,
  laws: readonly Law[],
  number: number,
  catalogue: Catalogue,
): WireResponse | null {
  const isGood = (one: Exchange): boolean =>
    !judge(one, { source: "", exchange: 0 }, catalogue, { names: namesFrom({}), policy: lenient }).findings.some(
      ({ side, level }) => side === "response" && level !== "note",
    );
  let own = exchange;
  for (const { session } of laws) {
    const renewed = session?.renew(own, number);
    if (renewed && isGood(renewed)) own = renewed;
  }
  return own.response;
}

/** Maximum number of candidates to try for one request. */
const maxCandidates = 40;

/** Maximum number of remembered requests. All of them are forgotten when it is reached. */
const maxNumbers = 10_000;

/** Responses of one operation of an interface with laws. Those with the most events are first. */
interface Candidates {
  readonly mend: (exchange: Exchange) => Exchange | undefined;
  readonly responses: WireResponse[];
}

const countEvents = ({ body }: WireResponse): number => Buffer.from(body).toString("latin1").split("\n\n").length;

/**
 * Returns the response that follows all laws for this request and exercises the most of them: a request with tools gets a tool
 * call if an example has one. Returns undefined if no candidate can follow them.
 */
function lawfulReply(
  request: WireRequest,
  { mend, responses }: Candidates,
  catalogue: Catalogue,
): WireResponse | undefined {
  let best: { readonly response: WireResponse; readonly shown: number } | undefined;
  for (const candidate of responses.slice(0, maxCandidates)) {
    const exchange = mend({ request, response: candidate });
    if (!exchange?.response) continue;
    const at = { source: "", exchange: 0 };
    const { findings, exercised } = judge(exchange, at, catalogue, { names: namesFrom({}), policy: lenient });
    if (findings.some(({ side, level }) => side === "response" && level !== "note")) continue;
    const shown = catalogue.clauses.filter(({ law }, i) => law !== undefined && exercised[i] === 1).length;
    if (shown > (best?.shown ?? -1)) best = { response: exchange.response, shown };
  }
  return best?.response;
}

/** Returns the API key of a request without its scheme. */
const keyIn = (subject: Subject, { key = {} }: Interface): string | undefined => {
  const value = keyAt(subject, key);
  return key.header === undefined ? value : value?.replace(/^Bearer /i, "");
};

/**
 * Serves requests of users' own interfaces. A request that violates their documents is rejected in their own error shape.
 * Any other request gets the recorded response to it, else one that follows the laws of the interface, else the longest good
 * response of its operation. It is a stream if the request demands one.
 * @param broken clauses to break; only laws that compare exchanges are broken here
 */
export async function ownAnswers(catalogue: Catalogue, broken: readonly string[] = []): Promise<Answer> {
  const names = namesFrom({});
  /** The longest response per operation, because it contains the most described members. */
  const replies = new Map<string, WireResponse>();
  /** Redirection per operation, for operations without a success. */
  const redirects = new Map<string, WireResponse>();
  /** Recorded response by key of the request. */
  const recordedReplies = new Map<string, WireResponse>();
  const { exchanges } = await catalogue.examples();
  const candidates = new Map<string, Candidates>();
  for (const name of catalogue.own) {
    const laws = lawClausesOf(catalogue.clauses, name);
    const mend = laws.length > 0 ? createMender(laws) : undefined;
    for (const { exchange, probe, recorded } of exchanges[name] ?? []) {
      const { request, response } = exchange;
      const route = routeOf(catalogue.interfaces, request.method, request.target);
      if (probe || !response || route?.interface.name !== name || response.status < 200) continue;
      const isStream = route.interface.streams(readSubject(exchange, route, names));
      const key = `${isStream} ${name} ${route.operation.name}`;
      if (response.status >= 300) {
        if (response.status < 400 && !redirects.has(key)) redirects.set(key, response);
        continue;
      }
      if (recorded) recordedReplies.set(askedIn(request), response);
      if (response.body.length > (replies.get(key)?.body.length ?? -1)) replies.set(key, response);
      if (mend) {
        const own = candidates.get(key) ?? { mend, responses: [] };
        own.responses.push(response);
        candidates.set(key, own);
      }
    }
  }
  for (const { responses } of candidates.values())
    responses.sort((a, b) => countEvents(b) - countEvents(a) || b.body.length - a.body.length);
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
  /** Number of each request that received unique values. The same request receives the same values again. */
  const numbers = new Map<string, number>();
  function numberOf(request: WireRequest): number {
    const asked = askedIn(request);
    if (numbers.size >= maxNumbers) numbers.clear();
    const number = numbers.get(asked) ?? ++answered;
    numbers.set(asked, number);
    return number;
  }
  let answered = 0;
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
    const key = `${isStream} ${route.interface.name} ${route.operation.name}`;
    const ofLaws = candidates.get(key);
    const found =
      recordedReplies.get(askedIn(request)) ??
      (ofLaws && lawfulReply(request, ofLaws, catalogue)) ??
      replies.get(key) ??
      redirects.get(key);
    const message = `no example of ${route.operation.name} has ${isStream ? "a stream" : "a reply"} to answer with`;
    const kept = (route.interface.laws ?? []).filter(({ session, clause }) => session && !broken.includes(clause));
    const own =
      found && kept.length > 0 && !recordedReplies.has(askedIn(request))
        ? withOwnValues({ request, response: found }, kept, numberOf(request), catalogue)
        : undefined;
    return found ? replyOf(own ?? found) : jsonReply(501, { error: { message } });
  };
}
