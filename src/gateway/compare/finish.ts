/** Compares why replies ended. */
import type { ChoiceFacts, Finish, FinishReason } from "../../interfaces/common/facts/model.ts";
import type { FactComparison } from "../trip.ts";
import { emulatingTool } from "./emulated.ts";
import {
  changed,
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
import { perOutcome } from "./media.ts";
import { choicesOf, type Replies } from "./replies.ts";

const names: Readonly<Record<FinishReason, string>> = {
  natural: "a natural end",
  length: "its length",
  "stop-sequence": "a stop sequence",
  tool: "a tool",
  filter: "a filter",
  other: "another reason",
};

const meaning = ({ means }: Finish): string => means.map((one) => names[one]).join(" or ");

/** Whether the client's interface has a word of its own for a reason. */
const hasWord = (ends: Ends, reason: FinishReason): boolean => clientSays(ends, "finish", reason);

function finishVerdict(ends: Ends, before: ChoiceFacts, after: ChoiceFacts | undefined): Verdict | undefined {
  const [finish, other] = [before.finish, after?.finish];
  if (!finish && !other) return undefined;
  if (!finish) return invented("The upstream did not say why it ended.");
  if (!other) return dropped();
  const [plainest] = finish.means;
  const isSame = finish.word === other.word && finish.sequence === other.sequence;
  if (isSame && ends.route.from === ends.route.to) return kept;
  const emulated = emulatingTool(ends)?.name;
  const isEmulated =
    emulated !== undefined && before.parts.some((part) => part.kind === "call" && part.name === emulated);
  if (isEmulated && plainest === "tool" && other.means.includes("natural"))
    return converted(ends, "G-FACT-EMULATED", "The tool stood for the form of the reply.");
  // A word that tells a tool from a natural end has to tell it where there is one.
  if (plainest === "tool" && hasWord(ends, "tool") && !other.means.includes("tool"))
    return changed(`The end for a tool is told as ${meaning(other)}.`);
  const isRefusal = before.parts.some(({ kind }) => kind === "refusal");
  if (isRefusal && ends.isTranslated && other.means.includes("filter"))
    return converted(ends, "G-FACT-REFUSAL", "A refusal is told as the end by a filter.");
  const shared = finish.means.filter((one) => other.means.includes(one));
  if (shared.length === 0) {
    const why = `The end by ${meaning(finish)} is told as ${meaning(other)}.`;
    // The plainest word claims the least if there is no exact one.
    const isPlain = other.means.includes("natural") || other.means.includes("other");
    return !hasWord(ends, plainest!) && isPlain
      ? noCounterpart(`${why} ${ends.route.from} has no word for it.`)
      : changed(why);
  }
  const isSequence = shared.every((one) => one === "stop-sequence");
  if (isSequence && !finish.means.every((one) => one === "stop-sequence") && !("stop.sequences" in ends.asked.settings))
    return changed("The natural end is told as a stop sequence, and none was asked for.");
  if (finish.sequence !== undefined && other.sequence !== finish.sequence && hasWord(ends, "stop-sequence"))
    return changed("Which stop sequence it was is lost.");
  return kept;
}

const shown = (choices: readonly ChoiceFacts[]): unknown => {
  const all = choices.map(({ finish }) =>
    finish
      ? {
          reason: finish.means[0],
          word: finish.word,
          ...(finish.sequence !== undefined && { sequence: finish.sequence }),
        }
      : null,
  );
  return all.length > 1 ? all : (all[0] ?? undefined);
};

/** The ends of all choices that the upstream gave. */
export function* compareFinish(ends: Ends, replies: Replies): Generator<FactComparison> {
  const [all, after] = [choicesOf(replies.answered), choicesOf(replies.got)];
  const before = after.length > 0 && after.length < all.length ? all.slice(0, after.length) : all;
  // The last choice may have the end of a text that is scattered over choices.
  const isScattered = before.length === 1 && after.length > 1;
  const verdicts = before.flatMap(
    (choice, i) =>
      finishVerdict(ends, choice, isScattered ? (after.find(({ finish }) => finish) ?? after[0]) : after[i]) ?? [],
  );
  for (const verdict of perOutcome(verdicts)) yield told("answer", "finish", verdict, shown(before), shown(after));
}
