/** A search sorts hits by how well they fit, and marks them. */
import { expect, test } from "vitest";
import { piecesOf, rankOf } from "./relevance.ts";

test("a text that begins with the search comes before one that holds it, and that before one that holds its words apart", () => {
  const texts = ["the id of a choice", "choices[].index is unique", "a multichoice", "an index of each choice", "no"];
  const rank = (text: string): number => rankOf(text, ["choice"]);
  expect(texts.map(rank)).toEqual([0, 0, 1, 0, 3]);
  expect(rankOf("index of each choice", ["choice", "index"])).toBe(2);
});

test("hits are marked in any case, the longest of those that begin at one place", () => {
  const marked = (text: string, ...words: string[]): string =>
    piecesOf(text, words)
      .map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
      .join("");
  expect(marked("The Choice of choices", "choice")).toBe("The [Choice] of [choice]s");
  expect(marked("tool_choice", "tool", "tool_ch")).toBe("[tool_ch]oice");
  expect(marked("nothing", "else")).toBe("nothing");
  expect(marked("as it stands")).toBe("as it stands");
  expect(marked("İstanbul", "i")).toBe("İstanbul");
});
