/** Reads what a chat reply says. */
import { maxReplies } from "../../../check/reply-parts.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { errorOf } from "../../common/facts/errors.ts";
import { type FinishWords, finishOf } from "../../common/facts/finish.ts";
import type { AnswerFacts, ChoiceFacts, MediaPart, Part, UsageFacts } from "../../common/facts/model.ts";
import { type Json, known, mediaOf, numberAt, objectAt, objectsIn, textAt } from "../../common/facts/read.ts";
import { endSaid, partsSaid, timesOf } from "../../common/facts/said-parts.ts";
import { replyParts } from "../reading/content.ts";
import { type Choice, doneAt, headOf, type Reply, replyOf } from "../reading/reply.ts";

/** Why choices end, by the words of the document. */
export const finishWords: FinishWords = {
  stop: ["natural", "stop-sequence"],
  length: ["length"],
  content_filter: ["filter"],
  tool_calls: ["tool"],
  function_call: ["tool"],
};

/** The sound of a choice, its pieces put together. */
function soundOf({ audio, pieces }: Choice): MediaPart | undefined {
  if (!audio) return undefined;
  const all = pieces.length > 0 ? pieces.map(({ delta }) => delta?.["audio"]) : [audio.value];
  const joined = (name: string): string => all.map((one) => (isObject(one) ? (textAt(one, name) ?? "") : "")).join("");
  const transcript = joined("transcript");
  return { ...mediaOf(joined("data"), undefined, "audio"), ...(transcript !== "" && { transcript }) };
}

/** Tokens as a reply counts them. */
export function usageOf(usage: Json): UsageFacts {
  const read = (name: string, of = usage): number | undefined => numberAt(of, name);
  return {
    includes: { cached: true, thinking: true },
    ...known({
      input: read("prompt_tokens"),
      output: read("completion_tokens"),
      total: read("total_tokens"),
      cached: read("cached_tokens", objectAt(usage, "prompt_tokens_details") ?? {}),
      thinking: read("reasoning_tokens", objectAt(usage, "completion_tokens_details") ?? {}),
    }),
  };
}

function logsOf({ entries, logprobs }: Choice): ChoiceFacts["logs"] {
  if (!logprobs) return undefined;
  return entries.map(({ value }) => ({
    token: textAt(value, "token") ?? "",
    logProbability: numberAt(value, "logprob") ?? 0,
  }));
}

function sourcesOf({ annotations }: Choice): ChoiceFacts["sources"] {
  const urls = annotations.flatMap(({ value }) => textAt(objectAt(value, "url_citation") ?? {}, "url") ?? []);
  return urls.length > 0 ? urls : undefined;
}

/** The deprecated call of a function has no id. */
const marked = (parts: readonly Part[], { functionCall }: Choice): readonly Part[] =>
  functionCall
    ? parts.map((part) => (part.kind === "call" && part.id === undefined ? { ...part, idless: true } : part))
    : parts;

/** The last reason for an end in chunks that do not say which choice they belong to. */
function strayEnd({ streamEvents }: Subject, { strays }: Pick<Reply, "strays">): string | undefined {
  const words = strays.flatMap((position) => {
    const value = streamEvents?.[position]?.value;
    const choices = isObject(value) ? objectsIn(value["choices"]) : [];
    return choices.flatMap((choice) => textAt(choice, "finish_reason") ?? []);
  });
  return words.at(-1);
}

/** The facts of a reply; undefined if there is none that can be read. */
export function answerFacts(subject: Subject): AnswerFacts | undefined {
  const { response } = subject;
  if (!response) return undefined;
  const error = errorOf(subject);
  const reply = replyOf(subject);
  if (!reply && !error) return undefined;
  const parts = replyParts(subject);
  const spoken = partsSaid(subject, parts);
  const choices = (reply?.choices ?? []).slice(0, maxReplies).map((choice, i): ChoiceFacts => {
    const word = endSaid(subject, parts, i) ?? (i === 0 ? strayEnd(subject, reply!) : undefined);
    const sound = soundOf(choice);
    return {
      index: choice.index ?? i,
      parts: [...marked(spoken[i] ?? [], choice), ...(sound ? [sound] : [])],
      ...known({
        finish: word === undefined ? undefined : finishOf(word, finishWords),
        logs: logsOf(choice),
        sources: sourcesOf(choice),
      }),
    };
  });
  const usage = reply?.usages.at(-1)?.value;
  const head = headOf(subject)?.value ?? {};
  const isEnded = reply?.streamed
    ? doneAt(subject).length > 0 || choices.some(({ finish }) => finish !== undefined)
    : reply !== undefined;
  return {
    streamed: subject.streamEvents !== undefined,
    ended: isEnded && !subject.interrupted,
    choices,
    ...known({
      id: textAt(head, "id"),
      model: textAt(head, "model"),
      usage: usage && usageOf(usage),
      error,
      times: timesOf(subject, parts),
    }),
  };
}
