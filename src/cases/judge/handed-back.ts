/** Compares what an answer said with what the client handed back. */
import { compareText, type TextFate } from "../compare-text.ts";
import type { Handed, HandedCall } from "../observation.ts";
import type { Said } from "../speech.ts";
import { counted, quoted } from "./words.ts";

/** The fate of an answer. `unseen`: nothing shows it. */
export interface Fate {
  readonly kind: "whole" | "loses" | "garbles" | "unseen";
  readonly why: string;
  /** Whether anything of it came out. */
  readonly some: boolean;
}

/** How a client hands back the plain answer. */
export interface Profile {
  readonly handed: Handed;
  /** How often the text stands in its output. */
  readonly times: number;
  readonly fate: TextFate;
}

const whole: Fate = { kind: "whole", why: "the whole answer came out", some: true };

/** The loss in a printed or returned text. */
const losses: Partial<Readonly<Record<TextFate, (missing: string, found: number, words: number) => Fate>>> = {
  nothing: () => ({ kind: "loses", why: "nothing of the text came out", some: false }),
  part: (missing, found, words) => ({
    kind: "loses",
    why: `${found} of ${counted(words, "word")} of the text came out; ${missing} is missing`,
    some: true,
  }),
  altered: (missing) => ({
    kind: "garbles",
    why: `the text came out altered, at ${missing || "its characters"}`,
    some: true,
  }),
  repeated: () => ({ kind: "garbles", why: "parts of the text came out more than once", some: true }),
  disordered: () => ({ kind: "garbles", why: "the text came out in a different order", some: true }),
};

function exactly(text: string, said: string): Fate {
  if (text === said || text.trim() === said.trim()) return whole;
  const compared = compareText(text, said);
  if (compared.fate !== "whole" && compared.fate !== "apart") return fateOf(compared);
  if (compared.times > 1) return losses.repeated!("", 0, 0);
  const isLonger = text.length > said.length;
  return {
    kind: "garbles",
    why: isLonger ? "more came out than the answer said" : "the spaces of the text came out altered",
    some: true,
  };
}

function fateOf({ fate, missing, found, words }: ReturnType<typeof compareText>): Fate {
  return losses[fate]?.(missing.map((word) => JSON.stringify(word)).join(", "), found, words) ?? whole;
}

/** Compares lines, each of which stands somewhere in the text: what is around them is the client's own. */
function linesFate(text: string, said: string): Fate {
  const bare = text.replace(/\s+/g, "");
  let at = 0;
  let found = 0;
  let isInOrder = true;
  const lines = said.split("\n");
  for (const line of lines) {
    const next = bare.indexOf(line, at);
    if (next >= 0) at = next + line.length;
    else isInOrder = false;
    if (next >= 0 || bare.includes(line)) found++;
  }
  if (found === 0) return losses.nothing!("", 0, 0);
  if (found < lines.length) return { kind: "loses", why: `${found} of ${lines.length} came out`, some: true };
  return isInOrder ? whole : losses.disordered!("", 0, 0);
}

/** @param cutsWords whether words are cut between events */
function textFate(said: Said, handed: Handed, profile: Profile | undefined, cutsWords: boolean, byLine: boolean): Fate {
  if (said.text === "") return { ...whole, some: false };
  const shown = handed.text ?? handed.output;
  if (byLine && shown !== undefined) return linesFate(shown, said.text);
  if (handed.text !== undefined) return exactly(handed.text, said.text);
  if (handed.output === undefined) return { kind: "unseen", why: "the client hands back no text", some: false };
  if (handed.end === "unseen" && profile?.fate !== "whole" && profile?.fate !== "apart")
    return { kind: "unseen", why: "the program prints no answers", some: false };
  const compared = compareText(handed.output, said.text);
  const usual = Math.max(1, profile?.times ?? 1);
  if (compared.fate === "whole" && compared.times > usual)
    return { kind: "garbles", why: `the text came out ${counted(compared.times, "time")}`, some: true };
  const fate = fateOf(compared);
  if (fate.kind !== "whole" && handed.isCut)
    return { kind: "unseen", why: "the program printed so much that the rest was not read", some: false };
  if (fate.kind !== "whole" && cutsWords && profile?.fate === "apart")
    return { kind: "unseen", why: "the program prints each piece apart, and the case cuts words", some: false };
  return fate;
}

/** The JSON of arguments in one form; the text itself where it is none. */
function canonical(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text === "" ? "{}" : text)));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** Whether arguments are JSON. */
function isReadable({ arguments: given }: HandedCall): boolean {
  try {
    JSON.parse(given);
    return true;
  } catch {
    return false;
  }
}

const sameCall = (a: HandedCall, b: HandedCall): boolean =>
  a.name === b.name && canonical(a.arguments) === canonical(b.arguments);

function callsFate(said: readonly HandedCall[], handed: readonly HandedCall[]): Fate {
  if (handed.length === said.length && said.every((call, i) => sameCall(call, handed[i]!))) return whole;
  const missing = said.find((call) => !handed.some((one) => sameCall(call, one)));
  if (!missing) {
    const why =
      handed.length > said.length ? "a call came out more than once" : "the calls came out in a different order";
    return { kind: "garbles", why, some: true };
  }
  const own = handed.find(({ name }) => name === missing.name);
  if (!own) return { kind: "loses", why: `the call of ${missing.name} did not come out`, some: handed.length > 0 };
  const isPart = missing.arguments.startsWith(own.arguments) || canonical(own.arguments) === "{}";
  const why = `the call of ${missing.name} came out with ${quoted(own.arguments) || "no arguments"}`;
  return { kind: isPart ? "loses" : "garbles", why, some: true };
}

/** Words in the arguments of calls. */
const wordsIn = (calls: readonly HandedCall[]): string =>
  calls.flatMap((call) => call.arguments.match(/[\p{L}\p{Extended_Pictographic}]{5,}/gu) ?? []).join(" ");

/**
 * @param repeated calls that later requests repeat
 * @param options `byLine`: each line stands for itself, and a text may hold more than the answer said
 */
export function handedBack(
  said: Said,
  handed: Handed,
  repeated: readonly HandedCall[],
  profile: Profile | undefined,
  { cutsWords = false, byLine = false } = {},
): Fate {
  const text = textFate(said, handed, profile, cutsWords, byLine);
  if (said.calls.length === 0) return text;
  // Later requests repeat the whole conversation, and what was called before.
  const given = handed.calls ?? (repeated.length > 0 ? repeated.slice(-said.calls.length) : undefined);
  const found: Fate = given ? callsFate(said.calls, given) : printedCalls(said.calls, handed.output);
  // A program that has refused cut arguments may repeat the call with others.
  const isRefusal = !handed.calls && given && found.kind !== "whole" && !said.calls.every(isReadable);
  const calls: Fate = isRefusal
    ? { ...found, kind: "unseen", why: "the call was cut, and repeated in other words" }
    : found;
  // A fault of either is a fault of the answer.
  const order = ["loses", "garbles", "unseen", "whole"];
  return order.indexOf(text.kind) <= order.indexOf(calls.kind) && text.kind !== "whole" ? text : calls;
}

/** Calls in an output, by the words of their arguments. */
function printedCalls(said: readonly HandedCall[], output: string | undefined): Fate {
  const unseen: Fate = { kind: "unseen", why: "the client shows no calls", some: false };
  const words = wordsIn(said);
  if (output === undefined || words === "") return unseen;
  const compared = compareText(output, words);
  return compared.fate === "nothing" ? unseen : fateOf(compared);
}
