/** Compares calls of tools in the conversation, and what the tools gave back. */
import { type LinkedCalls, type LinkedResult, linkedCalls } from "../../interfaces/common/facts/links.ts";
import type { CallPart, MediaPart, ResultPart, TextPart } from "../../interfaces/common/facts/model.ts";
import { isObject } from "../../wire/json.ts";
import type { FactComparison } from "../trip.ts";
import {
  changed,
  converted,
  dropped,
  type Ends,
  invented,
  kept,
  noCounterpart,
  notShown,
  told,
  upstreamHas,
  type Verdict,
} from "./ends.ts";
import { compareMedium, mediaOf, perOutcome, shownMedium } from "./media.ts";
import { compareTexts, isSame, valueOfJson } from "./values.ts";

const argumentsOf = (text: string): unknown => (text.trim() === "" ? {} : valueOfJson(text)?.value);

/** The outcome of a call's name and arguments. */
export function compareCall(ends: Ends, asked: CallPart, arrived: CallPart): Verdict {
  if (asked.name !== arrived.name) return changed(`The call of ${asked.name} became one of ${arrived.name}.`);
  if (asked.arguments === arrived.arguments) return kept;
  const value = argumentsOf(asked.arguments);
  if (value === undefined || !isObject(value))
    return ends.isTranslated
      ? noCounterpart("Its arguments are no JSON object, and the other interface takes only objects.")
      : changed("It arrived with other arguments.");
  // Both are the same value: that the text is another one shows nothing where either side holds an object.
  return isSame(value, argumentsOf(arrived.arguments)) ? kept : changed("It arrived with other arguments.");
}

const shownCall = ({ name, arguments: given, id }: CallPart): unknown => ({
  ...(name !== undefined && { name }),
  arguments: valueOfJson(given)?.value ?? given,
  ...(id !== undefined && { id }),
});

export const shownCalls = (calls: readonly CallPart[]): unknown =>
  calls.length > 0 ? calls.map(shownCall) : undefined;

function callVerdicts(ends: Ends, asked: readonly CallPart[], arrived: readonly CallPart[]): readonly Verdict[] {
  if (arrived.length === 0) return [dropped()];
  if (asked.length === 0) return [invented("The conversation had no call.")];
  if (asked.length !== arrived.length) return [changed(`${asked.length} calls became ${arrived.length}.`)];
  const verdicts = asked.map((one, i) => compareCall(ends, one, arrived[i]!));
  const hasIds = arrived.some(({ id }) => id !== undefined);
  const isRenamed = hasIds && asked.some(({ id }, i) => id !== undefined && id !== arrived[i]!.id);
  const ids = new Set(arrived.map(({ id }) => id));
  if (hasIds && ids.size < arrived.length) return [...verdicts, changed("Several calls arrived under one id.")];
  return isRenamed ? [...verdicts, converted(ends, "G-FACT-IDS", "Ids of calls were renamed.")] : verdicts;
}

const textsOf = (content: readonly (TextPart | MediaPart)[]): readonly string[] =>
  content.flatMap((part) => (part.kind === "text" ? [part.text] : []));
const picturesOf = (content: readonly (TextPart | MediaPart)[]): readonly MediaPart[] =>
  content.filter((part): part is MediaPart => part.kind !== "text");

/** All texts of a value, however deep. */
function* textsWithin(value: unknown): Generator<string> {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") yield next;
    else if (Array.isArray(next)) left.push(...next);
    else if (isObject(next)) left.push(...Object.values(next));
  }
}

/** Whether an object says what texts say: as that value, as one of its members, or as texts within. */
function says(value: Readonly<Record<string, unknown>>, texts: readonly string[]): boolean {
  const text = texts.join("");
  if (text.trim() === "") return true;
  const parsed = valueOfJson(text);
  if (parsed && (isSame(parsed.value, value) || Object.values(value).some((one) => isSame(parsed.value, one))))
    return true;
  for (const one of textsWithin(value)) if (compareTexts(texts, [one]) !== "other") return true;
  const within = [...textsWithin(value)].reverse();
  return texts.length > 1 && texts.every((one) => within.includes(one));
}

const speaksOfError = (text: string): boolean => /error|fail/i.test(text.slice(0, 200));

