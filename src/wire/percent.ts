/** Percent-encodes texts for addresses, also those that hold half of a surrogate pair, on which `encodeURIComponent` throws. */

/** The text as a component of a URL; what is no character becomes the replacement character. */
// biome-ignore lint/style/noRestrictedGlobals: this is the one place that makes the text well-formed.
export const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());
