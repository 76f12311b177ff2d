/** Writes what a request asks as a chat request. */
import { jsonRequest } from "../../../wire/build.ts";
import type { WireRequest } from "../../../wire/exchange.ts";
import { withLinks } from "../../common/facts/links.ts";
import type {
  CallPart,
  MediaPart,
  Modalities,
  OutputForm,
  Part,
  RequestFacts,
  ResultPart,
  ToolChoice,
  Turn,
} from "../../common/facts/model.ts";
import { present } from "../../common/facts/read.ts";
import { effortOf, urlOf, wideSchema, writeSettings } from "../../common/facts/write.ts";

type Json = Record<string, unknown>;

const formats: Readonly<Record<string, string>> = { "audio/mpeg": "mp3", "audio/mp3": "mp3" };

/** A content part; undefined for what the interface has no word for. */
function contentPart(part: Part, resolution: unknown): Json | undefined {
  if (part.kind === "text") return { type: "text", text: part.text };
  if (part.kind === "refusal") return { type: "refusal", refusal: part.text };
  if (part.kind === "image") {
    const url = urlOf(part);
    const detail = part.detail ?? resolution;
    return url === undefined
      ? undefined
      : { type: "image_url", image_url: { url, ...(detail !== undefined && { detail }) } };
  }
  if (part.kind === "audio")
    return {
      type: "input_audio",
      input_audio: { data: part.data ?? "", format: formats[part.mediaType ?? ""] ?? "wav" },
    };
  if (part.kind === "document") {
    const { data, file, name } = part;
    const file_data = data === undefined ? undefined : urlOf(part);
    if (file_data === undefined && file === undefined) return undefined;
    return {
      type: "file",
      file: { ...(file_data && { file_data }), ...(file && { file_id: file }), filename: name ?? "document.pdf" },
    };
  }
  return undefined;
}

/** A text alone where a message holds nothing else. */
function contentOf(parts: readonly Part[], resolution?: unknown): string | readonly Json[] {
  const written = present(parts.map((part) => contentPart(part, resolution)));
  const [only, ...more] = written;
  return only?.["type"] === "text" && more.length === 0 ? String(only["text"]) : written;
}

const callOf = ({ id, name, arguments: given }: CallPart): Json => ({
  id,
  type: "function",
  function: { name, arguments: given },
});

function assistantMessage(parts: readonly Part[]): Json {
  const calls = parts.filter((part) => part.kind === "call");
  const content = contentOf(parts.filter(({ kind }) => kind === "text" || kind === "refusal"));
  return {
    role: "assistant",
    content: content.length > 0 ? content : calls.length > 0 ? null : "",
    ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
  };
}

function resultMessage({ id, content, value }: ResultPart): Json {
  const texts = content.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return { role: "tool", tool_call_id: id ?? "", content: value ? JSON.stringify(value) : texts.join("\n") };
}

/** Results of tools come first, and their pictures follow as the user's. */
function userMessages(parts: readonly Part[], resolution: unknown): readonly Json[] {
  const results = parts.filter((part) => part.kind === "result");
  const pictures = results.flatMap(({ content }) => content.filter((part): part is MediaPart => part.kind !== "text"));
  const content = contentOf([...pictures, ...parts.filter(({ kind }) => kind !== "result")], resolution);
  return [...results.map(resultMessage), ...(content.length > 0 ? [{ role: "user", content }] : [])];
}

function messagesOf(turns: readonly Turn[], resolution: unknown): readonly Json[] {
  return withLinks(turns).flatMap(({ role, parts }) =>
    role === "assistant" ? [assistantMessage(parts)] : userMessages(parts, resolution),
  );
}

function choiceOf({ mode, names = [] }: ToolChoice): unknown {
  if (mode === "named") return names.length === 1 ? { type: "function", function: { name: names[0] } } : "required";
  return mode === "other" ? undefined : mode;
}

function formatOf({ form, schema, name = "answer", description, strict }: OutputForm): Json {
  if (form === "text") return { type: "text" };
  if (form === "json") return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: {
      name,
      ...(description !== undefined && { description }),
      schema: wideSchema(schema),
      ...(strict !== undefined && { strict }),
    },
  };
}

const voices = new Set(["alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer"]);

function outputSettings({ settings }: RequestFacts): Json {
  const modalities = settings["modalities"] as Modalities | undefined;
  const search = settings["web-search"];
  const isSpoken = modalities?.kinds.includes("audio") || modalities?.voice !== undefined;
  const voice = voices.has(modalities?.voice ?? "") ? modalities?.voice : "alloy";
  return {
    ...(modalities?.kinds.includes("audio") && { modalities: ["text", "audio"] }),
    ...(isSpoken && { audio: { voice, format: modalities?.format ?? "wav" } }),
    ...(search !== undefined && { web_search_options: search }),
  };
}

/** The request, without a key. Streams are asked for their usage, since their clients may be owed it. */
export function writeRequest(facts: RequestFacts): WireRequest {
  const { model, system, turns, tools, choice, parallel, thinking, output, stream, settings } = facts;
  const allowed = choice?.mode === "named" && (choice.names?.length ?? 0) > 1 ? new Set(choice.names) : undefined;
  const declared = tools?.filter(({ name }) => allowed?.has(name) ?? true);
  const body: Json = {
    model,
    messages: [
      ...system.map((content) => ({ role: "system", content })),
      ...messagesOf(turns, settings["media-resolution"]),
    ],
    ...(declared && {
      tools: declared.map(({ name, description, parameters, strict }) => ({
        type: "function",
        function: {
          name,
          ...(description !== undefined && { description }),
          ...(parameters !== undefined && { parameters: wideSchema(parameters) }),
          ...(strict !== undefined && { strict }),
        },
      })),
    }),
    ...(choice && { tool_choice: choiceOf(choice) }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    ...(thinking?.on &&
      (thinking.budget !== undefined || thinking.effort !== undefined) && { reasoning_effort: effortOf(thinking) }),
    ...(output && { response_format: formatOf(output) }),
    ...outputSettings(facts),
    ...(stream && { stream: true }),
  };
  writeSettings(body, "chat-completions", {
    ...facts,
    settings: { ...settings, "stream.usage": stream ? (settings["stream.usage"] ?? true) : undefined },
  });
  return jsonRequest("/v1/chat/completions", [], body);
}