/** Whether a text is the JSON of blocks that hold other texts. */
function isJsonOf(text: string, texts: readonly string[]): boolean {
  const parsed = /^\s*[[{]/.test(text) ? valueOfJson(text) : undefined;
  if (!parsed || texts.length === 0) return false;
  const within = new Set(textsWithin(parsed.value));
  return texts.every((one) => within.has(one));
}

function textVerdict(ends: Ends, asked: ResultPart, arrived: ResultPart): Verdict {
  const [before, after] = [textsOf(asked.content), textsOf(arrived.content)];
  const another = changed("It arrived with another text.");
  const wrapped = [...(arrived.value ? textsWithin(arrived.value) : after)].some((one) => isJsonOf(one, before))
    ? converted(ends, "G-FACT-RESULT", "It arrived as the JSON of its parts.")
    : another;
  if (asked.value && arrived.value) return isSame(asked.value, arrived.value) ? kept : another;
  if (asked.value) return says(asked.value, after) ? kept : another;
  if (arrived.value) return says(arrived.value, before) ? kept : wrapped;
  if (compareTexts(before, after) !== "other") return kept;
  const [text, other] = [before.join(""), after.join("")];
  const parsed = valueOfJson(text);
  if (parsed && isSame(parsed.value, valueOfJson(other)?.value)) return kept;
  if (asked.isError && other.endsWith(text) && speaksOfError(other.slice(0, other.length - text.length))) return kept;
  if (text !== "" && other === "") return changed("Its text is lost.");
  return wrapped;
}

function errorVerdict(ends: Ends, asked: ResultPart, arrived: ResultPart): Verdict {
  if ((asked.isError ?? false) === (arrived.isError ?? false)) return kept;
  if (!asked.isError) return changed("It arrived as an error.");
  if (ends.route.to === ends.route.from) return changed("That it is an error is lost.");
  const isTold = arrived.value
    ? Object.keys(arrived.value).some(speaksOfError)
    : speaksOfError(textsOf(arrived.content).join("")) && !speaksOfError(textsOf(asked.content).join(""));
  if (isTold) return converted(ends, "G-FACT-RESULT", "That it is an error is told in words.");
  return noCounterpart(`That it is an error is lost, and ${ends.route.to} has no word for it.`);
}

function picturesVerdict(ends: Ends, asked: ResultPart, arrived: ResultPart): Verdict {
  const pictures = picturesOf(asked.content);
  if (pictures.length === 0) return kept;
  const own = picturesOf(arrived.content);
  const elsewhere = mediaOf(ends.arrived);
  const found = pictures.map((one) => {
    const here = own.some((other) => compareMedium(ends, one, other).outcome === "kept");
    return here
      ? "here"
      : elsewhere.some((other) => compareMedium(ends, one, other).outcome === "kept")
        ? "moved"
        : undefined;
  });
  // A picture's data amid a longer text is no picture any more.
  const isData = (text: string, data: string): boolean => text.endsWith(data) && text.length - data.length < 100;
  const [{ data = "\0" }] = pictures as [MediaPart];
  const isWithin = arrived.value && [...textsWithin(arrived.value)].some((text) => isData(text, data));
  if (isWithin) return kept;
  if (found.includes(undefined)) {
    // Media that the other interface takes nowhere have no counterpart.
    const isTaken = pictures.every(({ kind }) => upstreamHas(ends, kind));
    return isTaken ? changed("A picture of the result is lost.") : noCounterpart("Its pictures are lost.");
  }
  return found.includes("moved")
    ? converted(ends, "G-FACT-RESULT", "Pictures of the result follow it as the user's.")
    : kept;
}

function resultVerdicts(ends: Ends, asked: LinkedCalls, arrived: LinkedCalls): readonly Verdict[] {
  if (arrived.results.length === 0) return [dropped()];
  if (asked.results.length === 0) return [invented("No tool gave anything back.")];
  if (asked.results.length !== arrived.results.length)
    return [changed(`${asked.results.length} results became ${arrived.results.length}.`)];
  const areLinked = asked.results.every(({ call }) => call !== undefined);
  const links = new Set(asked.results.map(({ call }) => call));
  const byCall = new Map(arrived.results.map((one) => [one.call, one]));
  const isByCall = areLinked && links.size === asked.results.length;
  const linked = asked.results.flatMap((one, i) =>
    resultVerdict(ends, one, (isByCall ? byCall.get(one.call) : undefined) ?? arrived.results[i]!),
  );
  const hasIds = arrived.results.some(({ result }) => result.id !== undefined);
  if (hasIds || linked.every(({ outcome }) => outcome === "kept")) return linked;
  // Without ids, results of calls of one name may stand in the order in which they came, too.
  const inOrder = asked.results.flatMap((one, i) => {
    const other = arrived.results[i]!;
    const isOfName =
      one.call !== undefined && other.result.name === asked.calls[one.call]?.name && other.call !== undefined;
    return resultVerdict(ends, one, isOfName ? { ...other, call: one.call } : other);
  });
  return inOrder.every(({ outcome }) => outcome === "kept" || outcome === "no-counterpart") ? inOrder : linked;
}

function resultVerdict(ends: Ends, { result, call }: LinkedResult, other: LinkedResult): readonly Verdict[] {
  if (call === undefined) return [notShown("The result names no call of the conversation.")];
  const { name, id } = other.result;
  const link =
    other.call === call
      ? kept
      : changed(
          other.call === undefined
            ? `It arrived under ${name === undefined ? `the id ${id}` : `the name ${name}`}, which no call has.`
            : "It arrived as the result of another call.",
        );
  return [
    link,
    textVerdict(ends, result, other.result),
    errorVerdict(ends, result, other.result),
    picturesVerdict(ends, result, other.result),
  ];
}

const shownResult = ({ result, call }: LinkedResult): unknown => ({
  call: call ?? null,
  ...(result.id !== undefined && { id: result.id }),
  ...(result.name !== undefined && { name: result.name }),
  ...(result.value ? { value: result.value } : { text: textsOf(result.content).join("") }),
  ...(picturesOf(result.content).length > 0 && { media: picturesOf(result.content).map(shownMedium) }),
  ...(result.isError && { error: true }),
});

/** Calls of the conversation, and their results. */
export function* compareCalls(ends: Ends): Generator<FactComparison> {
  const [asked, arrived] = [linkedCalls(ends.asked), linkedCalls(ends.arrived)];
  if (asked.calls.length + arrived.calls.length > 0)
    for (const verdict of perOutcome(callVerdicts(ends, asked.calls, arrived.calls)))
      yield told("request", "tool-call", verdict, shownCalls(asked.calls), shownCalls(arrived.calls));
  const shown = ({ results }: LinkedCalls): unknown => (results.length > 0 ? results.map(shownResult) : undefined);
  if (asked.results.length + arrived.results.length > 0)
    for (const verdict of perOutcome(resultVerdicts(ends, asked, arrived)))
      yield told("request", "tool-result", verdict, shown(asked), shown(arrived));
}
