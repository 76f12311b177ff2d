/** Compares what a reply says: its texts, calls, thoughts, and what lies beside them. */
import type { AnswerFacts, CallPart, ChoiceFacts, MediaPart, Part } from "../../interfaces/common/facts/model.ts";
import type { FactComparison } from "../trip.ts";
import { compareCall, shownCalls } from "./calls.ts";
import { emulatingTool } from "./emulated.ts";
import {
  changed,
  clientHas,
  clientSays,
  converted,
  dropped,
  type Ends,
  invented,
  kept,
  noCounterpart,
  told,
  type Verdict,
} from "./ends.ts";
import { compareMedium, perOutcome, shownMedium } from "./media.ts";
import { compareTexts, isSame, valueOfJson } from "./values.ts";

/** Both answers, and what the comparison of each of their choices needs. */
export interface Replies {
  readonly answered: AnswerFacts;
  readonly got: AnswerFacts;
}

export const choicesOf = ({ choices }: AnswerFacts): readonly ChoiceFacts[] =>
  [...choices].sort((a, b) => a.index - b.index);

const isMedium = (part: Part): part is MediaPart =>
  part.kind === "image" || part.kind === "audio" || part.kind === "video" || part.kind === "document";

const callsIn = ({ parts }: ChoiceFacts): readonly CallPart[] => parts.filter((part) => part.kind === "call");

const otherTypesIn = ({ parts }: ChoiceFacts): readonly string[] =>
  parts.flatMap((part) => (part.kind === "other" ? [part.type] : []));

const saidIn = ({ parts }: ChoiceFacts, kind: "text" | "thinking" | "refusal"): readonly string[] =>
  parts.flatMap((part) => (part.kind === kind ? [part.text] : []));

/** Texts and refusals in order. */
const wordsIn = ({ parts }: ChoiceFacts): readonly string[] =>
  parts.flatMap((part) => (part.kind === "text" || part.kind === "refusal" ? [part.text] : []));

/** A choice as it would be without the tool that stands for the form of the reply: its arguments are the text. */
function withoutEmulation(choice: ChoiceFacts, tool: string | undefined): ChoiceFacts {
  if (tool === undefined) return choice;
  const parts = choice.parts.map(
    (part): Part => (part.kind === "call" && part.name === tool ? { kind: "text", text: part.arguments } : part),
  );
  return { ...choice, parts };
}

/** The choices of both; where some are lost, that is told of the choices, and the others alone are compared. */
export function comparableChoices(
  ends: Ends,
  { answered, got }: Replies,
): readonly [readonly ChoiceFacts[], readonly ChoiceFacts[]] {
  const tool = emulatingTool(ends)?.name;
  const [before, after] = [choicesOf(answered), choicesOf(got)];
  const compared = after.length > 0 && after.length < before.length ? before.slice(0, after.length) : before;
  return [compared.map((choice) => withoutEmulation(choice, tool)), after];
}

/** Whether one of several words was asked for, and a JSON text became that word. */
const isWordOf = ({ asked }: Ends, before: readonly string[], after: readonly string[]): boolean =>
  asked.output?.form === "enum" && valueOfJson(before.join(""))?.value === after.join("");

/** Whether a longer text begins with a part of another one over and over, and ends with all of it. */
function repeats(text: string, other: string): boolean {
  const [first] = text.split(/(?<=\S)(?=\s)/, 1);
  return (
    first !== undefined &&
    first !== text &&
    other.length > text.length &&
    other.endsWith(text) &&
    other.startsWith(first + first)
  );
}

function textVerdict(ends: Ends, replies: Replies): Verdict | undefined {
  const tool = emulatingTool(ends)?.name;
  const [before, after] = comparableChoices(ends, replies);
  const [all, there] = [before.flatMap(wordsIn), after.flatMap(wordsIn)];
  if (all.join("") === "" && there.join("") === "") return undefined;
  if (there.join("") === "") return dropped();
  if (all.join("") === "") return invented("The upstream said nothing.");
  if (
    after.length > before.length &&
    before.length === 1 &&
    compareTexts(all, there) !== "other" &&
    wordsIn(after[0]!).join("") !== all.join("")
  )
    return changed(`The text is scattered over ${after.length} choices.`);
  let spaced = false;
  let isWord = false;
  for (const [i, choice] of before.entries()) {
    const [text, other] = [wordsIn(choice), after[i] ? wordsIn(after[i]) : []];
    const joined = compareTexts(text, other);
    if (joined === "same") continue;
    if (joined === "spaced") spaced = true;
    else if (isWordOf(ends, text, other)) isWord = true;
    else if (tool !== undefined && isSame(valueOfJson(text.join("")), valueOfJson(other.join("")))) continue;
    else if (other.length === 0) return changed(`The text of choice ${i} is lost.`);
    else if (text.join("").startsWith(other.join(""))) return changed("Its end is lost.");
    else if (repeats(text.join(""), other.join(""))) return changed("Its pieces repeat what was said before them.");
    else return changed(before.length > 1 ? `Choice ${i} says something else.` : "It says something else.");
  }
  if (isWord) return converted(ends, "G-FACT-EMULATED", "The word was taken out of a reply in JSON.");
  if (spaced) return converted(ends, "G-FACT-PARTS", "Parts of the text are joined with other white space.");
  const hasRefusal = before.some((choice) => saidIn(choice, "refusal").length > 0);
  const keepsRefusal = after.some((choice) => saidIn(choice, "refusal").length > 0);
  if (hasRefusal && !keepsRefusal)
    return ends.isTranslated
      ? converted(ends, "G-FACT-REFUSAL", "The refusal became text.", {
          outcome: "kept",
          conversion: "The refusal became text.",
        })
      : changed("The refusal became text.");
  return tool === undefined ? kept : converted(ends, "G-FACT-EMULATED", "The arguments of the tool became the text.");
}

