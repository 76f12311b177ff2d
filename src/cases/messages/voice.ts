/** Says speeches as messages. */
import { jsonRequest } from "../../wire/build.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { HandedCall } from "../observation.ts";
import type { Speech, SpeechPart } from "../speech.ts";
import type { GoodEvent, Json, OfferedTool, Voice } from "../voice.ts";

const reasons = {
  stop: "end_turn",
  length: "max_tokens",
  filter: "refusal",
  calls: "tool_use",
  sequence: "stop_sequence",
};

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const key = [
  ["x-api-key", "case-key"],
  ["anthropic-version", "2023-06-01"],
] as const;

function ask(_request: WireRequest, json: Json, text: string): WireRequest {
  return jsonRequest("/v1/messages", key, {
    model: typeof json["model"] === "string" ? json["model"] : "model",
    max_tokens: 4096,
    ...(json["stream"] === true && { stream: true }),
    messages: [{ role: "user", content: `[[say:${text}]]` }],
  });
}

function tools(json: Json): OfferedTool[] {
  const last = listIn(json["messages"]).at(-1);
  const isResult = listIn(last?.["content"]).some(({ type }) => type === "tool_result");
  if (isResult || (isObject(json["tool_choice"]) && json["tool_choice"]["type"] === "none")) return [];
  return listIn(json["tools"]).flatMap(({ name, input_schema }) =>
    typeof name === "string" && isObject(input_schema) ? [{ name, schema: input_schema }] : [],
  );
}

const callsIn = (json: Json): HandedCall[] =>
  listIn(json["messages"]).flatMap(({ role, content }) =>
    role !== "assistant"
      ? []
      : listIn(content).flatMap(({ type, name, input }) =>
          type === "tool_use" ? [{ name: String(name), arguments: JSON.stringify(input) }] : [],
        ),
  );

const named = (data: Json): GoodEvent => ({ event: String(data["type"]), data });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return {};
  }
}

/** A block of a whole message. */
export function blockOf(part: SpeechPart, at: number): Json {
  const text = part.pieces.join("");
  if (part.kind === "call")
    return { type: "tool_use", id: part.id ?? `toolu_case${at}`, name: part.name, input: parsed(text) };
  if (part.kind === "thinking") return { type: "thinking", thinking: text, signature: "c2lnbmVk" };
  return { type: "text", text };
}

/** The events of one block. */
export function* blockEvents(part: SpeechPart, index: number): Generator<GoodEvent> {
  const delta = (change: Json): GoodEvent => named({ type: "content_block_delta", index, delta: change });
  const start = (content_block: Json): GoodEvent => named({ type: "content_block_start", index, content_block });
  if (part.kind === "call") {
    yield start({ ...blockOf(part, index), input: {} });
    for (const partial_json of part.pieces) yield delta({ type: "input_json_delta", partial_json });
  } else if (part.kind === "thinking") {
    yield start({ type: "thinking", thinking: "", signature: "" });
    for (const thinking of part.pieces) yield delta({ type: "thinking_delta", thinking });
    yield delta({ type: "signature_delta", signature: "c2lnbmVk" });
  } else {
    yield start({ type: "text", text: "" });
    for (const text of part.pieces) yield delta({ type: "text_delta", text });
  }
  yield named({ type: "content_block_stop", index });
}

function events(template: readonly GoodEvent[], { parts, end }: Speech): GoodEvent[] {
  const start = template[0]!;
  const [last, stop] = template.slice(-2) as [GoodEvent, GoodEvent];
  const data = last.data as Json & { readonly delta: Json };
  const ended = { ...data, delta: { ...data.delta, stop_reason: reasons[end] } };
  return [start, ...parts.flatMap((part, i) => [...blockEvents(part, i)]), named(ended), stop];
}

function body(template: unknown, { parts, end }: Speech): unknown {
  return { ...(template as Json), content: parts.map(blockOf), stop_reason: reasons[end] };
}

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  429: "rate_limit_error",
};

/** The JSON that reports a failure of this status. */
const failure: Voice["failure"] = (status, message) => ({
  type: "error",
  error: {
    type: errorTypes[status] ?? (status >= 500 ? "server_error" : "invalid_request_error"),
    message,
    code: `status_${status}`,
  },
});

export const voice: Voice = {
  interface: "messages",
  ask,
  tools,
  callsIn,
  events,
  body,
  stream: {
    beginsWithText: false,
    endingEvents: 3,
    failure: (message) => ({ event: "error", data: failure(529, message) }),
  },
  failure,
};
