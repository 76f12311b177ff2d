/** Rules that hold a chat reply against what its request asked for. */

import { spend } from "../../check/budget.ts";
import { strictOnly, warns } from "../../check/clause.ts";
import { quoted } from "../../check/format-list.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { holds } from "../../wire/find.ts";
import { isObject } from "../../wire/json.ts";
import { askedIn, chunkEvents, editChoices, editReply, editUsage, sayInstead } from "./examples/spoil.ts";
import { id } from "./exchange/clause.ts";
import { rules as output } from "./exchange/output.ts";
import { rules as tiers } from "./exchange/tiers.ts";
import { rules as tools } from "./exchange/tools.ts";
import { faultsOf } from "./reading/choice-rule.ts";
import {
  askedOf,
  chunksOf,
  faultAt,
  isAtFault,
  isEnded,
  replyOf,
  type Spot,
  soundChoices,
  valueAt,
  within,
} from "./reading/reply.ts";
import { joinedHint, textsOf } from "./reading/reply-parts.ts";

/** A whole number of at least `low` that the request gives; undefined where absent, null or anything else. */
function wholeNumber(value: unknown, low: number): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= low ? (value as number) : undefined;
}

/** How many choices are due; undefined where the request does not say it well. */
function dueChoices(subject: Subject): number | undefined {
  const asked = askedOf(subject);
  if (!asked) return undefined;
  const { n } = asked;
  return n === undefined || n === null ? 1 : wholeNumber(n, 1);
}

const choiceCount: Rule = {
  clause: id("choice-count"),
  applies: (subject) => replyOf(subject) !== undefined && dueChoices(subject) !== undefined,
  check(subject) {
    const due = dueChoices(subject);
    const reply = replyOf(subject);
    if (!reply || due === undefined || reply.choices.length === due) return undefined;
    // A stream that broke off may lack choices that were still to come; a choice too many stays one.
    if (reply.streamed && reply.choices.length < due && !(reply.complete && isEnded(subject))) return undefined;
    const beyond = reply.streamed && reply.choices.find(({ index }) => index !== undefined && index >= due);
    const first = beyond ? beyond.pieces[0] : undefined;
    // The chunk shows the choice too many by its index.
    if (beyond && first && reply.choices.length > due) {
      const spot: Spot = { in: "stream", event: first.event, pointer: `${first.pointer}/index` };
      const expected = due === 1 ? "0, the index of the only choice" : `an index from 0 to ${due - 1}`;
      return [faultAt(spot, expected, beyond.index)];
    }
    const last = chunksOf(subject).at(-1);
    const spot: Spot = reply.streamed
      ? { in: "stream", ...(last ? { event: last.position, pointer: "/choices" } : { pointer: "" }) }
      : { in: "body", pointer: "/choices" };
    const hint = "counted by index over the whole reply";
    const choices = (n: number): string => `${n} choice${n === 1 ? "" : "s"}`;
    return [faultAt(spot, choices(due), inWords(choices(reply.choices.length)), reply.streamed ? { hint } : {})];
  },
  spoil: (exchange) =>
    editReply(
      exchange,
      (body) => body.choices.push({ ...body.choices[0], index: body.choices.length }),
      (events) => {
        for (const { data } of chunkEvents(events)) {
          const first = data.choices.find(({ index }: { index: number }) => index === 0);
          if (first) data.choices.push({ ...first, index: askedIn(exchange).n ?? 1 });
        }
      },
    ),
};

/** Choices whose output has tokens to speak about: text or a refusal that came to its end. */
const speaking = (subject: Subject) =>
  soundChoices(subject).filter(({ content, refusal, finish }) => Boolean(content || refusal) && finish);

const logprobsGiven: Rule = {
  clause: id("logprobs-given"),
  applies: (subject) =>
    askedOf(subject)?.["logprobs"] === true && !isAtFault(subject, "top-logprobs") && speaking(subject).length > 0,
  *check(subject) {
    for (const { logprobs, spot } of speaking(subject)) {
      const where = within(spot, "logprobs");
      if (!logprobs) yield faultAt(where, "content or refusal with log probabilities", valueAt(subject, where));
    }
  },
  spoil: (exchange) => editChoices(exchange, (choice) => void (choice.logprobs = null)),
};

const logprobsUnasked: Rule = {
  clause: id("logprobs-only-when-asked"),
  applies: (subject) => {
    const asked = askedOf(subject)?.["logprobs"] ?? false;
    return askedOf(subject) !== undefined && asked === false && soundChoices(subject).length > 0;
  },
  check: (subject) =>
    faultsOf(
      soundChoices(subject),
      ({ entries: [entry] }) =>
        entry && [faultAt(entry.spot, "no log probabilities, since logprobs is not set", entry.value)],
    ),
  spoil: (exchange) =>
    editChoices(exchange, (choice) => {
      const entry = { token: ".", logprob: -0.5, bytes: [46], top_logprobs: [] };
      choice.logprobs = { content: [entry], refusal: null };
    }),
};

