/** Rules of generate-content's `grounding` section: segments of the text, encoded blobs, sources of one kind. */

import { parsed } from "../../check/budget.ts";
import { strictOnly, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { isObject, jsonFault } from "../../wire/json.ts";
import { editCandidate, type Loose } from "./examples/spoil.ts";
import { base64Fault } from "./reading/part.ts";
import { type Candidate, type Found, faultAt, memberOf, objectsIn, replyOf } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.grounding.${name}`;
type Json = Readonly<Record<string, unknown>>;

interface Placed {
  readonly found: Found<Json>;
  readonly candidate: Candidate;
}

/** Every groundingMetadata of a reply. */
function metadataIn(subject: Subject): Placed[] {
  return (replyOf(subject)?.candidates ?? []).flatMap((candidate) =>
    candidate.seen.flatMap(({ value, piece, pointer }) =>
      isObject(value["groundingMetadata"])
        ? [{ found: { value: value["groundingMetadata"], piece, pointer: `${pointer}/groundingMetadata` }, candidate }]
        : [],
    ),
  );
}

function segmentsIn(subject: Subject): Placed[] {
  return metadataIn(subject).flatMap(({ found, candidate }) =>
    objectsIn(found.value["groundingSupports"]).flatMap(({ value, position }) =>
      isObject(value["segment"])
        ? [
            {
              found: {
                value: value["segment"],
                piece: found.piece,
                pointer: `${found.pointer}/groundingSupports/${position}/segment`,
              },
              candidate,
            },
          ]
        : [],
    ),
  );
}

/**
 * Texts a segment may point into. The document does not say whether thoughts or other parts count. They are the part it names,
 * with and without thoughts before it, and the text of all parts, with and without thoughts.
 */
type Bases = (segment: Json) => readonly Buffer[];

/** The texts of one candidate, each turned into bytes once. */
function basesIn({ parts, text }: Candidate): Bases {
  const told = parts.flatMap(({ value }) => (typeof value["text"] === "string" ? [value] : []));
  const answer = told.filter(({ thought }) => thought !== true);
  const known = new Map<unknown, Buffer | undefined>();
  const bytesOf = (part: Json | undefined): Buffer | undefined => {
    const said = part?.["text"];
    if (!known.has(part)) known.set(part, typeof said === "string" ? Buffer.from(said) : undefined);
    return known.get(part);
  };
  const all = Buffer.from(text);
  const withThoughts = answer.length === told.length ? all : Buffer.from(told.map((part) => part["text"]).join(""));
  return ({ partIndex = 0 }) => {
    const at = typeof partIndex === "number" ? partIndex : 0;
    const bases = [bytesOf(parts[at]?.value), bytesOf(answer[at]), all, withThoughts];
    return [...new Set(bases)].filter((base) => base !== undefined);
  };
}

/** The texts a segment may point into, for segments that come candidate by candidate. */
function createBases(): (placed: Placed) => readonly Buffer[] {
  let of: Candidate | undefined;
  let bases: Bases = () => [];
  return ({ found, candidate }) => {
    if (candidate !== of) bases = basesIn((of = candidate));
    return bases(found.value);
  };
}

/** The characters of a long slice that a finding shows. */
const maxShown = 1_000;

/** Whether some bytes are a text's. A character takes three bytes at most for each of its units, and one at least. */
function isSlice(bytes: Buffer, { start, end }: { start: number; end: number }, text: string): boolean {
  const length = end - start;
  return length >= text.length && length <= 3 * text.length && bytes.toString("utf8", start, end) === text;
}

/** A segment's two ends where both are usable; a start left out means 0. */
function endsOf({ startIndex = 0, endIndex }: Json): { start: number; end: number } | undefined {
  return Number.isInteger(startIndex) && Number.isInteger(endIndex)
    ? { start: startIndex as number, end: endIndex as number }
    : undefined;
}

const segmentRange: Rule = {
  clause: id("segment-range"),
  applies: (subject) => segmentsIn(subject).some(({ found }) => endsOf(found.value)),
  *check(subject) {
    const { complete } = replyOf(subject)!;
    const basesOf = createBases();
    for (const placed of segmentsIn(subject)) {
      const { found } = placed;
      const ends = endsOf(found.value);
      if (!ends) continue;
      const maxLength = Math.max(0, ...basesOf(placed).map(({ length }) => length));
      if (ends.start > ends.end)
        yield { ...faultAt(found, "/endIndex"), expected: `at least ${ends.start}`, actual: ends.end };
      else if (complete && maxLength > 0 && ends.end > maxLength)
        yield {
          ...faultAt(found, "/endIndex"),
          expected: `at most ${maxLength}, the text's length in bytes`,
          actual: ends.end,
          reading: warns("G-INDEX-UNIT"),
        };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ groundingMetadata }) => {
      const segment = groundingMetadata?.groundingSupports?.find((one: Loose) => one.segment?.endIndex)?.segment;
      if (segment) segment.startIndex = segment.endIndex + 1;
      return segment !== undefined;
    }),
};

