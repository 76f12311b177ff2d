/** Finds credentials in bytes: by value in every spelling, by the shapes of keys, by the names beside them; and overwrites them. */

import { secretsIn } from "./environment.ts";
import { keySpans } from "./keys.ts";
import { type Labels, readLabels } from "./labels.ts";
import { isKeyLike, isRandom } from "./looks.ts";
import { formSpans } from "./multipart-credentials.ts";
import { ownEnvironment } from "./own-environment.ts";
import { createPartSearch } from "./partial-secrets.ts";
import { reassemble } from "./reassemble.ts";
import { begunAtEnd, createSearch, type Search, shortestNeedle } from "./search.ts";
import { narrowed, originals, type SourceMap, type Span, unescaped, unwrapped } from "./source-map.ts";
import { spellingsOf } from "./spellings.ts";
import { isCommonplace } from "./stand-ins.ts";

/** The kind of the bytes: `text` is short and whole, a `body` may say something in pieces, and a `broken` one lacks its end. */
export type Kind = "text" | "body" | "broken";

/** Secrets to look for by their value. */
export interface Wanted {
  readonly search: Search;
  /** Finds long parts of those that look like keys. */
  readonly parts: Search;
  readonly spellings: readonly Buffer[];
  /** Secrets that may as well be words: they count where they stand by themselves. */
  readonly words: readonly string[];
  /** The ones among those that count only in replies that tell of a failure. */
  readonly common: readonly string[];
}

/** Values are searched for up to so many bytes in all; what is beyond is hidden where it stands by its name. */
const maxSearched = 8 << 20;
/** Nobody hides one of so many on purpose. */
const many = 1000;
/** Words are looked for one by one. */
const maxWords = 32;

/** Whether a value is no word: a text with it in it holds it. */
const isTelling = (secret: string): boolean => secret.length >= 8 && !isCommonplace(secret);

/** Exchanges of a session carry the same secrets. */
const known = new Map<string, Wanted>();
const maxKnown = 32;
const maxKnownLength = 4096;

/** Parts are not looked for if there are more secrets, or longer ones. */
const [maxInParts, longestInParts] = [64, 4096];

const partsOf = (secrets: readonly string[]): Buffer[] =>
  secrets.length > maxInParts
    ? []
    : // The beginning of an address or of words says nothing, and may stand in any answer.
      secrets.filter((one) => one.length <= longestInParts && isRandom(one)).map((one) => Buffer.from(one, "utf8"));

export function wantedOf(secrets: ReadonlySet<string>): Wanted {
  const id = [...secrets].join("\n");
  const before = known.get(id);
  if (before) return before;
  const telling: string[] = [];
  const words: string[] = [];
  const common: string[] = [];
  let room = maxSearched;
  for (const secret of secrets)
    if (isTelling(secret)) {
      if ((room -= secret.length) >= 0) telling.push(secret);
    } else if (secret.length >= shortestNeedle && /\d/.test(secret)) words.push(secret);
    else if (secret.length >= 4) common.push(secret);
  const spellings: Buffer[] = [];
  for (const secret of telling)
    for (const spelling of spellingsOf(secret, telling.length > many))
      if (spelling.length >= shortestNeedle) spellings.push(spelling);
  const wanted = {
    search: createSearch(spellings),
    parts: createPartSearch(partsOf(telling)),
    spellings,
    words: words.slice(0, maxWords),
    common: common.slice(0, maxWords),
  };
  if (id.length <= maxKnownLength) {
    if (known.size >= maxKnown) known.clear();
    known.set(id, wanted);
  }
  return wanted;
}

/** The secrets of our own environment. */
interface Own {
  readonly wanted: Wanted;
  /** Words that are hidden within sentences. */
  readonly words: readonly string[];
}

let own: (Own & { readonly environment: NodeJS.ProcessEnv }) | undefined;

function ownSecrets(): Own {
  const environment = ownEnvironment();
  if (own?.environment === environment) return own;
  const { telling, words } = secretsIn(environment);
  // Texts that were clean of other secrets are known by these objects.
  known.clear();
  own = { environment, wanted: wantedOf(new Set(telling)), words };
  return own;
}

/** Bytes read for what does not depend on the secrets of an exchange. */
export interface Looked {
  readonly bytes: Buffer;
  readonly broken: boolean;
  /** The places of keys that are known by shape or name. */
  readonly spans: readonly Span[];
  /** Values that stand beside names of credentials, and are no words. */
  readonly values: readonly string[];
  /** The bytes, and what they say when decoded: each with the steps back to where its bytes stand. */
  readonly decodings: readonly Decoding[];
}

const noLabels: Labels = { spans: [], escaped: false, wrapped: false };

interface Decoding {
  readonly bytes: Buffer;
  readonly steps: readonly SourceMap[];
}

/** A span of a decoding as spans of the bytes. */
function back(steps: readonly SourceMap[], span: Span): readonly Span[] {
  let spans: readonly Span[] = [span];
  for (let i = steps.length - 1; i >= 0; i--) spans = spans.flatMap((one) => originals(steps[i]!, one));
  return spans;
}