/** Calls that the reply says the service made by itself, though the upstream says nothing of the kind. */
function madeUpCalls({ answered, got }: Replies): readonly Verdict[] {
  const own = new Set(answered.choices.flatMap(otherTypesIn));
  const isTold = own.size > 0 || answered.choices.some(({ sources = [] }) => sources.length > 0);
  const [type] = got.choices.flatMap(otherTypesIn);
  return isTold || type === undefined ? [] : [invented(`The reply has a ${type}, and the upstream's has none.`)];
}

function callsVerdicts(ends: Ends, replies: Replies): readonly Verdict[] {
  return [...ownCallsVerdicts(ends, replies), ...madeUpCalls(replies)];
}

function ownCallsVerdicts(ends: Ends, replies: Replies): readonly Verdict[] {
  const [before, after] = comparableChoices(ends, replies);
  const [all, there] = [before.flatMap(callsIn), after.flatMap(callsIn)];
  if (all.length + there.length === 0) return [];
  if (there.length === 0) return [dropped()];
  if (all.length === 0) return [invented("The upstream called nothing.")];
  if (all.length !== there.length) return [changed(`${all.length} calls became ${there.length}.`)];
  const verdicts = all.map((call, i) =>
    compareCall({ ...ends, route: { from: ends.route.to, to: ends.route.from } }, call, there[i]!),
  );
  const isElsewhere = before.some((choice, i) => callsIn(choice).length !== (after[i] ? callsIn(after[i]).length : 0));
  if (isElsewhere) verdicts.push(changed("Its calls are scattered over other choices."));
  const ids = there.flatMap(({ id, idless }, i) => (idless ? `${i}` : (id ?? [])));
  if (clientSays(ends, "tool-calls", "ids")) {
    if (ids.length < there.length || ids.includes("")) verdicts.push(changed("A call has no id."));
    else if (new Set(ids).size < ids.length) verdicts.push(changed("Several calls have one id."));
    else if (all.some(({ id }, i) => id !== undefined && id !== ids[i]))
      verdicts.push(converted(ends, "G-FACT-IDS", "Ids of calls were renamed."));
  }
  return verdicts;
}

/** Something beside the text: lost without a counterpart, dropped, or the same. */
function besideText<T>(
  ends: Ends,
  fact: string,
  before: readonly T[],
  after: readonly T[],
  same: () => Verdict,
  isSaid = clientHas(ends, fact),
): Verdict | undefined {
  if (before.length + after.length === 0) return undefined;
  if (before.length === 0) return invented("The upstream did not say it.");
  if (after.length > 0) return same();
  return isSaid || ends.route.from === ends.route.to
    ? dropped()
    : noCounterpart(`${ends.route.from} has no word for it.`);
}

