/** Rules on values of a generated reply that cannot be right, though their types are. */

import type { Rule, Spot } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { isObject } from "../../wire/json.ts";
import {
  countsIn,
  countsNotNegative,
  idsNotEmpty,
  isBounded,
  lengthBounded,
  type PlacedValue,
  type Share,
  sharesIn,
  sharesWithin,
} from "../common/plausible.ts";
import { logprobsNotAboveZero, tokensCounted, tokensSpell } from "../common/plausible-tokens.ts";
import { editAllPieces, editCandidate, editPieces, type Loose } from "./examples/spoil.ts";
import { type Candidate, type Found, faultAt, inPiece, objectsIn, replyOf } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.plausible.${name}`;
type Json = Readonly<Record<string, unknown>>;

const spotOf = (found: Found<unknown>, below = ""): Spot => {
  const { side: _side, pointer = "", ...place } = faultAt(found, below);
  return { ...place, pointer };
};

/** The usage of every piece that tells one. */
const usagesOf = remember((subject: Subject): readonly PlacedValue<Json>[] =>
  (replyOf(subject)?.pieces ?? []).flatMap((piece) =>
    isObject(piece.value["usageMetadata"])
      ? [{ value: piece.value["usageMetadata"], spot: spotOf(inPiece(piece, "/usageMetadata")) }]
      : [],
  ),
);

const counts = [
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "totalTokenCount",
  "toolUsePromptTokenCount",
  "thoughtsTokenCount",
];

const negative = countsNotNegative(
  id("tokens-not-negative"),
  (subject) => usagesOf(subject).flatMap((usage) => countsIn(usage, counts)),
  (exchange) =>
    editPieces(exchange, ({ usageMetadata: usage }: Loose) => {
      if (!isObject(usage)) return false;
      usage["thoughtsTokenCount"] = -1;
      return true;
    }),
);

/** Lists of counts by modality, and the count each is part of. */
const byModality = [
  ["promptTokensDetails", "promptTokenCount"],
  ["candidatesTokensDetails", "candidatesTokenCount"],
  ["cacheTokensDetails", "cachedContentTokenCount"],
  ["toolUsePromptTokensDetails", "toolUsePromptTokenCount"],
] as const;

function sharesOf(subject: Subject): Share[] {
  const shares: Share[] = [];
  for (const usage of usagesOf(subject)) {
    shares.push(...sharesIn(usage, [["cachedContentTokenCount", "promptTokenCount"]]));
    for (const [list, name] of byModality) {
      const of = usage.value[list] === undefined ? undefined : usage.value[name];
      if (typeof of !== "number" || of < 0) continue;
      for (const { value: item, position } of objectsIn(usage.value[list])) {
        const { tokenCount: value } = item;
        if (typeof value === "number")
          shares.push({ value, spot: usage.spot, below: `${list}/${position}/tokenCount`, of, name });
      }
    }
  }
  return shares;
}

const shares = sharesWithin(id("details-within-counts"), sharesOf, (exchange) =>
  editPieces(exchange, ({ usageMetadata: usage }: Loose) => {
    if (!isObject(usage) || usage["promptTokenCount"] === undefined) return false;
    usage["cachedContentTokenCount"] = Number(usage["promptTokenCount"]) + 1;
    return true;
  }),
);

/** Results of log probabilities of a candidate, as found in its pieces. */
const resultsOf = ({ seen }: Candidate): Found<Json>[] =>
  seen.flatMap(({ value, piece, pointer }) =>
    isObject(value["logprobsResult"])
      ? [{ value: value["logprobsResult"], piece, pointer: `${pointer}/logprobsResult` }]
      : [],
  );

const chosenOf = (candidate: Candidate): Json[] =>
  resultsOf(candidate).flatMap(({ value }) => objectsIn(value["chosenCandidates"]).map((one) => one.value));

const entriesCounted = tokensCounted(
  id("logprobs-counted"),
  (subject) => {
    const reply = replyOf(subject);
    const usage = usagesOf(subject).at(-1);
    const entries = (reply?.candidates ?? []).reduce((sum, one) => sum + chosenOf(one).length, 0);
    if (!usage || entries === 0 || !reply?.complete) return [];
    return countsIn(usage, ["candidatesTokenCount"]).map((count) => ({ ...count, entries }));
  },
  (exchange) =>
    editAllPieces(exchange, ({ usageMetadata: usage, candidates }: Loose) => {
      if (!isObject(usage) || usage["candidatesTokenCount"] === undefined) return false;
      usage["totalTokenCount"] = Number(usage["totalTokenCount"]) - Number(usage["candidatesTokenCount"]);
      usage["candidatesTokenCount"] = 0;
      for (const candidate of candidates ?? []) delete candidate.tokenCount;
      delete usage["candidatesTokensDetails"];
      return true;
    }),
);

function logprobsOf(subject: Subject): PlacedValue<number>[] {
  const found: PlacedValue<number>[] = [];
  const add = (of: Found<unknown>, value: unknown, below: string): void => {
    if (typeof value === "number") found.push({ value, spot: spotOf(of, below) });
  };
  for (const candidate of replyOf(subject)?.candidates ?? []) {
    for (const one of candidate.seen) add(one, one.value["avgLogprobs"], "/avgLogprobs");
    for (const result of resultsOf(candidate)) {
      for (const { value, position } of objectsIn(result.value["chosenCandidates"]))
        add(result, value["logProbability"], `/chosenCandidates/${position}/logProbability`);
      for (const { value: step, position } of objectsIn(result.value["topCandidates"]))
        for (const { value, position: i } of objectsIn(step["candidates"]))
          add(result, value["logProbability"], `/topCandidates/${position}/candidates/${i}/logProbability`);
    }
  }
  return found;
}

const aboveZero = logprobsNotAboveZero(id("logprob-not-above-zero"), logprobsOf, (exchange) =>
  editCandidate(exchange, (candidate) => {
    const [chosen] = candidate.logprobsResult?.chosenCandidates ?? [];
    if (chosen) chosen.logProbability = 0.5;
    return chosen !== undefined;
  }),
);

const spelt = tokensSpell(
  id("logprobs-spell-text"),
  (subject) => {
    const reply = replyOf(subject);
    if (!reply?.complete) return [];
    return reply.candidates.flatMap((candidate) => {
      const tokens = chosenOf(candidate).map(({ token }) => ({ token }));
      const first = candidate.parts.find(({ value }) => typeof value["text"] === "string" && value["thought"] !== true);
      if (!first || candidate.text === "" || tokens.length === 0) return [];
      const value = first.value["text"] as string;
      const hint = value === candidate.text ? undefined : "put together with the pieces after it";
      return [{ value, spot: spotOf(first, "/text"), ...(hint && { hint }), text: candidate.text, tokens }];
    });
  },
  (exchange) =>
    editCandidate(exchange, (candidate) => {
      const chosen = candidate.logprobsResult?.chosenCandidates ?? [];
      for (const one of chosen) one.token = "other";
      return chosen.length > 0;
    }),
);

const responseId = idsNotEmpty(
  id("response-id-not-empty"),
  (subject) => {
    const piece = replyOf(subject)?.pieces.find(({ value }) => typeof value["responseId"] === "string");
    return piece ? [{ value: String(piece.value["responseId"]), spot: spotOf(inPiece(piece, "/responseId")) }] : [];
  },
  (exchange) => editAllPieces(exchange, (body) => typeof body.responseId === "string" && (body.responseId = "") === ""),
);

const bounded = lengthBounded(
  id("length-without-bound"),
  (subject) => {
    const reply = replyOf(subject);
    if (!reply?.complete || subject.request.body.kind !== "json") return undefined;
    if (isBounded(subject.requestJson["generationConfig"])) return undefined;
    const [total] = usagesOf(subject)
      .slice(-1)
      .flatMap((usage) => countsIn(usage, ["totalTokenCount"]));
    return reply.candidates.flatMap(({ finish }) =>
      finish?.value === "MAX_TOKENS" ? [{ value: finish.value, spot: spotOf(finish), tokens: total?.value }] : [],
    );
  },
  (exchange) =>
    editCandidate(exchange, (candidate) => {
      const finished = candidate.finishReason === "STOP";
      if (finished) candidate.finishReason = "MAX_TOKENS";
      return finished;
    }),
);

export const plausibleRules: readonly Rule[] = [
  negative,
  shares,
  entriesCounted,
  aboveZero,
  spelt,
  responseId,
  bounded,
];
