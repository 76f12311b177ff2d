/** Finds what stands beside a name that says it is a credential, in whatever notation: JSON, forms, code, headers, URLs, XML. */
import { type Naming, namesInQuery, namingOf } from "./names.ts";
import {
  argumentsOf,
  contentOffset,
  nameBehind,
  nameOfPair,
  nameOfProperty,
  nameOfTyped,
  openingOf,
  optionOf,
  tagBefore,
} from "./notations.ts";
import { isAssigned, isKeyLike, isMember, isQuoted, isRandom, isSent, isTold, isWords } from "./values.ts";
import { beginsEscape, type Span, wrapsAt } from "./views.ts";

const [quote, apostrophe, backtick, backslash, colon, equals, slash] = [34, 39, 96, 92, 58, 61, 47] as const;
const [blank, round, star, dash, greater, square] = [32, 40, 42, 45, 62, 93] as const;
const isQuote = (byte: number | undefined): boolean => byte === quote || byte === apostrophe || byte === backtick;
const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9;

/** What may follow a name: `=`, `:`, the `>` of XML, the blank behind a scheme; `(` and `-` may stand before one. */
const separators = new Uint8Array(256);
for (const byte of [32, 40, 45, 58, 61, 62]) separators[byte] = 1;
for (const byte of Buffer.from("\\%&+\r\n")) separators[byte] = 2;

/** What names are made of. */
const inName = new Uint8Array(256);
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$")) inName[byte] = 1;

/** How words begin whose value goes by another name: `value`, `content`, `string`. */
const mayElsewhere = new Uint8Array(256);
for (const byte of Buffer.from("VvCcSs")) mayElsewhere[byte] = 1;

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

