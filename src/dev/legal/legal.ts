/** Legal exchanges without end: what the documents allow, in every way the wire can carry it. */
import type { Example } from "../../check/example.ts";
import { exchangeOf, type FormField, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import type { Exchange, HeaderPairs, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { type Chance, createChance } from "./chance.ts";
import { chatList, chatMessageList, chatReply } from "./chat-reply.ts";
import { chatRequest } from "./chat-request.ts";
import { chatStream } from "./chat-stream.ts";
import { withExtras } from "./extras.ts";
import { writeForm } from "./form.ts";
import { generateFailure, generateReply, generateStream } from "./generate-reply.ts";
import { generateRequest } from "./generate-request.ts";
import { editForm, generationRequest, imageReply, variationForm } from "./images.ts";
import { messagesFailure, messagesReply, messagesStream } from "./messages-reply.ts";
import { messagesRequest } from "./messages-request.ts";
import { rewired } from "./wire.ts";

export interface LegalExchange {
  /** Its origin, in words. */
  readonly name: string;
  readonly exchange: Exchange;
}

const bearer: HeaderPairs = [["Authorization", "Bearer sk-\u00e9"]];
/** Now and then a stream ends in an error, in whatever shape: none is documented. */
const failing = (events: readonly unknown[], chance: Chance): readonly unknown[] => {
  if (!chance.once(12)) return events;
  const error = { type: "overloaded_error", message: "no", code: 529 };
  return [...events.slice(0, chance.below(events.length)), { type: "error", error }];
};
const success = (body: unknown, { pick }: Chance): WireResponse => jsonResponse(body, pick([200, 200, 201, 202]));
const streamed = (
  events: readonly unknown[],
  label: (event: unknown) => string | undefined = () => undefined,
): WireResponse => streamResponse(events.map((event) => sseEvent(event, label(event))));

/** Any failure at all: chat and images show no shape of it. */
const anyFailure = ({ pick }: Chance): WireResponse =>
  pick([
    jsonResponse({ error: { message: "no", type: "x", code: null } }, pick([400, 401, 403, 404, 422, 429, 500, 503])),
    { status: 502, headers: [["content-type", "text/html"]], body: Buffer.from("<h1>Bad gateway</h1>") },
    { status: 500, headers: [], body: new Uint8Array() },
  ]);

function chat(chance: Chance): Exchange {
  if (chance.once(30)) {
    const ofMessages = chance.once(2);
    const target = `/v1/chat/completions${ofMessages ? "/chatcmpl-3/messages" : ""}?limit=3`;
    const body = ofMessages ? chatMessageList(chance) : chatList(chance);
    return exchangeOf({ method: "GET", target, headers: bearer, body: new Uint8Array() }, success(body, chance));
  }
  const asked = chatRequest(chance);
  const request = jsonRequest("/v1/chat/completions", bearer, asked);
  if (chance.once(10)) return exchangeOf(request, chance.once(2) ? null : anyFailure(chance));
  return exchangeOf(
    request,
    asked["stream"] === true
      ? streamed(failing(chatStream(asked, chance), chance))
      : success(chatReply(asked, chance), chance),
  );
}

const beta: readonly HeaderPairs[] = [
  [],
  [["partner-beta", "beta1,beta2"]],
  [["partner-beta", " beta1 , beta2 "]],
  [
    ["partner-beta", "beta1"],
    ["partner-beta", "beta2"],
  ],
];

function messages(chance: Chance): Exchange {
  const asked = messagesRequest(chance);
  const version = chance.pick(["2023-06-01", "2099-01-01", "v7"]);
  const request = jsonRequest(
    "/v1/messages",
    [["x-api-key", "sk-1"], ["partner-version", version], ...chance.pick(beta)],
    asked,
  );
  if (chance.once(10)) {
    const [status, body] = messagesFailure(chance);
    return exchangeOf(request, chance.once(3) ? null : jsonResponse(body, status));
  }
  const typeOf = chance.once(2) ? (event: unknown) => (event as { type?: string }).type ?? "done" : () => undefined;
  return exchangeOf(
    request,
    asked["stream"] === true
      ? streamed(failing(messagesStream(asked, chance), chance), typeOf)
      : success(messagesReply(asked, chance), chance),
  );
}

function generate(chance: Chance): Exchange {
  const { said, sent } = generateRequest(chance);
  const streams = chance.once(2);
  const verb = streams ? "streamGenerateContent" : "generateContent";
  const model = chance.pick(["gemini-2.0-flash", "a", "model_1.5-x%40y"]);
  // A key in a header is no documented place, but a credential all the same.
  const [key, headers] = chance.pick<readonly [string, HeaderPairs]>([
    ["key=k%2B1", []],
    ["key=k", []],
    ["", [["x-goog-api-key", "k"]]],
    ["", bearer],
  ]);
  const query = [streams ? "alt=sse" : "", key].filter((part) => part !== "").join("&");
  const request = jsonRequest(`/v1beta/models/${model}:${verb}?${query}`, headers, sent);
  if (chance.once(10)) {
    const [status, body] = generateFailure(chance);
    return exchangeOf(request, chance.once(3) ? null : jsonResponse(body, status));
  }
  return exchangeOf(
    request,
    streams ? streamed(failing(generateStream(said, chance), chance)) : success(generateReply(said, chance), chance),
  );
}

function formRequest(operation: string, fields: readonly FormField[], chance: Chance): WireRequest {
  const { contentType, body } = writeForm(fields, chance);
  return {
    method: "POST",
    target: `/v1/images/${operation}`,
    headers: [...bearer, ["Content-Type", contentType]],
    body,
  };
}

function images(chance: Chance): Exchange {
  const answer = (asked: Readonly<Record<string, unknown>>): WireResponse | null =>
    chance.once(8) ? chance.pick([null, anyFailure(chance)]) : success(imageReply(asked, chance), chance);
  const kind = chance.below(3);
  if (kind === 0) {
    const asked = generationRequest(chance);
    return exchangeOf(jsonRequest("/v1/images/generations", bearer, asked), answer(asked));
  }
  const fields = kind === 1 ? editForm(chance) : variationForm(chance);
  return exchangeOf(
    formRequest(kind === 1 ? "edits" : "variations", fields, chance),
    answer(Object.fromEntries(fields)),
  );
}

const makers: Readonly<Record<string, (chance: Chance) => Exchange>> = {
  "chat-completions": chat,
  messages,
  "generate-content": generate,
  images,
};
export const interfaceNames = Object.keys(makers);

/** Bodies beyond this are sent as they are, since rewriting megabytes takes longer than judging them. */
const maxBytes = 1 << 17;

/** One of the good examples whose request is in order too, or one made up, sent in some way. */
export function legalExchange(of: string, goods: readonly Example[], seed: number): LegalExchange {
  const chance = createChance(seed);
  const example = goods.length > 0 && chance.once(3) ? chance.pick(goods) : undefined;
  const said = example?.exchange ?? makers[of]!(chance);
  const exchange = example && chance.once(2) ? withExtras(said, chance) : said;
  const isLong = exchange.request.body.length + (exchange.response?.body.length ?? 0) > maxBytes;
  return { name: example?.name ?? "made up", exchange: isLong ? exchange : rewired(exchange, chance) };
}
