/** Takes the word out of a reply in JSON, where a client asked for one of several words and the upstream could only be asked for JSON. */
import type { AnswerFacts, Part } from "../../interfaces/common/facts/model.ts";
import type { AnswerPiece } from "../../interfaces/common/facts/write.ts";
import { parseJson } from "../../wire/json.ts";

/** The word that a JSON text says; the text itself where it is none. */
function wordIn(text: string): string {
  const json = parseJson(text);
  return json.ok && typeof json.value === "string" ? json.value : text;
}

/** A whole reply with its texts as words. */
export const asWords = (answer: AnswerFacts): AnswerFacts => ({
  ...answer,
  choices: answer.choices.map((choice) => ({
    ...choice,
    parts: choice.parts.map((part): Part => (part.kind === "text" ? { ...part, text: wordIn(part.text) } : part)),
  })),
});

/** Pieces of a stream, each choice's text held until it ends. */
export function createWordPieces(): (piece: AnswerPiece) => readonly AnswerPiece[] {
  const held = new Map<number, string>();
  return (piece) => {
    if (piece.kind === "text") {
      held.set(piece.choice, (held.get(piece.choice) ?? "") + piece.text);
      return [];
    }
    const text = piece.kind === "finish" ? held.get(piece.choice) : undefined;
    return text !== undefined && piece.kind === "finish"
      ? [{ kind: "text", choice: piece.choice, text: wordIn(text) }, piece]
      : [piece];
  };
}
