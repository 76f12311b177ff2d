/** Finds the cookies behind `Cookie:` and `Set-Cookie:`, and leaves what sentences say about them. */
import { equals, isBlank } from "./characters.ts";
import { maxLookahead, quotedEnd, type Scan, textBetween, unquotedEnd, valueStart } from "./delimiters.ts";
import { isKey } from "./looks.ts";
import { isMember } from "./values.ts";

const semicolon = 59;

/** A name and a value, as cookies are written. */
const pair = /^[\w!#$%'*+.^|~-]{1,128}=/;

/** The end of one cookie or attribute that begins at `from`, its quotes included. */
function cookieEnd(scan: Scan, from: number): number {
  const to = unquotedEnd(scan, from);
  if (scan.bytes[to - 1] !== equals) return to;
  const value = valueStart(scan.bytes, to);
  return value.mark === 0 ? to : quotedEnd(scan, value.at, value.mark, value.escapes);
}

/** The end of cookies that begin at `at`; `at` where none stand there. */
export function cookiesEnd(scan: Scan, at: number): number {
  const { bytes } = scan;
  let end = at;
  let pairs = 0;
  for (let from = at; from < at + maxLookahead; ) {
    const to = cookieEnd(scan, from);
    const isPair = pair.test(textBetween(bytes, from, to));
    if (isPair) {
      pairs++;
      end = to;
    }
    // Words without a semicolon between them are a sentence.
    if (!isPair && (pairs === 0 || bytes[to] !== semicolon)) break;
    let next = to;
    while (bytes[next] === semicolon || isBlank(bytes[next])) next++;
    if (next === to) break;
    from = next;
  }
  if (pairs === 0) {
    const to = unquotedEnd(scan, at);
    return isKey(textBetween(bytes, at, to)) ? to : at;
  }
  const cookies = textBetween(bytes, at, end);
  return cookies.length >= 8 && isMember(cookies) && isMember(cookies.replace(pair, "")) ? end : at;
}
