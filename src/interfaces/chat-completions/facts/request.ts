/** Reads what a chat request asks. */
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { resolvePointer } from "../../../wire/pointer.ts";
import type { OutputForm, RequestFacts, ThinkingWish, Tool, ToolChoice } from "../../common/facts/model.ts";
import {
  countOf,
  flagAt,
  type Json,
  known,
  numberAt,
  objectAt,
  objectsAt,
  objectsIn,
  textAt,
} from "../../common/facts/read.ts";
import { settingsOf } from "../../common/facts/settings.ts";
import { conversationOf } from "./content.ts";

function toolsOf(body: Json): readonly Tool[] | undefined {
  const declared = [...objectsAt(objectsIn(body["tools"]), "function"), ...objectsIn(body["functions"])];
  if (declared.length === 0) return undefined;
  return declared.map((one) => ({
    name: textAt(one, "name") ?? "",
    ...known({
      description: textAt(one, "description"),
      parameters: one["parameters"] ?? undefined,
      strict: flagAt(one, "strict"),
    }),
  }));
}

const modes: Readonly<Record<string, ToolChoice>> = {
  auto: { mode: "auto" },
  none: { mode: "none" },
  required: { mode: "required" },
};

function choiceOf(body: Json): ToolChoice | undefined {
  const choice = body["tool_choice"] ?? body["function_call"] ?? undefined;
  if (choice === undefined) return undefined;
  if (typeof choice === "string") return modes[choice] ?? { mode: "other", names: [choice] };
  if (!isObject(choice)) return { mode: "other" };
  const name = textAt(objectAt(choice, "function") ?? (choice["type"] === undefined ? choice : {}), "name");
  return name === undefined
    ? { mode: "other", ...known({ names: [textAt(choice, "type") ?? ""] }) }
    : { mode: "named", names: [name] };
}

/** Names under which services take thinking that no document describes. */
function undocumentedThinking(body: Json): ThinkingWish | undefined {
  const under = ["reasoning", "thinking"].find((name) => isObject(body[name]));
  if (under !== undefined) {
    const wish = body[under] as Json;
    const effort = textAt(wish, "effort");
    const off = wish["enabled"] === false || wish["type"] === "disabled" || effort === "none";
    return {
      on: !off,
      under,
      ...known({ effort, budget: numberAt(wish, "max_tokens") ?? numberAt(wish, "budget_tokens") }),
    };
  }
  const flag = flagAt(body, "enable_thinking");
  return flag === undefined ? undefined : { on: flag, under: "enable_thinking" };
}

function thinkingOf(body: Json): ThinkingWish | undefined {
  const effort = textAt(body, "reasoning_effort");
  if (effort === undefined) return undocumentedThinking(body);
  return { on: effort !== "none", effort };
}

function outputOf(body: Json): OutputForm | undefined {
  const format = objectAt(body, "response_format");
  if (!format) return undefined;
  const { type } = format;
  if (type === "json_object") return { form: "json" };
  if (type !== "json_schema") return { form: "text" };
  const schema = objectAt(format, "json_schema") ?? {};
  return {
    form: "schema",
    ...known({
      schema: schema["schema"] ?? undefined,
      name: textAt(schema, "name"),
      description: textAt(schema, "description"),
      strict: flagAt(schema, "strict"),
    }),
  };
}

/** Settings that are not read from one place each. */
function codedSettings(body: Json, details: readonly string[]): Record<string, unknown> {
  const kinds = Array.isArray(body["modalities"])
    ? body["modalities"].filter((one): one is string => typeof one === "string")
    : [];
  const audio = objectAt(body, "audio");
  const search = objectAt(body, "web_search_options");
  return known<Record<string, unknown>>({
    // A voice alone asks for nothing.
    modalities: kinds.some((one) => one !== "text")
      ? { kinds, ...known({ voice: audio && textAt(audio, "voice"), format: audio && textAt(audio, "format") }) }
      : undefined,
    "web-search": search,
    "media-resolution": details.find((one) => one !== "auto"),
  });
}

/** The facts of a request; undefined if it is no chat request with a body of JSON. */
export function requestFacts(subject: Subject): RequestFacts | undefined {
  if (subject.request.body.kind !== "json" || subject.operation.method !== "POST") return undefined;
  const body: Json = subject.requestJson;
  const { system, turns } = conversationOf(body["messages"]);
  const details = turns.flatMap(({ parts }) =>
    parts.flatMap((part) => ("detail" in part && part.detail !== undefined ? [part.detail] : [])),
  );
  const read = settingsOf(subject.interface, (at) => resolvePointer(body, at));
  // No document has marks for caches in chat; services do.
  const marks = countOf([body["messages"], body["tools"]], "cache_control");
  return {
    ...read,
    settings: { ...read.settings, ...codedSettings(body, details), ...(marks > 0 && { "cache-control": marks }) },
    ...(marks > 0 && { undocumented: { ...read.undocumented, "cache-control": "cache_control" } }),
    ...(Array.isArray(body["functions"]) && !Array.isArray(body["tools"]) && { usesFunctions: true as const }),
    stream: body["stream"] === true,
    system,
    turns,
    ...known({
      model: textAt(body, "model"),
      tools: toolsOf(body),
      choice: choiceOf(body),
      parallel: flagAt(body, "parallel_tool_calls"),
      thinking: thinkingOf(body),
      output: outputOf(body),
    }),
  };
}
