/** Makes the candidates of the reference implementation: parts, why they end, and what is said about them. */

import { itemsOf } from "../../interfaces/generate-content/reading/reply.ts";
import { isObject } from "../../wire/json.ts";
import { pixelPng } from "../../wire/sample-files.ts";
import { namedIn, tokensIn } from "../directives.ts";
import { type Instructions, integerIn } from "./instructions.ts";
import { sampleOf } from "./sample.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Made {
  readonly index: number;
  /** Parts that stand before the text. */
  readonly parts: readonly Json[];
  readonly tokens: readonly string[];
  readonly finishReason: string;
  /** Members beside content, finishReason and index. */
  readonly more: Json;
  readonly tokenCount: number;
}

const levels = ["NEGLIGIBLE", "LOW", "MEDIUM", "HIGH"];
const highest: Readonly<Record<string, number>> = {
  BLOCK_LOW_AND_ABOVE: 0,
  BLOCK_MEDIUM_AND_ABOVE: 1,
  BLOCK_ONLY_HIGH: 2,
};
const categories = [
  "HARM_CATEGORY_HARASSMENT",
  "HARM_CATEGORY_HATE_SPEECH",
  "HARM_CATEGORY_SEXUALLY_EXPLICIT",
  "HARM_CATEGORY_DANGEROUS_CONTENT",
];

/** Ratings of the current family and of every category a threshold was set for; `[[harm:LEVEL]]` sets their level. */
function ratingsOf({ directives, thresholds }: Instructions): {
  readonly ratings: readonly Json[];
  readonly blocked: boolean;
} {
  const level = Math.max(0, levels.indexOf(directives.get("harm") ?? ""));
  const ratings = [...new Set([...categories, ...thresholds.keys()])].map((category) => ({
    category,
    probability: levels[level]!,
    blocked: level > (highest[thresholds.get(category) ?? ""] ?? 3),
  }));
  return { ratings, blocked: ratings.some(({ blocked }) => blocked) };
}

/** The functions to call: those the prompt names, or the first where one has to be called. */
function callsOf(instructions: Instructions): readonly Json[] {
  const { directives, functions, mode, allowed, answered, text } = instructions;
  const open = [...functions.keys()].filter((name) => allowed.length === 0 || allowed.includes(name));
  const asked = directives.get("call");
  const named = asked === undefined ? namedIn(text, open) : open.filter((name) => name === asked);
  const wanted = mode === "ANY" || (mode !== "NONE" && answered === undefined && (asked ?? named[0]) !== undefined);
  if (!wanted || functions.size === 0) return [];
  const called = named.length > 0 ? named : [open[0] ?? [...functions.keys()][0]!];
  return called.map((name) => {
    const args = sampleOf(functions.get(name));
    return { functionCall: { name, args: isObject(args) ? args : {} } };
  });
}

const outcomes: Readonly<Record<string, string>> = { failed: "OUTCOME_FAILED", deadline: "OUTCOME_DEADLINE_EXCEEDED" };

function codeParts({ directives, runsCode, functions }: Instructions): readonly Json[] {
  const how = directives.get("code") ?? (functions.size === 0 ? "" : undefined);
  if (how === undefined || !runsCode) return [];
  const outcome = outcomes[how] ?? "OUTCOME_OK";
  const code = { executableCode: { language: "PYTHON", code: "print(6 * 7)" } };
  if (how === "cut") return [code];
  return [code, { codeExecutionResult: { outcome, ...(outcome === "OUTCOME_OK" && { output: "42\n" }) } }];
}

const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

function mediaParts(modalities: readonly unknown[]): readonly Json[] {
  return [
    ...(modalities.includes("IMAGE") ? [{ inlineData: { mimeType: "image/png", data: pixelPng } }] : []),
    ...(modalities.includes("AUDIO") ? [{ inlineData: { mimeType: "audio/wav", data: silence } }] : []),
  ];
}

/** Parts that only requests have a use for, but any content can hold. */
function otherParts({ directives }: Instructions): readonly Json[] {
  if (!directives.has("parts")) return [];
  return [
    { fileData: { mimeType: "image/png", fileUri: "https://example.com/dot.png" } },
    { functionResponse: { name: "echo", response: { said: "nothing" } } },
  ];
}

function replyText(instructions: Instructions, index: number): string {
  const { config, directives, answered, text } = instructions;
  const schema = config["responseSchema"] ?? config["responseJsonSchema"];
  if (config["responseMimeType"] === "application/json")
    return JSON.stringify(schema === undefined ? { answer: text || "yes" } : sampleOf(schema));
  if (config["responseMimeType"] === "text/x.enum") return String(sampleOf(schema) ?? "yes");
  if (directives.has("say")) return directives.get("say")!;
  const words = Number(directives.get("words"));
  if (Number.isInteger(words) && words > 0)
    return Array.from({ length: Math.min(words, 10_000) }, (_, i) => `word${i + 1}`).join(" ");
  const about = answered === undefined ? `You said: ${text || "nothing"}` : `The function ${answered} has answered`;
  return index === 0 ? `${about}.` : `${about}, in other words ${index}.`;
}

