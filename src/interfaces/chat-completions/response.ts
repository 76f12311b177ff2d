/** Rules on what a chat reply holds, whole or put together from its chunks. */
import type { Grade } from "../../check/clause.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import { isObject, replyJson, type Subject } from "../../check/subject.ts";
import { duplicateKeys, modelEcho, replyIsJson, replyMediaType, successIs200 } from "../common.ts";
import { askedOf, type Choice, faultAt, type Placed, replyOf, soundChoices, within } from "./reply.ts";
import { askedIn, chunkChoices, editChoices, editReply, editUsage, isStreamed, sayInstead } from "./spoil.ts";

const warns = (id: string): Grade => ({ id, default: "warning", strict: "error" });
const strictOnly = (id: string): Grade => ({ id, default: "off", strict: "error" });

/** A rule that looks at each well-formed choice by itself. */
function perChoice(
  clause: string,
  concerns: (choice: Choice, subject: Subject) => boolean,
  check: (choice: Choice, subject: Subject) => Iterable<Fault>,
  spoil: Rule["spoil"],
): Rule {
  return {
    clause: `chat-completions.response.${clause}`,
    applies: (subject) => soundChoices(subject).some((choice) => concerns(choice, subject)),
    *check(subject) {
      for (const choice of soundChoices(subject)) if (concerns(choice, subject)) yield* check(choice, subject);
    },
    spoil,
  };
}

/** Reading C-INDEX: any order of 0..n-1 is fine, though out of order it warns. */
const indexPosition: Rule = {
  clause: "chat-completions.response.index-position",
  applies: (subject) => {
    const choices = replyOf(subject)?.choices ?? [];
    return choices.length > 0 && choices.every(({ index }) => index !== undefined);
  },
  *check(subject) {
    const reply = replyOf(subject);
    if (!reply) return;
    const asked = askedOf(subject)?.["n"];
    const count = Math.max(reply.choices.length, reply.streamed && Number.isSafeInteger(asked) ? Number(asked) : 1);
    const seen = new Set<number | undefined>();
    for (const [i, { index = -1, spot }] of reply.choices.entries()) {
      const where = within(spot, "index");
      if (index < 0 || index >= count) {
        // Of a stream that broke off, more choices may have been to come.
        if (index < 0 || !reply.streamed || reply.complete)
          yield faultAt(where, `a position from 0 to ${count - 1}`, index);
      } else if (seen.has(index)) yield faultAt(where, "an index no other choice has", index);
      else if (!reply.streamed && index !== i) yield faultAt(where, String(i), index, { reading: warns("C-INDEX") });
      seen.add(index);
    }
  },
  spoil: (exchange) => editChoices(exchange, (choice) => void (choice.index += 9)),
};

const toolCallsGiven = perChoice(
  "finish-reason-tool-calls",
  ({ finish }) => finish === "tool_calls",
  function* ({ calls, message }) {
    if (calls.length === 0)
      yield faultAt(within(message, "tool_calls"), "a tool call, since the choice finished with tool_calls", undefined);
  },
  (exchange) => sayInstead(exchange, "No call at all."),
);

/** Only `stop` and `function_call` contradict calls: the other reasons say that the reply was cut short. */
const toolCallsFinish = perChoice(
  "tool-calls-finish-reason",
  ({ calls, finish }) => calls.length > 0 && typeof finish === "string",
  function* ({ finish, finishSpot }) {
    if (finish === "stop" || finish === "function_call")
      yield faultAt(finishSpot, `"tool_calls" beside tool calls`, finish, { reading: warns("C-FINISH-TOOLS") });
  },
  (exchange) =>
    editChoices(exchange, (choice) => {
      if (choice.finish_reason) choice.finish_reason = "stop";
    }),
);

const functionCallGiven = perChoice(
  "finish-reason-function-call",
  ({ finish }) => finish === "function_call",
  function* ({ functionCall, calls, message }) {
    if (!functionCall && calls.length === 0)
      yield faultAt(
        within(message, "function_call"),
        "a function call, since the choice finished with function_call",
        undefined,
      );
  },
  (exchange) => sayInstead(exchange, "No call at all."),
);

const contentNull = perChoice(
  "content-null-with-tool-calls",
  ({ calls, content }) => calls.length > 0 && content !== undefined,
  function* ({ content, message, pieces }) {
    // A stream's first chunk carries empty content by another clause.
    if (content === null || (content === "" && pieces.length > 0)) return;
    yield faultAt(within(message, "content"), "null beside tool calls", content, { reading: warns("C-CONTENT-NULL") });
  },
  (exchange) =>
    editReply(
      exchange,
      (body) => {
        for (const { message } of body.choices) message.content = "Calling.";
      },
      (events) => {
        for (const { delta } of chunkChoices(events)) if (delta.tool_calls) delta.content = "Calling.";
      },
    ),
);

