/** Writes what an answer says as a reply of messages, whole or as events. */
import { sseEvent } from "../../../wire/build.ts";
import type { AnswerFacts, ErrorFacts, Finish, FinishReason, Part, UsageFacts } from "../../common/facts/model.ts";
import {
  type AnswerPiece,
  argumentsObject,
  countsOf,
  inOrder,
  type StreamEncoder,
  statusOf,
  type Written,
  type WrittenError,
  wordFor,
} from "../../common/facts/write.ts";

type Json = Record<string, unknown>;

const words: Readonly<Partial<Record<FinishReason, string>>> = {
  length: "max_tokens",
  tool: "tool_use",
  "stop-sequence": "stop_sequence",
};

function usageOf(usage: UsageFacts): Json {
  const { input, output } = countsOf(usage, { cached: false, thinking: true });
  const { cached = 0, stored = 0 } = usage;
  return {
    // The document wants more than none.
    input_tokens: Math.max(1, input),
    output_tokens: Math.max(1, output),
    ...(cached > 0 && { cache_read_input_tokens: cached }),
    ...(stored > 0 && { cache_creation_input_tokens: stored }),
  };
}

function blocksOf(parts: readonly Part[]): readonly Json[] {
  let calls = 0;
  return parts.flatMap((part): Json[] => {
    if (part.kind === "text" || part.kind === "refusal")
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    if (part.kind === "thinking") return [{ type: "thinking", thinking: part.text, signature: part.signature ?? "" }];
    if (part.kind !== "call") return [];
    calls++;
    return [
      { type: "tool_use", id: part.id ?? `call_${calls}`, name: part.name, input: argumentsObject(part.arguments) },
    ];
  });
}

const endOf = (finish: Finish | undefined): Json => ({
  stop_reason: finish ? wordFor(finish, words, "end_turn") : "end_turn",
  stop_sequence: finish?.sequence ?? null,
});

/** A whole reply: the first choice, since the interface has only one. */
export function writeAnswer({ choices, usage }: AnswerFacts, { id, model }: Written): Json {
  const [first] = inOrder(choices);
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: blocksOf(first?.parts ?? []),
    ...endOf(first?.finish),
    usage: usage ? usageOf(usage) : { input_tokens: 1, output_tokens: 1 },
  };
}

const types: Partial<Record<ErrorFacts["class"], string>> = {
  key: "authentication_error",
  rate: "rate_limit_error",
  server: "server_error",
  overloaded: "server_error",
  unknown: "server_error",
};

const bodyOf = ({ class: kind, message }: ErrorFacts): Json => ({
  type: "error",
  error: { type: types[kind] ?? "invalid_request_error", message: message ?? "The upstream failed.", code: kind },
});

/** A failed reply. */
export const writeError = (error: ErrorFacts): WrittenError => ({
  status: error.class === "server" && error.status !== undefined ? error.status : statusOf[error.class],
  body: bodyOf(error),
});

const event = (data: Json): string => sseEvent(data, String(data["type"]));

export function createEncoder({ id, model }: Written): StreamEncoder {
  let open: { readonly index: number; readonly type: string } | undefined;
  let next = 0;
  let isStarted = false;
  let finish: Finish | undefined;
  let usage: UsageFacts | undefined;
  const blockOfCall = new Map<number, number>();

  const start = (): string => {
    if (isStarted) return "";
    isStarted = true;
    // Counts come at the end; clients add to an object that has to be there.
    const used = usage ? usageOf(usage) : { input_tokens: 1, output_tokens: 1 };
    const message = {
      id,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: used,
    };
    return event({ type: "message_start", message });
  };
  const close = (): string => {
    if (!open) return "";
    const { index } = open;
    open = undefined;
    return event({ type: "content_block_stop", index });
  };
  const begin = (block: Json): string => {
    const text = start() + close();
    open = { index: next++, type: String(block["type"]) };
    return text + event({ type: "content_block_start", index: open.index, content_block: block });
  };
  const delta = (index: number, change: Json): string => event({ type: "content_block_delta", index, delta: change });

  const spoken = (type: "text" | "thinking", text: string): string => {
    const begun =
      open?.type === type ? "" : begin(type === "text" ? { type, text: "" } : { type, thinking: "", signature: "" });
    return (
      begun +
      delta(open!.index, type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text })
    );
  };

  const ofChoice = (piece: AnswerPiece): string => {
    switch (piece.kind) {
      case "text":
      case "refusal":
        return spoken("text", piece.text);
      case "thinking":
        return spoken("thinking", piece.text);
      case "call": {
        const text = begin({ type: "tool_use", id: piece.id ?? `call_${piece.call + 1}`, name: piece.name, input: {} });
        blockOfCall.set(piece.call, open!.index);
        return text;
      }
      case "arguments":
        return delta(blockOfCall.get(piece.call) ?? open?.index ?? 0, {
          type: "input_json_delta",
          partial_json: piece.text,
        });
      case "finish":
        finish = piece.finish;
        return "";
      default:
        return "";
    }
  };

  return (piece) => {
    if (piece.kind === "start" || piece.kind === "usage") {
      usage = piece.usage ?? usage;
      return piece.kind === "start" ? start() : "";
    }
    if (piece.kind === "error") return event(bodyOf(piece.error));
    if (piece.kind === "end") {
      const used = usage ? usageOf(usage) : { input_tokens: 1, output_tokens: 1 };
      const last = { type: "message_delta", delta: { ...endOf(finish), usage: used }, usage: used };
      return start() + close() + event(last) + event({ type: "message_stop" });
    }
    // The interface has only one choice.
    return piece.choice === 0 ? ofChoice(piece) : "";
  };
}
