/** Finds credentials in bytes: by value in every spelling it may have there, and by the shapes keys are known to have. */
import { eachPiece } from "./pieces.ts";
import { inPieces, joined, originals, type Span, unescaped } from "./views.ts";
import { spansWithin } from "./windows.ts";

/** Shorter values are words rather than secrets; masking them would alter what is judged. */
const shortest = 8;

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
  const inText = [once, ascii, once.replaceAll("/", "\\/"), html];
  return [...inText, ...inText.map(inJson)];
}

function spellings(secret: string): Buffer[] {
  const raw = Buffer.from(secret, "utf8");
  const texts = new Set([secret, ...percentSpellings(secret), ...jsonSpellings(secret), ...base64Spellings(raw)]);
  // Header values that are not ASCII were read as Latin-1.
  texts.add(Buffer.from(secret, "latin1").toString("utf8"));
  return [...texts].map((text) => Buffer.from(text, "utf8"));
}

/** Clients send the same key again and again. */
const known = new Map<string, Buffer[]>();
const mostKnown = 256;

/**
 * Every spelling of the secrets.
 * @param least shorter ones are left out
 */
export function spellingsOf(secrets: Iterable<string>, least = shortest): Buffer[] {
  const all: Buffer[] = [];
  for (const secret of new Set(secrets)) {
    if (secret.length < least) continue;
    let one = known.get(secret);
    if (!one) {
      if (known.size >= mostKnown) known.clear();
      known.set(secret, (one = spellings(secret)));
    }
    all.push(...one);
  }
  return all;
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
  yield* privateKeySpans(text);
}

/** Private keys from their first line on, within one text of JSON. By steps for the same reason as `formSpans`. */
function* privateKeySpans(text: string): Generator<Span> {
  let end = 0;
  let quote = 0;
  let told = 0;
  for (const { index, 0: begin } of text.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----/g)) {
    const from = index + begin.length;
    if (index < told || !before.test(text.slice(Math.max(0, index - 6), index))) continue;
    if (end < from) end = text.indexOf("-----END", from);
    if (end < 0) return;
    if (quote >= 0 && quote < from) quote = text.indexOf('"', from);
    if (quote >= 0 && quote < end) continue;
    told = end + "-----END".length;
    yield [index, told];
  }
}

/** Names that say that a value is a credential, wherever they stand. */
const names =
  "(?:x[-_])?api[-_]?key|(?:access|refresh|auth|authorization|id|session|bearer)[-_]?token|client[-_]?secret|secret[-_]?key|private[-_]?key|authorization|password|passwd";
/** Values that stand beside such a name: in JSON, also within JSON, in a query or a form. */
const labelled: readonly RegExp[] = [
  new RegExp(`"(?:${names})\\\\*"\\s*:\\s*\\\\*"(?:Bearer |Basic )?([^"\\\\\\s]{8,})`, "gi"),
  new RegExp(`(?:^|[?&;])(?:key|${names})=([^&\\s"'<>#\\\\]{8,})`, "gi"),
];
const namedPart = new RegExp(`\\bname="?(?:${names})`, "i");

/** The values of parts of a multipart form so named. By steps, since a single pattern reads a hostile text once for each of its places. */
function* formSpans(text: string): Generator<Span> {
  const blank = /\r?\n\r?\n/g;
  const line = /form-data;[^\r\n]*/gi;
  const value = /[^\r\n]{8,}/y;
  for (let found = line.exec(text); found; found = line.exec(text)) {
    if (!namedPart.test(found[0])) continue;
    // Behind its header comes the value; lines before that are of the same part.
    blank.lastIndex = line.lastIndex;
    if (!blank.test(text)) return;
    line.lastIndex = value.lastIndex = blank.lastIndex;
    const [one] = value.exec(text) ?? [];
    if (one) yield [value.lastIndex - one.length, value.lastIndex];
  }
}

