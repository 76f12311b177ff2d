/** Reads what a request of generate-content asks. */
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { resolvePointer } from "../../../wire/pointer.ts";
import type { OutputForm, RequestFacts, ThinkingWish, Tool, ToolChoice } from "../../common/facts/model.ts";
import { flagAt, type Json, known, numberAt, objectAt, objectsIn, textAt } from "../../common/facts/read.ts";
import { settingsOf } from "../../common/facts/settings.ts";
import { modelOf } from "../request.ts";
import { systemOf, turnsOf } from "./content.ts";

/** The member for parameters in plain JSON Schema; no document has it, and services do. */
const jsonSchemaName = "parametersJsonSchema";

function toolsOf(tools: readonly Json[]): readonly Tool[] | undefined {
  const declared = tools.flatMap((tool) => objectsIn(tool["functionDeclarations"]));
  if (declared.length === 0) return undefined;
  return declared.map((one) => ({
    name: textAt(one, "name") ?? "",
    ...known({
      description: textAt(one, "description"),
      parameters: one["parameters"] ?? one[jsonSchemaName] ?? undefined,
      under:
        (one["parameters"] ?? undefined) === undefined && isObject(one[jsonSchemaName]) ? jsonSchemaName : undefined,
    }),
  }));
}

function choiceOf(config: Json | undefined): ToolChoice | undefined {
  const mode = config && textAt(config, "mode");
  if (mode === undefined) return undefined;
  const allowed = config?.["allowedFunctionNames"];
  const names = Array.isArray(allowed) ? allowed.filter((name): name is string => typeof name === "string") : [];
  // Words in small letters are none of the document, and what they mean is plain.
  const under = mode === mode.toUpperCase() ? {} : { under: mode };
  switch (mode.toUpperCase()) {
    case "ANY":
      return names.length > 0 ? { mode: "named", names, ...under } : { mode: "required", ...under };
    case "NONE":
      return { mode: "none", ...under };
    case "AUTO":
    case "MODE_UNSPECIFIED":
      return { mode: "auto", ...under };
    default:
      return { mode: "other", names: [mode] };
  }
}

function thinkingOf(config: Json | undefined): ThinkingWish | undefined {
  if (!config) return undefined;
  const given = numberAt(config, "thinkingBudget");
  // A negative budget leaves the amount to the model.
  const budget = given === undefined || given < 0 ? undefined : given;
  const effort = textAt(config, "thinkingLevel")?.toLowerCase();
  const shown = flagAt(config, "includeThoughts");
  if (given === undefined && effort === undefined && shown !== true) return undefined;
  return { on: budget !== 0, ...known({ budget, effort, shown }) };
}

function outputOf(config: Json): OutputForm | undefined {
  const type = textAt(config, "responseMimeType")?.toLowerCase();
  const schema = config["responseSchema"] ?? config["responseJsonSchema"] ?? undefined;
  if (type === undefined && schema === undefined) return undefined;
  if (type === "text/x.enum") return { form: "enum", ...known({ schema }) };
  if (schema !== undefined) return { form: "schema", schema };
  return { form: type === "application/json" ? "json" : "text" };
}

function codedSettings(config: Json, tools: readonly Json[]): Record<string, unknown> {
  const kinds = Array.isArray(config["responseModalities"])
    ? config["responseModalities"]
        .filter((one): one is string => typeof one === "string")
        .map((one) => one.toLowerCase())
    : [];
  const speech = config["speechConfig"] ?? undefined;
  const voice = resolvePointer(speech, "/voiceConfig/prebuiltVoiceConfig/voiceName");
  const resolution = textAt(config, "mediaResolution")
    ?.replace(/^MEDIA_RESOLUTION_/, "")
    .toLowerCase();
  return known<Record<string, unknown>>({
    modalities:
      speech !== undefined || kinds.some((one) => one !== "text")
        ? { kinds, ...(typeof voice === "string" ? { voice } : speech !== undefined && { speech }) }
        : undefined,
    "web-search": tools.some((tool) => "googleSearch" in tool) ? {} : undefined,
    "code-execution": tools.some((tool) => "codeExecution" in tool) ? {} : undefined,
    "media-resolution": resolution === "unspecified" ? undefined : resolution,
  });
}

/** The facts of a request; undefined if its body is no JSON. */
export function requestFacts(subject: Subject): RequestFacts | undefined {
  if (subject.request.body.kind !== "json") return undefined;
  const body: Json = subject.requestJson;
  const config = objectAt(body, "generationConfig") ?? {};
  const tools = objectsIn(body["tools"]);
  const read = settingsOf(subject.interface, (at) => resolvePointer(body, at));
  return {
    ...read,
    settings: { ...read.settings, ...codedSettings(config, tools) },
    stream: subject.operation.schemas.event !== undefined,
    system: systemOf(body["systemInstruction"]),
    turns: turnsOf(body["contents"]),
    ...known({
      model: modelOf(subject)?.replace(/^models\//, ""),
      tools: toolsOf(tools),
      choice: choiceOf(objectAt(objectAt(body, "toolConfig") ?? {}, "functionCallingConfig")),
      thinking: thinkingOf(objectAt(config, "thinkingConfig")),
      output: outputOf(config),
    }),
  };
}
