/** Finds what stands beside a name that says it is a credential, in whatever notation: JSON, forms, code, headers, URLs, XML. */
import {
  argumentValue,
  driverPassword,
  localPassword,
  optionValue,
  pairValue,
  setValue,
  userOption,
} from "./arguments.ts";
import { besideBlank, calledValue, endsBeside, partedValue } from "./beside.ts";
import {
  at,
  backslash,
  bar,
  blank,
  colon,
  dash,
  inName,
  isBlank,
  isQuote,
  lineFeed,
  opening,
  quote,
  round,
  slash,
  star,
} from "./characters.ts";
import { isShortOption, shortOption } from "./commands.ts";
import { createScan } from "./delimiters.ts";
import { mayElsewhere, readName } from "./label-names.ts";
import { labelledValue } from "./label-values.ts";
import { pairedPassword, pgpassPassword, pipedPassword, placedValue } from "./placed-values.ts";
import { copulaBefore, phrasedValue, proseValue, wideMarks, wideValue } from "./prose.ts";
import { schemeKey, urlPassword } from "./schemes.ts";
import { beginsEscape, type Span, wrapsAt } from "./source-map.ts";
import { readTable } from "./tables.ts";

/** The bytes that may follow a name: `=`, `:`, the `>` of XML, the blank behind a scheme, the `|` of a table; `(` and `-` may stand before one. */
const separators = new Uint8Array(256);
for (const byte of [32, 40, 45, 58, 61, 62, 91, 124]) separators[byte] = 1;
for (const byte of Buffer.from("\\%&+\r\n")) separators[byte] = 2;
for (const mark of wideMarks) separators[mark[2]!] = 3;

/** How words end behind which a blank may stand before a value: schemes, names in capitals, "is", and what stands beside one. */
const beforeBlank = Uint8Array.from(endsBeside);
for (const byte of Buffer.from("rRcCsty")) beforeBlank[byte] = 1;
beforeBlank.fill(1, 65, 91);

/** The ends of the latest names that say nothing of what follows, by their last bytes: names of members come again and again. */
const ended = new Int32Array(256);

const slotOf = (bytes: Buffer, colonAt: number): number =>
  (bytes[colonAt - 2]! ^ (bytes[colonAt - 3]! << 2) ^ (bytes[colonAt - 4]! << 4)) & 255;

/** Whether a name in quotes that ends right before a colon has come before in these bytes, and said nothing. */
function cameBefore(bytes: Buffer, at: number): boolean {
  const before = ended[slotOf(bytes, at)]!;
  if (before === 0) return false;
  for (let i = 2; ; i++) {
    const byte = bytes[at - i];
    if (byte !== bytes[before - i]) return false;
    if (byte === quote) return true;
  }
}

/** The values that a text has beside names of credentials. */
export interface Labels {
  readonly spans: readonly Span[];
  /** Whether it may hold escapes that hide more. */
  readonly escaped: boolean;
  /** Whether lines may end in the midst of something long. */
  readonly wrapped: boolean;
}

/**
 * Finds values that are named credentials. `broken` where the bytes lack their end. Every byte is read a few times at most:
 * where a value ends is found out once for all that stands before it.
 */
