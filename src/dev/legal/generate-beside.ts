/** The members beside the content of a generate-content candidate: ratings, citations, grounding, log probabilities. */

import type { Chance } from "./chance.ts";
import { category, harmCategories, legacyCategories } from "./generate-request.ts";
import { among, boolean, integer, list, type Make, number, object, oneOf, text } from "./shape.ts";

const probabilities = ["HARM_PROBABILITY_UNSPECIFIED", "NEGLIGIBLE", "LOW", "MEDIUM", "HIGH"];
const modality = among(...["MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "VIDEO", "AUDIO", "DOCUMENT"]);
export const details = list(object({ modality, tokenCount: integer(0, 50) }), 0, 2);
export const rating = object(
  { category: category([...harmCategories, ...legacyCategories]), probability: among(...probabilities) },
  { blocked: boolean },
);
const token = (logProbability: number): Make =>
  object({ token: text(), tokenId: integer(0, 9e4), logProbability: () => logProbability });

/** Log probabilities of a few steps, at most so many candidates each. */
export function logprobs(most: number, chance: Chance): unknown {
  const steps = 1 + chance.below(3);
  const topCandidates = Array.from({ length: steps }, () => ({
    candidates: Array.from({ length: chance.below(most + 1) }, (_, i) => token(-0.5 * i)(chance)),
  }));
  return { topCandidates, chosenCandidates: Array.from({ length: steps }, () => token(-0.25)(chance)) };
}

/** Grounding of "\u00c4nn wrote it.": positions are bytes, and the end is exclusive. */
const segments = [
  { startIndex: 0, endIndex: 4, text: "\u00c4nn" },
  { partIndex: 0, startIndex: 5, endIndex: 10, text: "wrote" },
  { endIndex: 4 },
];
const support = object(
  {},
  {
    groundingChunkIndices: list(integer(0, 0), 0, 2),
    confidenceScores: list(number(0, 1), 0, 2),
    segment: among(...segments),
  },
);

const place = { startIndex: integer(0, 1), endIndex: integer(1, 2) };
/** The members that may stand beside a candidate's content, whatever was asked. */
export const beside: Readonly<Record<string, Make>> = {
  safetyRatings: list(rating, 0, 3),
  citationMetadata: object({}, { citationSources: list(object({}, { ...place, uri: text(), license: text() }), 0, 2) }),
  groundingAttributions: list(
    object(
      {},
      {
        sourceId: oneOf(
          object({}, { groundingPassage: object({}, { passageId: text(), partIndex: integer(0, 0) }) }),
          object({}, { semanticRetrieverChunk: object({}, { source: text(), chunk: text() }) }),
        ),
        content: among({}, { parts: 7 }, null, "anything"),
      },
    ),
    0,
    2,
  ),
  groundingMetadata: object(
    { groundingChunks: list(object({}, { web: object({}, { uri: text(), title: text() }) }), 1, 2) },
    {
      groundingSupports: list(support, 0, 2),
      webSearchQueries: list(text(), 0, 2),
      searchEntryPoint: object(
        {},
        { renderedContent: text(), sdkBlob: among(Buffer.from('[["q","https://a.example"]]').toString("base64")) },
      ),
      retrievalMetadata: object({}, { providerSearchDynamicRetrievalScore: number(0, 1) }),
    },
  ),
  avgLogprobs: number(-20, 0),
  urlRetrievalMetadata: object({}, { urlRetrievalContexts: list(object({}, { retrievedUrl: text() }), 0, 2) }),
  urlContextMetadata: object(
    {},
    {
      urlMetadata: list(
        object(
          {},
          {
            retrievedUrl: text(),
            urlRetrievalStatus: among(
              "URL_RETRIEVAL_STATUS_UNSPECIFIED",
              "URL_RETRIEVAL_STATUS_SUCCESS",
              "URL_RETRIEVAL_STATUS_ERROR",
            ),
          },
        ),
        0,
        2,
      ),
    },
  ),
};