const functionCallDeprecated = perChoice(
  "function-call-deprecated",
  () => true,
  function* ({ functionCall }) {
    if (functionCall) yield faultAt(functionCall.spot, "tool_calls instead", "function_call");
  },
  (exchange) =>
    isStreamed(exchange) || !askedIn(exchange).functions
      ? undefined
      : editReply(
          exchange,
          (body) => {
            const { name } = askedIn(exchange).functions[0];
            for (const { message } of body.choices) message.function_call = { name, arguments: "{}" };
          },
          undefined,
        ),
);

const finishDeprecated = perChoice(
  "finish-reason-function-call-deprecated",
  ({ finish }) => typeof finish === "string",
  function* ({ finish, finishSpot }) {
    if (finish === "function_call") yield faultAt(finishSpot, "tool_calls instead", finish);
  },
  (exchange) =>
    editChoices(exchange, (choice) => {
      if (choice.finish_reason) choice.finish_reason = "function_call";
    }),
);

const citation = (annotation: Placed): { start: number; end: number } | undefined => {
  const cited = annotation.value["url_citation"];
  const { start_index: start, end_index: end } = isObject(cited) ? cited : {};
  return Number.isInteger(start) && Number.isInteger(end) ? { start: start as number, end: end as number } : undefined;
};

const editCitations = (exchange: Parameters<Rule["spoil"]>[0], change: (cited: Record<string, number>) => void) =>
  editReply(
    exchange,
    (body) => {
      for (const { message } of body.choices)
        for (const { url_citation: cited } of message.annotations ?? []) change(cited);
    },
    undefined,
  );

const citationOrder = perChoice(
  "citation-order",
  ({ annotations }) => annotations.some(citation),
  function* ({ annotations }) {
    for (const annotation of annotations) {
      const at = citation(annotation);
      if (at && at.start > at.end)
        yield faultAt(within(annotation.spot, "url_citation/end_index"), `at least start_index ${at.start}`, at.end);
    }
  },
  (exchange) => editCitations(exchange, (cited) => void (cited["start_index"] = cited["end_index"]! + 1)),
);

/** Reading C-CITE-INDEX: unit and base are open, so only what no unit allows is wrong by default. */
const citationWithin = perChoice(
  "citation-within-text",
  ({ annotations, content }) => typeof content === "string" && annotations.some(citation),
  function* ({ annotations, content }) {
    const bytes = Buffer.byteLength(content ?? "");
    let points: number | undefined;
    for (const annotation of annotations) {
      const at = citation(annotation);
      if (!at || at.start > at.end) continue;
      const end = within(annotation.spot, "url_citation/end_index");
      if (at.end > bytes) yield faultAt(end, `at most ${bytes}, the length of the message`, at.end);
      else {
        points ??= Array.from(content ?? "").length;
        const reading = strictOnly("C-CITE-INDEX");
        if (at.end >= points) yield faultAt(end, `the position of a character, below ${points}`, at.end, { reading });
        if (at.start < 0)
          yield faultAt(within(annotation.spot, "url_citation/start_index"), "at least 0", at.start, { reading });
      }
    }
  },
  (exchange) => editCitations(exchange, (cited) => void (cited["end_index"] = 1e6)),
);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether bytes are a whole UTF-8 text other than `token`; pieces of a character say nothing. */
function contradicts(bytes: unknown, token: unknown): boolean {
  if (!Array.isArray(bytes) || typeof token !== "string") return false;
  const wanted = Buffer.from(token);
  if (wanted.length === bytes.length && bytes.every((byte, i) => byte === wanted[i])) return false;
  if (!bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)) return false;
  try {
    return decoder.decode(Uint8Array.from(bytes as number[])) !== token;
  } catch {
    return false;
  }
}

const listed = (entry: Placed): unknown[] => {
  const top = entry.value["top_logprobs"];
  return Array.isArray(top) ? top : [];
};

const bytesOfToken = perChoice(
  "bytes-of-token",
  ({ entries }) => entries.some(({ value }) => Array.isArray(value["bytes"])),
  function* ({ entries }) {
    const reading = warns("C-BYTES");
    for (const entry of entries) {
      const { bytes, token } = entry.value;
      const expected = (text: unknown): string => `the UTF-8 bytes of ${JSON.stringify(text)}`;
      if (contradicts(bytes, token)) yield faultAt(within(entry.spot, "bytes"), expected(token), bytes, { reading });
      for (const [i, top] of listed(entry).entries())
        if (isObject(top) && contradicts(top["bytes"], top["token"]))
          yield faultAt(within(entry.spot, `top_logprobs/${i}/bytes`), expected(top["token"]), top["bytes"], {
            reading,
          });
    }
  },
  (exchange) =>
    editChoices(exchange, ({ logprobs }) => {
      for (const entry of logprobs?.content ?? []) entry.bytes = [...Buffer.from(`${entry.token}!`)];
    }),
);

