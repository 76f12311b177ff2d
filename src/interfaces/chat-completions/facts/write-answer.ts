/** Writes what an answer says as a chat reply, whole or in chunks. */
import { sseEvent } from "../../../wire/build.ts";
import type {
  AnswerFacts,
  CallPart,
  ChoiceFacts,
  ErrorFacts,
  Finish,
  FinishReason,
  MediaPart,
  Part,
  UsageFacts,
} from "../../common/facts/model.ts";
import {
  type AnswerPiece,
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
  length: "length",
  tool: "tool_calls",
  filter: "content_filter",
};

/** An hour, in seconds: how long a sound can be used. */
const soundLasts = 3_600;

function usageOf(usage: UsageFacts): Json {
  const { input, output } = countsOf(usage, { cached: true, thinking: true });
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(usage.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
    ...(usage.thinking !== undefined && { completion_tokens_details: { reasoning_tokens: usage.thinking } }),
  };
}

const callOf = ({ id, name, arguments: given }: CallPart, position: number): Json => ({
  id: id ?? `call_${position + 1}`,
  type: "function",
  function: { name, arguments: given },
});

const functionOf = ({ name, arguments: given }: CallPart): Json => ({ name, arguments: given });

function wordOf(finish: Finish, { asked }: Written): string {
  const word = wordFor(finish, words, "stop");
  return asked.usesFunctions && word === "tool_calls" ? "function_call" : word;
}

/** The tier that served a request which named one: no other interface has tiers. */
const tierOf = ({ asked: { settings } }: Written): Json =>
  settings["service-tier"] === undefined ? {} : { service_tier: "default" };

const soundOf = ({ data, transcript }: MediaPart, { created, id }: Written): Json => ({
  id: `audio_${id}`,
  data: data ?? "",
  transcript: transcript ?? "",
  expires_at: created + soundLasts,
});

const logOf = ({ token, logProbability }: NonNullable<ChoiceFacts["logs"]>[number]): Json => ({
  token,
  logprob: logProbability,
  bytes: [...Buffer.from(token)],
  top_logprobs: [],
});

const sourceOf = (url: string, length: number): Json => ({
  type: "url_citation",
  url_citation: { start_index: 0, end_index: length, url, title: url },
});

const textsOf = (parts: readonly Part[], kind: "text" | "refusal" | "thinking"): string =>
  parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join("");

function choiceOf({ index, parts, finish, logs, sources }: ChoiceFacts, written: Written): Json {
  const { asked } = written;
  const calls = parts.filter((part) => part.kind === "call");
  const sound = parts.find((part): part is MediaPart => part.kind === "audio");
  const [text, refusal, thoughts] = [textsOf(parts, "text"), textsOf(parts, "refusal"), textsOf(parts, "thinking")];
  return {
    index,
    message: {
      role: "assistant",
      content: text === "" && (calls.length > 0 || refusal !== "" || sound) ? null : text,
      refusal: refusal === "" ? null : refusal,
      // No document has it; clients of services look for it there.
      ...(thoughts !== "" && { reasoning_content: thoughts }),
      ...(calls.length > 0 &&
        (asked.usesFunctions ? { function_call: functionOf(calls[0]!) } : { tool_calls: calls.map(callOf) })),
      ...(sound && { audio: soundOf(sound, written) }),
      ...(sources && { annotations: sources.map((url) => sourceOf(url, text.length)) }),
    },
    logprobs: logs ? { content: logs.map(logOf), refusal: null } : null,
    finish_reason: finish ? wordOf(finish, written) : "stop",
  };
}

/** A whole reply. */
export function writeAnswer({ choices, usage }: AnswerFacts, written: Written): Json {
  const { id, created, model } = written;
  return {
    id,
    object: "chat.completion",
    created,
    model,
    ...tierOf(written),
    choices: inOrder(choices).map((choice) => choiceOf(choice, written)),
    ...(usage && { usage: usageOf(usage) }),
  };
}

/** A failed reply. */
export function writeError({ class: kind, message, status }: ErrorFacts): WrittenError {
  const type = kind === "server" || kind === "overloaded" ? "server_error" : "invalid_request_error";
  return {
    status: kind === "server" && status !== undefined ? status : statusOf[kind],
    body: { error: { message: message ?? "The upstream failed.", type, param: null, code: kind.replaceAll("-", "_") } },
  };
}

/** The delta that a piece becomes. */
function deltaOf(piece: AnswerPiece, written: Written): Json | undefined {
  switch (piece.kind) {
    case "text":
      return { content: piece.text };
    case "refusal":
      return { refusal: piece.text };
    case "thinking":
      return { reasoning_content: piece.text };
    case "call": {
      const called = { name: piece.name, arguments: "" };
      if (written.asked.usesFunctions) return { function_call: called };
      return {
        tool_calls: [
          { index: piece.call, id: piece.id ?? `call_${piece.call + 1}`, type: "function", function: called },
        ],
      };
    }
    case "arguments":
      if (written.asked.usesFunctions) return { function_call: { arguments: piece.text } };
      return { tool_calls: [{ index: piece.call, function: { arguments: piece.text } }] };
    case "medium":
      return piece.medium.kind === "audio" ? { audio: soundOf(piece.medium, written) } : undefined;
    case "sources":
      return { annotations: piece.sources.map((url) => sourceOf(url, 0)) };
    default:
      return undefined;
  }
}

/** @param asksUsage whether the client asked its stream for usage */
export function createEncoder(written: Written, asksUsage: boolean): StreamEncoder {
  const { id, created, model } = written;
  const begun = new Set<number>();
  let usage: UsageFacts | undefined;
  const chunk = (choices: readonly Json[], used: Json | null = null): string =>
    sseEvent({
      id,
      object: "chat.completion.chunk",
      created,
      model,
      ...tierOf(written),
      choices,
      ...(asksUsage && { usage: used }),
    });
  const ofChoice = (index: number, delta: Json, more: Json = {}): string => {
    const start = begun.has(index)
      ? ""
      : chunk([{ index, delta: { role: "assistant", content: "" }, finish_reason: null }]);
    begun.add(index);
    return start + chunk([{ index, delta, finish_reason: null, ...more }]);
  };
  return (piece) => {
    switch (piece.kind) {
      case "start":
        return "";
      case "usage":
        usage = piece.usage;
        return "";
      case "error":
        return sseEvent(writeError(piece.error).body);
      case "end":
        return `${asksUsage && usage ? chunk([], usageOf(usage)) : ""}${sseEvent("[DONE]")}`;
      case "finish":
        return ofChoice(piece.choice, {}, { finish_reason: wordOf(piece.finish, written) });
      case "logs":
        return ofChoice(piece.choice, {}, { logprobs: { content: piece.logs.map(logOf), refusal: null } });
      default: {
        const delta = deltaOf(piece, written);
        return delta ? ofChoice(piece.choice, delta) : "";
      }
    }
  };
}
