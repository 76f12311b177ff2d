/** Some differences of a stream are its own doing, and others may be a model's choice. */
import { expect, test } from "vitest";
import { replaceText } from "../../../replace-text.test-kit.ts";
import { mechanicalForm } from "./mechanical.ts";

const whole = "Größe zählt: the 木星 is 😀 big, and so is the sun.";
const piecesOf = (text: string): string[] => text.match(/\s*\S+/gu) ?? [];
const told = piecesOf(whole);
const formOf = (pieces: readonly string[], of = whole, sameCount = false) =>
  mechanicalForm({ pieces, streamed: pieces.join(""), whole: of, sameCount });
const twice = (text: string, as: "latin1" | "windows-1252"): string =>
  as === "latin1"
    ? Buffer.from(text).toString("latin1")
    : text
        .replaceAll("ö", "Ã¶")
        .replaceAll("ä", "Ã¤")
        .replaceAll("ß", "ÃŸ")
        .replaceAll("😀", "ðŸ˜€")
        .replaceAll("木星", "æœ¨æ˜Ÿ");

test.each<[string, readonly string[], string]>([
  ["each event repeats all before it", told.map((_, i) => told.slice(0, i + 1).join("")), "repeats what came before"],
  ["blanks before words are lost", told.map((piece) => piece.trim()), "only blanks differ"],
  ["line ends are lost", [replaceText(whole, / /g, "\n")], "only blanks differ"],
  ["the first piece comes twice", ["Größe", ...told], "a part comes twice"],
  ["every piece comes twice", told.flatMap((piece) => [piece, piece]), "a part comes twice"],
  ["the last event brings it all again", [...told, whole], "a part comes twice"],
  ["two neighbours change places", told.with(3, told[4]!).with(4, told[3]!), "in another order"],
  ["the last comes first", told.toReversed(), "in another order"],
  ["bytes were no UTF-8", told.map((piece) => piece.replace("ö", "\u{fffd}\u{fffd}")), "U+FFFD"],
  ["UTF-8 was taken for Latin-1", told.map((piece) => twice(piece, "latin1")), "encoded twice"],
  ["UTF-8 was taken for a code page", told.map((piece) => twice(piece, "windows-1252")), "encoded twice"],
  ["other words, in UTF-8 encoded twice", [twice("Die Größe zählt mehr.", "latin1")], "encoded twice"],
  ["a pair is cut in two events", whole.split(""), "surrogate"],
])("told: %s", (_how, pieces, says) => {
  expect(formOf(pieces) ?? "").toContain(says);
});

test("the same text in other pieces is the same", () => {
  expect(formOf([...whole])).toBeUndefined();
});

test.each<[string, string, string]>([
  ["other words", "Jupiter is the largest.", "The largest one is Jupiter."],
  ["words that changed places", "They are Jupiter and Saturn.", "They are Saturn and Jupiter."],
  ["words that changed places, without blanks", "我和你", "你和我"],
  ["a word said twice", "a very big planet", "a very very big planet"],
  ["a syllable said twice", "慢走", "慢慢走"],
  ["one more sentence", "It is big.", "It is big. It is hot."],
  ["fewer words", "It is big. It is hot.", "It is big."],
  ["letters with accents", "Voilà.", "Là-bas, «À bientôt» et «Ça va»."],
  ["another number", "1000", "10000"],
])("left to the model: %s", (_how, one, other) => {
  expect(formOf(piecesOf(other), one)).toBeUndefined();
  expect(formOf([...other], one)).toBeUndefined();
});

test("a word said twice of as many tokens was not said by the model", () => {
  expect(formOf(piecesOf("a very very big planet"), "a very big planet", true)).toContain("twice");
});
