/** Marks an `actual` that is a phrase of ours, so that it prints without quotes. */

/** Shared by all copies of this module: the code of a user's own may bring one. */
const said: unique symbol = Symbol.for("touchstone.words");

export interface Words {
  readonly [said]: string;
}

/** `inWords("no candidate")` as the `actual` of a violation reads: expected a finishReason, got no candidate. */
export const inWords = (text: string): Words => ({ [said]: text });

/** The words, where a value is made of them. */
export const wordsOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && said in value ? (value as Words)[said] : undefined;
