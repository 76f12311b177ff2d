/** Generate-content replies, streams and failures the document allows, written down from its text. */

import type { Chance } from "./chance.ts";
import { beside, details, logprobs, rating } from "./generate-beside.ts";
import { outputs } from "./generate-config.ts";
import { anyObject, codeParts, respelled } from "./generate-request.ts";
import { among, base64, integer, list, type Members, object, oneOf, text } from "./shape.ts";

type Json = Record<string, unknown>;

interface Offer {
  readonly config: Json;
  readonly mode: unknown;
  readonly names: readonly string[];
  readonly runsCode: boolean;
}

function offerOf(asked: Members): Offer {
  const tools = (asked["tools"] ?? []) as Json[];
  const calling = ((asked["toolConfig"] as Json | undefined)?.["functionCallingConfig"] ?? {}) as Json;
  const declared = tools.flatMap((tool) =>
    ((tool["functionDeclarations"] ?? []) as { name: string }[]).map(({ name }) => name),
  );
  return {
    config: (asked["generationConfig"] ?? {}) as Json,
    mode: calling["mode"],
    names: (calling["allowedFunctionNames"] as string[] | undefined) ?? declared,
    runsCode: tools.some((tool) => tool["codeExecution"] !== undefined),
  };
}

const otherReasons = [
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "OTHER",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MALFORMED_FUNCTION_CALL",
  "IMAGE_SAFETY",
];

const oddParts = [
  object({ functionResponse: object({ name: text(1), response: anyObject }) }),
  object({ fileData: object({ mimeType: among("image/png"), fileUri: text(1) }) }),
  among({}, { text: "Hm.", thought: true }),
];

/** The parts and the finish of one candidate. */
function toldBy(
  { config, mode, names, runsCode }: Offer,
  chance: Chance,
): { parts?: unknown[]; finishReason: unknown } {
  if (chance.once(8)) return { finishReason: chance.pick(otherReasons), ...(chance.once(2) && { parts: [] }) };
  const call = object({ functionCall: object({ name: among(...names) }, { args: anyObject }) });
  if (mode === "ANY" && names.length > 0) return { finishReason: "STOP", parts: list(call, 1, 2)(chance) as unknown[] };
  if (mode !== "NONE" && names.length > 0 && chance.once(2)) return { finishReason: "STOP", parts: [call(chance)] };
  if (chance.once(6)) return { finishReason: "MAX_TOKENS", parts: [{ text: "{cut o" }] };
  if (config["responseMimeType"] === "application/json" && !config["responseSchema"])
    return { finishReason: "STOP", parts: [{ text: '{"a":' }, { text: " [1]}" }] };
  const known = outputs.find(({ schema }) => JSON.stringify(schema) === JSON.stringify(config["responseSchema"]));
  if (known) return { finishReason: "STOP", parts: [{ text: chance.pick(known.texts) }] };
  if (config["responseMimeType"] !== undefined && config["responseMimeType"] !== "text/plain")
    return { finishReason: "OTHER" };
  const image = object({ inlineData: object({ mimeType: among("image/png"), data: base64 }) });
  const code = runsCode && chance.once(2) ? codeParts.map((make) => make(chance)) : [];
  return {
    finishReason: chance.pick(["STOP", "STOP", undefined, "FINISH_REASON_UNSPECIFIED"]),
    parts: [{ text: "\u00c4nn wrote it." }, ...code, ...(chance.once(4) ? [oneOf(image, ...oddParts)(chance)] : [])],
  };
}

function usageFor(counts: readonly (number | undefined)[], chance: Chance): unknown {
  const prompt = chance.below(100);
  const written = (count: number): unknown => (chance.once(25) ? String(count) : count);
  const candidateTokens = counts.reduce<number>((sum, count) => sum + (count ?? 1), 0);
  return object(
    {},
    {
      promptTokenCount: () => written(prompt),
      candidatesTokenCount: () => written(candidateTokens),
      totalTokenCount: () => prompt + candidateTokens + 7,
      cachedContentTokenCount: integer(0, prompt),
      toolUsePromptTokenCount: integer(0, 3),
      thoughtsTokenCount: integer(0, 4),
      ...Object.fromEntries(["prompt", "candidates", "toolUsePrompt"].map((name) => [`${name}TokensDetails`, details])),
      cacheTokensDetails: details,
    },
  )(chance);
}