/** With twenty alternatives listed, a token that is not among them is known not to be one of the 20 most probable. */
const unlisted = (entry: Placed): boolean => {
  const top = listed(entry);
  return top.length >= 20 && top.every((one) => isObject(one) && one["token"] !== entry.value["token"]);
};

const sentinel = perChoice(
  "logprob-sentinel",
  ({ entries }) => entries.some(unlisted),
  function* ({ entries }) {
    for (const entry of entries) {
      const { logprob } = entry.value;
      if (typeof logprob === "number" && logprob !== -9999 && unlisted(entry))
        yield faultAt(within(entry.spot, "logprob"), "-9999.0 for a token that is not among the 20 listed", logprob, {
          reading: warns("C-9999"),
        });
    }
  },
  (exchange) =>
    editChoices(exchange, ({ logprobs }) => {
      for (const entry of logprobs?.content ?? []) if (entry.logprob === -9999) entry.logprob = -3.5;
    }),
);

/** Usage of the reply, or of every completion of a list. */
function usagesOf(subject: Subject): readonly Placed[] {
  const reply = replyOf(subject);
  if (reply) return reply.usages;
  const data = replyJson(subject)?.["data"];
  if (!Array.isArray(data)) return [];
  return data.flatMap((entry: unknown, i): Placed[] =>
    isObject(entry) && isObject(entry["usage"])
      ? [{ value: entry["usage"], spot: { in: "body", pointer: `/data/${i}/usage` } }]
      : [],
  );
}

const counts = ({ value }: Placed): { prompt: number; completion: number; total: number } | undefined => {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = value;
  return [prompt, completion, total].every(Number.isSafeInteger)
    ? { prompt: prompt as number, completion: completion as number, total: total as number }
    : undefined;
};

const totalSum: Rule = {
  clause: "chat-completions.response.total-tokens-sum",
  applies: (subject) => usagesOf(subject).some(counts),
  *check(subject) {
    for (const usage of usagesOf(subject)) {
      const sum = counts(usage);
      if (sum && sum.total !== sum.prompt + sum.completion)
        yield faultAt(
          within(usage.spot, "total_tokens"),
          `${sum.prompt} + ${sum.completion} = ${sum.prompt + sum.completion}`,
          sum.total,
        );
    }
  },
  spoil: (exchange) => editUsage(exchange, (usage) => void (usage.total_tokens += 1)),
};

const rejected = ({ value }: Placed): { rejected: number; completion: number } | undefined => {
  const details = value["completion_tokens_details"];
  const count = isObject(details) ? details["rejected_prediction_tokens"] : undefined;
  const completion = value["completion_tokens"];
  return Number.isSafeInteger(count) && Number.isSafeInteger(completion)
    ? { rejected: count as number, completion: completion as number }
    : undefined;
};

const rejectedCounted: Rule = {
  clause: "chat-completions.response.rejected-prediction-tokens-counted",
  applies: (subject) => usagesOf(subject).some(rejected),
  *check(subject) {
    for (const usage of usagesOf(subject)) {
      const known = rejected(usage);
      if (known && known.rejected > known.completion)
        yield faultAt(
          within(usage.spot, "completion_tokens_details/rejected_prediction_tokens"),
          `at most ${known.completion}, the completion tokens`,
          known.rejected,
        );
    }
  },
  spoil: (exchange) =>
    editUsage(exchange, (usage) => {
      usage.completion_tokens_details.rejected_prediction_tokens = usage.completion_tokens + 1;
    }),
};

export const rules: readonly Rule[] = [
  replyIsJson("chat-completions.response.body-is-json"),
  replyMediaType("chat-completions.response.media-type"),
  successIs200("chat-completions.response.status"),
  duplicateKeys("chat-completions.response.duplicate-keys", "response"),
  modelEcho("chat-completions.response.model-echo"),
  indexPosition,
  toolCallsGiven,
  toolCallsFinish,
  functionCallGiven,
  contentNull,
  functionCallDeprecated,
  finishDeprecated,
  citationOrder,
  citationWithin,
  bytesOfToken,
  sentinel,
  totalSum,
  rejectedCounted,
];
