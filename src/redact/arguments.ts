/** Finds credentials among the arguments of calls in code and of commands. */
import { dash, inName, isBlank, isQuote } from "./characters.ts";
import { addSpan, type Scan, textOf, unquotedEnd, valueStart } from "./delimiters.ts";
import { quotedValue } from "./label-values.ts";
import { namingOf } from "./names.ts";
import { argumentsOf, optionOf } from "./notations.ts";
import { isKeyLike, isProseValue, isWords } from "./values.ts";

/** `setHeader('x-api-key', '…')`: the end of the second argument of a call whose bracket stands at `at`, where it is a key. */
export function argumentValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  const [name, second] = argumentsOf(bytes, at) ?? [];
  const naming = name === undefined ? "none" : namingOf(name);
  if (naming === "none") return at;
  const value = valueStart(bytes, at + second!);
  return value.mark === 0 ? at : quotedValue(scan, value.at, value.mark, value.escapes, naming, false);
}

/** `--api-key …`: the end of the value of an option whose dashes begin at `at`, where it is a key. */
export function optionValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  if (bytes[at + 1] !== dash || inName[bytes[at + 2]!] === 0 || inName[bytes[at - 1] ?? 0] === 1) return at;
  const [name, offset] = optionOf(bytes, at) ?? [];
  const naming = name === undefined ? "none" : namingOf(name);
  if (naming === "none") return at;
  const value = valueStart(bytes, at + offset!);
  if (value.mark !== 0) return quotedValue(scan, value.at, value.mark, value.escapes, naming, false);
  const to = unquotedEnd(scan, value.at);
  const said = textOf(bytes, value.at, to);
  return isProseValue(said) && (naming === "credential" || (isKeyLike(said) && !isWords(said)))
    ? addSpan(scan, value.at, to)
    : at;
}

/** `curl -u user:password`: the end of the password behind a colon at `at`; else `at`. `readName` read the user before. */
export function userOption(scan: Scan, at: number): number {
  const { bytes, nameFrom: from } = scan;
  if (from === scan.nameEnd || scan.nameQuote !== 0 || !(isBlank(bytes[from - 1]) || isQuote(bytes[from - 1])))
    return at;
  if (!/(?:^|\s)(?:-u|--user)\s*\\*["']?$/.test(textOf(bytes, Math.max(0, from - 12), from))) return at;
  const to = unquotedEnd(scan, at + 1);
  return to - at > 4 ? addSpan(scan, at + 1, to) : at;
}