/** A whole reply in the documented names. */
function camelReply(asked: Members, chance: Chance): unknown {
  const head = { modelVersion: text(1), responseId: text(1) };
  if (chance.once(10))
    return object(
      {
        promptFeedback: object(
          {},
          {
            blockReason: among(
              "BLOCK_REASON_UNSPECIFIED",
              "SAFETY",
              "OTHER",
              "BLOCKLIST",
              "PROHIBITED_CONTENT",
              "IMAGE_SAFETY",
            ),
            safetyRatings: list(rating, 0, 2),
          },
        ),
      },
      { ...head, usageMetadata: object({}, { promptTokenCount: integer(0, 9) }) },
    )(chance);
  const offer = offerOf(asked);
  const count = Number(offer.config["candidateCount"] ?? 1);
  const most = Number(offer.config["maxOutputTokens"] ?? 50);
  const counts = Array.from({ length: chance.once(5) ? 1 : count }, () =>
    chance.once(3) ? undefined : chance.below(Math.min(50, most + 1)),
  );
  const candidates = counts.map((tokens, index) => {
    const { parts, finishReason } = toldBy(offer, chance);
    return object(
      {
        ...(parts && { content: object({ parts: () => parts }, { role: among("model") }) }),
        finishReason: () => finishReason,
        index: () => (index === 0 && chance.once(2) ? undefined : index),
        tokenCount: () => tokens,
      },
      {
        ...beside,
        ...(offer.config["responseLogprobs"] === true && {
          logprobsResult: (by: Chance) => logprobs(Number(offer.config["logprobs"] ?? 0), by),
        }),
      },
    )(chance);
  });
  return object({ candidates: () => candidates }, { ...head, usageMetadata: () => usageFor(counts, chance) })(chance);
}

/** A whole reply; the other spelling warns, and is read all the same. */
export function generateReply(asked: Members, chance: Chance): unknown {
  if (chance.once(30)) return {};
  const reply = camelReply(asked, chance);
  return chance.once(10) ? respelled(reply) : reply;
}

/** Streamed replies: what each event carries is not shown, so it may be nearly nothing. */
export function generateStream(asked: Members, chance: Chance): unknown[] {
  const whole = camelReply(asked, chance) as Json;
  const candidates = (whole["candidates"] ?? []) as Json[];
  const pieces = candidates.flatMap(({ content: said, finishReason, ...rest }, at) => {
    const parts = ((said as Json | undefined)?.["parts"] ?? []) as unknown[];
    const of = (more: object): object => ({ candidates: [{ ...(at > 0 && { index: at }), ...more }] });
    return [...parts.map((part) => of({ content: { parts: [part], role: "model" } })), of({ ...rest, finishReason })];
  });
  const last = { ...((whole["usageMetadata"] as object | undefined) && { usageMetadata: whole["usageMetadata"] }) };
  const opening = whole["promptFeedback"] ? [{ promptFeedback: whole["promptFeedback"] }] : [];
  return [...opening, ...pieces, ...(chance.once(2) ? [last] : []), ...(chance.once(4) ? [{}] : [])];
}

/** Read from the document once more: a row that is wrong in the rules shows as a false error. */
const failures: readonly (readonly [number, string])[] = [
  [400, "INVALID_ARGUMENT"],
  [400, "FAILED_PRECONDITION"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [413, "PAYLOAD_TOO_LARGE"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
];

/** A failed reply and its status. */
export function generateFailure(chance: Chance): readonly [number, unknown] {
  const [code, status] = chance.pick(failures);
  const violation = object({}, { field: text(), description: text() });
  const detail = oneOf(object({}, { "@type": text(1), fieldViolations: list(violation, 0, 2) }), anyObject);
  const error = object({ code: () => code, message: text(), status: () => status }, { details: list(detail, 0, 2) });
  return [code, object({ error })(chance)];
}
