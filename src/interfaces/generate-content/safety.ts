/** Rules of generate-content's `safety` section: what thresholds let through, and what ratings say of it. */

import { strictOnly, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { isObject } from "../../wire/json.ts";
import { editCandidate, editPieces, editRequest, type Loose } from "./examples/spoil.ts";
import { type Candidate, type Found, faultAt, memberOf, objectsIn, replyOf } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.safety.${name}`;
type Json = Readonly<Record<string, unknown>>;

function computeThresholds(subject: Subject): ReadonlyMap<unknown, unknown> {
  return new Map(
    objectsIn(subject.requestJson["safetySettings"]).map(({ value: { category, threshold } }) => [category, threshold]),
  );
}

/** Threshold by category, the last setting of a category counting. */
const thresholds = remember(computeThresholds);

/** A candidate's latest ratings, those of the whole text. */
function ratingsOf({ seen }: Candidate): Found<Json>[] {
  const last = seen.findLast(({ value }) => Array.isArray(value["safetyRatings"]));
  return objectsIn(last?.value["safetyRatings"]).map(({ value, position }) => ({
    value,
    piece: last!.piece,
    pointer: `${last!.pointer}/safetyRatings/${position}`,
  }));
}

const blocking = new Set([
  "SAFETY",
  "PROHIBITED_CONTENT",
  "BLOCKLIST",
  "SPII",
  "IMAGE_SAFETY",
  "RECITATION",
  "LANGUAGE",
]);

/** Whether a candidate was returned with what it says. */
function returned(candidate: Candidate): boolean {
  return candidate.parts.length > 0 && !blocking.has(candidate.finish?.value ?? "");
}

const reading = warns("G-THRESHOLD");

function letsThrough(name: string, threshold: string, allowed: readonly unknown[], above: string): Rule {
  const known = new Set<unknown>(["NEGLIGIBLE", "LOW", "MEDIUM", "HIGH"]);
  const ratings = (subject: Subject): Found<Json>[] =>
    (replyOf(subject)?.candidates ?? [])
      .filter(returned)
      .flatMap(ratingsOf)
      .filter(
        ({ value }) =>
          thresholds(subject).get(value["category"]) === threshold &&
          value["blocked"] !== true &&
          known.has(value["probability"]),
      );
  return {
    clause: id(name),
    applies: (subject) => thresholds(subject).size > 0 && ratings(subject).length > 0,
    *check(subject) {
      for (const found of ratings(subject))
        if (!allowed.includes(found.value["probability"]))
          yield {
            ...faultAt(found, "/probability"),
            expected: allowed.join(" or "),
            actual: found.value["probability"],
            reading,
          };
    },
    spoil: (exchange) =>
      editCandidate(exchange, ({ safetyRatings }) => {
        for (const rating of safetyRatings ?? []) if (rating.category === harassment) rating.probability = above;
        return isObject(safetyRatings?.[0]);
      }),
  };
}

/** The category the examples set thresholds for. */
const harassment = "HARM_CATEGORY_HARASSMENT";

function allRatings(subject: Subject): Found<Json>[] {
  const reply = replyOf(subject);
  if (!reply) return [];
  const ofPrompt = reply.pieces.flatMap((piece) =>
    objectsIn(memberOf(piece.value, "promptFeedback")["safetyRatings"]).map(({ value, position }) => ({
      value,
      piece,
      pointer: `/promptFeedback/safetyRatings/${position}`,
    })),
  );
  return [...reply.candidates.flatMap(ratingsOf), ...ofPrompt];
}

function blocksNothing(name: string, threshold: string): Rule {
  const ratings = (subject: Subject): Found<Json>[] =>
    allRatings(subject).filter(({ value }) => thresholds(subject).get(value["category"]) === threshold);
  return {
    clause: id(name),
    applies: (subject) => thresholds(subject).size > 0 && ratings(subject).length > 0,
    *check(subject) {
      for (const found of ratings(subject))
        if (found.value["blocked"] === true)
          yield {
            ...faultAt(found, "/blocked"),
            expected: `nothing blocked under ${threshold}`,
            actual: true,
            reading,
          };
    },
    spoil: (exchange) =>
      editPieces(exchange, ({ candidates, promptFeedback }: Loose) => {
        const found = [candidates?.[0]?.safetyRatings, promptFeedback?.safetyRatings].flat().filter(isObject);
        for (const rating of found) rating["blocked"] = true;
        return found.length > 0;
      }),
  };
}

/** Categories outside the current family, which request samples keep to. */
const older: ReadonlySet<unknown> = new Set(
  `HARM_CATEGORY_UNSPECIFIED HARM_CATEGORY_DEROGATORY HARM_CATEGORY_TOXICITY HARM_CATEGORY_VIOLENCE
  HARM_CATEGORY_SEXUAL HARM_CATEGORY_MEDICAL HARM_CATEGORY_DANGEROUS`.split(/\s+/),
);

const currentFamily: Rule = {
  clause: id("category-current"),
  applies: (subject) => thresholds(subject).size > 0,
  *check(subject) {
    for (const { value, position } of objectsIn(subject.requestJson["safetySettings"]))
      if (older.has(value["category"]))
        yield {
          side: "request",
          in: "body",
          pointer: `/safetySettings/${position}/category`,
          expected: "a category of the current family",
          actual: value["category"],
          reading: warns("G-HARMCAT"),
        };
  },
  spoil: (exchange) =>
    editRequest(exchange, ({ safetySettings }: Loose) => void (safetySettings[0].category = "HARM_CATEGORY_TOXICITY")),
};

const blockedPresent: Rule = {
  clause: id("rating-blocked-present"),
  applies: (subject) => replyOf(subject)?.candidates.some((candidate) => ratingsOf(candidate).length > 0) === true,
  *check(subject) {
    for (const candidate of replyOf(subject)?.candidates ?? [])
      for (const found of ratingsOf(candidate))
        if (found.value["blocked"] === undefined)
          yield {
            ...faultAt(found),
            expected: "blocked to be present",
            actual: found.value,
            reading: strictOnly("G-BLOCKED"),
          };
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ safetyRatings }) => {
      delete safetyRatings?.[0]?.blocked;
      return isObject(safetyRatings?.[0]);
    }),
};

export const safetyRules: readonly Rule[] = [
  letsThrough("low-and-above", "BLOCK_LOW_AND_ABOVE", ["NEGLIGIBLE"], "LOW"),
  letsThrough("medium-and-above", "BLOCK_MEDIUM_AND_ABOVE", ["NEGLIGIBLE", "LOW"], "MEDIUM"),
  letsThrough("only-high", "BLOCK_ONLY_HIGH", ["NEGLIGIBLE", "LOW", "MEDIUM"], "HIGH"),
  blocksNothing("block-none", "BLOCK_NONE"),
  blocksNothing("off", "OFF"),
  currentFamily,
  blockedPresent,
];
