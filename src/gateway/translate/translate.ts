/** Translates requests and answers between interfaces by their facts. */
import type { Catalogue } from "../../check/catalogue.ts";
import { type Interface, interfaceNamed } from "../../check/interface.ts";
import type { Names } from "../../check/names.ts";
import { routeOfExchange } from "../../check/route.ts";
import { readSubject } from "../../check/subject.ts";
import type { AnswerFacts, ErrorFacts, RequestFacts } from "../../interfaces/common/facts/model.ts";
import type { AnswerPiece, StreamEncoder, Written } from "../../interfaces/common/facts/write.ts";
import { factReaders } from "../../interfaces/fact-readers.ts";
import { factWriters } from "../../interfaces/fact-writers.ts";
import { utf8 } from "../../wire/build.ts";
import type { Exchange, HeaderPairs, WireRequest } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import { createEventReader } from "../../wire/sse.ts";
import type { Route } from "../trip.ts";
import { asWords, createWordPieces } from "./enum-reply.ts";
import { keyOf, withKey } from "./keys.ts";
import { piecesOf } from "./pieces.ts";

/** The change to facts on their way; none, unless one is broken on purpose. */
export interface Change {
  readonly request: (facts: RequestFacts) => RequestFacts;
  readonly answer: (facts: AnswerFacts) => AnswerFacts;
  /** Made anew for each stream. */
  readonly pieces: () => (piece: AnswerPiece) => readonly AnswerPiece[];
  /** Whether a stream is held back until its end. */
  readonly holdsBack: boolean;
  /** Whether the upstream goes on when the client has left. */
  readonly ignoresLeaving: boolean;
}

export const noChange: Change = {
  request: (facts) => facts,
  answer: (facts) => facts,
  pieces: () => (piece) => [piece],
  holdsBack: false,
  ignoresLeaving: false,
};

export interface TranslateOptions {
  readonly catalogue: Pick<Catalogue, "interfaces">;
  readonly names: Names;
  readonly change: Change;
  /** In seconds since 1970. */
  readonly now: () => number;
}

/** A request on its way to the upstream. */
export interface Translated {
  readonly request: WireRequest;
  /** The client's request. */
  readonly asked: RequestFacts;
  readonly route: Route;
}

