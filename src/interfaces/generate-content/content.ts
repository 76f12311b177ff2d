/** Rules of generate-content's `content` section: what parts of a request hold, and whether they may. */

import { warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { isObject } from "../../wire/json.ts";
import { inlineOnly, type MediaKind, mediaOf } from "./content/media-types.ts";
import { editRequest, type Loose } from "./examples/spoil.ts";
import { base64Fault, thoughtReading, unionFault, unknownMember } from "./reading/part.ts";
import { memberOf, objectsIn } from "./reading/reply.ts";
import { partsSingle } from "./request.ts";

const id = (name: string): string => `generate-content.content.${name}`;
type Json = Readonly<Record<string, unknown>>;

/** A part of the request and where it stands. */
interface SentPart {
  readonly value: Json;
  readonly pointer: string;
}

function computeSentParts(subject: Subject): readonly SentPart[] {
  const { body } = subject.request;
  if (body.kind !== "json") return [];
  const json = subject.requestJson;
  const messages = objectsIn(json["contents"]).map(({ value, position }) => ({ value, at: `/contents/${position}` }));
  if (isObject(json["systemInstruction"]))
    messages.push({ value: json["systemInstruction"], at: "/systemInstruction" });
  return messages.flatMap(({ value, at }) =>
    objectsIn(value["parts"]).map((part) => ({
      value: part.value,
      pointer: `${at}/parts/${part.position}`,
    })),
  );
}

/** Every part of contents and systemInstruction, in order. */
const sentParts: (subject: Subject) => readonly SentPart[] = remember(computeSentParts);

const sentUnion: Rule = {
  clause: id("part-one-kind"),
  applies: (subject) => sentParts(subject).length > 0,
  *check(subject) {
    for (const { value, pointer } of sentParts(subject)) {
      const fault = unionFault(value);
      if (fault) yield { side: "request", in: "body", pointer, ...fault };
    }
  },
  spoil: (exchange) => editRequest(exchange, ({ contents }: Loose) => void contents.at(-1).parts.push({})),
};

const sentKnown: Rule = {
  clause: id("part-known-members"),
  applies: (subject) => sentParts(subject).length > 0,
  *check(subject) {
    for (const { value, pointer } of sentParts(subject)) {
      const name = unknownMember(value);
      // Other names are unknown members of any request object; these two are what replies with thoughts hand out.
      if (name === "thought" || name === "thoughtSignature")
        yield {
          side: "request",
          in: "body",
          pointer,
          expected: "documented members",
          actual: name,
          reading: thoughtReading,
        };
    }
  },
  spoil: (exchange) => editRequest(exchange, ({ contents }: Loose) => void (contents.at(-1).parts[0].thought = true)),
};

const fileData: Rule = {
  clause: id("file-data-unsupported"),
  applies: (subject) =>
    sentParts(subject).some(({ value }) => typeof memberOf(value, "fileData")["mimeType"] === "string") ||
    sentParts(subject).some(({ value }) => isObject(value["inlineData"])),
  *check(subject) {
    for (const { value, pointer } of sentParts(subject)) {
      const { mimeType } = memberOf(value, "fileData");
      if (typeof mimeType !== "string") continue;
      yield {
        side: "request",
        in: "body",
        pointer: `${pointer}/fileData`,
        expected: "inlineData",
        actual: value["fileData"],
        ...(!inlineOnly(mimeType) && {
          hint: "the document says so of audio, video and PDF, and leaves other types open",
          reading: warns("G-FILEDATA"),
        }),
      };
    }
  },
  spoil: (exchange) =>
    editRequest(
      exchange,
      ({ contents }: Loose) =>
        void contents
          .at(-1)
          .parts.push({ fileData: { mimeType: "video/mp4", fileUri: "https://example.com/film.mp4" } }),
    ),
};

function inlineFormat(name: string, kind: MediaKind, wrong: string): Rule {
  const typesIn = (subject: Subject) =>
    sentParts(subject).flatMap(({ value, pointer }) => {
      const { mimeType } = memberOf(value, "inlineData");
      if (typeof mimeType !== "string") return [];
      const media = mediaOf(mimeType);
      return media.kind === kind ? [{ mimeType, pointer: `${pointer}/inlineData/mimeType`, listed: media.listed }] : [];
    });
  return {
    clause: id(name),
    applies: (subject) => typesIn(subject).length > 0,
    *check(subject) {
      for (const { mimeType, pointer, listed } of typesIn(subject))
        if (!listed)
          yield {
            side: "request",
            in: "body",
            pointer,
            expected: kind === "document" ? "PDF or text" : `a listed ${kind} format`,
            actual: mimeType,
            reading: { id: "G-MIME", default: kind === "document" ? "note" : "warning", strict: "error" },
          };
    },
    spoil: (exchange) =>
      editRequest(exchange, ({ contents }: Loose) => {
        const part = contents
          .at(-1)
          .parts.find(({ inlineData }: Loose) => inlineData && mediaOf(inlineData.mimeType).kind === kind);
        if (!part) return false;
        part.inlineData.mimeType = wrong;
      }),
  };
}

const sentBase64: Rule = {
  clause: id("inline-data-base64"),
  applies: (subject) =>
    sentParts(subject).some(({ value }) => typeof memberOf(value, "inlineData")["data"] === "string"),
  *check(subject) {
    for (const { value, pointer } of sentParts(subject)) {
      const fault = base64Fault(memberOf(value, "inlineData")["data"]);
      if (fault) yield { side: "request", in: "body", pointer: `${pointer}/inlineData/data`, ...fault };
    }
  },
  spoil: (exchange) =>
    editRequest(exchange, ({ contents }: Loose) => {
      const part = contents.at(-1).parts.find(({ inlineData }: Loose) => inlineData);
      if (!part) return false;
      part.inlineData.data = "QR==";
    }),
};

const responsesAnswer: Rule = {
  clause: id("function-response-called"),
  applies: (subject) =>
    sentParts(subject).some(({ value }) => typeof memberOf(value, "functionResponse")["name"] === "string"),
  *check(subject) {
    const called = new Set<unknown>();
    for (const { value, pointer } of sentParts(subject)) {
      const { name } = memberOf(value, "functionResponse");
      called.add(memberOf(value, "functionCall")["name"]);
      if (typeof name === "string" && !called.has(name))
        yield {
          side: "request",
          in: "body",
          pointer: `${pointer}/functionResponse/name`,
          expected: "the name of an earlier functionCall",
          actual: name,
          reading: warns("G-CALL-DECLARED"),
        };
    }
  },
  spoil: (exchange) =>
    editRequest(exchange, ({ contents }: Loose) => {
      for (const { parts } of contents)
        for (const { functionResponse } of parts)
          if (functionResponse) {
            functionResponse.name = "never_called";
            return true;
          }
      return false;
    }),
};

export const contentRules: readonly Rule[] = [
  partsSingle,
  sentUnion,
  sentKnown,
  fileData,
  inlineFormat("image-formats", "image", "image/gif"),
  inlineFormat("audio-formats", "audio", "audio/midi"),
  inlineFormat("video-formats", "video", "video/x-unheard-of"),
  inlineFormat("document-formats", "document", "application/msword"),
  sentBase64,
  responsesAnswer,
];
