/** Says speeches as chat completions. */
import { jsonRequest } from "../../wire/build.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { HandedCall } from "../observation.ts";
import type { Speech, SpeechPart } from "../speech.ts";
import type { GoodEvent, Json, OfferedTool, Voice } from "../voice.ts";

const finishes = { stop: "stop", length: "length", filter: "content_filter", calls: "tool_calls", sequence: "stop" };

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Members of a request that change the shape of its answer. */
const shaping = ["model", "stream", "stream_options", "n", "logprobs", "top_logprobs", "service_tier"];

function ask(_request: WireRequest, json: Json, text: string): WireRequest {
  const taken = Object.fromEntries(shaping.flatMap((name) => (json[name] == null ? [] : [[name, json[name]]])));
  const body = { model: "model", ...taken, messages: [{ role: "user", content: `[[say:${text}]]` }] };
  return jsonRequest("/v1/chat/completions", [["Authorization", "Bearer case-key"]], body);
}

function tools(json: Json): OfferedTool[] {
  if (listIn(json["messages"]).at(-1)?.["role"] === "tool" || json["tool_choice"] === "none") return [];
  return listIn(json["tools"]).flatMap(({ function: own }) =>
    isObject(own) && typeof own["name"] === "string" ? [{ name: own["name"], schema: own["parameters"] ?? {} }] : [],
  );
}

const callsIn = (json: Json): HandedCall[] =>
  listIn(json["messages"]).flatMap((message) =>
    listIn(message["tool_calls"]).flatMap(({ function: own }) =>
      isObject(own) ? [{ name: String(own["name"]), arguments: String(own["arguments"]) }] : [],
    ),
  );

/** Ids of the calls of a speech, in the order of its parts. */
export const callId = (part: SpeechPart, at: number): string => (part.kind === "call" && part.id) || `call_case${at}`;

const chunkWith = (head: Json, delta: Json, finish: string | null = null, index = 0): GoodEvent => ({
  data: { ...head, choices: [{ index, delta, logprobs: null, finish_reason: finish }] },
});

/** The deltas that bring one part. @param index position of a call among the calls */
function* deltasOf(part: SpeechPart, index: number): Generator<Json> {
  if (part.kind === "call") {
    const first = { id: callId(part, index), type: "function", function: { name: part.name, arguments: "" } };
    yield { tool_calls: [{ index, ...first }] };
    for (const piece of part.pieces) yield { tool_calls: [{ index, function: { arguments: piece } }] };
  } else {
    const member = { text: "content", refusal: "refusal", thinking: "reasoning_content" }[part.kind];
    for (const piece of part.pieces) yield { [member]: piece };
  }
}

/** The members that all chunks of a stream share. */
export function chunkHead(template: readonly GoodEvent[]): Json {
  const { choices: _choices, ...head } = template[0]!.data as Json;
  return head;
}

function events(template: readonly GoodEvent[], { parts, end }: Speech, json: Json): GoodEvent[] {
  const head = chunkHead(template);
  const own: GoodEvent[] = [chunkWith(head, { role: "assistant", content: "", refusal: null })];
  let calls = 0;
  for (const part of parts) {
    const index = part.kind === "call" ? calls++ : 0;
    for (const delta of deltasOf(part, index)) own.push(chunkWith(head, delta));
  }
  own.push(chunkWith(head, {}, finishes[end]));
  // Further choices and the counts stay as the reference has them.
  const isOther = ({ data }: GoodEvent): boolean =>
    isObject(data) && (listIn(data["choices"])[0]?.["index"] ?? 1) !== 0 && Number(json["n"] ?? 1) > 1;
  const counts = template.filter(({ data }) => isObject(data) && isObject(data["usage"]));
  const others = template.filter((event) => isOther(event) && !counts.includes(event));
  return [...own, ...others, ...counts, { data: "[DONE]" }];
}

/** The message of a whole reply. */
function messageOf({ parts }: Speech): Json {
  const joined = (kind: SpeechPart["kind"]): string | null => {
    const all = parts.filter((part) => part.kind === kind);
    return all.length > 0 ? all.flatMap(({ pieces }) => pieces).join("") : null;
  };
  const calls = parts.flatMap((part) => (part.kind === "call" ? [part] : []));
  return {
    role: "assistant",
    content: joined("text"),
    refusal: joined("refusal"),
    annotations: [],
    ...(calls.length > 0 && {
      tool_calls: calls.map((part, i) => ({
        id: callId(part, i),
        type: "function",
        function: { name: part.name, arguments: part.pieces.join("") },
      })),
    }),
  };
}

function body(template: unknown, speech: Speech): unknown {
  const reply = template as Json;
  const [first, ...others] = listIn(reply["choices"]);
  const choice = { ...first, message: messageOf(speech), finish_reason: finishes[speech.end] };
  return { ...reply, choices: [choice, ...others] };
}

/** The JSON that reports a failure of this status. */
const failure: Voice["failure"] = (status, message) => ({
  error: {
    message,
    type: status === 429 ? "rate_limit_error" : status >= 500 ? "server_error" : "invalid_request_error",
    param: null,
    code: status === 401 ? "invalid_api_key" : null,
  },
});

export const voice: Voice = {
  interface: "chat-completions",
  ask,
  tools,
  callsIn,
  events,
  body,
  stream: { beginsWithText: false, endingEvents: 2, failure: (message) => ({ data: failure(529, message) }) },
  failure,
};