function* compareBeside(ends: Ends, { answered, got }: Replies): Generator<FactComparison> {
  const [before, after] = [choicesOf(answered), choicesOf(got)];
  const list = <T>(choices: readonly ChoiceFacts[], of: (choice: ChoiceFacts) => readonly T[]): readonly T[] =>
    choices.flatMap(of);
  const some = (values: readonly unknown[]): unknown => (values.length > 0 ? values : undefined);

  const thoughts = (choices: readonly ChoiceFacts[]): readonly string[] =>
    list(choices, (choice) => saidIn(choice, "thinking"));
  const [thought, other] = [thoughts(before), thoughts(after)];
  const thinking = besideText(ends, "thinking", thought, other, () =>
    compareTexts(thought, other) === "other" ? changed("Other thoughts arrived.") : kept,
  );
  if (thinking) yield told("answer", "thinking", thinking, some(thought), some(other));

  const media = (choices: readonly ChoiceFacts[]): readonly MediaPart[] =>
    list(choices, ({ parts }) => parts.filter(isMedium));
  const [made, there] = [media(before), media(after)];
  const verdict = besideText(
    ends,
    "media",
    made,
    there,
    () => {
      if (made.length !== there.length) return changed(`${made.length} media became ${there.length}.`);
      return (
        made.map((one, i) => compareMedium(ends, one, there[i]!)).find(({ outcome }) => outcome !== "kept") ?? kept
      );
    },
    made.some(({ kind }) => clientSays(ends, "media", kind)),
  );
  if (verdict) yield told("answer", "media", verdict, some(made.map(shownMedium)), some(there.map(shownMedium)));

  const logs = (choices: readonly ChoiceFacts[]) => list(choices, (choice) => choice.logs ?? []);
  const [probable, likely] = [logs(before), logs(after)];
  const log = besideText(ends, "log-probabilities", probable, likely, () =>
    isSame(probable, likely) ? kept : changed("Other tokens or probabilities arrived."),
  );
  if (log) yield told("answer", "log-probabilities", log, some(probable), some(likely));

  const sources = (choices: readonly ChoiceFacts[]): readonly string[] =>
    list(choices, (choice) => choice.sources ?? []);
  const [cited, named] = [sources(before), sources(after)];
  const source = besideText(ends, "sources", cited, named, () => {
    if (!isSame([...new Set(cited)].sort(), [...new Set(named)].sort())) return changed("Other sources arrived.");
    const conversion = `They came in words that the document of ${ends.route.from} does not have.`;
    return clientHas(ends, "sources") || ends.route.from === ends.route.to
      ? kept
      : converted(ends, "G-FACT-UNDOCUMENTED", conversion);
  });
  if (source) yield told("answer", "sources", source, some(cited), some(named));
}

function choicesVerdict(ends: Ends, { answered, got }: Replies): Verdict | undefined {
  const [before, after] = [answered.choices.length, got.choices.length];
  if (before <= 1 && after <= 1) {
    const [first, only] = [answered.choices[0], got.choices[0]];
    return first && only && only.index !== first.index
      ? changed(`Its only choice has the index ${only.index}.`)
      : undefined;
  }
  if (before > after && after === 1 && !clientHas(ends, "choices") && ends.route.from !== ends.route.to)
    return noCounterpart(`${ends.route.from} has only one.`);
  if (before !== after) return changed(`${before} ${before === 1 ? "choice" : "choices"} became ${after}.`);
  const indices = choicesOf(got).map(({ index }) => index);
  if (indices.some((index, i) => index !== i)) return changed(`They are numbered ${indices.slice(0, 8).join(", ")}.`);
  return ends.arrivals.length > 1 ? converted(ends, "G-FACT-REPEAT", "They were asked for one by one.") : kept;
}

/** Texts, calls, choices, and what lies beside them. */
export function* compareReplies(ends: Ends, replies: Replies): Generator<FactComparison> {
  const { answered, got } = replies;
  const texts = (answer: AnswerFacts): unknown => {
    const all = choicesOf(answer).map((choice) => wordsIn(choice).join(""));
    return all.length > 1 ? all : all[0] || undefined;
  };
  const text = textVerdict(ends, replies);
  if (text) yield told("answer", "text", text, texts(answered), texts(got));
  for (const verdict of perOutcome(callsVerdicts(ends, replies)))
    yield told(
      "answer",
      "tool-calls",
      verdict,
      shownCalls(answered.choices.flatMap(callsIn)),
      shownCalls(got.choices.flatMap(callsIn)),
    );
  const choices = choicesVerdict(ends, replies);
  if (choices) yield told("answer", "choices", choices, answered.choices.length, got.choices.length);
  yield* compareBeside(ends, replies);
  yield* comparePictures(replies);
}

/** Pictures of image replies. */
function* comparePictures({ answered, got }: Replies): Generator<FactComparison> {
  const [before, after] = [answered.pictures ?? [], got.pictures ?? []];
  if (before.length + after.length === 0) return;
  const shown = (pictures: typeof before): unknown =>
    pictures.map(({ data, url }) => (data === undefined ? { url } : shownMedium({ kind: "image", data })));
  const isThere = before.every(
    ({ data, url }, i) => after[i]?.data === data && (url === undefined || after[i]?.url !== undefined),
  );
  const verdict =
    after.length === 0
      ? dropped()
      : before.length !== after.length
        ? changed(`${before.length} pictures became ${after.length}.`)
        : isThere
          ? kept
          : changed("Other pictures arrived.");
  yield told("answer", "pictures", verdict, shown(before), shown(after));
  const revised = (pictures: typeof before): unknown => {
    const prompts = pictures.flatMap((one) => one.revised ?? []);
    return prompts.length > 0 ? prompts : undefined;
  };
  const [wanted, given] = [revised(before), revised(after)];
  if (wanted === undefined && given === undefined) return;
  const outcome = isSame(wanted, given)
    ? kept
    : given === undefined
      ? dropped()
      : wanted === undefined
        ? invented("Nothing was revised.")
        : changed("Another prompt arrived.");
  yield told("answer", "revised-prompt", outcome, wanted, given);
}
