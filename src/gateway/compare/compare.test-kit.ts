/** Trips written by hand, and what becomes of one of their facts. */
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import type { Exchange, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { compareTrip } from "../compare.ts";
import type { FactComparison, Trip } from "../trip.ts";

const catalogue = await openCatalogue();

/** `c` for chat completions, `m` for messages, `g` for generate content. */
export type Letter = "c" | "m" | "g";

const nameOf: Readonly<Record<Letter, string>> = { c: "chat-completions", m: "messages", g: "generate-content" };

type Body = Readonly<Record<string, unknown>>;

const hello = "Hello.";
/** The defaults of every request. */
const plain: Readonly<Record<Letter, Body>> = {
  c: { model: "x", messages: [{ role: "user", content: hello }] },
  m: { model: "x", max_tokens: 50, messages: [{ role: "user", content: hello }] },
  g: { contents: [{ role: "user", parts: [{ text: hello }] }] },
};

/** A request of an interface; `stream` makes one of generate content a streaming one. */
export function request(letter: Letter, body: Body): WireRequest {
  if (letter === "c") return jsonRequest("/v1/chat/completions", [], { ...plain.c, ...body });
  if (letter === "m") return jsonRequest("/v1/messages", [], { ...plain.m, ...body });
  const { stream, ...rest } = body;
  const operation = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  return jsonRequest(`/v1beta/models/x:${operation}`, [], { ...plain.g, ...rest });
}

/** Settings of generate content. */
export const config = (generationConfig: Body): Body => ({ generationConfig });

export const response = (body: unknown, status = 200): WireResponse => jsonResponse(body, status);

/** A stream of events; a text is taken as it is. */
export const stream = (...events: readonly unknown[]): WireResponse =>
  streamResponse(events.map((event) => sseEvent(event)));

/** A trip from one interface to another, as `mc`. */
export function compared(
  route: `${Letter}${Letter}`,
  client: Exchange,
  upstream: readonly Exchange[],
  more: Partial<Trip> & { readonly strict?: boolean } = {},
): readonly FactComparison[] {
  const [from, to] = [nameOf[route[0] as Letter], nameOf[route[1] as Letter]];
  const { strict = false, ...rest } = more;
  return compareTrip(
    { id: "by hand", client, upstream, ...rest },
    { from, to },
    { strict, catalogue, names: namesFrom() },
  );
}

const outcomes = (all: readonly FactComparison[], side: FactComparison["side"], fact: string): string =>
  all
    .filter((one) => one.side === side && one.fact === fact)
    .map(({ outcome, conversion }) => (conversion ? `${outcome}, converted` : outcome))
    .join(" and ") || "nothing";

/** The outcome of a fact that a request asks: `kept`, `kept, converted`, `dropped`, ..., or `nothing` where nobody speaks of it. */
export function ofRequest(
  route: `${Letter}${Letter}`,
  fact: string,
  asked: Body,
  arrived: Body | null,
  strict = false,
): string {
  const client = { request: request(route[0] as Letter, asked), response: null };
  const upstream = arrived ? [{ request: request(route[1] as Letter, arrived), response: null }] : [];
  return outcomes(compared(route, client, upstream, { strict }), "request", fact);
}

/** The outcome of a fact that the upstream answers. @param asked the client's request, of whose members none stands in both */
export function ofAnswer(
  route: `${Letter}${Letter}`,
  fact: string,
  answered: WireResponse,
  got: WireResponse | null,
  more: {
    readonly asked?: Body;
    readonly arrived?: Body;
    readonly aborted?: boolean;
    readonly cut?: boolean;
    readonly strict?: boolean;
  } & Pick<Trip, "timing" | "situation"> = {},
): string {
  const { asked = {}, arrived = {}, aborted, cut, ...rest } = more;
  const client: Exchange = {
    request: request(route[0] as Letter, asked),
    response: got,
    ...(aborted && { aborted: "upstream" as const }),
  };
  const upstream: Exchange = {
    request: request(route[1] as Letter, arrived),
    response: answered,
    ...(cut && { aborted: "upstream" as const }),
  };
  return outcomes(compared(route, client, [upstream], rest), "answer", fact);
}

export const chatText = (content: string | null, more: Body = {}, finish = "stop"): Body => ({
  id: "1",
  object: "chat.completion",
  created: 1,
  model: "x",
  choices: [{ index: 0, message: { role: "assistant", content, ...more }, finish_reason: finish }],
});

export const message = (content: unknown, stop_reason = "end_turn", more: Body = {}): Body => ({
  id: "1",
  type: "message",
  role: "assistant",
  model: "x",
  content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 5 },
  ...more,
});

export const candidate = (parts: unknown, finishReason = "STOP", more: Body = {}): Body => ({
  candidates: [
    {
      index: 0,
      content: { role: "model", parts: typeof parts === "string" ? [{ text: parts }] : parts },
      finishReason,
    },
  ],
  ...more,
});
