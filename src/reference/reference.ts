/** The embedded reference implementation: deterministic, conformant, of all operations; answers one request at a time. */
import { type Finding, lenient } from "../check/clause.ts";
import { type Catalogue, judge, routeOf } from "../check/judge.ts";
import { type Bindings, type Names, namesFrom } from "../check/names.ts";
import { readSubject, type Subject } from "../check/subject.ts";
import { utf8 } from "../wire/build.ts";
import type { WireRequest } from "../wire/exchange.ts";
import type { Piece, Reply } from "../wire/listen.ts";
import { answer as chatCompletions } from "./chat-completions/index.ts";
import { answer as generateContent } from "./generate-content/index.ts";
import { answer as images } from "./images/index.ts";
import { answer as messages } from "./messages/index.ts";

export interface Asked {
  readonly request: WireRequest;
  /** The request as checks see it; undefined for a path that is no operation, e.g. an image's url. */
  readonly subject: Subject | undefined;
  /** Error-level findings on the request; a conformant server refuses it. */
  readonly faults: readonly Finding[];
  /** `http://HOST:PORT` under which this server is reached, for links. */
  readonly base: string;
}

/** Answers requests of one interface; undefined for those of others. */
export type Answer = (asked: Asked) => Reply | undefined;

/** Header names the vendors' SDKs send for the documents' neutral ones; the reference takes either. */
export const sdkHeaders: Bindings = {
  names: { "partner-version": "anthropic-version", "partner-beta": "anthropic-beta" },
};

const answers: Readonly<Record<string, Answer>> = {
  "chat-completions": chatCompletions,
  images,
  messages,
  "generate-content": generateContent,
};

/** A reply of one JSON document. */
export function jsonReply(status: number, body: unknown): Reply {
  return {
    status,
    headers: [["Content-Type", "application/json"]],
    pieces: [{ bytes: utf8(JSON.stringify(body)) }],
  };
}

/** A streamed reply, one write an event; `events` as `sseEvent` writes them. */
export function streamReply(events: readonly string[]): Reply {
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/event-stream"],
      ["Cache-Control", "no-cache"],
    ],
    pieces: events.map((event): Piece => ({ bytes: utf8(event) })),
  };
}

/** The handler for `listen`; `base` is asked at every request, since the port is known only once listening. */
export function createReference(catalogue: Catalogue, base: () => string, names: Names = namesFrom(sdkHeaders)) {
  return (request: WireRequest): Reply => {
    const exchange = { request, response: null };
    const route = routeOf(catalogue.interfaces, request.method, request.target);
    const asked: Asked = {
      request,
      subject: route && readSubject(exchange, route, names),
      faults: judge(exchange, { source: "", exchange: 0 }, catalogue, {
        names,
        policy: lenient,
        side: "request",
      }).findings.filter(({ level }) => level === "error"),
      base: base(),
    };
    for (const [name, answer] of Object.entries(answers)) {
      if (route && route.interface.name !== name) continue;
      const reply = answer(asked);
      if (reply) return reply;
    }
    return jsonReply(404, {
      error: { message: `no operation at ${request.method} ${request.target.split("?", 1)[0]}` },
    });
  };
}