export function readLabels(bytes: Buffer, broken = false): Labels {
  const scan = createScan(bytes, broken);
  const { length } = bytes;
  let escaped = false;
  let wrapped = false;
  ended.fill(0);
  for (let i = 0; i < length; i++) {
    const separator = bytes[i]!;
    if (separators[separator] === 0) continue;
    if (separator === blank && beforeBlank[bytes[i - 1]!] === 0) {
      const next = bytes[i + 1]!;
      if (next !== backslash && !isQuote(next)) continue;
    }
    if (separators[separator] === 3) {
      i = Math.max(i, wideValue(scan, i) - 1);
      continue;
    }
    const member = separator === colon && bytes[i - 1] === quote && bytes[i + 1] !== slash;
    if (member && cameBefore(bytes, i)) continue;
    if (separator === 32 || separator === 43 || separator === 37) {
      const last = bytes[i - 1]! | 32;
      const isBearer = last === 114 && (bytes[i - 2]! | 32) === 101 && (bytes[i - 3]! | 32) === 114;
      if (isBearer || (last === 99 && (bytes[i - 2]! | 32) === 105 && (bytes[i - 3]! | 32) === 115)) {
        const to = schemeKey(scan, i, isBearer ? "bearer" : "basic");
        if (to > i) {
          i = to - 1;
          continue;
        }
      }
      if (separator === blank) {
        const before = bytes[i - 1]!;
        // A word in capitals.
        if (before > 64 && before < 91) i = Math.max(i, setValue(scan, i) - 1);
        const placed = placedValue(scan, i);
        if (placed > i) {
          i = placed - 1;
          continue;
        }
        const next = bytes[i + 1]!;
        const quoted = next === backslash || isQuote(next);
        if (endsBeside[before] === 1) {
          const to = besideBlank(scan, i, quoted);
          if (to > i) {
            i = to - 1;
            continue;
          }
        }
        const mayQuote = quoted && inName[before] === 1;
        if (mayQuote || copulaBefore(bytes, i) > 0) i = Math.max(i, proseValue(scan, i, mayQuote) - 1);
        continue;
      }
    }
    if (separator === opening) {
      const next = bytes[i + 1]!;
      if (next === backslash || next <= blank || isQuote(next)) i = Math.max(i, pairValue(scan, i) - 1);
      continue;
    }
    if (separator === bar) {
      if (bytes[i - 1] === blank) pipedPassword(scan, i);
      if (bytes[i - 1] === blank && bytes[i + 1] === blank) i = Math.max(i, partedValue(scan, i) - 1);
      continue;
    }
    if (separator === dash) {
      const option = bytes[i - 1] === blank ? bytes[i + 1]! : 0;
      if (isShortOption[option] === 1) i = Math.max(i, shortOption(scan, i) - 1);
      else if (option === blank) i = Math.max(i, partedValue(scan, i) - 1);
      if (bytes[i + 1] === dash && bytes[i + 2] !== dash) i = Math.max(i, optionValue(scan, i) - 1);
      continue;
    }
    if (separator === round) {
      const next = bytes[i + 1]!;
      if (next === backslash || isQuote(next)) {
        const to = argumentValue(scan, i);
        i = Math.max(i, (to > i ? to : Math.max(pairedPassword(scan, i), calledValue(scan, i))) - 1);
      } else if (i > 4 && (bytes[i - 4] === at || bytes[i - 5] === at)) driverPassword(scan, i);
      continue;
    }
    if (!escaped) escaped = beginsEscape(bytes, i);
    if (separators[separator] === 2) {
      if (separator === lineFeed || (separator === backslash && bytes[i - 1] !== backslash)) readTable(scan, i);
      if (!wrapped && separator !== 37 && separator !== 38 && separator !== 43) wrapped = wrapsAt(bytes, i);
      continue;
    }
    if (separator === colon && bytes[i + 1] === slash && bytes[i + 2] === slash) {
      i = Math.max(i, urlPassword(scan, i + 1) - 1);
      continue;
    }
    const naming = readName(scan, i, separator);
    if (naming !== "none") i = Math.max(i, labelledValue(scan, i, separator, naming) - 1);
    else if (member && scan.nameEnd === i - 1 && bytes[scan.nameFrom - 1] === quote && scan.nameEnd > scan.nameFrom) {
      if (!mayElsewhere(bytes, scan.nameFrom, scan.nameEnd)) ended[slotOf(bytes, i)] = i;
    } else if (separator === colon) {
      const last = bytes[i - 1]!;
      const isPort = last === star || (last > 47 && last < 58);
      const to = Math.max(userOption(scan, i), isPort ? pgpassPassword(scan, i) : i);
      if (to > i) i = to - 1;
      else if (scan.nameQuote === 0 && scan.nameEnd === i && !isBlank(bytes[i + 1]))
        i = Math.max(i, localPassword(scan, i) - 1);
      else if (isBlank(bytes[i + 1]) && scan.nameQuote === 0) i = Math.max(i, phrasedValue(scan, i + 1, i) - 1);
    }
  }
  return { spans: scan.spans, escaped, wrapped };
}
