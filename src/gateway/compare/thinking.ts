/** Compares how much the model is asked to think. */
import type { ThinkingWish } from "../../interfaces/common/facts/model.ts";
import type { FactComparison } from "../trip.ts";
import {
  changed,
  converted,
  type Ends,
  gone,
  invented,
  kept,
  noCounterpart,
  requestFact,
  told,
  type Verdict,
} from "./ends.ts";

/** Whether nobody thinks in an interface unless asked to. */
const isOffByDefault = (name: string): boolean => requestFact("thinking").defaults?.[name] !== undefined;

function unasked(ends: Ends, { on }: ThinkingWish): Verdict {
  const { from, to } = ends.route;
  if (on) return invented("Nobody asked for thinking.");
  return isOffByDefault(from) || isOffByDefault(to)
    ? converted(ends, "G-FACT-DEFAULT", "No thinking was asked for, as without a word.")
    : invented("Nobody asked for no thinking.");
}

/** Whether only that thoughts are shown was asked for. */
const isOnlyShown = ({ budget, effort, shown }: ThinkingWish): boolean =>
  shown === true && budget === undefined && effort === undefined;

function bothOn(ends: Ends, asked: ThinkingWish, arrived: ThinkingWish): Verdict {
  const { budget, effort } = arrived;
  const sameKind =
    (asked.budget !== undefined && budget !== undefined) || (asked.effort !== undefined && effort !== undefined);
  const isUndocumented = arrived.under !== undefined && arrived.under !== asked.under;
  const under = `It came as ${arrived.under}, which the document of ${ends.route.to} does not have.`;
  if (sameKind && asked.budget === budget && asked.effort === effort) {
    if (isUndocumented) return converted(ends, "G-FACT-UNDOCUMENTED", under);
    return ends.route.from === ends.route.to && (asked.shown ?? false) !== (arrived.shown ?? false)
      ? changed("Whether thoughts are shown is lost.")
      : kept;
  }
  const amount = (wish: ThinkingWish): string =>
    wish.budget === undefined
      ? wish.effort === undefined
        ? "no amount"
        : `the effort ${wish.effort}`
      : `${wish.budget} tokens`;
  const [least = 0] = requestFact("thinking").ranges?.[ends.route.to] ?? [];
  if (sameKind && budget === least && (asked.budget ?? 0) < least)
    return converted(ends, "G-FACT-LIMIT", `${amount(asked)} became ${least}, the least that ${ends.route.to} takes.`);
  if (sameKind) return changed(`${amount(asked)} became ${amount(arrived)}.`);
  if (isOnlyShown(asked) && isOnlyShown(arrived)) return kept;
  if (budget === undefined && effort === undefined) return changed(`${amount(asked)} became ${amount(arrived)}.`);
  const conversion = `${amount(asked)} became ${amount(arrived)}.`;
  return converted(
    ends,
    isUndocumented ? "G-FACT-UNDOCUMENTED" : "G-FACT-THINKING",
    isUndocumented ? under : conversion,
    isUndocumented ? undefined : { outcome: "kept", conversion },
  );
}

function thinkingVerdict(ends: Ends): Verdict | undefined {
  const [asked, arrived] = [ends.asked.thinking, ends.arrived.thinking];
  if (!asked && !arrived) return undefined;
  if (!asked) return unasked(ends, arrived!);
  if (!arrived) {
    if (!asked.on)
      return ends.route.from === ends.route.to && !isOffByDefault(ends.route.to)
        ? gone(ends, "thinking")
        : converted(ends, "G-FACT-THINKING", "Nothing was said of thinking, and so none is asked for.", {
            outcome: "kept",
            conversion: "Nothing was said of thinking, and so none is asked for.",
          });
    return isOnlyShown(asked) && ends.route.to !== ends.route.from
      ? noCounterpart(`${ends.route.to} has no word for showing thoughts.`)
      : gone(ends, "thinking");
  }
  if (!asked.on) return arrived.on ? invented("Thinking was switched on, though the request switches it off.") : kept;
  if (!arrived.on) return changed("Thinking was switched off.");
  return bothOn(ends, asked, arrived);
}

export function* compareThinking(ends: Ends): Generator<FactComparison> {
  const verdict = thinkingVerdict(ends);
  if (verdict) yield told("request", "thinking", verdict, ends.asked.thinking, ends.arrived.thinking);
}
