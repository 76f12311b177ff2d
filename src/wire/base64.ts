/** Judges and decodes base64 texts as reading X-BASE64 has it: either alphabet, padding optional, no white space. */

const foreign = /[^A-Za-z0-9+/_-]/;

/** Length without up to two closing `=`. */
function lengthUnpadded(text: string): number {
  if (!text.endsWith("=")) return text.length;
  return text.length - (text.endsWith("==") ? 2 : 1);
}

/** Why a text is no base64 data, as a short phrase; undefined when it is. An empty text is none. Linear, copies nothing. */
export function base64Problem(text: string): string | undefined {
  if (text.length === 0) return "the text is empty";
  const length = lengthUnpadded(text);
  const at = text.search(foreign);
  if (at >= 0 && at < length) return `character ${at} (${JSON.stringify(text[at])}) is not in the alphabet`;
  if (length < 2 || length % 4 === 1) return `${length} characters cannot stand for whole bytes`;
  return undefined;
}

/** Value of one digit of either alphabet. */
function digitOf(text: string, at: number): number {
  return Buffer.from(`AAA${text[at]}`, "base64")[2]! & 63;
}

/**
 * The blemish of decodable base64, as a short phrase; undefined for none. By default: alphabets mixed, a wrong number of `=`,
 * bits left over that are not zero. `strict` also names the URL-safe alphabet and missing padding.
 */
export function base64Blemish(text: string, strict = false): string | undefined {
  const length = lengthUnpadded(text);
  const padding = text.length - length;
  const urlSafe = /[_-]/.test(text);
  if (strict && urlSafe) return "the alphabet is the URL-safe one";
  if (urlSafe && /[+/]/.test(text)) return "both alphabets are mixed";
  const wanted = -length & 3;
  if (padding !== wanted && (padding > 0 || strict)) return `${padding} padding characters instead of ${wanted}`;
  const leftover = length % 4 === 2 ? 15 : length % 4 === 3 ? 3 : 0;
  if ((digitOf(text, length - 1) & leftover) !== 0) return "the last character holds bits that belong to no byte";
  return undefined;
}

/** The bytes, or undefined where `base64Problem` has something to say. */
export function decodeBase64(text: string): Uint8Array | undefined {
  return base64Problem(text) === undefined ? Buffer.from(text, "base64") : undefined;
}
