/** Compares how much the model is asked to think. */
import type { ThinkingWish } from "../../interfaces/common/facts/model.ts";
import type { FactComparison } from "../trip.ts";
import {
  cameAs,
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

const hasAmount = ({ budget, effort }: ThinkingWish): boolean => budget !== undefined || effort !== undefined;

/** Whether only that thoughts are shown was asked for. */
const isOnlyShown = (wish: ThinkingWish): boolean => wish.shown === true && !hasAmount(wish);

/** The conversion of a wish that came under a name that the document does not have; undefined where it has it. */
function underName(ends: Ends, asked: ThinkingWish, { under }: ThinkingWish): Verdict | undefined {
  return under === undefined || under === asked.under
    ? undefined
    : converted(ends, "G-FACT-UNDOCUMENTED", cameAs(ends, under));
}

function bothOn(ends: Ends, asked: ThinkingWish, arrived: ThinkingWish): Verdict {
  const { budget, effort } = arrived;
  const sameKind =
    (asked.budget !== undefined && budget !== undefined) || (asked.effort !== undefined && effort !== undefined);
  const undocumented = underName(ends, asked, arrived);
  if (asked.budget === budget && asked.effort === effort) {
    if (undocumented) return undocumented;
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
  const conversion = `${amount(asked)} became ${amount(arrived)}.`;
  if (!hasAmount(arrived)) return changed(conversion);
  return undocumented ?? converted(ends, "G-FACT-THINKING", conversion, { outcome: "kept", conversion });
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
  if (!asked.on)
    return arrived.on
      ? invented("Thinking was switched on, though the request switches it off.")
      : (underName(ends, asked, arrived) ?? kept);
  if (!arrived.on) return changed("Thinking was switched off.");
  return bothOn(ends, asked, arrived);
}

export function* compareThinking(ends: Ends): Generator<FactComparison> {
  const verdict = thinkingVerdict(ends);
  if (verdict) yield told("request", "thinking", verdict, ends.asked.thinking, ends.arrived.thinking);
}
