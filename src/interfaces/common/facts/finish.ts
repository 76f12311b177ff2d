/** The meaning of the words with which interfaces say why a reply ended. */
import type { Finish, FinishReason } from "./model.ts";

/** The meanings of each word; one with several is the only word for all of them. */
export type FinishWords = Readonly<Record<string, readonly FinishReason[]>>;

/** A word as it was sent, with its meanings; `other` where it is none of the interface. */
export const finishOf = (word: string, words: FinishWords): Finish => ({
  word,
  means: Object.hasOwn(words, word) ? words[word]! : ["other"],
});
