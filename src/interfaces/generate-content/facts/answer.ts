/** Reads what a reply of generate-content says. */

import type { StreamEvent } from "../../../check/body.ts";
import { type Subject, subjectWith } from "../../../check/subject.ts";
import { errorOf } from "../../common/facts/errors.ts";
import { type FinishWords, finishOf } from "../../common/facts/finish.ts";
import type { AnswerFacts, ChoiceFacts, Finish, MediaPart, UsageFacts } from "../../common/facts/model.ts";
import {
  type Json,
  known,
  mediaOf,
  numberAt,
  objectAt,
  objectsAt,
  objectsIn,
  textAt,
} from "../../common/facts/read.ts";
import { partsSaid, timesOf } from "../../common/facts/said-parts.ts";
import { replyParts } from "../reading/content.ts";
import { type Candidate, memberOf, type Piece, replyOf } from "../reading/reply.ts";
import { canonicalOf } from "../reading/spelling.ts";

/** Why candidates end, by the words of the document; a call of a function has no word of its own. */
export const finishWords: FinishWords = {
  STOP: ["natural", "stop-sequence"],
  MAX_TOKENS: ["length"],
  SAFETY: ["filter"],
  RECITATION: ["filter"],
  BLOCKLIST: ["filter"],
  PROHIBITED_CONTENT: ["filter"],
  SPII: ["filter"],
  IMAGE_SAFETY: ["filter"],
};

function finishIn({ finish, parts }: Candidate): Finish | undefined {
  if (!finish) return undefined;
  const read = finishOf(finish.value, finishWords);
  const isCall = read.word === "STOP" && parts.some(({ value }) => objectAt(value, "functionCall"));
  return isCall ? { ...read, means: ["tool", ...read.means] } : read;
}

const mediaIn = ({ parts }: Candidate): readonly MediaPart[] =>
  parts.flatMap(({ value }) => {
    const inline = objectAt(value, "inlineData");
    return inline ? [mediaOf(textAt(inline, "data") ?? "", textAt(inline, "mimeType"))] : [];
  });

/** The tokens that were chosen, with their probabilities. */
export const logsOfResult = (result: Json): NonNullable<ChoiceFacts["logs"]> =>
  objectsIn(result["chosenCandidates"]).map((one) => ({
    token: textAt(one, "token") ?? "",
    logProbability: numberAt(one, "logProbability") ?? 0,
  }));

function logsIn({ seen }: Candidate): ChoiceFacts["logs"] {
  const results = objectsAt(
    seen.map(({ value }) => value),
    "logprobsResult",
  );
  return results.length > 0 ? results.flatMap(logsOfResult) : undefined;
}

/** The addresses that a candidate cites. */
export const sourcesOfCandidate = (value: Json): readonly string[] => [
  ...objectsAt(objectsIn(memberOf(value, "groundingMetadata")["groundingChunks"]), "web").flatMap(
    (web) => textAt(web, "uri") ?? [],
  ),
  ...objectsIn(memberOf(value, "citationMetadata")["citationSources"]).flatMap((source) => textAt(source, "uri") ?? []),
];

function sourcesIn({ seen }: Candidate): ChoiceFacts["sources"] {
  const urls = seen.flatMap(({ value }) => sourcesOfCandidate(value));
  return urls.length > 0 ? urls : undefined;
}

/** Tokens as a reply counts them. */
export function usageOf(usage: Json): UsageFacts {
  const read = (name: string): number | undefined => numberAt(usage, name);
  return {
    includes: { cached: true, thinking: false },
    ...known({
      input: read("promptTokenCount"),
      output: read("candidatesTokenCount"),
      cached: read("cachedContentTokenCount"),
      thinking: read("thoughtsTokenCount"),
      total: read("totalTokenCount"),
    }),
  };
}

function usageIn(pieces: readonly Piece[]): UsageFacts | undefined {
  const last = pieces.findLast(({ value }) => objectAt(value, "usageMetadata"));
  return last && usageOf(memberOf(last.value, "usageMetadata"));
}

/** A prompt that was blocked, as a reply that a filter ended. */
function blockedIn(pieces: readonly Piece[]): ChoiceFacts | undefined {
  const words = pieces.flatMap(({ value }) => textAt(memberOf(value, "promptFeedback"), "blockReason") ?? []);
  const [word] = words;
  return word === undefined ? undefined : { index: 0, parts: [], finish: { word, means: ["filter"] } };
}

const textIn = (pieces: readonly Piece[], name: string): string | undefined => {
  const found: Json | undefined = pieces.find(({ value }) => textAt(value, name) !== undefined)?.value;
  return found && textAt(found, name);
};

/** A stream that was not asked for as server-sent events comes as a list of what the events would hold. */
function withListAsEvents(subject: Subject): Subject {
  const { response, operation } = subject;
  const body = response?.body;
  const isList = operation.schemas.event !== undefined && body?.kind === "json" && Array.isArray(body.value);
  if (!response?.ok || !isList) return subject;
  const events = objectsIn(body.value).map((sent, position): StreamEvent => {
    const { value } = canonicalOf(sent, "response");
    const unknown = { original: undefined, spelling: undefined, problem: undefined, lexicalIssues: undefined };
    const kind = objectAt(sent, "error") ? "error" : "json";
    return { event: undefined, data: "", offset: 0, position, kind, value, sent, ...unknown };
  });
  const stream = { kind: "stream", events, terminated: true, whole: true, notUtf8: [] } as const;
  return {
    // So that all is derived anew.
    ...subjectWith(subject, subject.names),
    response: { ...response, body: stream },
    streamEvents: events,
    replyJson: undefined,
  };
}

/** The facts of a reply; undefined if there is none that can be read. */
export function answerFacts(given: Subject): AnswerFacts | undefined {
  const subject = withListAsEvents(given);
  const { response } = subject;
  if (!response) return undefined;
  const error = errorOf(subject);
  const reply = replyOf(subject);
  if (!reply && !error) return undefined;
  const parts = replyParts(subject);
  const spoken = partsSaid(subject, parts);
  const read = (reply?.candidates ?? []).map(
    (candidate, i): ChoiceFacts => ({
      index: i,
      parts: [...(spoken[i] ?? []), ...mediaIn(candidate)],
      ...known({ finish: finishIn(candidate), logs: logsIn(candidate), sources: sourcesIn(candidate) }),
    }),
  );
  const pieces = reply?.pieces ?? [];
  const blocked = read.length === 0 ? blockedIn(pieces) : undefined;
  const choices = blocked ? [blocked] : read;
  return {
    streamed: reply?.streamed === true,
    ended: choices.some(({ finish }) => finish !== undefined) && !subject.interrupted,
    choices,
    ...known({
      id: textIn(pieces, "responseId"),
      model: textIn(pieces, "modelVersion"),
      usage: usageIn(pieces),
      error,
      // Nothing says which bytes of a list came when.
      times: subject === given ? timesOf(subject, parts) : undefined,
    }),
  };
}