/** Members of such an object that hold something else, though it looks like a key. */
const ofOthers = /(?:id|name|type|hash|digest|url|uri|arn|version|model|ref|pattern)s?$/i;

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
          const says = wanted && (naming === "credential" ? isMember(value) : isKeyLike(value));
          if (says || (!list && naming === "credential" && !ofOthers.test(key) && isRandom(value))) mask(from, to);
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
        ? isKeyLike(value) && isTold(value) && !isWords(value)
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
    // Of an address that was torn off, what is no port is a password.
    if (end < 0 && broken && mid >= 0 && endOf(mid + 1) >= length && /[A-Za-z]/.test(text(mid + 1, length)))
      return mask(mid + 1, length);
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
    const isKey = (from: number): boolean => {
      const key = text(from, to);
      if (to - from < 16 || !/\d/.test(key)) return false;
      return (
        scheme === "bearer" || isRandom(key) || /^[^\0-\x1f]+:/.test(Buffer.from(key, "base64").toString("latin1"))
      );
    };
    // A plus may stand for a blank, or begin the key.
    if (isKey(gap)) return mask(gap, to);
    return isKey(gap - pluses) ? mask(gap - pluses, to) : at;
  }

  /** Where a value begins: behind blanks and backslashes before a quote, seldom more. */
  function opening(at: number): { at: number; mark: number; escapes: number } {
    const from = bytes[at] === blank ? at + 1 : at;
    const first = bytes[from]!;
    if (isQuote(first)) return { at: from + 1, mark: first, escapes: 0 };
    if (first === backslash && isQuote(bytes[from + 1])) return { at: from + 2, mark: bytes[from + 1]!, escapes: 1 };
    const { skipped, mark, escapes } = openingOf(bytes, at);
    return { at: at + skipped, mark, escapes };
  }

  /** What another name says of a value: that of a pair, a property or a typed variable. */
  function namingElsewhere(from: number, end: number, separator: number, at: number): Naming {
    const size = end - from;
    if (mayElsewhere[bytes[from]!] === 0 || (size !== 5 && separator === colon)) return "none";
    let name: string | undefined;
    if (size === 5 && separator !== greater && /^value$/i.test(text(from, end))) {
      name = nameOfPair(bytes, from);
      if (name === undefined) {
        const value = opening(at + 1);
        if (value.mark !== 0) name = nameBehind(bytes, closing(value.at, value.mark, value.escapes));
      }
    } else if (separator === equals && size === 7 && text(from, end) === "content") name = nameOfPair(bytes, from);
    else if (separator === greater && size === 6 && text(from, end) === "string") name = nameOfProperty(bytes, from);
    else if (separator === equals && (size === 3 || size === 6) && /^str(?:ing)?$/i.test(text(from, end)))
      name = nameOfTyped(bytes, from);
    return name === undefined ? "none" : namingOf(name);
  }

  /** A string that follows its name in prose or code, where a blank stands between them: `PASSWORD '…'`, `the key is …`. */
  function told(at: number, quoting: boolean): number {
    const isIs = bytes[at - 1] === 115 && bytes[at - 2] === 105 && bytes[at - 3] === blank;
    if (quoting && !isIs && bytes[at + 1] === backslash && !isQuote(bytes[at + 2])) return at;
    // Most words are short and of letters.
    let to = at + 1;
    while (bytes[to] === backslash || isQuote(bytes[to])) to++;
    for (const first = to; to < first + shortestKey; to++) {
      const byte = bytes[to] ?? 0;
      if (ends[byte] === 1) return at;
      if (byte < 58 && byte > 47) break;
    }
    const end = isIs ? at - 3 : at;
    let from = end;
    while (from > end - longestName && inName[bytes[from - 1]!] === 1) from--;
    let naming = namingAt(bytes, from, end);
    // `API key`, `access token`
    if (naming !== "credential" && isBlank(bytes[from - 1]) && (bytes[end - 1] === 121 || bytes[end - 1] === 110)) {
      let word = from - 1;
      while (word > from - longestName && inName[bytes[word - 1]!] === 1) word--;
      naming = namingAt(bytes, word, end);
    }
    if (naming !== "credential") return at;
    const value = opening(at + 1);
    to = value.mark === 0 ? endOf(value.at) : closing(value.at, value.mark, value.escapes);
    const said = text(value.at, to).replace(/[.!?]$/, "");
    if (!isTold(said) || isWords(said) || /^[a-z]+\d?$/i.test(said)) return at;
    return mask(value.at, value.at + Math.min(to - value.at, said.length === longestLook ? to : said.length));
  }

  /** The second argument of a call whose first is a name: `setHeader('x-api-key', '…')`. */
  function called(at: number): number {
    const [name, second] = argumentsOf(bytes, at) ?? [];
    const naming = name === undefined ? "none" : namingOf(name);
    if (naming === "none") return at;
    const value = opening(at + second!);
    return value.mark === 0 ? at : quotedValue(value.at, value.mark, value.escapes, naming, false);
  }

  /** The value of a command's option: `--api-key …`. */
  function optional(at: number): number {
    if (bytes[at + 1] !== dash || inName[bytes[at + 2]!] === 0 || inName[bytes[at - 1] ?? 0] === 1) return at;
    const [name, offset] = optionOf(bytes, at) ?? [];
    const naming = name === undefined ? "none" : namingOf(name);
    if (naming === "none") return at;
    const value = opening(at + offset!);
    if (value.mark !== 0) return quotedValue(value.at, value.mark, value.escapes, naming, false);
    const to = endOf(value.at);
    const said = text(value.at, to);
    return isTold(said) && (naming === "credential" || (isKeyLike(said) && !isWords(said))) ? mask(value.at, to) : at;
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
      if (separator === blank) {
        const next = bytes[i + 1]!;
        const mayQuote = (next === backslash || isQuote(next)) && inName[bytes[i - 1]!] === 1;
        if (mayQuote || (last === 115 && bytes[i - 2] === 105 && bytes[i - 3] === blank))
          i = Math.max(i, told(i, mayQuote) - 1);
        continue;
      }
    }
    if (separator === dash) {
      if (bytes[i + 1] === dash && bytes[i + 2] !== dash) i = Math.max(i, optional(i) - 1);
      continue;
    }
    if (separator === round) {
      const next = bytes[i + 1]!;
      if (next === backslash || isQuote(next)) i = Math.max(i, called(i) - 1);
      continue;
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
    while (end > least && bytes[end - 1]! <= blank) end--;
    if (bytes[end - 2] === backslash && isQuote(bytes[end - 3]) && /^[nrt]$/.test(text(end - 1, end))) end -= 2;
    const arrow = separator === greater && (bytes[end - 1] === equals || bytes[end - 1] === dash);
    if (arrow || (separator === equals && bytes[end - 1] === colon)) end--;
    while (end > least && (isBlank(bytes[end - 1]) || bytes[end - 1] === star || bytes[end - 1] === square)) end--;
    let closed = 0;
    if (isQuote(bytes[end - 1])) {
      closed = bytes[end - 1]!;
      end--;
      const deepest = end - 64;
      while (end > deepest && bytes[end - 1] === backslash) end--;
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
      // `42 tests pass: …`
      if (together === "credential" && !/pass$/i.test(text(from, end))) naming = together;
    }
    // `<name attribute="…">`
    if (separator === greater && closed !== 0 && !arrow) naming = namingOf(tagBefore(bytes, i) ?? "");
    else if (naming === "none") naming = namingElsewhere(from, end, separator, i);
    if (naming === "none") {
      // `curl -u user:password`
      const mayUser = separator === colon && closed === 0 && (isBlank(bytes[from - 1]) || isQuote(bytes[from - 1]));
      const user = mayUser && /(?:^|\s)(?:-u|--user)\s*\\*["']?$/.test(text(Math.max(0, from - 12), from));
      if (user) {
        const to = endOf(i + 1);
        if (to - i > 4) i = mask(i + 1, to) - 1;
      }
      const last = bytes[end - 1]! | 32;
      if (separator !== equals || (last !== 121 && last !== 103 && last !== 101) || !namesInQuery(text(from, end)))
        continue;
      naming = "maybe";
    }
    if (separator === greater && !arrow) {
      if (bytes[from - 1] !== 60 && closed === 0) continue;
      const begin = i + 1 + contentOffset(bytes, i + 1);
      const to = endOf(begin);
      const value = text(begin, to);
      const isText = bytes[to] === 60 || bytes[to] === square || (begin > i + 1 && bytes[to]! <= backslash);
      if (isText && (naming === "credential" ? isMember(value) : isKeyLike(value))) i = mask(begin, to) - 1;
      continue;
    }
    if (separator === equals && (bytes[i + 1] === equals || bytes[i + 1] === greater)) continue;
    // A resource's name: `arn:…:secret:…`.
    if (separator === colon && closed === 0 && bytes[from - 1] === colon) continue;
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
    const to = plainValue(
      value.at,
      arrow ? equals : separator,
      naming,
      text(from, end),
      arrow || value.at > i + 1,
      inQuery,
    );
    if (to > value.at) i = to - 1;
  }
  return { spans, escaped, wrapped };
}
