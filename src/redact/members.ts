/** Finds credentials among the members of an object, or the items of a list, that is named one. */
import { apostrophe, backslash, colon, isBlank, quote } from "./characters.ts";
import { addSpan, quotedEnd, type Scan, textBetween } from "./delimiters.ts";
import { maxGap } from "./label-names.ts";
import { isKey, isRandom } from "./looks.ts";
import type { Naming } from "./names.ts";
import { isMember } from "./values.ts";

/** Members of an object named a credential that hold its value. */
const holders = new Set(["value", "secret", "key", "token", "data", "plaintext", "raw", "current", "string"]);

/** Members of such an object that hold something else, though it looks like a key. */
const ofOthers = /(?:id|name|type|hash|digest|url|uri|arn|version|model|ref|pattern)s?$/i;

/** How far an object named a credential is read. */
const maxObjectLength = 4096;

/** Adds the spans of credentials in an object or a list that begins at `at`, read to its end or a bound; keeps how far. */
export function addMembers(scan: Scan, at: number, naming: Naming): void {
  const { bytes } = scan;
  const { length } = bytes;
  const list = bytes[at] === 91;
  const last = list ? length : Math.min(length, at + maxObjectLength);
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
      // A quote that ends the string around is no beginning of an item.
      if (!/[[{,:(=>](?:[\s]|\\+[nrt])*[bru]?\\*$/i.test(textBetween(bytes, Math.max(at, i - 24), i))) break;
      let escapes = 0;
      while (escapes < 63 && bytes[i - 1 - escapes] === backslash) escapes++;
      const from = i + 1;
      const to = quotedEnd(scan, from, byte, escapes);
      const after = to + escapes + 1;
      let next = after;
      while (next < after + maxGap && isBlank(bytes[next])) next++;
      if (bytes[next] === colon) key = textBetween(bytes, from, to);
      else {
        const value = textBetween(bytes, from, to);
        const wanted = depth === (list && key !== "" ? 2 : 1) && (list && key === "" ? true : holders.has(key));
        const says = wanted && (naming === "credential" ? isMember(value) : isKey(value));
        if (says || (!list && naming === "credential" && !ofOthers.test(key) && isRandom(value)))
          addSpan(scan, from, to);
      }
      i = to + escapes;
    }
  }
  scan.objectEnd = i;
}
