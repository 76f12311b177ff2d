/** Finds credentials among the arguments of calls in code and of commands. */
import { colon, dash, inName, isBlank, isQuote, quote } from "./characters.ts";
import { addSpan, looseEnd, quotedEnd, type Scan, textBetween, unquotedEnd, valueStart } from "./delimiters.ts";
import { quotedValue } from "./label-values.ts";
import { isKey, isWords } from "./looks.ts";
import { namingOf } from "./names.ts";
import { argumentsOf, optionOf } from "./notations.ts";
import { isExported, isMember, isOption, isProseValue } from "./values.ts";

/** `setHeader('x-api-key', '…')`: the end of the second argument of a call whose bracket stands at `at`, where it is a key. */
export function argumentValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  const [name, second] = argumentsOf(bytes, at) ?? [];
  const naming = name === undefined ? "none" : namingOf(name);
  if (naming === "none") return at;
  const value = valueStart(bytes, at + second!);
  return value.mark === 0 ? at : quotedValue(scan, value.at, value.mark, value.escapes, naming, false);
}

/** Before a list of names: those of a JSON schema, and of functions that may be called. */
const namesBefore =
  /(?:^|[^\w-])(?:(?:required|enum|propertyOrdering|property_ordering|\w{0,40}[nN]ames)\\*["']?(?:\s|\\+[nrt])*[:=]|dependentRequired\\*["']?(?:\s|\\+[nrt])*:(?:\s|\\+[nrt])*\{[^{}]{0,400}:)(?:\s|\\+[nrt])*$/;

/**
 * `["x-api-key", "…"]`: the end of the second string of a list whose bracket stands at `at`, where the two are a pair; else `at`.
 * Items of other lists are beside each other, and no value of the one before.
 */
export function pairValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  if (bytes[at - 1] === colon && bytes[at - 2] === quote && /rawHeaders\\*"$/.test(textBetween(bytes, at - 16, at - 1)))
    return rawHeaders(scan, at);
  const [name, second] = argumentsOf(bytes, at) ?? [];
  const naming = name === undefined ? "none" : namingOf(name);
  if (naming === "none") return at;
  const value = valueStart(bytes, at + second!);
  if (value.mark === 0) return at;
  const to = quotedEnd(scan, value.at, value.mark, value.escapes);
  if (!/^\\*["'](?:\s|\\+[nrt])*\]/.test(textBetween(bytes, to, to + 32))) return at;
  const said = textBetween(bytes, value.at, to);
  // `"required": ["password", "api_key"]` is no pair; `[["password", "…"]]` is one.
  const isItem = /[[,](?:\s|\\+[nrt])*$/.test(textBetween(bytes, Math.max(0, at - 24), at));
  if (!isItem && namesBefore.test(textBetween(bytes, Math.max(0, at - 480), at))) return at;
  const holds =
    naming === "credential" && isItem
      ? isKey(said) || (isMember(said) && namingOf(said) === "none")
      : isKey(said) || (naming === "credential" && isProseValue(said) && !isWords(said));
  return holds ? addSpan(scan, value.at, to) : at;
}

/** Headers that are read of one list. */
const maxHeaders = 256;

/** `"rawHeaders":["x-api-key","…","accept","…"]`, as Node keeps them: the end of the last value that is a credential; else `at`. */
function rawHeaders(scan: Scan, at: number): number {
  const { bytes } = scan;
  let end = at;
  let next = at;
  for (let read = 0; read < maxHeaders; read++) {
    const name = valueStart(bytes, next + 1);
    if (name.mark === 0) break;
    const nameEnd = quotedEnd(scan, name.at, name.mark, name.escapes);
    const gap = /^\\*["'],/.exec(textBetween(bytes, nameEnd, nameEnd + 16))?.[0].length ?? 0;
    if (gap === 0) break;
    const value = valueStart(bytes, nameEnd + gap);
    if (value.mark === 0) break;
    const to = quotedEnd(scan, value.at, value.mark, value.escapes);
    const naming = namingOf(textBetween(bytes, name.at, nameEnd));
    if (naming !== "none") end = Math.max(end, quotedValue(scan, value.at, value.mark, value.escapes, naming, true));
    const after = /^\\*["'],/.exec(textBetween(bytes, to, to + 16))?.[0].length ?? 0;
    if (after === 0) break;
    next = to + after - 1;
  }
  return end;
}

/** `--api-key …`: the end of the value of an option whose dashes begin at `at`, where it is a key. */
export function optionValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  if (bytes[at + 1] !== dash || inName[bytes[at + 2]!] === 0 || inName[bytes[at - 1] ?? 0] === 1) return at;
  const [name, offset, listed] = optionOf(bytes, at) ?? [];
  const naming = name === undefined ? "none" : namingOf(name);
  if (naming === "none") return at;
  const value = valueStart(bytes, at + offset!);
  if (listed && value.mark !== 0) {
    const to = quotedEnd(scan, value.at, value.mark, value.escapes);
    const said = textBetween(bytes, value.at, to);
    return !said.startsWith("--") && (naming === "credential" ? isMember(said) : isKey(said))
      ? addSpan(scan, value.at, to)
      : at;
  }
  if (value.mark !== 0) return quotedValue(scan, value.at, value.mark, value.escapes, naming, false);
  const to = looseEnd(scan, value.at);
  const said = textBetween(bytes, value.at, to);
  return isOption(said) && (naming === "credential" || (isKey(said) && !isWords(said)))
    ? addSpan(scan, value.at, to)
    : at;
}

/** `ENV API_KEY …`, `setx API_KEY …`: the end of the value behind a blank at `at` that follows a name in capitals; else `at`. */
export function setValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  const [, name] =
    /(?:^|[\s"'`]|\\n)(?:set|setx|setenv|ENV)(?:[ \t]+-{1,2}\w+){0,4}[ \t]+([A-Z][A-Z0-9_]{2,64})$/.exec(
      textBetween(bytes, Math.max(0, at - 96), at),
    ) ?? [];
  if (name === undefined || namingOf(name) !== "credential") return at;
  const value = valueStart(bytes, at + 1);
  const to = value.mark === 0 ? looseEnd(scan, value.at) : quotedEnd(scan, value.at, value.mark, value.escapes);
  return isExported(textBetween(bytes, value.at, to)) ? addSpan(scan, value.at, to) : at;
}

/** `app:…@tcp(host)`: adds the password before a bracket at `at`, as Go has it. */
export function driverPassword(scan: Scan, at: number): void {
  const { bytes } = scan;
  const text = textBetween(bytes, Math.max(0, at - 256), at);
  const found = /(?:^|[\s"'`=(])[\w.%-]{1,64}:([^\s"'`]{1,160})@(?:tcp|tcp4|tcp6|udp|unix|cloudsql)$/.exec(text);
  if (found && isMember(found[1]!)) {
    const to = at - (text.length - text.lastIndexOf("@"));
    addSpan(scan, to - found[1]!.length, to);
  }
}

/** `app:…@/database`, as Go has it without a host, and `thin:app/…@host` of Oracle: the end of the password behind a colon at `at`; else `at`. */
export function localPassword(scan: Scan, at: number): number {
  const rest = textBetween(scan.bytes, at + 1, at + 256);
  // `jdbc:oracle:thin:user/…@host`
  const oracle = /^([\w.-]{1,64}\/)([^\s"'`\\]{1,160})@(?:\/\/)?[\w.-]+(?=[:/])/.exec(
    textBetween(scan.bytes, at - 5, at) === ":thin" ? rest : "",
  );
  if (oracle && isMember(oracle[2]!)) {
    const from = at + 1 + oracle[1]!.length;
    return addSpan(scan, from, from + oracle[2]!.length);
  }
  const found = /^([^\s"'`\\@]{1,160})@\/[\w.-]*(?:["'`?\\]|$)/.exec(rest);
  return found && isMember(found[1]!) ? addSpan(scan, at + 1, at + 1 + found[1]!.length) : at;
}

/** `curl -u user:password`: the end of the password behind a colon at `at`; else `at`. `readName` read the user before. */
export function userOption(scan: Scan, at: number): number {
  const { bytes, nameFrom: from } = scan;
  if (scan.nameQuote !== 0 || !(isBlank(bytes[from - 1]) || isQuote(bytes[from - 1]))) return at;
  if (!/(?:^|\s)(?:-[uU]|--(?:proxy-)?user)[\s=]*\\*["']?$/.test(textBetween(bytes, Math.max(0, from - 16), from)))
    return at;
  const to = unquotedEnd(scan, at + 1);
  // A key stands for the user where no password follows.
  const user = textBetween(bytes, from, at);
  if (to - at === 1) return isKey(user) ? addSpan(scan, from, at) : at;
  return to - at > 4 ? addSpan(scan, at + 1, to) : at;
}
