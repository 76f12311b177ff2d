/** Finds credentials in bytes: by value in every spelling it may have there, and by the shapes keys are known to have. */

/** Shorter values are words rather than secrets; masking them would alter what is judged. */
const shortest = 8;

/** A run of bytes to mask. */
export type Span = readonly [from: number, to: number];

/** Base64 texts of `secret` inside longer data, one for each way it may fall on the groups of three bytes. */
function base64Spellings(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), secret])
      .toString("base64")
      .replace(/=+$/, "");
    // Characters that also hold bits of neighbours vary; the rest is the same wherever the secret stands.
    const from = Math.ceil((shift * 8) / 6);
    const to = Math.floor(((shift + secret.length) * 8) / 6);
    const core = text.slice(from, to);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Percent-encoded spellings: RFC 3986, lower-case digits, form encoding. */
function percentSpellings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const encode = (plain: RegExp): string =>
    Array.from(bytes, (byte) => {
      const character = String.fromCharCode(byte);
      return plain.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    }).join("");
  const spellings = [encode(/[A-Za-z0-9\-._~]/), encode(/[A-Za-z0-9\-._~!*'()]/), encode(/[A-Za-z0-9\-._*]/)];
  return spellings.flatMap((text) => [
    text,
    text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    text.replaceAll("%20", "+"),
  ]);
}

/** Spellings inside a JSON string, and inside JSON within a JSON string, as tool arguments are. */
function jsonSpellings(secret: string): string[] {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const once = inJson(secret);
  const ascii = once.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const html = once.replace(/[<>&'=]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [once, inJson(once), ascii, once.replaceAll("/", "\\/"), html];
}

/** Every spelling of the secrets, longest first, so that no masked part hides a longer one. */
export function spellingsOf(secrets: Iterable<string>): Buffer[] {
  const texts = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < shortest) continue;
    const raw = Buffer.from(secret, "utf8");
    for (const text of [secret, ...percentSpellings(secret), ...jsonSpellings(secret), ...base64Spellings(raw)])
      texts.add(text);
    // Header values that are not ASCII were read as Latin-1.
    texts.add(Buffer.from(secret, "latin1").toString("utf8"));
  }
  return [...texts].map((text) => Buffer.from(text, "utf8")).sort((a, b) => b.length - a.length);
}

/** A key's prefix, and the whole of it from there; what stands before and after may not belong to a longer word. */
const shapes: readonly (readonly [prefix: string, whole: RegExp])[] = [
  ["sk-", /sk-[A-Za-z0-9_-]{16,}/y],
  ["AIza", /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y],
  ["gsk_", /gsk_[A-Za-z0-9]{20,}/y],
  ["xai-", /xai-[A-Za-z0-9]{20,}/y],
  ["hf_", /hf_[A-Za-z0-9]{30,}/y],
  ["ya29.", /ya29\.[A-Za-z0-9_-]{20,}/y],
];
/** What may stand before a key: no word character, or one that belongs to an escape such as `\n` or `%20`. */
const before = /(?:^|[^A-Za-z0-9_-]|\\[bfnrt/]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})$/;

function* shapeSpans(text: string): Generator<Span> {
  for (const [prefix, whole] of shapes)
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      if (!before.test(text.slice(Math.max(0, at - 6), at))) continue;
      whole.lastIndex = at;
      const length = whole.exec(text)?.[0].length;
      if (length !== undefined) yield [at, at + length];
    }
}

/** Where secrets stand in some bytes. */
export function* spansOf(bytes: Buffer, spellings: readonly Buffer[], patterns: readonly RegExp[]): Generator<Span> {
  for (const spelling of spellings)
    for (let at = bytes.indexOf(spelling); at >= 0; at = bytes.indexOf(spelling, at + spelling.length))
      yield [at, at + spelling.length];
  // One character a byte, so that positions agree.
  const text = bytes.toString("latin1");
  yield* shapeSpans(text);
  for (const pattern of patterns) {
    const every = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}g`);
    for (const { index, 0: found } of text.matchAll(every)) if (found) yield [index, index + found.length];
  }
}

const isDigits = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 48 && byte <= 57);

/**
 * The bytes with all secrets overwritten, or undefined where there is none. A mask is as long as what it hides and of
 * letters (of ones where it hid digits only, which may stand for a number), so that what surrounds it means the same.
 */
export function masked(bytes: Buffer, spellings: readonly Buffer[], patterns: readonly RegExp[]): Buffer | undefined {
  let copy: Buffer | undefined;
  for (const [from, to] of [...spansOf(bytes, spellings, patterns)]) {
    copy ??= Buffer.from(bytes);
    copy.fill(isDigits(bytes.subarray(from, to)) ? "1" : "x", from, to);
  }
  return copy;
}