const topAsked = (subject: Subject): number | undefined => wholeNumber(askedOf(subject)?.["top_logprobs"], 0);

const topCount: Rule = {
  clause: id("top-logprobs-count"),
  applies: (subject) =>
    topAsked(subject) !== undefined && soundChoices(subject).some(({ entries }) => entries.length > 0),
  *check(subject) {
    const asked = topAsked(subject) ?? 0;
    for (const { entries } of soundChoices(subject)) {
      const over = entries.find(({ value: { top_logprobs: top } }) => Array.isArray(top) && top.length > asked);
      if (over)
        yield faultAt(
          within(over.spot, "top_logprobs"),
          `at most ${asked}, as asked for`,
          (over.value["top_logprobs"] as unknown[]).length,
        );
    }
  },
  spoil: (exchange) =>
    editChoices(exchange, ({ logprobs }) => {
      const entry = logprobs?.content?.[0];
      if (!entry) return;
      const top = { token: entry.token, logprob: entry.logprob, bytes: entry.bytes };
      entry.top_logprobs = Array.from({ length: askedIn(exchange).top_logprobs + 1 }, () => top);
    }),
};

function stopsOf(subject: Subject): string[] {
  const stop = askedOf(subject)?.["stop"];
  if (stop === undefined) return [];
  return [stop].flat().filter((one): one is string => typeof one === "string" && one !== "");
}

/** The piece of a text in which its first `length` characters end. */
function textUpTo(texts: ReturnType<typeof textsOf>, length: number): ReturnType<typeof textsOf>[number] {
  let end = 0;
  return texts.find(({ value }) => (end += value.length) >= length) ?? texts.at(-1)!;
}

const stopExcluded: Rule = {
  clause: id("stop-excluded"),
  applies: (subject) =>
    stopsOf(subject).length > 0 && soundChoices(subject).some(({ content }) => typeof content === "string"),
  *check(subject) {
    const stops = stopsOf(subject);
    for (const choice of soundChoices(subject)) {
      const { content } = choice;
      const found =
        content &&
        stops.find((stop) => {
          spend(subject.budget, content.length + stop.length);
          return holds(content, stop);
        });
      if (!found) continue;
      const texts = textsOf(choice);
      const { spot, value } = textUpTo(texts, content.indexOf(found) + found.length);
      yield faultAt(spot, `text without the stop sequence ${quoted(found)}`, value, joinedHint(texts));
    }
  },
  spoil: (exchange) => {
    const { stop } = askedIn(exchange);
    return sayInstead(exchange, `One${[stop].flat()[0]}two`);
  },
};

interface Bound {
  readonly max: number;
  readonly n: number;
  /** Whether only the deprecated `max_tokens` says it. */
  readonly old: boolean;
}

function boundOf(subject: Subject): Bound | undefined {
  const asked = askedOf(subject);
  const now = asked?.["max_completion_tokens"] ?? undefined;
  const max = wholeNumber(now ?? asked?.["max_tokens"], 1);
  const n = dueChoices(subject);
  return max === undefined || n === undefined ? undefined : { max, n, old: now === undefined };
}

/** Tokens of reasoning that a usage counts; 0 where it does not say. */
function reasoningIn(usage: Readonly<Record<string, unknown>>): number {
  const details = usage["completion_tokens_details"];
  return (isObject(details) && wholeNumber(details["reasoning_tokens"], 0)) || 0;
}

/** Readings C-MAX-N (the bound may hold for each choice) and C-OLD-MAX (max_tokens may leave reasoning out). */
const tokenBound: Rule = {
  clause: id("token-bound"),
  applies: (subject) => boundOf(subject) !== undefined && (replyOf(subject)?.usages.length ?? 0) > 0,
  *check(subject) {
    const bound = boundOf(subject);
    const usage = replyOf(subject)?.usages.at(-1);
    const used = usage?.value["completion_tokens"];
    if (!bound || !usage || typeof used !== "number") return;
    const { max, n, old } = bound;
    const spot = within(usage.spot, "completion_tokens");
    const wanted = `at most ${max}${n > 1 ? ` for each of ${n} choices` : ""}`;
    const byReasoning = old && used - reasoningIn(usage.value) <= max * n;
    if (used > max * n) yield faultAt(spot, wanted, used, byReasoning ? { reading: warns("C-OLD-MAX") } : {});
    else if (used > max) yield faultAt(spot, `at most ${max}`, used, { reading: strictOnly("C-MAX-N") });
  },
  spoil: (exchange) => {
    const { max_completion_tokens: max, max_tokens: old, n } = askedIn(exchange);
    return editUsage(exchange, (usage) => {
      usage.completion_tokens = (max ?? old) * (n ?? 1) + 1;
      usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
    });
  },
};

export const rules: readonly Rule[] = [
  choiceCount,
  ...tiers,
  logprobsGiven,
  logprobsUnasked,
  topCount,
  stopExcluded,
  tokenBound,
  ...tools,
  ...output,
];
