/** Rules of generate-content's `generation-config` section: options that need each other, and what replies owe to them. */

import { parsed } from "../../check/budget.ts";
import { warns } from "../../check/clause.ts";
import { formatList, quoted } from "../../check/format-list.ts";
import type { Rule, Spot } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { jsonBodyOf } from "../../wire/edit.ts";
import { isObject, type JsonResult } from "../../wire/json.ts";
import { endsAtStop, stopsIn } from "../common/stops.ts";
import { editAllPieces, editPieces, editRequest, type Loose } from "./examples/spoil.ts";
import { createMatching, mismatches } from "./reading/output-schema.ts";
import { type Candidate, faultAt, finished, itemsOf, memberOf, replyOf } from "./reading/reply.ts";

export const id = (name: string): string => `generate-content.generation-config.${name}`;
export const configOf = (subject: Subject) => memberOf(subject.requestJson, "generationConfig");

/** Whether an option is a number that a reply can keep; no range is stated, so others are let pass and demand nothing. */
export const isCount = (value: unknown, min: number): value is number =>
  Number.isInteger(value) && (value as number) >= min;

/** The place of a member of generationConfig. */
const at = (name: string) => ({ side: "request", in: "body", pointer: `/generationConfig/${name}` }) as const;

const schemaNeedsType: Rule = {
  clause: id("schema-needs-mime-type"),
  applies: (subject) => isObject(configOf(subject)["responseSchema"]),
  *check(subject) {
    const type = configOf(subject)["responseMimeType"] ?? "text/plain";
    // Values other than the three are said of responseMimeType itself.
    if (type !== "text/plain") return;
    yield {
      ...at("responseSchema"),
      expected: "responseMimeType application/json or text/x.enum beside it",
      actual: type,
      reading: warns("G-JSON"),
    };
  },
  spoil: (exchange) =>
    editRequest(exchange, ({ generationConfig }: Loose) => {
      if (!generationConfig?.responseSchema) return false;
      delete generationConfig.responseMimeType;
    }),
};

const logprobsNeed: Rule = {
  clause: id("logprobs-needs-response-logprobs"),
  applies: (subject) => Number.isInteger(configOf(subject)["logprobs"]),
  *check(subject) {
    const wanted = configOf(subject)["responseLogprobs"] ?? false;
    if (wanted === false)
      yield {
        ...at("logprobs"),
        expected: "responseLogprobs true beside it",
        actual: wanted,
        reading: warns("G-LOGPROBS"),
      };
  },
  spoil: (exchange) =>
    editRequest(exchange, ({ generationConfig }: Loose) => {
      if (generationConfig?.logprobs === undefined) return false;
      delete generationConfig.responseLogprobs;
    }),
};

const oneVoice: Rule = {
  clause: id("one-voice-config"),
  applies: (subject) => isObject(configOf(subject)["speechConfig"]),
  *check(subject) {
    const speech = memberOf(configOf(subject), "speechConfig");
    if (isObject(speech["voiceConfig"]) && isObject(speech["multiSpeakerVoiceConfig"]))
      yield {
        ...at("speechConfig"),
        expected: "one of voiceConfig and multiSpeakerVoiceConfig",
        actual: inWords("both"),
        reading: warns("G-SPEECH"),
      };
  },
  spoil: (exchange) =>
    editRequest(exchange, ({ generationConfig }: Loose) => {
      const speech = generationConfig?.speechConfig;
      if (!speech) return false;
      speech.voiceConfig ??= { prebuiltVoiceConfig: { voiceName: "One" } };
      speech.multiSpeakerVoiceConfig ??= { speakerVoiceConfigs: [] };
    }),
};

/** STOP also means that a stop sequence came, which ends a text wherever it is. */
const mayBeCut = (subject: Subject): boolean => itemsOf(configOf(subject)["stopSequences"]).length > 0;

