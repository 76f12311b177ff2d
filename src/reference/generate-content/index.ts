/** The embedded reference implementation of generate-content. */

import type { Answer, IncomingRequest } from "../../check/answer.ts";
import { failures } from "../../interfaces/generate-content/errors.ts";
import { sseEvent, utf8 } from "../../wire/build.ts";
import type { Reply } from "../../wire/listen.ts";
import { jsonReply, perMedium } from "../answer.ts";
import { stableId, tokensIn } from "../directives.ts";
import { type Made, makeCandidate } from "./candidate.ts";
import { type Instructions, instructionsIn, integerIn } from "./instructions.ts";

type Json = Readonly<Record<string, unknown>>;

const messages: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT: "The request is not valid.",
  FAILED_PRECONDITION: "Something has to be done before this call.",
  UNAUTHENTICATED: "API key not valid.",
  PERMISSION_DENIED: "The key does not permit this.",
  NOT_FOUND: "There is no such model or path.",
  PAYLOAD_TOO_LARGE: "The request is too large.",
  RESOURCE_EXHAUSTED: "The quota is used up.",
  INTERNAL: "The service failed.",
  UNAVAILABLE: "The service is overloaded.",
  DEADLINE_EXCEEDED: "The request took too long.",
};

/** A refusal in the document's error shape, by its status string. */
function refuse(name: string, more: { message?: string; details?: readonly unknown[] } = {}): Reply {
  const [status] = failures.find(([, one]) => one === name) ?? [500];
  const message = more.message ?? messages[name] ?? "The service failed.";
  return jsonReply(status, { error: { code: status, message, status: name, details: more.details ?? [] } });
}

/** The key a request carries in any way services of this kind take, or undefined. */
function keyOf({ subject }: IncomingRequest): string | undefined {
  const { headers } = subject!.request;
  return (
    subject!.query["key"]?.trim() ||
    headers["x-goog-api-key"]?.trim() ||
    headers["authorization"]?.replace(/^\s*bearer\s+/i, "").trim() ||
    undefined
  );
}

/** Why a request is not served, or undefined. */
function refusalOf(asked: IncomingRequest, instructions: Instructions): Reply | undefined {
  const key = keyOf(asked);
  if (key === undefined) return refuse("UNAUTHENTICATED", { message: "The API key is missing." });
  if (key === "wrong-key") return refuse("UNAUTHENTICATED");
  if (
    instructions.model.startsWith("unknown-") ||
    asked.faults.some((fault) => fault.in === "path" || fault.in === "method")
  )
    return refuse("NOT_FOUND");
  if (asked.faults.length > 0) {
    const fieldViolations = asked.faults.map(({ pointer, message }) => ({ field: pointer, description: message }));
    const details = [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations }];
    return refuse("INVALID_ARGUMENT", { message: asked.faults[0]!.message, details });
  }
  const wanted = instructions.directives.get("error");
  const failure = failures.find(([status, name]) => wanted === name || wanted === String(status));
  return failure && refuse(failure[1]);
}

const modalityOf = (mimeType: string): string => {
  const [top] = mimeType.toLowerCase().split("/");
  return top === "image" || top === "audio" || top === "video" ? top.toUpperCase() : "DOCUMENT";
};

/** Tokens of one medium, whatever its size. */
function usageOf(instructions: Instructions, made: readonly Made[]): Json {
  const text = tokensIn(instructions.prompt).length;
  const media = [...new Set(instructions.media.map(modalityOf))].map((modality) => ({
    modality,
    tokenCount: perMedium * instructions.media.filter((type) => modalityOf(type) === modality).length,
  }));
  const details = [{ modality: "TEXT", tokenCount: text }, ...media];
  const prompt = details.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const candidates = made.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const thoughts = integerIn(
    { ...instructions, config: (instructions.config["thinkingConfig"] as Json | undefined) ?? {} },
    "thinkingBudget",
  );
  const thought = Math.max(0, Math.min(thoughts ?? 0, 16));
  const tool = made.some(({ parts }) => parts.some((part) => "executableCode" in part)) ? 5 : 0;
  return {
    promptTokenCount: prompt,
    ...(made.length > 0 && { candidatesTokenCount: candidates }),
    totalTokenCount: prompt + candidates + thought + tool,
    promptTokensDetails: details,
    ...(made.length > 0 && { candidatesTokensDetails: [{ modality: "TEXT", tokenCount: candidates }] }),
    ...(thought > 0 && { thoughtsTokenCount: thought }),
    ...(tool > 0 && {
      toolUsePromptTokenCount: tool,
      toolUsePromptTokensDetails: [{ modality: "TEXT", tokenCount: tool }],
    }),
    ...(instructions.cached && {
      cachedContentTokenCount: 1,
      cacheTokensDetails: [{ modality: "TEXT", tokenCount: 1 }],
    }),
  };
}

