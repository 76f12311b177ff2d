/** Rules on values of a chat reply that cannot be right, though their types are. */

import { warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { isObject, parseJson } from "../../wire/json.ts";
import { ofEach } from "../common/of-each.ts";
import {
  callIdsDistinct,
  countsIn,
  countsNotNegative,
  createdNearby,
  idsNotEmpty,
  isBounded,
  lengthBounded,
  type PlacedValue,
  sharesIn,
  sharesWithin,
} from "../common/plausible.ts";
import { logprobsNotAboveZero, tokensCounted, tokensSpell } from "../common/plausible-tokens.ts";
import { askedIn, chunkChoices, editChoices, editHeads, editReply, editUsage, type Loose } from "./examples/spoil.ts";
import { type Choice, headOf, isEnded, replyOf, soundChoices, within } from "./reading/reply.ts";
import { integer, joinedHint, type Placed, textsOf } from "./reading/reply-parts.ts";

const id = (name: string): string => `chat-completions.plausible.${name}`;

const usagesOf = (subject: Subject): readonly Placed[] => replyOf(subject)?.usages ?? [];

const numbersOf = (head: Placed | undefined, member: string): PlacedValue<number>[] => {
  const value = head?.value[member];
  return head && typeof value === "number" ? [{ value, spot: within(head.spot, member) }] : [];
};

const negative = countsNotNegative(
  id("tokens-not-negative"),
  (subject) =>
    ofEach(usagesOf(subject), (usage) => countsIn(usage, ["prompt_tokens", "completion_tokens", "total_tokens"])),
  (exchange) =>
    editUsage(exchange, (usage) => {
      delete usage.prompt_tokens_details;
      usage.total_tokens = usage.completion_tokens - 1;
      usage.prompt_tokens = -1;
    }),
);

const promptShares = sharesWithin(
  id("prompt-details-within-prompt"),
  (subject) =>
    ofEach(usagesOf(subject), (usage) =>
      sharesIn(usage, [
        ["prompt_tokens_details/cached_tokens", "prompt_tokens"],
        ["prompt_tokens_details/audio_tokens", "prompt_tokens"],
      ]),
    ),
  (exchange) =>
    editUsage(exchange, (usage) => void (usage.prompt_tokens_details.cached_tokens = usage.prompt_tokens + 1)),
);

const completionShares = sharesWithin(
  id("completion-details-within-completion"),
  (subject) =>
    ofEach(usagesOf(subject), (usage) =>
      sharesIn(usage, [
        ["completion_tokens_details/reasoning_tokens", "completion_tokens"],
        ["completion_tokens_details/audio_tokens", "completion_tokens"],
        ["completion_tokens_details/accepted_prediction_tokens", "completion_tokens"],
      ]),
    ),
  (exchange) =>
    editUsage(
      exchange,
      (usage) => void (usage.completion_tokens_details.reasoning_tokens = usage.completion_tokens + 1),
    ),
);

const entriesCounted = tokensCounted(
  id("logprobs-counted"),
  (subject) => {
    let entries = 0;
    for (const choice of soundChoices(subject)) entries += choice.entries.length;
    const usage = usagesOf(subject).at(-1);
    return usage && entries > 0 ? countsIn(usage, ["completion_tokens"]).map((count) => ({ ...count, entries })) : [];
  },
  (exchange) =>
    editUsage(exchange, (usage) => {
      usage.total_tokens -= usage.completion_tokens;
      usage.completion_tokens = 0;
      delete usage.completion_tokens_details;
    }),
);

function logprobsOf(subject: Subject): PlacedValue<number>[] {
  const found: PlacedValue<number>[] = [];
  const add = (entry: Placed): void => {
    const { logprob } = entry.value;
    if (typeof logprob === "number") found.push({ value: logprob, spot: within(entry.spot, "logprob") });
  };
  for (const { entries } of soundChoices(subject))
    for (const entry of entries) {
      add(entry);
      const top = entry.value["top_logprobs"];
      if (Array.isArray(top))
        for (const [i, value] of top.entries())
          if (isObject(value)) add({ value, spot: within(entry.spot, `top_logprobs/${i}`) });
    }
  return found;
}

const aboveZero = logprobsNotAboveZero(id("logprob-not-above-zero"), logprobsOf, (exchange) =>
  editChoices(exchange, ({ logprobs }) => {
    for (const entry of logprobs?.content ?? []) entry.logprob = 0.5;
  }),
);

/** The entries of a choice's `logprobs.content`; none where one of them is no object. */
function contentEntries({ entries }: Choice): Placed[] {
  const own = entries.filter(({ spot }) => spot.pointer.includes("/logprobs/content/"));
  const next = new Map<number | undefined, number>();
  for (const { spot } of own) {
    const position = next.get(spot.event) ?? 0;
    if (!spot.pointer.endsWith(`/${position}`)) return [];
    next.set(spot.event, position + 1);
  }
  return own;
}

const spelt = tokensSpell(
  id("logprobs-spell-content"),
  (subject) =>
    ofEach(soundChoices(subject), (choice) => {
      if (choice.entries.length === 0 || !choice.content || choice.calls.length > 0) return [];
      const entries = contentEntries(choice);
      const texts = textsOf(choice).filter(({ value }) => value !== "");
      const [first] = texts;
      const tokens = entries.map(({ value }) => value as { token: unknown });
      return first && entries.length > 0 ? [{ ...first, ...joinedHint(texts), text: choice.content, tokens }] : [];
    }),
  (exchange) => {
    const swap = (tokens: Loose[]): void => {
      for (const one of tokens) Object.assign(one, { token: "other", bytes: [...Buffer.from("other")] });
    };
    return editChoices(exchange, ({ logprobs }) => swap(logprobs?.content ?? []));
  },
);

const created = createdNearby(
  id("created-near-exchange"),
  (subject) => numbersOf(headOf(subject), "created"),
  (exchange) => editHeads(exchange, (head) => void (head.created -= 3 * 86_400)),
);

const replyId = idsNotEmpty(
  id("id-not-empty"),
  (subject) => {
    const head = headOf(subject);
    const value = head?.value["id"];
    return head && typeof value === "string" ? [{ value, spot: within(head.spot, "id") }] : [];
  },
  (exchange) => editHeads(exchange, (head) => void (head.id = "")),
);

const callIds = remember((subject: Subject): readonly PlacedValue<string>[] =>
  ofEach(soundChoices(subject), ({ calls }) =>
    ofEach(calls, (call) => (call.id === undefined ? [] : [{ value: call.id, spot: within(call.spot, "id") }])),
  ),
);

/** Changes every tool call of a reply; of a stream, the piece that names it. */
const editCalls = (exchange: Parameters<Rule["spoil"]>[0], change: (call: Loose) => void) =>
  editReply(
    exchange,
    (body) => {
      for (const { message } of body.choices) message.tool_calls?.forEach(change);
    },
    (events) => {
      for (const { delta } of chunkChoices(events))
        for (const call of delta.tool_calls ?? []) if (call.id !== undefined) change(call);
    },
  );

const callIdGiven = idsNotEmpty(id("tool-call-id-not-empty"), callIds, (exchange) =>
  editCalls(exchange, (call) => void (call.id = "")),
);

/** Pieces without an index cannot be told apart from further calls. */
const callIdDistinct = callIdsDistinct(
  id("tool-call-id-distinct"),
  (subject) => {
    const ids = callIds(subject);
    if (ids.length === 0) return ids;
    const unplaced = soundChoices(subject).some(({ pieces }) =>
      pieces.some(({ delta }) => {
        const calls = delta?.["tool_calls"];
        return Array.isArray(calls) && calls.some((call) => isObject(call) && integer(call["index"]) === undefined);
      }),
    );
    return unplaced ? [] : ids;
  },
  (exchange) => editCalls(exchange, (call) => void (call.id = "call_1")),
);

const argumentsIn = remember((subject: Subject): readonly PlacedValue<string>[] =>
  ofEach(soundChoices(subject), ({ calls, functionCall }) =>
    ofEach(functionCall ? [...calls, functionCall] : calls, ({ arguments: value, spot }) =>
      value === undefined ? [] : [{ value, spot }],
    ),
  ),
);

/** Whether a text is the JSON of a string that is, in its turn, the JSON of an object. */
function isWrittenTwice(text: string): boolean {
  if (!/^\s*"\s*\{/.test(text)) return false;
  const outer = parseJson(text);
  const inner = outer.ok && typeof outer.value === "string" ? parseJson(outer.value) : undefined;
  return inner?.ok === true && isObject(inner.value);
}

const argumentsOnce: Rule = {
  clause: id("arguments-once"),
  applies: (subject) => argumentsIn(subject).length > 0,
  *check(subject) {
    for (const { value, spot } of argumentsIn(subject))
      if (isWrittenTwice(value))
        yield {
          side: "response",
          ...spot,
          expected: "the JSON of an object",
          actual: value,
          hint: "it is the JSON of a string that holds the JSON of an object",
          reading: warns("X-PLAUSIBLE"),
        };
  },
  spoil: (exchange) =>
    editReply(
      exchange,
      (body) => {
        for (const { message } of body.choices)
          for (const { function: called } of message.tool_calls ?? [])
            called.arguments = JSON.stringify(called.arguments);
      },
      undefined,
    ),
};

const bounded = lengthBounded(
  id("length-without-bound"),
  (subject) => {
    const reply = replyOf(subject);
    if (!reply || subject.request.body.kind !== "json" || isBounded(subject.requestJson)) return undefined;
    if (reply.streamed && !isEnded(subject)) return undefined;
    return ofEach(soundChoices(subject), (choice) => {
      if (choice.finish !== "length") return [];
      const [tokens] = ofEach(usagesOf(subject).slice(-1), (usage) => countsIn(usage, ["total_tokens"]));
      return [{ value: "length", spot: choice.finishSpot, tokens: tokens?.value }];
    });
  },
  (exchange) =>
    isBounded(askedIn(exchange))
      ? undefined
      : editChoices(exchange, (choice) => {
          if (choice.finish_reason) choice.finish_reason = "length";
        }),
);

export const rules: readonly Rule[] = [
  negative,
  promptShares,
  completionShares,
  entriesCounted,
  aboveZero,
  spelt,
  created,
  replyId,
  callIdGiven,
  callIdDistinct,
  argumentsOnce,
  bounded,
];
