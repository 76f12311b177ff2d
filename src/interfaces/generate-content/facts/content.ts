/** Reads contents of generate-content as turns. */
import { isObject } from "../../../wire/json.ts";
import type { MediaPart, Part, TextPart, Turn } from "../../common/facts/model.ts";
import {
  type Json,
  known,
  mediaKindOf,
  mediaOf,
  objectAt,
  objectsIn,
  textAt,
  textPart,
} from "../../common/facts/read.ts";

/** Texts and media that stand beside or within the response of a function. */
function contentOf(value: Json): readonly (TextPart | MediaPart)[] {
  return objectsIn(value["parts"]).flatMap((part): MediaPart[] => {
    const medium = mediumOf(part);
    return medium ? [medium] : [];
  });
}

function mediumOf(part: Json): MediaPart | undefined {
  const inline = objectAt(part, "inlineData");
  if (inline) return mediaOf(textAt(inline, "data") ?? "", textAt(inline, "mimeType"));
  const file = objectAt(part, "fileData");
  if (!file) return undefined;
  const mediaType = textAt(file, "mimeType")?.toLowerCase();
  return { kind: mediaKindOf(mediaType), ...known({ mediaType, url: textAt(file, "fileUri") }) };
}

function partOf(part: Json): Part {
  const text = textAt(part, "text");
  if (text !== undefined)
    return part["thought"] === true
      ? { kind: "thinking", text, ...known({ signature: textAt(part, "thoughtSignature") }) }
      : textPart(text);
  const medium = mediumOf(part);
  if (medium) return medium;
  const call = objectAt(part, "functionCall");
  if (call)
    return {
      kind: "call",
      arguments: JSON.stringify(call["args"] ?? {}),
      ...known({ id: textAt(call, "id"), name: textAt(call, "name") }),
    };
  const result = objectAt(part, "functionResponse");
  if (result)
    return {
      kind: "result",
      content: contentOf(result),
      ...known({ id: textAt(result, "id"), name: textAt(result, "name"), value: objectAt(result, "response") }),
    };
  return { kind: "other", type: Object.keys(part)[0] ?? "" };
}

/** The parts of a content. */
export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === "string") return [textPart(content)];
  if (!isObject(content)) return [];
  const { parts } = content;
  return objectsIn(isObject(parts) ? [parts] : parts).map(partOf);
}

/** System texts. */
export const systemOf = (content: unknown): readonly string[] =>
  partsOf(content).flatMap((part) => (part.kind === "text" ? [part.text] : []));

/** The turns of a conversation; contents without a role are the user's. */
export const turnsOf = (contents: unknown): readonly Turn[] =>
  objectsIn(isObject(contents) ? [contents] : contents).map((content) => ({
    role: content["role"] === "model" ? "assistant" : "user",
    parts: partsOf(content),
  }));