/** What stands behind a scheme and is no word. */
function* schemeSpans(text: string): Generator<Span> {
  const schemed = /\b(?:Bearer|Basic)((?:\s|%20|\+)+)([\w.~+/-]*={0,2})/gi;
  for (let found = schemed.exec(text); found; found = schemed.exec(text)) {
    const [, gap, token] = found as unknown as [string, string, string];
    const end = schemed.lastIndex;
    // What follows a scheme may be the next one.
    schemed.lastIndex -= /(?:Bearer|Basic)?$/i.exec(token.slice(-6))![0].length;
    if (!/\d/.test(token)) continue;
    // A plus may stand for a blank, or begin the key.
    const pluses = /\+*$/.exec(gap.slice(-16))![0].length;
    const length = [token.length, token.length + pluses].find((one) => one >= 16);
    if (length !== undefined) yield [end - length, end];
  }
}
/** What was masked or replaced before. */
const masks = /^(?:x+|1+)$|\[redacted\]|%5Bredacted%5D/;

function* labelledSpans(text: string): Generator<Span> {
  for (const pattern of labelled)
    for (const { index, 0: whole, 1: value } of text.matchAll(pattern))
      if (!masks.test(value!)) yield [index + whole.length - value!.length, index + whole.length];
  for (const spans of [formSpans(text), schemeSpans(text)])
    for (const [from, to] of spans) if (!masks.test(text.slice(from, to))) yield [from, to];
}

/** Of the credentials that a text names so, those that are no words: what to look for elsewhere. */
export function labelledValues(bytes: Buffer): string[] {
  const spans = spansWithin(bytes, 0, (piece) => {
    const text = piece.toString("latin1");
    return mayLabel(text) ? labelledSpans(text) : [];
  });
  const values = Array.from(spans, ([from, to]) => bytes.toString("utf8", from, to));
  return values.filter((value) => value.length >= 16 && /\d/.test(value));
}

/** What to look for. */
export interface Wanted {
  readonly spellings: readonly Buffer[];
  readonly patterns: readonly RegExp[];
}