/** Candidates whose text is all there and is to be judged: ended naturally, with text. */
function computeTexts(subject: Subject): { candidate: Candidate; json: JsonResult }[] {
  const reply = replyOf(subject);
  if (!reply?.complete || mayBeCut(subject) || configOf(subject)["responseMimeType"] !== "application/json") return [];
  return reply.candidates
    .filter((candidate) => finished(candidate) && candidate.text !== "")
    .map((candidate) => ({ candidate, json: parsed(candidate.text) }));
}

const jsonTexts = remember(computeTexts);
const matchingOf = remember(({ budget }) => createMatching(budget));

/** The last part of a candidate's text; `text` is not empty there. */
const lastText = ({ parts }: Candidate) =>
  parts.findLast(
    ({ value }) => typeof value["text"] === "string" && value["text"] !== "" && value["thought"] !== true,
  )!;

/** Replaces a candidate's text by one that is all in its first part. */
const spoilText =
  (text: string): Rule["spoil"] =>
  (exchange) => {
    let first = true;
    return editAllPieces(exchange, ({ candidates }) => {
      let changed = false;
      for (const candidate of itemsOf(candidates) as Loose[])
        for (const part of candidate?.content?.parts ?? [])
          if (typeof part.text === "string" && part.thought !== true && (candidate.index ?? 0) === 0) {
            part.text = first ? text : "";
            first = false;
            changed = true;
          }
      return changed;
    });
  };

const jsonOutput: Rule = {
  clause: id("json-output"),
  applies: (subject) => jsonTexts(subject).length > 0,
  *check(subject) {
    for (const { candidate, json } of jsonTexts(subject))
      if (!json.ok)
        yield {
          ...faultAt(lastText(candidate), "/text"),
          expected: "JSON",
          actual: lastText(candidate).value["text"],
          hint: json.problem,
        };
  },
  spoil: spoilText("{broken"),
};

const schemaOutput: Rule = {
  clause: id("schema-output"),
  applies: (subject) => isObject(configOf(subject)["responseSchema"]) && jsonTexts(subject).some(({ json }) => json.ok),
  *check(subject) {
    for (const { candidate, json } of jsonTexts(subject)) {
      if (!json.ok) continue;
      const [first] = mismatches(json.value, configOf(subject)["responseSchema"], matchingOf(subject));
      if (first)
        yield {
          ...faultAt(lastText(candidate), "/text"),
          expected: `${first.expected} at ${first.pointer || "the root"} of the text's JSON`,
          actual: lastText(candidate).value["text"],
          reading: warns("G-JSON"),
        };
    }
  },
  spoil: spoilText("[[[]]]"),
};

function enumTexts(subject: Subject): readonly Candidate[] {
  const reply = replyOf(subject);
  const config = configOf(subject);
  if (!reply?.complete || mayBeCut(subject) || config["responseMimeType"] !== "text/x.enum") return [];
  if (itemsOf(memberOf(config, "responseSchema")["enum"]).length === 0) return [];
  return reply.candidates.filter((candidate) => finished(candidate) && candidate.text !== "");
}

const enumOutput: Rule = {
  clause: id("enum-output"),
  applies: (subject) => enumTexts(subject).length > 0,
  *check(subject) {
    const values = itemsOf(memberOf(configOf(subject), "responseSchema")["enum"]);
    const allowed = new Set(values);
    const expected = `one of [${formatList(values, ",", quoted)}]`;
    for (const candidate of enumTexts(subject))
      if (!allowed.has(candidate.text.trim()))
        yield {
          ...faultAt(lastText(candidate), "/text"),
          expected,
          actual: lastText(candidate).value["text"],
          reading: warns("G-JSON"),
        };
  },
  spoil: spoilText("none of them"),
};

