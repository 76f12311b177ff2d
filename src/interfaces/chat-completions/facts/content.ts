/** Reads the messages of a chat request as turns and system texts. */
import { isObject } from "../../../wire/json.ts";
import type { CallPart, MediaPart, Part, ResultPart, TextPart, Turn } from "../../common/facts/model.ts";
import { type Json, known, mediaAt, mediaOf, objectAt, objectsIn, textAt, textPart } from "../../common/facts/read.ts";

const soundTypes: Readonly<Record<string, string>> = { mp3: "audio/mpeg", wav: "audio/wav" };

function fileOf(file: Json): MediaPart {
  const { file_data: data } = file;
  const name = textAt(file, "filename");
  const medium: MediaPart =
    typeof data !== "string"
      ? { kind: "document" }
      : data.startsWith("data:")
        ? mediaAt(data, "document")
        : mediaOf(data, name?.toLowerCase().endsWith(".pdf") ? "application/pdf" : undefined, "document");
  return { ...medium, ...known({ name, file: textAt(file, "file_id") }) };
}

/** A content part; undefined for one that says nothing. */
function partOf(part: Json): Part | undefined {
  const type = textAt(part, "type") ?? "";
  if (type === "text") return textPart(textAt(part, "text") ?? "");
  if (type === "refusal") return { kind: "refusal", text: textAt(part, "refusal") ?? "" };
  if (type === "image_url") {
    const image = part["image_url"];
    // Some send the address alone.
    const url = typeof image === "string" ? image : isObject(image) ? textAt(image, "url") : undefined;
    return url === undefined
      ? undefined
      : { ...mediaAt(url, "image"), ...known({ detail: isObject(image) ? textAt(image, "detail") : undefined }) };
  }
  if (type === "input_audio") {
    const sound = objectAt(part, "input_audio") ?? {};
    const format = textAt(sound, "format");
    const mediaType = format === undefined ? undefined : (soundTypes[format.toLowerCase()] ?? `audio/${format}`);
    return mediaOf(textAt(sound, "data") ?? "", mediaType, "audio");
  }
  if (type === "file") return fileOf(objectAt(part, "file") ?? {});
  return { kind: "other", type };
}

/** The parts of a content, which may be a text. */
export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === "string") return content === "" ? [] : [textPart(content)];
  return objectsIn(content).flatMap((part) => partOf(part) ?? []);
}

const textsIn = (content: unknown): readonly string[] =>
  partsOf(content).flatMap((part) => (part.kind === "text" ? [part.text] : []));

function callOf(called: Json, id: string | undefined): CallPart {
  return { kind: "call", arguments: textAt(called, "arguments") ?? "", ...known({ id, name: textAt(called, "name") }) };
}

function assistantParts(message: Json): readonly Part[] {
  const thought = textAt(message, "reasoning_content") ?? textAt(message, "reasoning");
  const refusal = textAt(message, "refusal");
  const called = objectAt(message, "function_call");
  return [
    ...(thought ? [{ kind: "thinking", text: thought } as const] : []),
    ...partsOf(message["content"]),
    ...(refusal ? [{ kind: "refusal", text: refusal } as const] : []),
    ...objectsIn(message["tool_calls"]).map((call) => callOf(objectAt(call, "function") ?? {}, textAt(call, "id"))),
    ...(called ? [callOf(called, undefined)] : []),
  ];
}

function resultOf(message: Json): ResultPart {
  const content = partsOf(message["content"]).filter(
    (part): part is TextPart | MediaPart => part.kind === "text" || "data" in part || "url" in part,
  );
  return { kind: "result", content, ...known({ id: textAt(message, "tool_call_id"), name: textAt(message, "name") }) };
}

/** The conversation of a request. */
export function conversationOf(messages: unknown): {
  readonly system: readonly string[];
  readonly turns: readonly Turn[];
} {
  const system: string[] = [];
  const turns: Turn[] = [];
  for (const message of objectsIn(messages)) {
    const { role, content } = message;
    if (role === "system" || role === "developer") system.push(...textsIn(content));
    else if (role === "assistant") turns.push({ role, parts: assistantParts(message) });
    else if (role === "tool" || role === "function") turns.push({ role: "user", parts: [resultOf(message)] });
    else turns.push({ role: "user", parts: partsOf(content) });
  }
  return { system, turns };
}
