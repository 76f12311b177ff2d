/** Answers that a test scripts: the next one, or the next ones, instead of the reference's own. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import { UserError } from "../user-error.ts";
import { utf8 } from "../wire/build.ts";
import { utf8Text } from "../wire/bytes.ts";
import type { HeaderPairs, WireRequest } from "../wire/exchange.ts";
import type { Piece, Reply } from "../wire/listen.ts";
import { failureBody } from "./failures.ts";

/** The answer to a request; members that are left out stay as the reference answers. */
export interface ScriptedAnswer {
  /** 200 to 599. A failure without a body has the error body of its interface. */
  readonly status?: number | undefined;
  /** Set in place of headers of the same names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text, or what is sent as JSON. */
  readonly body?: unknown;
  /** Milliseconds before the answer begins. */
  readonly delay?: number | undefined;
  /** Breaks the connection off instead of answering. */
  readonly abort?: boolean | undefined;
}

/** A request that came. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: HeaderPairs;
  /** The value of its JSON; its text if it is none, and undefined if it is empty. */
  readonly body: unknown;
}

export interface Script {
  readonly requests: readonly ReceivedRequest[];
  readonly next: (...answers: readonly ScriptedAnswer[]) => void;
  /** Notes a request, and gives the reply that the script has for it, or its own. */
  readonly change: (request: WireRequest, reply: Reply) => Reply;
}

/** The longest delay that timers of Node can wait for. */
const maxDelayMs = 2 ** 31 - 1;

/** Requests that are kept to be looked at; a server may run for days. */
const maxRequests = 10_000;

function bodyOf({ body }: WireRequest): unknown {
  if (body.length === 0) return undefined;
  const text = utf8Text(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const jsonType = "application/json";

function withHeaders(own: HeaderPairs, more: HeaderPairs): HeaderPairs {
  const names = new Set(more.map(([name]) => name.toLowerCase()));
  return [...own.filter(([name]) => !names.has(name.toLowerCase())), ...more];
}

function scripted(reply: Reply, answer: ScriptedAnswer, of: string | undefined): Reply {
  const { status = reply.status, headers = {}, delay = 0, abort = false } = answer;
  const body =
    answer.body === undefined && status >= 400 ? failureBody(of, status, `a test scripted ${status}`) : answer.body;
  const more = Object.entries(headers);
  const isText = typeof body === "string";
  const type: HeaderPairs = body === undefined ? [] : [["Content-Type", isText ? "text/plain" : jsonType]];
  const pieces: readonly Piece[] =
    body === undefined ? reply.pieces : [{ bytes: utf8(isText ? body : JSON.stringify(body)) }];
  const [first = { bytes: utf8("") }, ...rest] = pieces;
  return {
    ...reply,
    status,
    headers: withHeaders(withHeaders(reply.headers, type), more),
    pieces: delay > 0 ? [{ ...first, after: delay }, ...rest] : pieces,
    ...(abort && { abort: "unanswered" as const, pieces: [] }),
  };
}

/** Throws UserError for a response that could not be sent: the request that it is for would fail much later. */
function refuseUnsendable({ status = 200, headers = {}, body, delay = 0 }: ScriptedAnswer): void {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new UserError(`next({ status: ${status} }) is not the status of a response`, "Give 200 to 599.");
  if (typeof delay !== "number" || !(delay >= 0 && delay <= maxDelayMs))
    throw new UserError(`next({ delay: ${delay} }) is not a time`, `Give milliseconds from 0 to ${maxDelayMs}.`);
  for (const [name, value] of Object.entries(headers))
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new UserError(
        `next() cannot send the header ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
        "Give names and values without line breaks and other control characters.",
      );
    }
  try {
    if (body !== undefined && JSON.stringify(body) === undefined) throw new TypeError("it has no JSON form");
  } catch (error) {
    throw new UserError(
      `next() cannot send this body as JSON: ${(error as Error).message.split("\n")[0]}`,
      "Give a text or JSON values.",
    );
  }
}

/** @param interfaceOf the name of the interface that a request is of; undefined for none */
export function createScript(interfaceOf: (request: WireRequest) => string | undefined): Script {
  const waiting: ScriptedAnswer[] = [];
  const requests: ReceivedRequest[] = [];
  return {
    requests,
    next(...answers) {
      for (const answer of answers) refuseUnsendable(answer);
      waiting.push(...answers);
    },
    change(request, reply) {
      const { method, target, headers } = request;
      if (requests.length < maxRequests) requests.push({ method, target, headers, body: bodyOf(request) });
      const answer = waiting.shift();
      return answer ? scripted(reply, answer, interfaceOf(request)) : reply;
    },
  };
}
