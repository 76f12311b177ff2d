/** Reads blocks of messages as parts. */
import { isObject } from "../../../wire/json.ts";
import type { MediaKind, MediaPart, Part, ResultPart, TextPart, Turn } from "../../common/facts/model.ts";
import { flagAt, type Json, known, mediaOf, objectAt, objectsIn, textAt, textPart } from "../../common/facts/read.ts";

function mediumOf(block: Json, kind: MediaKind): MediaPart {
  const source = objectAt(block, "source") ?? {};
  const mediaType = textAt(source, "media_type");
  const data = textAt(source, "data");
  const name = known({ name: textAt(block, "title") });
  if (source["type"] === "text")
    return { ...mediaOf(Buffer.from(data ?? "").toString("base64"), mediaType, kind), ...name };
  if (data !== undefined) return { ...mediaOf(data, mediaType, kind), ...name };
  const place = known({ url: textAt(source, "url"), file: textAt(source, "file_id") });
  return { kind, ...name, ...(Object.keys(place).length > 0 ? place : { opaque: source }) };
}

function resultOf(block: Json): ResultPart {
  const content = partsOf(block["content"]).filter(
    (part): part is TextPart | MediaPart => part.kind === "text" || part.kind === "image" || part.kind === "document",
  );
  return {
    kind: "result",
    content,
    ...known({ id: textAt(block, "tool_use_id"), isError: flagAt(block, "is_error") }),
  };
}

function partOf(block: Json): Part {
  const type = textAt(block, "type") ?? "";
  switch (type) {
    case "text":
      return textPart(textAt(block, "text") ?? "");
    case "image":
    case "document":
      return mediumOf(block, type);
    case "thinking":
      return {
        kind: "thinking",
        text: textAt(block, "thinking") ?? "",
        ...known({ signature: textAt(block, "signature") }),
      };
    case "tool_use":
      return {
        kind: "call",
        arguments: JSON.stringify(block["input"] ?? {}),
        ...known({ id: textAt(block, "id"), name: textAt(block, "name") }),
      };
    case "tool_result":
      return resultOf(block);
    default:
      return { kind: "other", type };
  }
}

/** Whether a block or a tool says that the prompt is to be cached up to it. */
export const isMarked = (block: Json): boolean => objectAt(block, "cache_control") !== undefined;

/** The parts of a content, which may be a text. */
export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === "string") return content === "" ? [] : [textPart(content)];
  return objectsIn(content).map((block) => (isMarked(block) ? { ...partOf(block), cache: true } : partOf(block)));
}

/** System texts: a text, or blocks of text. */
export const systemOf = (system: unknown): readonly string[] =>
  partsOf(system).flatMap((part) => (part.kind === "text" ? [part.text] : []));

/** The conversation of a request; a system role among its messages is no documented one, and read all the same. */
export function conversationOf(body: Json): { readonly system: readonly string[]; readonly turns: readonly Turn[] } {
  const system = [...systemOf(body["system"])];
  const turns: Turn[] = [];
  for (const { role, content } of objectsIn(body["messages"])) {
    if (role === "system") system.push(...systemOf(content));
    else
      turns.push({
        role: role === "assistant" ? role : "user",
        parts: partsOf(isObject(content) ? [content] : content),
      });
  }
  return { system, turns };
}
