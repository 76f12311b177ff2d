/** Finds what stands beside a name that says it is a credential, in whatever notation: JSON, forms, code, headers, URLs, XML. */
import { type Naming, namesInQuery, namingOf } from "./names.ts";
import { isAssigned, isKeyLike, isMember, isQuoted, isSent, isTold } from "./values.ts";
import { beginsEscape, type Span, wrapsAt } from "./views.ts";

const [quote, apostrophe, backtick, backslash, colon, equals, slash] = [34, 39, 96, 92, 58, 61, 47] as const;
const isQuote = (byte: number | undefined): boolean => byte === quote || byte === apostrophe || byte === backtick;
const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9;

/** What may follow a name: `=`, `:`, the `>` of XML, and the blank behind a scheme. */
const separators = new Uint8Array(256);
for (const byte of [32, 58, 61, 62]) separators[byte] = 1;
for (const byte of Buffer.from("\\%&+\r\n")) separators[byte] = 2;

/** What names are made of. */
const inName = new Uint8Array(256);
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$")) inName[byte] = 1;

/** What ends a value that is not in quotes. */
const ends = new Uint8Array(256);
for (let byte = 0; byte <= 32; byte++) ends[byte] = 1;
for (const byte of Buffer.from("\"'`\\,;&<>)]}|")) ends[byte] = 1;

/** Longer names are not read, nor longer gaps between a name and its value. */
const longestName = 96;
const longestGap = 16;

/** What the last names say: they come again and again. Each is kept with its bytes, since senders may choose names of equal hash. */
const slots = 4096;
const slotName = new Array<Uint8Array>(slots).fill(new Uint8Array());
const slotNaming = new Array<Naming>(slots).fill("none");

function isSame(bytes: Buffer, from: number, to: number, name: Uint8Array): boolean {
  if (name.length !== to - from) return false;
  for (let i = 0; i < name.length; i++) if (bytes[from + i] !== name[i]) return false;
  return true;
}

function namingAt(bytes: Buffer, from: number, to: number, digest?: number): Naming {
  let hash = digest ?? 0;
  if (digest === undefined) for (let i = to - 1; i >= from; i--) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  if (isSame(bytes, from, to, slotName[slot]!)) return slotNaming[slot]!;
  const naming = namingOf(bytes.toString("latin1", from, to));
  slotName[slot] = Uint8Array.prototype.slice.call(bytes, from, to);
  slotNaming[slot] = naming;
  return naming;
}

/** Members of an object named a credential that hold its value. */
const holders = new Set(["value", "secret", "key", "token", "data", "plaintext", "raw", "current", "string"]);

/** How far an object named a credential is read. */
const longestObject = 4096;

/** What may be a key by its looks has as many bytes at least. */
const shortestKey = 16;

/** Values are looked at closely up to here. */
const longestLook = 4096;

/** What a text says beside names of credentials. */
export interface Labels {
  readonly spans: readonly Span[];
  /** Whether it may hold escapes that hide more. */
  readonly escaped: boolean;
  /** Whether lines may end in the midst of something long. */
  readonly wrapped: boolean;
}

/**
 * Where values stand that are named credentials. `broken` where the bytes lack their end.
 * Every byte is read a few times at most: where a value ends is found out once for all that stands before it.
 */