const segmentSlice: Rule = {
  clause: id("segment-slice"),
  applies: (subject) =>
    replyOf(subject)?.complete === true &&
    segmentsIn(subject).some(({ found: { value } }) => typeof value["text"] === "string" && endsOf(value)),
  *check(subject) {
    const basesOf = createBases();
    for (const placed of segmentsIn(subject)) {
      const { found } = placed;
      const ends = endsOf(found.value);
      const { text } = found.value;
      if (!ends || typeof text !== "string" || ends.start < 0 || ends.start > ends.end) continue;
      // If the ends themselves lie beyond the text, their own clause says that.
      const bases = basesOf(placed).filter(({ length }) => ends.end <= length);
      if (bases[0] && !bases.some((bytes) => isSlice(bytes, ends, text)))
        yield {
          ...faultAt(found, "/text"),
          expected: JSON.stringify(bases[0].toString("utf8", ends.start, Math.min(ends.end, ends.start + maxShown))),
          actual: text,
          reading: warns("G-INDEX-UNIT"),
        };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ groundingMetadata }) => {
      const segment = groundingMetadata?.groundingSupports?.find((one: Loose) => one.segment?.text)?.segment;
      if (segment) segment.text = `not ${segment.text}`;
      return segment !== undefined;
    }),
};

const blobsIn = (subject: Subject): Found<string>[] =>
  metadataIn(subject).flatMap(({ found }) => {
    const { sdkBlob } = memberOf(found.value, "searchEntryPoint");
    return typeof sdkBlob === "string"
      ? [{ ...found, value: sdkBlob, pointer: `${found.pointer}/searchEntryPoint/sdkBlob` }]
      : [];
  });

const spoilBlob =
  (blob: string): Rule["spoil"] =>
  (exchange) =>
    editCandidate(exchange, ({ groundingMetadata }) => {
      const entry = groundingMetadata?.searchEntryPoint;
      if (entry?.sdkBlob === undefined) return false;
      entry.sdkBlob = blob;
      return true;
    });

const blobBase64: Rule = {
  clause: id("sdk-blob-base64"),
  applies: (subject) => blobsIn(subject).length > 0,
  *check(subject) {
    for (const found of blobsIn(subject)) {
      const fault = base64Fault(found.value);
      if (fault) yield { ...faultAt(found), ...fault };
    }
  },
  spoil: spoilBlob("not base64"),
};

const blobContent: Rule = {
  clause: id("sdk-blob-content"),
  applies: (subject) => blobsIn(subject).length > 0,
  *check(subject) {
    for (const found of blobsIn(subject)) {
      if (!/^[A-Za-z0-9+/_-]{2,}={0,2}$/.test(found.value)) continue;
      const json = parsed(Buffer.from(found.value, "base64").toString("utf8"));
      if (!json.ok || !Array.isArray(json.value))
        yield {
          ...faultAt(found),
          expected: "base64 of a JSON array",
          actual: json.ok ? json.value : inWords(jsonFault(json)),
        };
      else if (!json.value.every((pair) => Array.isArray(pair) && pair.length === 2))
        yield {
          ...faultAt(found),
          expected: "pairs of search term and URL, each an array of two",
          actual: json.value,
          reading: strictOnly("G-SDKBLOB"),
        };
    }
  },
  spoil: spoilBlob(Buffer.from('{"no":"list"}').toString("base64")),
};

const sourcesIn = (subject: Subject): Found<Json>[] =>
  (replyOf(subject)?.candidates ?? []).flatMap(({ seen }) =>
    seen.flatMap(({ value, piece, pointer }) =>
      objectsIn(value["groundingAttributions"]).flatMap(({ value: attribution, position }) =>
        isObject(attribution["sourceId"])
          ? [
              {
                value: attribution["sourceId"],
                piece,
                pointer: `${pointer}/groundingAttributions/${position}/sourceId`,
              },
            ]
          : [],
      ),
    ),
  );

const oneSource: Rule = {
  clause: id("source-one-kind"),
  applies: (subject) => sourcesIn(subject).length > 0,
  *check(subject) {
    for (const found of sourcesIn(subject))
      if (isObject(found.value["groundingPassage"]) && isObject(found.value["semanticRetrieverChunk"]))
        yield { ...faultAt(found), expected: "groundingPassage or semanticRetrieverChunk", actual: inWords("both") };
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ groundingAttributions }) => {
      const source = groundingAttributions?.[0]?.sourceId;
      if (!source) return false;
      source.groundingPassage ??= { passageId: "p", partIndex: 0 };
      source.semanticRetrieverChunk ??= { source: "s", chunk: "c" };
      return true;
    }),
};

export const groundingRules: readonly Rule[] = [segmentRange, segmentSlice, blobBase64, blobContent, oneSource];
