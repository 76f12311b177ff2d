/** Rules of generate-content's `response` section: what a whole reply holds, and what its members say of each other. */

import { strictOnly, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { isObject } from "../../wire/json.ts";
import { statusFitsBody } from "../common/errors.ts";
import { duplicateKeys } from "../common/json.ts";
import { replyIsJson, replyMediaType, successIs200 } from "../common/response.ts";
import { editCandidate, editPieces } from "./examples/spoil.ts";
import { type Found, faultAt, inPiece, memberOf, objectsIn, replyOf, whole } from "./reading/reply.ts";
import { modelOf } from "./request.ts";
import { usageRules } from "./response/usage.ts";

const id = (name: string): string => `generate-content.response.${name}`;
type Json = Readonly<Record<string, unknown>>;

const hasCandidates: Rule = {
  clause: id("has-candidates"),
  applies: (subject) => whole(subject) !== undefined,
  *check(subject) {
    const { candidates, promptFeedback, error } = whole(subject)!.value;
    if (isObject(error)) return;
    // Members of another type are said to be ill-shaped where they stand.
    const some = Array.isArray(candidates) ? candidates.length > 0 : candidates !== undefined && candidates !== null;
    if (!some && (promptFeedback === undefined || promptFeedback === null))
      yield {
        ...faultAt(inPiece(whole(subject)!, "")),
        expected: "candidates or promptFeedback",
        actual: inWords("neither"),
        reading: warns("G-PRESENCE"),
      };
  },
  spoil: (exchange) =>
    editPieces(exchange, (body) => {
      delete body.candidates;
      delete body.promptFeedback;
      return true;
    }),
};

/** A member every whole reply holds; only where reading G-PRESENCE is strict. */
function present(name: string, member: string): Rule {
  return {
    clause: id(name),
    applies: (subject) => whole(subject) !== undefined,
    *check(subject) {
      const piece = whole(subject)!;
      const blocked = member === "candidates" && replyOf(subject)?.blocked;
      if (piece.value[member] === undefined && !blocked)
        yield {
          ...faultAt(inPiece(piece, `/${member}`)),
          expected: "this member to be present",
          actual: undefined,
          reading: strictOnly("G-PRESENCE"),
        };
    },
    spoil: (exchange) =>
      editPieces(exchange, (body) => {
        const there = body[member] !== undefined;
        // promptFeedback keeps the reply from having neither.
        if (member === "candidates") body.promptFeedback ??= {};
        delete body[member];
        return there;
      }),
  };
}

const blocking = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"]);

/** A member every candidate holds unless it was blocked; only where reading G-PRESENCE is strict. */
function candidateHolds(name: string, member: string): Rule {
  return {
    clause: id(name),
    applies: (subject) => whole(subject) !== undefined && replyOf(subject)!.candidates.length > 0,
    *check(subject) {
      for (const { seen, finish } of replyOf(subject)?.candidates ?? [])
        if (seen[0] && seen[0].value[member] === undefined && !blocking.has(finish?.value ?? ""))
          yield {
            ...faultAt(seen[0], `/${member}`),
            expected: "this member to be present",
            actual: undefined,
            reading: strictOnly("G-PRESENCE"),
          };
    },
    spoil: (exchange) =>
      editCandidate(exchange, (candidate) => {
        delete candidate[member];
        return true;
      }),
  };
}

const indexPosition: Rule = {
  clause: id("index-position"),
  applies: (subject) => (replyOf(subject)?.candidates.length ?? 0) > 0,
  *check(subject) {
    for (const piece of replyOf(subject)!.pieces) {
      const candidates = objectsIn(piece.value["candidates"]);
      if (candidates.length === 1 && candidates[0]?.value["index"] === candidates[0]?.position) continue;
      const taken = new Set<number>();
      for (const { value, position } of candidates) {
        const index = value["index"] ?? 0;
        if (typeof index !== "number" || !Number.isInteger(index)) continue;
        const repeated = taken.has(index);
        taken.add(index);
        if (index === position || (piece.event !== undefined && index >= 0 && !repeated)) continue;
        // Left out, an index means 0; and a list out of order still gives every candidate its own place.
        const mild = value["index"] === undefined || (index >= 0 && index < candidates.length && !repeated);
        yield {
          ...faultAt(inPiece(piece, `/candidates/${position}/index`)),
          expected: String(position),
          actual: value["index"],
          ...(mild && { reading: warns("G-PRESENCE") }),
        };
      }
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, (candidate) => {
      candidate.index = -1;
      return true;
    }),
};

const citationRange: Rule = {
  clause: id("citation-range"),
  applies: (subject) => citations(subject).length > 0,
  *check(subject) {
    for (const { found, length } of citations(subject)) {
      const { startIndex = 0, endIndex } = found.value;
      if (!isInteger(startIndex) || !isInteger(endIndex)) continue;
      const reversed = startIndex > endIndex;
      const beyond = length !== undefined && endIndex > length;
      if (reversed || beyond)
        yield {
          ...faultAt(found, "/endIndex"),
          expected: reversed ? `at least ${startIndex}` : `at most ${length}, the text's length in bytes`,
          actual: endIndex,
          ...(!reversed && { reading: warns("G-INDEX-UNIT") }),
        };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ citationMetadata }) => {
      const source = citationMetadata?.citationSources?.[0];
      if (source) source.startIndex = source.endIndex + 5;
      return source !== undefined;
    }),
};

const isInteger = (value: unknown): value is number => Number.isInteger(value);

/** Citation sources with the bytes of the text they cite into, which are known only once a reply is complete. */
function citations(subject: Subject): { found: Found<Json>; length: number | undefined }[] {
  const reply = replyOf(subject);
  return (reply?.candidates ?? []).flatMap(({ seen, text }) => {
    const sources = seen.flatMap(({ value, piece, pointer }) =>
      objectsIn(memberOf(value, "citationMetadata")["citationSources"]).map(({ value: source, position }) => ({
        value: source,
        piece,
        pointer: `${pointer}/citationMetadata/citationSources/${position}`,
      })),
    );
    const length = sources.length > 0 && reply?.complete && text !== "" ? Buffer.byteLength(text) : undefined;
    return sources.map((found) => ({ found, length }));
  });
}

const camelCase: Rule = {
  clause: id("camel-case"),
  applies: (subject) => replyOf(subject) !== undefined,
  *check(subject) {
    for (const piece of replyOf(subject)!.pieces)
      for (const { pointer, name, camel } of piece.spelling?.aliases ?? [])
        yield {
          ...faultAt(inPiece(piece, "")),
          pointer,
          expected: camel,
          actual: name,
          reading: warns("G-ALIAS"),
        };
  },
  spoil: (exchange) =>
    editPieces(exchange, (body) => {
      if (body.modelVersion === undefined) return false;
      body.model_version = body.modelVersion;
      delete body.modelVersion;
      return true;
    }),
};

const modelEcho: Rule = {
  clause: id("model-echo"),
  applies: (subject) => typeof subject.replyJson?.["modelVersion"] === "string" && modelOf(subject) !== undefined,
  *check(subject) {
    const piece = whole(subject);
    const asked = modelOf(subject);
    if (piece && piece.value["modelVersion"] !== asked)
      yield {
        ...faultAt(inPiece(piece, "/modelVersion")),
        expected: asked ?? "",
        actual: piece.value["modelVersion"],
        reading: { id: "X-MODEL-ECHO", default: "off", strict: "warning" },
      };
  },
  spoil: (exchange) =>
    editPieces(exchange, (body) => {
      body.modelVersion = "another-model";
      return true;
    }),
};

/** The answer of the streaming operation without alt=sse is left open. */
const wholeJson = replyIsJson(id("body-json"));

export const responseRules: readonly Rule[] = [
  {
    ...wholeJson,
    applies: (subject) => wholeJson.applies(subject) && subject.operation.schemas.response !== undefined,
  },
  duplicateKeys(id("duplicate-keys"), "response"),
  replyMediaType(id("media-type")),
  successIs200(id("success-status")),
  statusFitsBody("generate-content.errors.status-fits-body", {
    isError: (body) => isObject(body["error"]),
    isSuccess: (body) => body["candidates"] !== undefined || body["promptFeedback"] !== undefined,
    error: { error: { code: 400, message: "no", status: "INVALID_ARGUMENT" } },
    success: { candidates: [{ content: { role: "model", parts: [{ text: "yes" }] }, finishReason: "STOP" }] },
    redirections: true,
  }),
  hasCandidates,
  present("candidates-present", "candidates"),
  present("usage-metadata-present", "usageMetadata"),
  present("model-version-present", "modelVersion"),
  present("response-id-present", "responseId"),
  candidateHolds("content-present", "content"),
  candidateHolds("finish-reason-present", "finishReason"),
  indexPosition,
  ...usageRules,
  citationRange,
  camelCase,
  modelEcho,
];
