/** Writes what an answer says as a reply of generate-content, whole or as events. */
import { sseEvent } from "../../../wire/build.ts";
import type { AnswerFacts, ChoiceFacts, ErrorFacts, FinishReason, Part, UsageFacts } from "../../common/facts/model.ts";
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
import { failures } from "../errors.ts";

type Json = Record<string, unknown>;

const words: Readonly<Partial<Record<FinishReason, string>>> = {
  length: "MAX_TOKENS",
  filter: "SAFETY",
  other: "OTHER",
};

function usageOf(usage: UsageFacts): Json {
  const { input, output } = countsOf(usage, { cached: true, thinking: false });
  const { cached = 0, thinking = 0 } = usage;
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output + thinking,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    ...(thinking > 0 && { thoughtsTokenCount: thinking }),
  };
}

function partOf(part: Part): readonly Json[] {
  switch (part.kind) {
    case "text":
    case "refusal":
      return [{ text: part.text }];
    case "thinking":
      return [{ text: part.text, thought: true }];
    case "call":
      return [{ functionCall: { name: part.name, args: argumentsObject(part.arguments) } }];
    case "image":
    case "audio":
      return [{ inlineData: { mimeType: part.mediaType ?? "audio/wav", data: part.data ?? "" } }];
    default:
      return [];
  }
}

const contentOf = (parts: readonly Json[]): Json => ({ content: { parts, role: "model" } });

const logsOf = (logs: NonNullable<ChoiceFacts["logs"]>): Json => ({ chosenCandidates: logs });

const sourcesOf = (sources: readonly string[]): Json => ({
  groundingChunks: sources.map((uri) => ({ web: { uri, title: uri } })),
});

const candidateOf = ({ index, parts, finish, logs, sources }: ChoiceFacts): Json => ({
  ...contentOf(parts.flatMap(partOf)),
  finishReason: finish ? wordFor(finish, words, "STOP") : "STOP",
  index,
  ...(logs && { logprobsResult: logsOf(logs) }),
  ...(sources && { groundingMetadata: sourcesOf(sources) }),
});

/** A whole reply. */
export const writeAnswer = ({ choices, usage }: AnswerFacts, { id, model }: Written): Json => ({
  candidates: inOrder(choices).map(candidateOf),
  ...(usage && { usageMetadata: usageOf(usage) }),
  modelVersion: model,
  responseId: id,
});

function bodyOf(status: number, { message = "The upstream failed." }: ErrorFacts): Json {
  const [, name] = failures.find(([one]) => one === status) ?? [500, "INTERNAL"];
  return { error: { code: status, message, status: name } };
}

/** A failed reply. */
export function writeError(error: ErrorFacts): WrittenError {
  const status = error.class === "server" && error.status === 504 ? 504 : statusOf[error.class];
  return { status, body: bodyOf(status, error) };
}

export function createEncoder({ id, model }: Written): StreamEncoder {
  let usage: UsageFacts | undefined;
  /** Calls of each choice that wait for the rest of their arguments. */
  const calls = new Map<number, { name: string | undefined; text: string }>();
  const event = (more: Json): string => sseEvent({ ...more, modelVersion: model, responseId: id });
  const candidate = (index: number, more: Json): string => event({ candidates: [{ ...more, index }] });

  const called = (choice: number): string => {
    const call = calls.get(choice);
    if (!call) return "";
    calls.delete(choice);
    return candidate(choice, contentOf([{ functionCall: { name: call.name, args: argumentsObject(call.text) } }]));
  };

  const ofChoice = (piece: Extract<AnswerPiece, { choice: number }>): string => {
    const { choice, kind } = piece;
    if (kind === "arguments") {
      const call = calls.get(choice);
      if (call) call.text += piece.text;
      return "";
    }
    const before = called(choice);
    if (kind === "call") {
      calls.set(choice, { name: piece.name, text: "" });
      return before;
    }
    if (kind === "finish") return before + candidate(choice, { finishReason: wordFor(piece.finish, words, "STOP") });
    if (kind === "logs") return before + candidate(choice, { logprobsResult: logsOf(piece.logs) });
    if (kind === "sources") return before + candidate(choice, { groundingMetadata: sourcesOf(piece.sources) });
    return (
      before + candidate(choice, contentOf([...partOf(kind === "medium" ? piece.medium : { kind, text: piece.text })]))
    );
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
        return usage ? event({ usageMetadata: usageOf(usage) }) : "";
      default:
        return ofChoice(piece);
    }
  };
}