function logprobsOf(instructions: Instructions, tokens: readonly string[]): Json {
  if (instructions.config["responseLogprobs"] !== true || tokens.length === 0) return {};
  const max = Math.min(integerIn(instructions, "logprobs") ?? 1, 20);
  const token = (text: string, id: number, logProbability: number): Json => ({
    token: text,
    tokenId: id,
    logProbability,
  });
  return {
    avgLogprobs: -0.25,
    logprobsResult: {
      topCandidates: tokens.map((text, step) => ({
        candidates: Array.from({ length: Math.max(0, max) }, (_, rank) =>
          token(rank === 0 ? text : `${text}~${rank}`, step * 100 + rank, -0.25 - rank),
        ),
      })),
      chosenCandidates: tokens.map((text, step) => token(text, step * 100, -0.25)),
    },
  };
}

const source = { uri: "https://example.com/source", title: "A source" };

/** Metadata that directives or the vendor's tools ask for; places in the text are counted in bytes. */
function metadataOf({ directives, searches, readsAddresses, text: query }: Instructions, text: string): Json {
  const end = Buffer.byteLength(text);
  return {
    ...((searches || directives.has("citation")) && {
      citationMetadata: { citationSources: [{ startIndex: 0, endIndex: end, uri: source.uri, license: "MIT" }] },
    }),
    ...((searches || directives.has("grounding")) && {
      groundingAttributions: [
        { sourceId: { groundingPassage: { passageId: "passage-1", partIndex: 0 } }, content: { parts: [{ text }] } },
        { sourceId: { semanticRetrieverChunk: { source: "corpora/one", chunk: "corpora/one/documents/a/chunks/b" } } },
      ],
      groundingMetadata: {
        groundingChunks: [{ web: source }],
        groundingSupports: [
          {
            groundingChunkIndices: [0],
            confidenceScores: [0.9],
            segment: { partIndex: 0, startIndex: 0, endIndex: end, text },
          },
        ],
        webSearchQueries: [query],
        searchEntryPoint: {
          renderedContent: "<div>search</div>",
          sdkBlob: Buffer.from(JSON.stringify([[query, source.uri]])).toString("base64"),
        },
        retrievalMetadata: { providerSearchDynamicRetrievalScore: 0.5 },
      },
    }),
    ...((readsAddresses || directives.has("urls")) && {
      urlRetrievalMetadata: { urlRetrievalContexts: [{ retrievedUrl: source.uri }] },
      urlContextMetadata: {
        urlMetadata: [
          { retrievedUrl: source.uri, urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" },
          { retrievedUrl: `${source.uri}/gone`, urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" },
        ],
      },
    }),
  };
}

/** Reasons that take the content along. */
const blocking = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
]);
const reasons = new Set([...blocking, "STOP", "MAX_TOKENS", "OTHER", "MALFORMED_FUNCTION_CALL"]);

/** One candidate, whole. */
export function makeCandidate(instructions: Instructions, index: number): Made {
  const { ratings, blocked } = ratingsOf(instructions);
  const asked = instructions.directives.get("finish") ?? "";
  const forced = blocked ? "SAFETY" : reasons.has(asked) ? asked : undefined;
  const rated = { safetyRatings: ratings };
  if (forced !== undefined && blocking.has(forced))
    return { index, parts: [], tokens: [], finishReason: forced, more: rated, tokenCount: 0 };
  const calls = callsOf(instructions);
  const modalities = itemsOf(instructions.config["responseModalities"]);
  const parts =
    calls.length > 0 ? calls : [...codeParts(instructions), ...mediaParts(modalities), ...otherParts(instructions)];
  const silent = calls.length > 0 || (modalities.length > 0 && !modalities.includes("TEXT"));
  let text = silent ? "" : replyText(instructions, index);
  for (const stop of itemsOf(instructions.config["stopSequences"]))
    if (typeof stop === "string" && stop !== "" && text.includes(stop)) text = text.slice(0, text.indexOf(stop));
  const all = tokensIn(text);
  const maxTokens = integerIn(instructions, "maxOutputTokens") ?? Number.POSITIVE_INFINITY;
  const cut = all.length > Math.max(0, maxTokens);
  const tokens = cut ? all.slice(0, Math.max(0, maxTokens)) : all;
  const half = instructions.directives.has("blocks") && parts.length === 0 ? tokens.length >> 1 : 0;
  return {
    index,
    parts: half > 0 ? [{ text: tokens.slice(0, half).join("") }] : parts,
    tokens: tokens.slice(half),
    finishReason: forced ?? (cut ? "MAX_TOKENS" : "STOP"),
    more: {
      ...rated,
      ...logprobsOf(instructions, tokens),
      ...(tokens.length > 0 && parts.length === 0 && metadataOf(instructions, tokens.join(""))),
    },
    tokenCount: tokens.length,
  };
}
