/** Breaks one fact of a streamed answer, piece by piece. */
import type { AnswerPiece } from "../../interfaces/common/facts/write.ts";
import { call, otherFinish, otherUsage } from "./break-answer.ts";
import type { Breakage } from "./breakage.ts";

/** The change to the pieces of a stream that changes the whole answer so. */
export function piecesChanged(fact: string, how: Breakage): () => (piece: AnswerPiece) => readonly AnswerPiece[] {
  const kinds: Readonly<Record<string, readonly AnswerPiece["kind"][]>> = {
    text: ["text", "refusal"],
    "tool-calls": ["call", "arguments"],
    thinking: ["thinking"],
    media: ["medium"],
    "log-probabilities": ["logs"],
    sources: ["sources"],
    usage: ["usage"],
  };
  return () => {
    const begun = new Set<number>();
    return (piece) => {
      if (how === "drop" && kinds[fact]?.includes(piece.kind)) return [];
      if (fact === "choices" && "choice" in piece)
        return how === "drop"
          ? piece.choice > 0
            ? []
            : [piece]
          : [
              { ...piece, choice: 2 * piece.choice },
              { ...piece, choice: 2 * piece.choice + 1 },
            ];
      if (how === "change" && fact === "text" && piece.kind === "text") return [{ ...piece, text: `${piece.text}!` }];
      if (how === "change" && fact === "thinking" && piece.kind === "thinking") return [{ ...piece, text: "Changed." }];
      if (how === "change" && fact === "tool-calls" && piece.kind === "call") return [{ ...piece, name: "changed" }];
      if (how === "change" && fact === "usage" && piece.kind === "usage")
        return [{ ...piece, usage: otherUsage(piece.usage) }];
      if (how === "change" && fact === "finish" && piece.kind === "finish")
        return [{ ...piece, finish: otherFinish(piece.finish) }];
      if (fact === "error" && piece.kind === "error")
        return how === "drop"
          ? [{ kind: "finish", choice: 0, finish: { word: "", means: ["natural"] } }, { kind: "end" }]
          : [
              {
                kind: "error",
                error: { class: piece.error.class === "rate" ? "server" : "rate", message: "Changed." },
              },
            ];
      if (how === "invent" && piece.kind === "finish" && !begun.has(piece.choice)) {
        begun.add(piece.choice);
        const { choice } = piece;
        if (fact === "tool-calls")
          return [{ choice, call: 99, ...call }, { kind: "arguments", choice, call: 99, text: "{}" }, piece];
        if (fact === "thinking") return [{ kind: "thinking", choice, text: "Nobody thought this." }, piece];
        if (fact === "error") return [{ kind: "error", error: { class: "server", message: "Invented." } }];
      }
      return [piece];
    };
  };
}
