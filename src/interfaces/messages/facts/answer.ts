/** Reads what a reply of messages says. */
import type { ReplyPart } from "../../../check/reply-parts.ts";
import type { Subject } from "../../../check/subject.ts";
import { errorOf } from "../../common/facts/errors.ts";
import { type FinishWords, finishOf } from "../../common/facts/finish.ts";
import type { AnswerFacts, ChoiceFacts, OtherPart, UsageFacts } from "../../common/facts/model.ts";
import { type Json, known, numberAt, objectAt, objectsAt, objectsIn, textAt } from "../../common/facts/read.ts";
import { endSaid, partsSaid, timesOf } from "../../common/facts/said-parts.ts";
import { replyParts } from "../reading/content.ts";
import { headOf } from "../reading/head.ts";
import { replyOf } from "../reading/reply.ts";
import { streamOf } from "../reading/stream.ts";

/** Why replies end, by the words of the document and two more of services. */
export const finishWords: FinishWords = {
  end_turn: ["natural"],
  max_tokens: ["length"],
  stop_sequence: ["stop-sequence"],
  tool_use: ["tool"],
  refusal: ["filter"],
  model_context_window_exceeded: ["length"],
};

const counts = {
  input: "input_tokens",
  output: "output_tokens",
  cached: "cache_read_input_tokens",
  stored: "cache_creation_input_tokens",
} as const;

/** Counts of one usage, or of several of a stream, which only grow. */
export function usageOf(usages: readonly Json[]): UsageFacts | undefined {
  if (usages.length === 0) return undefined;
  const found = Object.entries(counts).flatMap(([name, member]) => {
    const values = usages.flatMap((usage) => numberAt(usage, member) ?? []);
    return values.length > 0 ? [[name, Math.max(...values)] as const] : [];
  });
  return { includes: { cached: false, thinking: true }, ...Object.fromEntries(found) };
}

/** The usage of a reply: in the body, or in the first and last events of a stream. */
function usagesIn({ replyJson, streamEvents }: Subject): readonly Json[] {
  const of = (value: unknown, ...names: readonly string[]): Json[] => {
    const found = names.reduce<Json | undefined>(
      (at, name) => at && objectAt(at, name),
      typeof value === "object" && value !== null ? (value as Json) : undefined,
    );
    return found ? [found] : [];
  };
  if (replyJson) return of(replyJson, "usage");
  const found: Json[] = [];
  for (const { value } of streamEvents ?? []) {
    const type = (value as Json | null | undefined)?.["type"];
    if (type === "message_start") found.push(...of(value, "message", "usage"));
    else if (type === "message_delta") found.push(...of(value, "usage"), ...of(value, "delta", "usage"));
  }
  return found.slice(-20);
}

/** Types of blocks that the document has in replies, and the field's thoughts. */
const knownBlocks = new Set(["text", "tool_use", "thinking", "redacted_thinking"]);

/** The blocks of a reply, as they are whole or as they begin in a stream. */
const blocksOf = ({ replyJson, streamEvents }: Subject): readonly Json[] =>
  replyJson
    ? objectsIn(replyJson["content"])
    : objectsAt(objectsIn((streamEvents ?? []).map(({ value }) => value)), "content_block");

/** Addresses that the reply cites: results of searches, and citations of texts. No document has them; services do. */
function sourcesOf(subject: Subject): ChoiceFacts["sources"] {
  const cited = blocksOf(subject).flatMap((block) =>
    block["type"] === "web_search_tool_result" ? objectsIn(block["content"]) : objectsIn(block["citations"]),
  );
  const urls = cited.flatMap((one) => textAt(one, "url") ?? []);
  return urls.length > 0 ? urls : undefined;
}

/** Blocks of other types: calls that the service says it made by itself, and what came of them. */
function otherBlocks(subject: Subject): readonly OtherPart[] {
  return blocksOf(subject).flatMap((block) => {
    const type = textAt(block, "type");
    return type === undefined || knownBlocks.has(type) ? [] : [{ kind: "other" as const, type }];
  });
}

/** A call without pieces of text, which are none of its arguments though they name its block. */
const withoutText = (part: ReplyPart): ReplyPart =>
  part.kind === "call" ? { ...part, pieces: part.pieces.filter(({ pointer }) => pointer !== "/delta/text") } : part;

/** The facts of a reply; undefined if there is none that can be read. */
export function answerFacts(subject: Subject): AnswerFacts | undefined {
  const { response, replyJson, streamEvents } = subject;
  if (!response) return undefined;
  const error = errorOf(subject);
  const reply = replyOf(subject);
  if (!reply && !error) return undefined;
  const parts = replyParts(subject).map(withoutText);
  const word = endSaid(subject, parts, 0);
  const sequence = reply?.stopSequence;
  const choice: ChoiceFacts = {
    index: 0,
    parts: [...(partsSaid(subject, parts)[0] ?? []), ...otherBlocks(subject)],
    ...known({
      finish:
        word === undefined
          ? undefined
          : { ...finishOf(word, finishWords), ...(typeof sequence === "string" && { sequence }) },
      sources: sourcesOf(subject),
    }),
  };
  const stream = streamOf(subject);
  const isEnded = streamEvents ? stream?.types.has("message_stop") === true || word !== undefined : reply !== undefined;
  const model = replyJson?.["model"] ?? stream?.model?.name;
  return {
    streamed: streamEvents !== undefined,
    ended: isEnded && !subject.interrupted,
    choices: reply ? [choice] : [],
    ...known({
      id: headOf(subject)?.value,
      model: typeof model === "string" ? model : undefined,
      usage: usageOf(usagesIn(subject)),
      error,
      times: timesOf(subject, parts),
    }),
  };
}
