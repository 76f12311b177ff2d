/** Tells by its letters and digits whether a text was drawn at random, is made of words, or leads to a file. */

/** A value that may be a key by its looks has at least so many bytes. */
export const shortestKey = 16;

/** Whether letters in both cases change them more often than words do. */
export function isScrambled(value: string): boolean {
  if (value.length < 8 || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const pieces = value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)!;
  return pieces.length >= 4 && value.length / pieces.length < 3;
}

/** Whether a text is no word: long, of letters and digits. */
export const isKeyLike = (value: string): boolean =>
  value.length >= shortestKey && /\d/.test(value) && /[A-Za-z]/.test(value) && !/[\s"\\]/.test(value);

/** Whether a text is a key by its looks, also one in which no digit came. */
export const isKey = (value: string): boolean =>
  isKeyLike(value) || (value.length >= shortestKey && /^[\w+/=~.-]+$/.test(value) && isScrambled(value));

/** Whether a text is drawn at random, by all one can tell: words, names and dates with numbers in them are not. */
export const isRandom = (value: string): boolean =>
  isKeyLike(value) &&
  !/^\w+:\/\//.test(value) &&
  ((/[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value) && /\d.*[A-Za-z].*\d|[A-Za-z]{2}\d[A-Za-z]/.test(value)) ||
    /^[0-9a-f]{20,}$/i.test(value) ||
    /^(?=(?:\D*\d){4})[a-z0-9]{20,}$/.test(value));

/** Words and numbers with strokes between them. */
export const isWords = (value: string): boolean =>
  /^(?:[A-Za-z]+\d{0,2}|\d{1,8})(?:[_-](?:[A-Za-z]+\d{0,2}|\d{1,8}))+$/.test(value);

/** Whether a text is a hash as `crypt` writes it: `$2b$…`, `$argon2id$…`, `$6$…`. */
export const isCrypt = (value: string): boolean => /^\$[\w-]{1,16}\$[\w./+=,$-]+$/.test(value);

/** Whether a piece of a path is a name rather than a piece of base64. */
const isFileName = (name: string): boolean =>
  name.length < 4 ||
  (!isScrambled(name) &&
    !(/\d/.test(name) && /[a-z]/.test(name) && /[A-Z]/.test(name)) &&
    !/\d[a-z]+\d[a-z]+\d/i.test(name));

/** Whether a text is a path: names that strokes part, of which none looks random. */
export function isPath(value: string): boolean {
  if (!/^(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/]+[\w.@-]+)+[\\/]?$/.test(value)) return false;
  const names = value.split(/[\\/]+/).filter((name) => name !== "");
  return (
    (names.length > 1 || /^[~.]/.test(value)) && names.every(isFileName) && names.some((name) => /[a-z]{2}/.test(name))
  );
}