const candidateCount: Rule = {
  clause: id("candidate-count-kept"),
  applies: (subject) => {
    const reply = replyOf(subject);
    return isCount(configOf(subject)["candidateCount"], 1) && reply?.complete === true && reply.candidates.length > 0;
  },
  *check(subject) {
    const wanted = configOf(subject)["candidateCount"] as number;
    const { candidates, pieces } = replyOf(subject)!;
    const came = candidates.length;
    if (came === wanted) return;
    const piece = pieces.find(({ value }) => itemsOf(value["candidates"]).length > 0)!;
    yield {
      ...faultAt({ value: undefined, piece, pointer: "/candidates" }),
      expected: `${wanted} candidates`,
      actual: came,
      ...(came < wanted && { reading: warns("G-CAND-COUNT") }),
    };
  },
  // One more than there are; its tokens are left out, lest the sum be wrong as well.
  spoil: (exchange) =>
    editPieces(exchange, ({ candidates }: Loose) => {
      if (!candidates?.length) return false;
      const { tokenCount: _tokens, ...another } = candidates.at(-1);
      candidates.push({ ...another, finishReason: "STOP", index: candidates.length });
      return true;
    }),
};

const maxTokens: Rule = {
  clause: id("max-output-tokens-kept"),
  applies: (subject) =>
    isCount(configOf(subject)["maxOutputTokens"], 0) && (replyOf(subject)?.candidates.length ?? 0) > 0,
  *check(subject) {
    const max = configOf(subject)["maxOutputTokens"] as number;
    const { candidates, pieces } = replyOf(subject)!;
    let told = false;
    for (const { seen } of candidates)
      for (const found of seen) {
        const { tokenCount } = found.value;
        if (typeof tokenCount !== "number" || tokenCount <= max) continue;
        told = true;
        yield { ...faultAt(found, "/tokenCount"), expected: `at most ${max}`, actual: tokenCount };
      }
    if (told) return;
    for (const piece of pieces) {
      const { candidatesTokenCount } = memberOf(piece.value, "usageMetadata");
      if (typeof candidatesTokenCount !== "number" || candidatesTokenCount <= max * candidates.length) continue;
      const where = faultAt({ value: undefined, piece, pointer: "/usageMetadata/candidatesTokenCount" });
      return yield { ...where, expected: `at most ${max} for each candidate`, actual: candidatesTokenCount };
    }
  },
  spoil: (exchange) =>
    editPieces(exchange, ({ candidates, usageMetadata }: Loose) => {
      const candidate = candidates?.find(({ tokenCount }: Loose) => tokenCount !== undefined);
      if (!candidate) return false;
      candidate.tokenCount = 1_000_000_000;
      // Lest the sum be wrong as well.
      delete usageMetadata?.candidatesTokenCount;
      return true;
    }),
};

const endsAtStopSequence = endsAtStop(
  id("stop-sequence-ends"),
  (subject) => stopsIn(configOf(subject)["stopSequences"]),
  (subject) =>
    (replyOf(subject)?.candidates ?? []).flatMap(({ text, parts }) => {
      const spoken = parts.findLast(({ value }) => typeof value["text"] === "string" && value["thought"] !== true);
      const { side: _side, pointer = "", ...place } = spoken ? faultAt(spoken, "/text") : { side: "", pointer: "" };
      return spoken ? [{ value: text, spot: { ...place, pointer } as Spot }] : [];
    }),
  (exchange) =>
    editPieces(exchange, ({ candidates }: Loose) => {
      const { generationConfig } = (jsonBodyOf(exchange.request) ?? {}) as Loose;
      const [stop] = stopsIn(generationConfig?.stopSequences);
      const part = candidates?.[0]?.content?.parts?.find(({ text }: Loose) => typeof text === "string");
      if (!part || stop === undefined) return false;
      part.text += `${stop} and so it goes on.`;
      return true;
    }),
);

export const generationConfigRules: readonly Rule[] = [
  schemaNeedsType,
  logprobsNeed,
  oneVoice,
  jsonOutput,
  schemaOutput,
  enumOutput,
  candidateCount,
  maxTokens,
  endsAtStopSequence,
];