/** An answer for the client. */
export interface Answered {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** Whether the interface of a name can be translated from and into another. */
export const canTranslate = (name: string): boolean => factWriters[name] !== undefined;

function described(options: TranslateOptions, name: string): Interface {
  const found = interfaceNamed(options.catalogue.interfaces, name);
  if (!found) throw new Error(`there is no interface ${name}`);
  return found;
}

/** Headers under the names that they are bound to. */
const bound = (request: WireRequest, names: Names): WireRequest => ({
  ...request,
  headers: request.headers.map(([name, value]) => {
    const own = names.ownHeaders.find(({ neutral, isInferred }) => neutral === name.toLowerCase() && !isInferred)?.own;
    return [own ?? name, value];
  }),
});

/** A request for the upstream; undefined where it is none of the interface that clients are to speak. */
export function translateRequest(
  request: WireRequest,
  route: Route,
  options: TranslateOptions,
): Translated | undefined {
  const exchange = { request, response: null };
  const found = routeOfExchange(options.catalogue.interfaces, exchange);
  if (found?.interface.name !== route.from) return undefined;
  const asked = factReaders[route.from]!.request(readSubject(exchange, found, options.names));
  if (!asked) return undefined;
  const [from, to] = [described(options, route.from), described(options, route.to)];
  const written = factWriters[route.to]!.writeRequest(options.change.request(asked));
  const key = from.key && keyOf(request, from.key);
  return { request: bound(to.key ? withKey(written, key, to.key) : written, options.names), asked, route };
}

export const writtenBy = (
  { asked }: Translated,
  { id, model }: AnswerFacts | { id?: string; model?: string },
  now: number,
): Written => ({
  created: now,
  asked,
  id: id ?? `reply-${now}`,
  model: model ?? asked.model ?? "unknown",
});

const json = (body: unknown): Uint8Array => utf8(JSON.stringify(body));

function failed({ route }: Translated, error: ErrorFacts): Answered {
  const { status, body } = factWriters[route.from]!.writeError(error);
  const retry: HeaderPairs = error.retryAfter === undefined ? [] : [["retry-after", error.retryAfter]];
  return { status, headers: [["content-type", "application/json"], ...retry], body: json(body) };
}

/** A refusal of the gateway's own, in the words of the interface that its clients speak. */
export const refuse = (route: Route, error: ErrorFacts): Answered => failed({ route } as Translated, error);

/** The upstream's answer, changed as asked. */
function answerFacts(
  { route, asked }: Translated,
  exchange: Exchange,
  options: TranslateOptions,
): AnswerFacts | undefined {
  const found = routeOfExchange(options.catalogue.interfaces, exchange);
  const answer = found && factReaders[route.to]!.answer(readSubject(exchange, found, options.names));
  const said = answer && options.change.answer(answer);
  return said && asksForWord(asked, route) ? asWords(said) : said;
}

/** An answer of the upstream that came whole, for the client. */
export function translateAnswer(translated: Translated, exchange: Exchange, options: TranslateOptions): Answered {
  const { route, asked } = translated;
  const said = answerFacts(translated, exchange, options);
  if (!said) return failed(translated, { class: "server", message: "The upstream gave no answer that can be read." });
  if (said.error) return failed(translated, said.error);
  const writer = factWriters[route.from]!;
  const written = writtenBy(translated, said, options.now());
  if (!asked.stream)
    return {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: json(writer.writeAnswer(said, written)),
    };
  const encode = writer.createEncoder(written, asksUsage(asked));
  return { status: 200, headers: eventStream, body: utf8([...piecesOf(said)].map(encode).join("")) };
}

/** Whether a client asked for one of several words, and the upstream for JSON. */
const asksForWord = ({ output }: RequestFacts, { from, to }: Route): boolean => output?.form === "enum" && from !== to;

/** The headers of a stream. */
export const eventStream: HeaderPairs = [
  ["content-type", "text/event-stream"],
  ["cache-control", "no-cache"],
];

const asksUsage = ({ settings }: RequestFacts): boolean => settings["stream.usage"] === true;

/** Translates a stream as it comes. */
export interface StreamTranslation {
  /** The events for the client that these bytes bring, as text. */
  push(bytes: Uint8Array): string;
  /** The bytes that follow the upstream's body, and whether the stream came to its end. */
  end(): { readonly text: string; readonly isWhole: boolean };
}

export function translateStream(translated: Translated, options: TranslateOptions): StreamTranslation {
  const { route, asked } = translated;
  const reader = createEventReader();
  const decode = factWriters[route.to]!.createDecoder();
  const change = options.change.pieces();
  const asWord = asksForWord(asked, route) ? createWordPieces() : (piece: AnswerPiece) => [piece];
  let encode: StreamEncoder | undefined;
  const state = { isFinished: false, isEnded: false, hasFailed: false };
  const write = (piece: AnswerPiece): string => {
    if (state.isEnded || state.hasFailed) return "";
    // Its first event names a stream.
    encode ??= factWriters[route.from]!.createEncoder(
      writtenBy(translated, piece.kind === "start" ? piece : {}, options.now()),
      asksUsage(asked),
    );
    return change(piece)
      .flatMap(asWord)
      .map((one) => {
        state.isFinished ||= one.kind === "finish";
        state.isEnded ||= one.kind === "end";
        state.hasFailed ||= one.kind === "error";
        return encode!(one);
      })
      .join("");
  };
  const writeAll = (data: readonly { readonly data: string }[]): string =>
    data
      .flatMap((event) => decode(event.data))
      .map(write)
      .join("");
  return {
    push: (bytes) => writeAll(reader.push(bytes)),
    end() {
      const { events, open } = reader.end();
      const text = open ? writeAll(events.slice(-1)) : "";
      if (state.hasFailed || state.isEnded) return { text, isWhole: true };
      // An interface without a last event ends with the reason why.
      return state.isFinished ? { text: text + write({ kind: "end" }), isWhole: true } : { text, isWhole: false };
    },
  };
}

/** Whether an answer comes as a stream of events. */
export const isStream = (headers: HeaderPairs): boolean =>
  /^text\/event-stream/i.test(headerValue(headers, "content-type") ?? "");