function* directSpans(bytes: Buffer, text: string, { spellings, patterns }: Wanted): Generator<Span> {
  for (const spelling of spellings)
    for (let at = bytes.indexOf(spelling); at >= 0; at = bytes.indexOf(spelling, at + spelling.length))
      yield [at, at + spelling.length];
  yield* shapeSpans(text);
  yield* labelledSpans(text);
  for (const pattern of patterns) {
    const every = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}g`);
    for (const { index, 0: found } of text.matchAll(every)) if (found) yield [index, index + found.length];
  }
}

/** The start of a secret at the end of bytes that were broken off. */
function* brokenSpans(bytes: Buffer, { spellings }: Wanted): Generator<Span> {
  const { length } = bytes;
  const last = bytes[length - 1];
  for (const spelling of spellings)
    for (let begun = Math.min(spelling.length - 1, length); begun >= shortest; begun--)
      if (spelling[begun - 1] === last && bytes.compare(spelling, 0, begun, length - begun, length) === 0) {
        yield [length - begun, length];
        break;
      }
}

/** Where secrets stand in some bytes, as they are and with escapes undone. `broken` where the bytes lack their end. */
function* spansOf(bytes: Buffer, text: string, wanted: Wanted, broken: boolean): Generator<Span> {
  yield* directSpans(bytes, text, wanted);
  if (broken) yield* brokenSpans(bytes, wanted);
  const view = unescaped(text);
  if (!view) return;
  for (const span of directSpans(view.bytes, view.bytes.toString("latin1"), wanted)) yield* originals(view, span);
  if (broken) for (const span of brokenSpans(view.bytes, wanted)) yield* originals(view, span);
}

const isDigits = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 48 && byte <= 57);

/** What the bytes are: `text` is short and whole, a `body` may say something in pieces, and a `broken` one lacks its end. */
export type Kind = "text" | "body" | "broken";

/**
 * What stands in every label, found by a part that begins with a rare character and is short: native searches are several times
 * faster so. What else a label needs is seen by looking closely.
 */
const labels: readonly { readonly part: string; readonly words: readonly string[]; readonly alone?: true }[] = [
  { part: "bea", words: ["bearer"], alone: true },
  { part: "bas", words: ["basic"], alone: true },
  { part: "-data", words: ["form-data"], alone: true },
  { part: "key", words: ["key"] },
  { part: "ken", words: ["token"] },
  { part: "secret", words: ["secret"] },
  { part: "zation", words: ["authorization"] },
  { part: "passw", words: ["password", "passwd"] },
];
const beforeToken = new Set(Array.from("shdnr-_", (character) => character.charCodeAt(0)));

/** Whether a text may hold a label: native searches only, since every byte of the traffic passes here. */
function mayLabel(text: string): boolean {
  const lower = text.toLowerCase();
  for (const { part, words, alone } of labels)
    for (let at = lower.indexOf(part); at >= 0; at = lower.indexOf(part, at + 1))
      for (const word of words) {
        const from = at - word.indexOf(part);
        if (!lower.startsWith(word, from)) continue;
        if (alone) return true;
        const after = lower.charCodeAt(from + word.length);
        if (after !== 34 && after !== 92 && after !== 61) continue;
        if (word !== "token" || beforeToken.has(lower.charCodeAt(from - 1))) return true;
      }
  return false;
}

function mayHoldDirectly(bytes: Buffer, text: string, wanted: Wanted, broken: boolean): boolean {
  return (
    wanted.spellings.some((spelling) => bytes.includes(spelling)) ||
    !shapeSpans(text).next().done ||
    mayLabel(text) ||
    (broken && !brokenSpans(bytes, wanted).next().done)
  );
}

/**
 * Whether looking closely may find anything; false for nearly all there is. Never false where there is a secret.
 * @param broken whether the bytes lack their end, which may be the start of a secret then
 */
export function mayHold(bytes: Buffer, wanted: Wanted, broken = false, text = bytes.toString("latin1")): boolean {
  if (wanted.patterns.length > 0 || mayHoldDirectly(bytes, text, wanted, broken)) return true;
  const view = unescaped(text);
  return view !== undefined && mayHoldDirectly(view.bytes, view.bytes.toString("latin1"), wanted, broken);
}

/** Whether what a body says in pieces may hold a secret that stands in none of them whole. */
function mayHoldInPieces(bytes: Buffer, wanted: Wanted, broken: boolean): boolean {
  const held = eachPiece(bytes, longestOf(wanted), broken, (piece, last) => mayHold(piece, wanted, broken && last));
  return held !== false;
}

const longestOf = ({ spellings }: Wanted): number =>
  spellings.reduce((most, { length }) => (length > most ? length : most), 0);

/** Bytes with secrets overwritten, and where: in order, apart from each other. */
export interface Masked {
  readonly bytes: Buffer;
  readonly spans: readonly Span[];
}

/** The same stretches in order, those that touch as one. */
function merged(spans: readonly Span[]): Span[] {
  const all: [number, number][] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/**
 * The bytes with all secrets overwritten, or undefined where there is none. A mask is as long as what it hides and of
 * letters (of ones where it hid digits only, which may stand for a number), so that what surrounds it means the same.
 */
export function masked(bytes: Buffer, wanted: Wanted, kind: Kind = "text"): Masked | undefined {
  // A pattern of the user's may match anything.
  const longest = wanted.patterns.length > 0 ? bytes.length : longestOf(wanted);
  const spans = [
    ...spansWithin(bytes, longest, (piece, last) => {
      // One character a byte, so that positions agree.
      const text = piece.toString("latin1");
      const broken = kind === "broken" && last;
      return mayHold(piece, wanted, broken, text) ? spansOf(piece, text, wanted, broken) : [];
    }),
  ];
  if (kind !== "text" && inPieces(bytes) && mayHoldInPieces(bytes, wanted, kind === "broken"))
    for (const view of joined(bytes.toString("latin1")))
      for (const span of spansOf(view.bytes, view.bytes.toString("latin1"), wanted, kind === "broken"))
        spans.push(...originals(view, span));
  let copy: Buffer | undefined;
  for (const [from, to] of spans) {
    copy ??= Buffer.from(bytes);
    copy.fill(isDigits(bytes.subarray(from, to)) ? "1" : "x", from, to);
  }
  return copy && { bytes: copy, spans: merged(spans) };
}
