/** Rules of generate-content's `content` and `reply-content` sections: what parts hold and how they follow each other. */
import type { Fault, Rule } from "../../check/rule.ts";
import { isObject, remember, requestJson, type Subject } from "../../check/subject.ts";
import { base64Blemish, base64Problem } from "../../wire/base64.ts";
import { inlineOnly, type MediaKind, mediaOf } from "./media-types.ts";
import { type Found, faultAt, memberOf, objectsIn, replyOf } from "./reply.ts";
import { partKinds, partsSingle } from "./request.ts";
import { editCandidate, editRequest, type Loose } from "./spoil.ts";

const own = (name: string): string => `generate-content.content.${name}`;
const ofReply = (name: string): string => `generate-content.reply-content.${name}`;
type Json = Readonly<Record<string, unknown>>;

/** A part of the request with its pointer as sent. */
interface SentPart {
  readonly value: Json;
  readonly pointer: string;
}

function computeSentParts(subject: Subject): readonly SentPart[] {
  const { body } = subject.request;
  if (body.kind !== "json") return [];
  const json = requestJson(subject);
  const messages = objectsIn(json["contents"]).map(({ value, position }) => ({ value, at: `/contents/${position}` }));
  if (isObject(json["systemInstruction"]))
    messages.push({ value: json["systemInstruction"], at: "/systemInstruction" });
  return messages.flatMap(({ value, at }) =>
    objectsIn(value["parts"]).map((part) => ({
      value: part.value,
      pointer: body.original(`${at}/parts/${part.position}`),
    })),
  );
}

/** Every part of contents and systemInstruction, in order. */
function sentParts(subject: Subject): readonly SentPart[] {
  return remember(subject, computeSentParts);
}

const kindsOf = (part: Json): string[] =>
  partKinds.filter((kind) => Object.hasOwn(part, kind) && part[kind] !== null && part[kind] !== undefined);

/** What is wrong with the number of kinds a part holds (reading G-PART-UNION), or undefined. */
function unionFault(part: Json): Pick<Fault, "expected" | "actual" | "reading"> | undefined {
  const kinds = kindsOf(part);
  const known = Object.keys(part).every((name) => (partKinds as readonly string[]).includes(name));
  // A part of undocumented members only says something that the documents do not; that is not the same as nothing.
  if (kinds.length === 1 || (kinds.length === 0 && !known)) return undefined;
  const besideText = kinds.length === 2 && kinds.includes("text");
  return {
    expected: "exactly one kind of content",
    actual: kinds.length === 0 ? "none" : kinds.join(", "),
    reading: { id: "G-PART-UNION", default: "warning", strict: besideText ? "warning" : "error" },
  };
}

const sentUnion: Rule = {
  clause: own("part-one-kind"),
  applies: (subject) => sentParts(subject).length > 0,
  *check(subject) {
    for (const { value, pointer } of sentParts(subject)) {
      const fault = unionFault(value);
      if (fault) yield { side: "request", in: "body", pointer, ...fault };
    }
  },
  spoil: (exchange) => editRequest(exchange, ({ contents }: Loose) => void contents.at(-1).parts.push({})),
};

const toldParts = (subject: Subject): readonly Found<Json>[] =>
  replyOf(subject)?.candidates.flatMap(({ parts }) => parts) ?? [];

const replyUnion: Rule = {
  clause: ofReply("part-one-kind"),
  applies: (subject) => toldParts(subject).length > 0,
  *check(subject) {
    for (const found of toldParts(subject)) {
      const fault = unionFault(found.value);
      if (fault) yield { ...faultAt(found), ...fault };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ content }) => Array.isArray(content?.parts) && content.parts.push({}) > 0),
};

const unknownMember = (part: Json): string | undefined =>
  Object.keys(part).find((name) => !(partKinds as readonly string[]).includes(name));
const thoughtReading = { id: "G-THOUGHT", default: "off", strict: "warning" } as const;

const sentKnown: Rule = {
  clause: own("part-known-members"),
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

const replyKnown: Rule = {
  clause: ofReply("part-known-members"),
  applies: (subject) => toldParts(subject).length > 0,
  *check(subject) {
    for (const found of toldParts(subject)) {
      const name = unknownMember(found.value);
      if (name !== undefined)
        yield { ...faultAt(found), expected: "documented members", actual: name, reading: thoughtReading };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ content }) => {
      if (!isObject(content?.parts?.[0])) return false;
      content.parts[0]["thought"] = true;
      return true;
    }),
};

const fileData: Rule = {
  clause: own("file-data-unsupported"),
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
        ...(!inlineOnly(mimeType) && { reading: { id: "G-FILEDATA", default: "warning", strict: "error" } as const }),
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
    clause: own(name),
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

/** A fault's remainder for decodable but odd base64 (reading X-BASE64), or undefined. */
export function base64Fault(text: unknown): Pick<Fault, "expected" | "actual" | "hint" | "reading"> | undefined {
  if (typeof text !== "string" || base64Problem(text) !== undefined) return undefined;
  const blemish = base64Blemish(text);
  const hint = blemish ?? base64Blemish(text, true);
  if (hint === undefined) return undefined;
  const reading = { id: "X-BASE64", default: blemish === undefined ? "off" : "warning", strict: "error" } as const;
  return { expected: "base64 in its standard form", actual: text, hint, reading };
}

const sentBase64: Rule = {
  clause: own("inline-data-base64"),
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

const replyBase64: Rule = {
  clause: ofReply("inline-data-base64"),
  applies: (subject) =>
    toldParts(subject).some(({ value }) => typeof memberOf(value, "inlineData")["data"] === "string"),
  *check(subject) {
    for (const found of toldParts(subject)) {
      const fault = base64Fault(memberOf(found.value, "inlineData")["data"]);
      if (fault) yield { ...faultAt(found, "/inlineData/data"), ...fault };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ content }) => {
      const part = content?.parts?.find(({ inlineData }: Loose) => inlineData);
      if (part) part.inlineData.data = "QR==";
      return part !== undefined;
    }),
};

const responsesAnswer: Rule = {
  clause: own("function-response-called"),
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
          reading: { id: "G-CALL-DECLARED", default: "warning", strict: "error" },
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

const codeOrder: Rule = {
  clause: ofReply("code-order"),
  applies: (subject) => toldParts(subject).some(({ value }) => isObject(value["codeExecutionResult"])),
  *check(subject) {
    for (const { parts } of replyOf(subject)?.candidates ?? []) {
      let code = false;
      let adjacent = false;
      for (const found of parts) {
        if (isObject(found.value["codeExecutionResult"]) && !adjacent)
          yield {
            ...faultAt(found, "/codeExecutionResult"),
            expected: "executableCode before it",
            actual: code ? "other parts between" : "none",
            reading: { id: "G-CODE-ORDER", default: code ? "off" : "warning", strict: "error" },
          };
        adjacent = isObject(found.value["executableCode"]);
        code ||= adjacent;
      }
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ content }) => {
      const at: number = content?.parts?.findIndex(({ executableCode }: Loose) => executableCode) ?? -1;
      if (at >= 0) content.parts.splice(at, 1);
      return at >= 0;
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
  replyUnion,
  replyKnown,
  replyBase64,
  codeOrder,
];