export function readLabels(bytes: Buffer, broken = false): Labels {
  const spans: Span[] = [];
  let escaped = false;
  let wrapped = false;
  const { length } = bytes;
  let unquotedFrom = 0;
  let unquotedTo = -1;
  const quoted = new Map<number, { from: number; to: number }>();
  let objectEnd = 0;

  /** The end of a value without quotes. */
  function endOf(from: number): number {
    if (from >= unquotedFrom && from <= unquotedTo) return unquotedTo;
    let to = from;
    while (to < length && ends[bytes[to]!] === 0) to++;
    unquotedFrom = from;
    unquotedTo = to;
    return to;
  }

  /** The closing quote of a string whose opening one had so many backslashes before it; the end where there is none. */
  function closing(from: number, mark: number, escapes: number): number {
    const key = mark * 64 + escapes;
    const before = quoted.get(key);
    if (before && from >= before.from && from <= before.to) return before.to;
    const turn = 2 * (escapes + 1);
    let to = from;
    let slashes = 0;
    for (; to < length; to++) {
      const byte = bytes[to]!;
      if (byte === backslash) {
        slashes++;
        continue;
      }
      // What is escaped less is the end of what it stands in.
      if (byte === mark && (slashes % turn === escapes % turn || slashes < escapes)) break;
      if (byte === 10 || (mark !== quote && byte === quote)) break;
      slashes = 0;
    }
    const end =
      bytes[to] === mark && mark === quote ? to - Math.min(escapes, slashes) : to - (to < length ? slashes : 0);
    const kept = { from, to: Math.max(from, end) };
    quoted.set(key, kept);
    return kept.to;
  }

  const text = (from: number, to: number): string => bytes.toString("latin1", from, Math.min(to, from + longestLook));

  function mask(from: number, to: number): number {
    if (to > from) spans.push([from, to]);
    return to;
  }

  /** Where a value begins: behind blanks and backslashes before a quote. */
  function opening(at: number): { at: number; mark: number; escapes: number } {
    let from = at;
    const most = at + longestGap;
    while (from < most && isBlank(bytes[from])) from++;
    let escapes = 0;
    while (bytes[from + escapes] === backslash) escapes++;
    // JSON within JSON within JSON has 0, 1, 3, 7, … of them.
    if (isQuote(bytes[from + escapes]) && escapes < 64 && (escapes & (escapes + 1)) === 0)
      return { at: from + escapes + 1, mark: bytes[from + escapes]!, escapes };
    return { at: from, mark: 0, escapes: 0 };
  }

  /** The strings of an object or a list named a credential, to its end or a bound. */
  function within(at: number, naming: Naming): number {
    const list = bytes[at] === 91;
    const last = list ? length : Math.min(length, at + longestObject);
    let depth = 0;
    let key = "";
    let i = at;
    for (; i < last; i++) {
      const byte = bytes[i]!;
      if (byte === 123 || byte === 91) depth++;
      else if (byte === 125 || byte === 93) {
        if (--depth === 0) break;
      } else if (byte === 10 && bytes[i + 1] === 10) break;
      else if (byte === quote || byte === apostrophe) {
        let escapes = 0;
        while (escapes < 63 && bytes[i - 1 - escapes] === backslash) escapes++;
        const from = i + 1;
        const to = closing(from, byte, escapes);
        const after = to + escapes + 1;
        let next = after;
        while (next < after + longestGap && isBlank(bytes[next])) next++;
        if (bytes[next] === colon) key = text(from, to);
        else {
          const value = text(from, to);
          const wanted = depth === (list && key !== "" ? 2 : 1) && (list && key === "" ? true : holders.has(key));
          if (wanted && (naming === "credential" ? isMember(value) : isKeyLike(value))) mask(from, to);
        }
        i = to + escapes;
      }
    }
    objectEnd = i;
    return at;
  }

  /** A value in quotes behind a name that stands in quotes or not. */
  function quotedValue(from: number, mark: number, escapes: number, naming: Naming, member: boolean): number {
    if (naming === "maybe" && escapes === 0)
      // Tokens of text are short.
      for (let i = from; i < from + shortestKey; i++) if (bytes[i] === mark || bytes[i] === 32) return from;
    const to = closing(from, mark, escapes);
    const value = text(from, to);
    if (naming === "maybe") {
      // Tokens of text stand beside their probability.
      if (isKeyLike(value) && !/^\\*"\s*,\s*\\*"(?:logprob|bytes|id)\b/.test(text(to, to + 24))) return mask(from, to);
      return from;
    }
    const open = broken && to >= length;
    if (!open && !(member ? isMember(value) : isQuoted(value))) return from;
    const scheme =
      /^(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|Api-Key|Key|Bot)\s+(?=\S)/i.exec(value)?.[0].length ?? 0;
    return mask(from + scheme, to);
  }

  /** A value without quotes behind a separator. */
  function plainValue(
    at: number,
    separator: number,
    naming: Naming,
    name: string,
    gap: boolean,
    inQuery: boolean,
  ): number {
    let from = at;
    if (separator === colon && /authorization$|auth$/i.test(name)) {
      const scheme = /^[A-Za-z][\w-]{1,24} +(?=\S)/.exec(text(from, from + 40))?.[0].length ?? 0;
      from += scheme;
    }
    let to = endOf(from);
    if (separator === colon && /cookie$/i.test(name)) {
      while (to < length && to < from + longestLook && (bytes[to] === 59 || isBlank(bytes[to]))) to = endOf(to + 1);
      return isMember(text(from, to)) && to - from >= 6 ? mask(from, to) : at;
    }
    const value = text(from, to);
    if (/^\d+$/.test(value))
      return naming === "credential" && value.length >= 6 && !/^1+$/.test(value) && !gap ? mask(from, to) : at;
    if (broken && to >= length && naming === "credential" && to - from >= 4 && !isQuote(bytes[from]))
      return mask(from, to);
    if (inQuery) {
      const sent =
        naming === "credential"
          ? isSent(value)
          : value.length >= 8 && (value.length >= 16 || /\d/.test(value)) && isSent(value);
      return sent ? mask(from, to) : at;
    }
    const good =
      naming === "maybe"
        ? isKeyLike(value) && isTold(value)
        : separator === equals && !gap
          ? isAssigned(value)
          : isTold(value);
    return good ? mask(from, to) : at;
  }

  /** User and password of a URL, whose slashes begin at `at`. */
  function userInfo(at: number): number {
    const from = at + 2;
    let mid = -1;
    let end = -1;
    for (let i = from; i < length && i < from + 512; i++) {
      const byte = bytes[i]!;
      if (byte === 64) end = i;
      else if (byte === colon && mid < 0) mid = i;
      else if (
        byte === slash ||
        byte === 63 ||
        byte === 35 ||
        (byte !== 38 &&
          byte !== 44 &&
          byte !== 59 &&
          byte !== 41 &&
          byte !== 93 &&
          byte !== 125 &&
          byte !== 124 &&
          ends[byte] === 1)
      )
        break;
    }
    if (end < 0) return at;
    const first = mid >= 0 && mid < end ? mid + 1 : from;
    const value = text(first, end);
    return (mid >= 0 && mid < end ? isMember(value) : isKeyLike(value)) ? mask(first, end) : at;
  }

  /** `Bearer KEY`: the end of what stands behind a scheme, where it is a key. */
  function behindScheme(at: number, scheme: string): number {
    const begin = at - scheme.length;
    if (text(begin, at).toLowerCase() !== scheme || inName[bytes[begin - 1]!] === 1) return at;
    let gap = at;
    let pluses = 0;
    for (; gap < length; gap++) {
      if (bytes[gap] === 43) pluses++;
      else if (bytes[gap] === 37 && bytes[gap + 1] === 50 && bytes[gap + 2] === 48) gap += 2;
      else if (!isBlank(bytes[gap])) break;
      else pluses = 0;
    }
    const to = endOf(gap);
    const isKey = (from: number): boolean => to - from >= 16 && /\d/.test(text(from, to));
    // A plus may stand for a blank, or begin the key.
    if (isKey(gap)) return mask(gap, to);
    return isKey(gap - pluses) ? mask(gap - pluses, to) : at;
  }

  for (let i = 0; i < length; i++) {
    const separator = bytes[i]!;
    if (separators[separator] === 0) continue;
    if (separator === 32 || separator === 43 || separator === 37) {
      const last = bytes[i - 1]! | 32;
      const isBearer = last === 114 && (bytes[i - 2]! | 32) === 101 && (bytes[i - 3]! | 32) === 114;
      if (isBearer || (last === 99 && (bytes[i - 2]! | 32) === 105 && (bytes[i - 3]! | 32) === 115)) {
        const to = behindScheme(i, isBearer ? "bearer" : "basic");
        if (to > i) {
          i = to - 1;
          continue;
        }
      }
      if (separator === 32) continue;
    }
    if (!escaped) escaped = beginsEscape(bytes, i);
    if (separators[separator] === 2) {
      if (!wrapped && separator !== 37 && separator !== 38 && separator !== 43) wrapped = wrapsAt(bytes, i);
      continue;
    }
    if (separator === colon && bytes[i + 1] === slash && bytes[i + 2] === slash) {
      i = Math.max(i, userInfo(i + 1) - 1);
      continue;
    }
    // The name ends before blanks, its closing quote and backslashes.
    let end = i;
    const least = i - longestGap;
    while (end > least && isBlank(bytes[end - 1])) end--;
    let closed = 0;
    if (isQuote(bytes[end - 1])) {
      closed = bytes[end - 1]!;
      end--;
      while (end > least && bytes[end - 1] === backslash) end--;
    }
    let from = end;
    const first = Math.max(0, end - longestName);
    let hash: number | undefined = 0;
    for (; from > first; from--) {
      const byte = bytes[from - 1]!;
      if (inName[byte] === 0) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    if (from === end) continue;
    // An escape such as `\n` or `%20` belongs to nobody's name.
    if (closed === 0 && bytes[from - 1] === backslash) {
      from++;
      hash = undefined;
    }
    let naming = namingAt(bytes, from, end, hash);
    if (closed === 0 && naming !== "credential" && isBlank(bytes[from - 1]) && inName[bytes[from - 2]!] === 1) {
      // Prose writes names apart: `API key: …`.
      let word = from - 1;
      while (word > first && inName[bytes[word - 1]!] === 1) word--;
      const together = namingAt(bytes, word, end);
      if (together === "credential") naming = together;
    }
    if (naming === "none") {
      // `curl -u user:password`
      if (separator === colon && isBlank(bytes[from - 1]) && /(?:^|\s)(?:-u|--user)$/.test(text(from - 8, from - 1))) {
        const to = endOf(i + 1);
        if (to - i > 4) i = mask(i + 1, to) - 1;
      }
      const last = bytes[end - 1]! | 32;
      if (separator !== equals || (last !== 121 && last !== 103 && last !== 101) || !namesInQuery(text(from, end)))
        continue;
      naming = "maybe";
    }
    if (separator === 62) {
      if (bytes[from - 1] !== 60) continue;
      const to = endOf(i + 1);
      const value = text(i + 1, to);
      if (bytes[to] === 60 && (naming === "credential" ? isMember(value) : isKeyLike(value))) i = mask(i + 1, to) - 1;
      continue;
    }
    if (separator === equals && (bytes[i + 1] === equals || bytes[i + 1] === 62)) continue;
    const value = opening(i + 1);
    if (value.mark !== 0) {
      const member = closed === quote && separator === colon;
      const to = quotedValue(value.at, value.mark, value.escapes, naming, member);
      if (to > value.at) i = to - 1;
      continue;
    }
    const begins = bytes[value.at];
    if (begins === 123 || begins === 91) {
      if (value.at >= objectEnd) within(value.at, naming);
      continue;
    }
    const before = bytes[from - 1];
    const inQuery = separator === equals && (from === 0 || before === 38 || before === 63);
    const to = plainValue(value.at, separator, naming, text(from, end), value.at > i + 1, inQuery);
    if (to > value.at) i = to - 1;
  }
  return { spans, escaped, wrapped };
}