/** Reads bytes once, whatever secrets are looked for in them afterwards. */
export function look(bytes: Buffer, kind: Kind, patterns: readonly RegExp[] = []): Looked {
  const broken = kind === "broken";
  const spans: Span[] = [];
  const values: string[] = [];
  const decodings: Decoding[] = [];

  function read(one: Buffer, steps: readonly SourceMap[], labels = true): void {
    decodings.push({ bytes: one, steps });
    const { spans: named, escaped, wrapped } = labels ? readLabels(one, broken) : noLabels;
    for (const [from, to] of named) {
      const value = one.toString("utf8", from, Math.min(to, from + maxSearched));
      if (isKeyLike(value)) values.push(value);
    }
    for (const found of [named, keySpans(one, broken), patternSpans(one, patterns)])
      for (const span of found) for (const place of back(steps, span)) spans.push(place);
    const whole = wrapped && kind !== "text" && steps.length < 2 ? unwrapped(one) : undefined;
    if (whole) decodings.push({ bytes: whole.bytes, steps: [...steps, whole] });
    const plain = escaped && steps.length < 2 ? unescaped(one) : undefined;
    if (plain) read(plain.bytes, [...steps, plain]);
  }

  read(bytes, []);
  if (kind !== "text") {
    for (const span of formSpans(bytes)) {
      spans.push(span);
      const value = bytes.toString("utf8", ...span);
      if (isKeyLike(value)) values.push(value);
    }
    const narrow = narrowed(bytes);
    if (narrow) read(narrow.bytes, [narrow]);
    const { paths, everything, continued } = reassemble(bytes);
    // Items of a list are beside each other: none is the value of the one before.
    for (const view of paths) read(view.bytes, [view], continued);
    if (everything) decodings.push({ bytes: everything.bytes, steps: [everything] });
  }
  return { bytes, broken, spans, values, decodings };
}

function* patternSpans(bytes: Buffer, patterns: readonly RegExp[]): Generator<Span> {
  if (patterns.length === 0) return;
  // One character a byte, so that positions agree.
  const text = bytes.toString("latin1");
  for (const pattern of patterns) {
    const every = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}g`);
    for (const { index, 0: found } of text.matchAll(every)) if (found) yield [index, index + found.length];
  }
}

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 48 && byte <= 57) || (byte | 32) >= 97 ? (byte | 32) <= 122 : byte === 95);

/** A word where it stands by itself. */
function* wordSpans(bytes: Buffer, words: readonly string[]): Generator<Span> {
  for (const word of words) {
    const needle = Buffer.from(word, "utf8");
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length))
      if (!isLetter(bytes[at - 1]) && !isLetter(bytes[at + needle.length])) yield [at, at + needle.length];
  }
}

/** Words within sentences. Alone in quotes, or as the name of an event, a word may be one of an interface. */
function* spansInSentences(bytes: Buffer, words: readonly string[]): Generator<Span> {
  for (const span of wordSpans(bytes, words)) {
    const [from, to] = span;
    const isEvent = bytes.toString("latin1", Math.max(0, from - 7), from) === "event: ";
    if ((bytes[from - 1] === 32 && !isEvent) || bytes[to] === 32) yield span;
  }
}

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
    else if (to > from) all.push([from, to]);
  }
  return all;
}

const standsBefore = /(?:^|[\s:,[=]|\\[nrt])$/;
const standsAfter = /^[\s,\]}&;\\]?$/;

/** Whether a span is a number by itself, which has to stay one; in a string, digits would show where a secret has them. */
function isNumber(bytes: Buffer, [from, to]: Span): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! < 48 || bytes[i]! > 57) return false;
  const [before, after] = [bytes.toString("latin1", Math.max(0, from - 2), from), bytes.toString("latin1", to, to + 1)];
  return standsBefore.test(before) && standsAfter.test(after);
}

/**
 * The bytes with all secrets overwritten, or undefined where there is none. A mask is as long as what it hides and consists of
 * letters (of ones if it hides a number). Its surroundings then mean the same.
 * @param failure whether the bytes tell of a failure, which quotes what it speaks of
 */
export function masked(
  { bytes, broken, spans: named, decodings }: Looked,
  wanted: Wanted,
  failure = false,
): Masked | undefined {
  const spans = [...named];
  const ours = ownSecrets();
  for (const { bytes: decoded, steps } of decodings) {
    const add = (span: Span): void => {
      for (const place of back(steps, span)) spans.push(place);
    };
    for (const one of [wanted, ours.wanted]) {
      one.search(decoded, (from, to) => add([from, to]));
      one.parts(decoded, (from, to) => add([from, to]));
      if (one.words.length > 0) for (const span of wordSpans(decoded, one.words)) add(span);
      if (failure) for (const span of wordSpans(decoded, one.common)) add(span);
      if (!broken) continue;
      for (const spelling of one.spellings) {
        const begun = begunAtEnd(decoded, spelling, shortestNeedle);
        if (begun > 0) add([decoded.length - begun, decoded.length]);
      }
    }
    // Joined pieces have no quotes.
    if (steps.length === 0) for (const span of spansInSentences(decoded, ours.words)) add(span);
  }
  if (spans.length === 0) return undefined;
  const places = merged(spans);
  const copy = Buffer.from(bytes);
  for (const span of places) copy.fill(isNumber(bytes, span) ? "1" : "x", ...span);
  return { bytes: copy, spans: places };
}

const nothingWanted = wantedOf(new Set());

/** A text without what is shaped like a key or stands beside the name of a credential. */
export function withoutKeys(text: string): string {
  return masked(look(Buffer.from(text, "utf8"), "text"), nothingWanted)?.bytes.toString("utf8") ?? text;
}