const contentOf = (parts: readonly Json[]): Json => (parts.length > 0 ? { content: { parts, role: "model" } } : {});
const textPart = (text: string): Json[] => (text === "" ? [] : [{ text }]);

/** A candidate as it stands in a whole reply. */
function whole({ parts, tokens, finishReason, index, more, tokenCount }: Made): Json {
  return { ...contentOf([...parts, ...textPart(tokens.join(""))]), finishReason, index, ...more, tokenCount };
}

/** A candidate as partial ones, the last of which says how it ended. */
function* pieces({ parts, tokens, finishReason, index, more, tokenCount }: Made): Generator<Json> {
  const all = [...parts, ...tokens.map((text): Json => ({ text }))];
  for (const part of all.slice(0, -1)) yield { ...contentOf([part]), index };
  yield { ...contentOf(all.slice(-1)), finishReason, index, ...more, tokenCount };
}

const blockReasons = new Set(["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"]);

/** The feedback on a prompt that is blocked; undefined if it is answered. */
function blockOf({ directives }: Instructions): Json | undefined {
  const reason = directives.get("block");
  if (reason === undefined) return undefined;
  return {
    blockReason: blockReasons.has(reason) ? reason : "SAFETY",
    safetyRatings: [{ category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH" }],
  };
}

/** The feedback on a prompt that is answered: its ratings, if thresholds were set. */
function feedbackOf({ thresholds }: Instructions): Json {
  if (thresholds.size === 0) return {};
  const safetyRatings = [...thresholds.keys()].map((category) => ({ category, probability: "NEGLIGIBLE" }));
  return { promptFeedback: { safetyRatings } };
}

/** Every event of a streamed reply; one of them in a row for each candidate in turn. */
function eventsOf(instructions: Instructions, made: readonly Made[], stamp: Json): Json[] {
  const queues = made.map((one) => [...pieces(one)]);
  const events: Json[] = [];
  for (let step = 0; queues.some((queue) => step < queue.length); step++)
    for (const queue of queues) if (step < queue.length) events.push({ candidates: [queue[step]], ...stamp });
  if (events[0]) events[0] = { ...feedbackOf(instructions), ...events[0] };
  const last = events.pop() ?? {};
  return [...events, { ...last, usageMetadata: usageOf(instructions, made), ...stamp }];
}

function streamed(events: readonly Json[], instructions: Instructions): Reply {
  const crash = { error: { code: 503, message: messages["UNAVAILABLE"], status: "UNAVAILABLE" } };
  const sent = instructions.directives.has("stream-error") ? [...events.slice(0, 1), crash] : events;
  // Lines end in CR LF, as services of this kind have it.
  const end = instructions.directives.has("lf") ? "\n" : "\r\n";
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/event-stream"],
      ["Cache-Control", "no-cache"],
    ],
    pieces: sent.map((data) => ({ bytes: utf8(sseEvent(data).replaceAll("\n", end)) })),
  };
}

/** One list of all events, a piece each, with the white space between them that services of this kind write and clients count on. */
function listed(events: readonly Json[]): Reply {
  const last = events.length - 1;
  const pieces = events.map(
    (event, i) => `${i === 0 ? "[" : ",\r\n"}${JSON.stringify(event)}${i === last ? "\n]" : ""}`,
  );
  return { ...jsonReply(200, events), pieces: pieces.map((piece) => ({ bytes: utf8(piece) })) };
}

/** Answers both operations; see `directives.md` for what requests can ask for. */
export const answer: Answer = (asked) => {
  const { subject } = asked;
  if (subject?.interface !== "generate-content") return undefined;
  const instructions = instructionsIn(subject);
  const refusal = refusalOf(asked, instructions);
  if (refusal) return refusal;
  const stamp = {
    modelVersion: instructions.model.replace(/^models\//, ""),
    responseId: stableId("resp-", JSON.stringify(subject.requestJson)),
  };
  const block = blockOf(instructions);
  const count = block ? 0 : Math.max(1, Math.min(integerIn(instructions, "candidateCount") ?? 1, 8));
  const made = Array.from({ length: count }, (_, index) => makeCandidate(instructions, index));
  if (subject.operation.schemas.event === undefined) {
    const body = block ? { promptFeedback: block } : { ...feedbackOf(instructions), candidates: made.map(whole) };
    return jsonReply(200, { ...body, usageMetadata: usageOf(instructions, made), ...stamp });
  }
  const events = block
    ? [{ promptFeedback: block, usageMetadata: usageOf(instructions, made), ...stamp }]
    : eventsOf(instructions, made, stamp);
  return subject.query["alt"] === "sse" ? streamed(events, instructions) : listed(events);
};
