/** The good answer to a request, in every form that cases need to make another one of it. */
import { sseEvent, utf8 } from "../wire/build.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { parseJson } from "../wire/json.ts";
import type { Reply } from "../wire/listen.ts";
import { parseEvents } from "../wire/sse.ts";
import type { Answer, AnswerPiece } from "./answer.ts";
import type { InterfaceName } from "./interface-names.ts";
import { type Said, type Speech, saidIn } from "./speech.ts";
import type { GoodEvent, Json, OfferedTool, StreamShape, Voice } from "./voice.ts";

/** Everything known of a request beside its bytes. */
export interface Circumstances {
  /** The words of the answer are made from it. */
  readonly words: readonly string[];
  /** How often the same request came before. */
  readonly attempt: number;
  /** The origin it was sent to, and the second one. */
  readonly origin: string;
  readonly other: string;
  /** Unix milliseconds. */
  readonly now: number;
}

export interface Good extends Circumstances {
  readonly interface: InterfaceName;
  readonly form: "stream" | "whole";
  readonly request: WireRequest;
  readonly requestJson: Json;
  /** Tools that the request offers; none where the last message is the result of one. */
  readonly tools: readonly OfferedTool[];
  readonly speech: Speech;
  /** The events of a stream; empty for a whole reply. */
  readonly events: readonly GoodEvent[];
  /** A whole reply; undefined for a stream. */
  readonly body: unknown;
  /** The streams of its interface, where it has any. */
  readonly shape: StreamShape | undefined;
  /** Whether the client takes a content coding such as `gzip`. */
  readonly takes: (coding: string) => boolean;
  /** The good answer that says something else. */
  readonly say: (speech: Speech) => Good;
  /** The whole reply where a stream was asked for. */
  readonly asWhole: () => Answer;
  /** The answer as it is sent. */
  readonly answer: () => Answer;
  /** The answer with other events. @param write how an event is spelt */
  readonly withEvents: (events: readonly GoodEvent[], write?: (event: GoodEvent) => string) => Answer;
  /** The answer with another whole reply. */
  readonly withBody: (body: unknown) => Answer;
  /** A failure as the interface reports it. */
  readonly failure: (status: number, message?: string) => Answer;
  /** The JSON that reports a failure. */
  readonly failureBody: (status: number, message?: string) => Json;
}

const nothing: Said = { text: "", calls: [] };

const jsonType = [["Content-Type", "application/json"]] as const;
const failureMessage = "The server cannot answer this now.";

/** Reads the events of a stream as values. */
export function eventsOf(body: Uint8Array): GoodEvent[] {
  return parseEvents(body).events.map(({ event, data }) => {
    const json = parseJson(data);
    return { ...(event !== undefined && { event }), data: json.ok ? json.value : data };
  });
}

/** Bytes of a text as pieces of an answer. */
export const piece = (text: string | Uint8Array, after?: number): AnswerPiece => ({
  bytes: typeof text === "string" ? utf8(text) : text,
  ...(after !== undefined && { after }),
});

export const writeEvent = ({ data, event }: GoodEvent): string => sseEvent(data, event);

/**
 * @param reply what the reference answers to the request
 * @param speech what the reference was asked to say
 * @param wholeReply what the reference answers where no stream is asked for
 */
export function goodAnswer(
  voice: Voice,
  request: WireRequest,
  requestJson: Json,
  reply: Reply,
  speech: Speech,
  circumstances: Circumstances,
  wholeReply: () => unknown,
): Good {
  const bytes = Buffer.concat(reply.pieces.map((one) => one.bytes));
  const isStream = headerValue(reply.headers, "content-type") === "text/event-stream";
  const templateEvents = isStream ? eventsOf(bytes) : [];
  const json = isStream ? undefined : parseJson(bytes.toString("utf8"));
  const template = json?.ok ? json.value : undefined;
  const tools = voice.tools(requestJson);
  const takes = (coding: string): boolean =>
    (headerValue(request.headers, "accept-encoding") ?? "")
      .toLowerCase()
      .split(",")
      .some((one) => one.trim().split(";")[0] === coding && !/;\s*q=0(?:\.0*)?\s*$/.test(one));

  function saying(own: Speech): Good {
    const said = voice.said?.(template) ?? saidIn(own);
    const events = isStream ? voice.events(templateEvents, own, requestJson) : [];
    const body = isStream ? undefined : voice.body(template, own);
    const head = { status: reply.status, headers: reply.headers, said, isComplete: true };
    const failureBody = (status: number, message = failureMessage): Json => voice.failure(status, message);
    const withEvents: Good["withEvents"] = (list, write = writeEvent) => ({
      ...head,
      pieces: list.map((event) => piece(write(event))),
    });
    const withBody: Good["withBody"] = (value) => ({ ...head, pieces: [piece(JSON.stringify(value))] });
    return {
      ...circumstances,
      interface: voice.interface,
      form: isStream ? "stream" : "whole",
      request,
      requestJson,
      tools,
      speech: own,
      events,
      body,
      shape: voice.stream,
      takes,
      say: saying,
      asWhole: () => ({ ...withBody(voice.body(wholeReply(), own)), headers: jsonType }),
      answer: () => (isStream ? withEvents(events) : withBody(body)),
      withEvents,
      withBody,
      failure: (status, message) => ({
        status,
        headers: jsonType,
        pieces: [piece(JSON.stringify(failureBody(status, message)))],
        said: nothing,
        isComplete: false,
      }),
      failureBody,
    };
  }
  return saying(speech);
}
