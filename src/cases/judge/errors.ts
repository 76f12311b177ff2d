/** Tells whether a client raised an error, from what it threw, printed and exited with. */
import type { Handed } from "../observation.ts";
import { quoted } from "./words.ts";

export interface RaisedError {
  /** Its message, shortened. */
  readonly says: string;
  /** It speaks of a mistake in a program, such as a member of undefined. */
  readonly isBug: boolean;
  /** Only words that it printed say so: it ended as if all were well. */
  readonly isOnlyTold?: true;
  readonly status?: number | undefined;
}

/** How errors of programs read that nobody meant to raise. */
const bug =
  /cannot read propert|undefined is not an object|null is not an object|is not a function|is not iterable|attributeerror|keyerror|indexerror|nonetype|index out of range|nullpointerexception|nullreferenceexception|^panic:|nomethoderror|undefined (?:array key|index|property)|object reference not set/im;

/** Words by which a program tells of an error, though it exits with 0. */
const telling =
  /\b(?:\w*errors?|\w*exception|traceback|fail(?:s|ed|ure)?|aborted|refused|invalid|unexpected|unavailable|overloaded|too many requests|tim(?:ed|e) ?out|reset|truncated|incomplete|interrupted|unauthorized|forbidden|(?:status|http|code)\W{0,3}[45]\d\d)\b/i;

/** Signals that end a process which broke. */
const breaking = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS"]);

/** Whether the process broke: nobody could catch what ended it. */
export const broke = ({ end, signal }: Handed): boolean =>
  end === "unhandled" || (end === "exited" && signal !== undefined && breaking.has(signal));

/** A line that names an error as languages do. */
const named = /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception|Failure)\b|panic:|thread '.*' panicked|fatal:)/;

/** Lines that say nothing: where an error arose, and what ran. */
const idle = /^(?:Node\.js v[\d.]+|at .*|File ".*|\^+|[{}[\]],?|)$/;

/** The line of an output that tells most: one that names an error, or the last one that speaks of one. */
function tellingLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return (
    lines.findLast((line) => named.test(line)) ??
    lines.findLast((line) => telling.test(line)) ??
    lines.findLast((line) => !idle.test(line)) ??
    ""
  );
}

/** The output of a program without the words of the answer, which may look like anything. */
const without = (text: string, said: string): string =>
  said === ""
    ? text
    : said.split(/\s+/).reduce((rest, word) => (word.length > 3 ? rest.replaceAll(word, "") : rest), text);

/**
 * The error that a client raised; undefined where it raised none.
 * @param plain what it handed back of the plain answer: what it prints then tells of no error
 * @param said what the answer said
 */
export function raisedError(handed: Handed, plain: Handed | undefined, said: string): RaisedError | undefined {
  const { error, end, exitCode = 0, errors = "", output = "" } = handed;
  if (error)
    return { says: quoted(`${error.name}: ${error.message}`), isBug: bug.test(error.message), status: error.status };
  if (error === null && end !== "threw" && end !== "unhandled") return undefined;
  const printed = `${output}\n${errors}`;
  const isFailure = end === "threw" || end === "unhandled" || (end === "exited" && exitCode !== 0);
  if (isFailure) {
    const line = tellingLine(errors) || tellingLine(output);
    return { says: quoted(line || `exit code ${exitCode}`), isBug: bug.test(printed) };
  }
  if (end === "killed") return undefined;
  const own = without(printed, said.length < 4096 ? said : "");
  const usual = `${plain?.output ?? ""}\n${plain?.errors ?? ""}`;
  if (!telling.test(own) || telling.test(usual)) return undefined;
  return { says: quoted(tellingLine(own)), isBug: bug.test(own), isOnlyTold: true };
}
