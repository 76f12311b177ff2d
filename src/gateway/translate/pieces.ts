/** Makes the pieces of a stream of an answer that came whole. */
import type { AnswerFacts, ChoiceFacts, Part } from "../../interfaces/common/facts/model.ts";
import { type AnswerPiece, inOrder } from "../../interfaces/common/facts/write.ts";

function* piecesOfPart(choice: number, part: Part, call: number): Generator<AnswerPiece> {
  if (part.kind === "text" || part.kind === "thinking" || part.kind === "refusal")
    yield { kind: part.kind, choice, text: part.text };
  else if (part.kind === "call") {
    const { id, name, arguments: text } = part;
    yield { kind: "call", choice, call, ...(id !== undefined && { id }), ...(name !== undefined && { name }) };
    yield { kind: "arguments", choice, call, text };
  } else if (part.kind !== "result" && part.kind !== "other") yield { kind: "medium", choice, medium: part };
}

function* piecesOfChoice({ index: choice, parts, finish, logs, sources }: ChoiceFacts): Generator<AnswerPiece> {
  let calls = 0;
  for (const part of parts) yield* piecesOfPart(choice, part, part.kind === "call" ? calls++ : calls);
  if (logs) yield { kind: "logs", choice, logs };
  if (sources) yield { kind: "sources", choice, sources };
  if (finish) yield { kind: "finish", choice, finish };
}

/** All that an answer says, as its stream would bring it. */
export function* piecesOf({ id, model, choices, usage, error }: AnswerFacts): Generator<AnswerPiece> {
  if (error) {
    yield { kind: "error", error };
    return;
  }
  yield { kind: "start", ...(id !== undefined && { id }), ...(model !== undefined && { model }) };
  for (const choice of inOrder(choices)) yield* piecesOfChoice(choice);
  if (usage) yield { kind: "usage", usage };
  yield { kind: "end" };
}
