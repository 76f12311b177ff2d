/** Writes what a request asks as a request of generate-content. */
import { jsonRequest } from "../../../wire/build.ts";
import type { WireRequest } from "../../../wire/exchange.ts";
import { isObject, parseJson } from "../../../wire/json.ts";
import { percentEncoded } from "../../../wire/percent.ts";
import { linkedCalls, withLinks } from "../../common/facts/links.ts";
import type {
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
import { argumentsObject, budgetOf, narrowSchema, setAt, writeSettings } from "../../common/facts/write.ts";

type Json = Record<string, unknown>;

const endings: Readonly<Record<string, string>> = {
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  pdf: "application/pdf",
};

/** The media type of an address by its ending; a picture where that says nothing. */
const typeOfUrl = (url: string): string =>
  endings[/\.(\w+)(?:$|[?#])/.exec(url)?.[1]?.toLowerCase() ?? ""] ?? "image/jpeg";

function mediumPart({ kind, mediaType, data, url }: MediaPart): Json | undefined {
  if (data !== undefined)
    return { inlineData: { mimeType: mediaType ?? (kind === "audio" ? "audio/wav" : "application/pdf"), data } };
  return url === undefined ? undefined : { fileData: { mimeType: mediaType ?? typeOfUrl(url), fileUri: url } };
}

/** A result as the object that the interface demands. */
function responseOf({ content, value, isError }: ResultPart): Json {
  if (value) return value;
  const text = content.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
  if (isError) return { error: text };
  const json = parseJson(text);
  return json.ok && isObject(json.value) ? json.value : { result: text };
}

/** Parts of the interface; none for what it has no word for. */
function partsOf(part: Part): readonly Json[] {
  switch (part.kind) {
    case "text":
    case "refusal":
      return [{ text: part.text }];
    case "call":
      return [{ functionCall: { name: part.name, args: argumentsObject(part.arguments) } }];
    case "result":
      return [
        { functionResponse: { name: part.name ?? "", response: responseOf(part) } },
        ...present(part.content.map((one) => (one.kind === "text" ? undefined : mediumPart(one)))),
      ];
    case "thinking":
    case "other":
      return [];
    default: {
      const medium = mediumPart(part);
      return medium ? [medium] : [];
    }
  }
}

function contentsOf(turns: readonly Turn[]): readonly Json[] {
  const contents: { role: string; parts: Json[] }[] = [];
  const linked = withLinks(turns);
  const order = new Map(linkedCalls({ turns: linked }).calls.map(({ id }, i) => [id, i]));
  const byCall = (a: Part, b: Part): number =>
    a.kind === "result" && b.kind === "result" ? (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0) : 0;
  for (const { role, parts: said } of linked) {
    // Without ids, results of one name answer in the order of the calls.
    const isAllResults = said.every(({ kind }) => kind === "result");
    const parts = (isAllResults ? [...said].sort(byCall) : said).flatMap(partsOf);
    const own = role === "assistant" ? "model" : "user";
    if (parts.length === 0) continue;
    // Results of several calls answer together.
    const last = contents.at(-1);
    const isResult = "functionResponse" in parts[0]!;
    if (isResult && last?.role === own && "functionResponse" in last.parts[0]!) last.parts.push(...parts);
    else contents.push({ role: own, parts });
  }
  return contents;
}

const modes = { auto: "AUTO", none: "NONE", required: "ANY", named: "ANY", other: "AUTO" } as const;

const choiceOf = ({ mode, names }: ToolChoice): Json => ({
  functionCallingConfig: { mode: modes[mode], ...(mode === "named" && { allowedFunctionNames: names }) },
});

function formOf({ form, schema }: OutputForm): Json {
  if (form === "text") return { responseMimeType: "text/plain" };
  const responseMimeType = form === "enum" ? "text/x.enum" : "application/json";
  return { responseMimeType, ...(schema !== undefined && { responseSchema: narrowSchema(schema) }) };
}

function configOf({ settings, thinking, output }: RequestFacts): Json {
  const modalities = settings["modalities"] as Modalities | undefined;
  const resolution = settings["media-resolution"];
  const { budget, effort, shown } = thinking ?? { on: false };
  const isAmount = budget !== undefined || effort !== undefined;
  return {
    ...(modalities &&
      modalities.kinds.length > 0 && { responseModalities: modalities.kinds.map((kind) => kind.toUpperCase()) }),
    ...(modalities?.speech !== undefined && { speechConfig: modalities.speech }),
    ...(modalities?.voice !== undefined && {
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: modalities.voice } } },
    }),
    ...(resolution !== undefined && { mediaResolution: `MEDIA_RESOLUTION_${String(resolution).toUpperCase()}` }),
    ...(thinking && {
      thinkingConfig: {
        ...(thinking.on ? isAmount && { thinkingBudget: budgetOf(thinking) } : { thinkingBudget: 0 }),
        ...(shown !== undefined && { includeThoughts: shown }),
      },
    }),
    ...(output && formOf(output)),
  };
}

/** The request, without a key. */
export function writeRequest(facts: RequestFacts): WireRequest {
  const { model = "", system, turns, tools, choice, stream, settings } = facts;
  const config = configOf(facts);
  const declared = [
    ...(tools
      ? [
          {
            functionDeclarations: tools.map(({ name, description, parameters }) => ({
              name,
              ...(description !== undefined && { description }),
              ...(parameters !== undefined && { parameters: narrowSchema(parameters) }),
            })),
          },
        ]
      : []),
    ...(settings["code-execution"] === undefined ? [] : [{ codeExecution: {} }]),
  ];
  const body: Json = {
    contents: contentsOf(turns),
    ...(system.length > 0 && { systemInstruction: { parts: system.map((text) => ({ text })) } }),
    ...(declared.length > 0 && { tools: declared }),
    ...(choice && { toolConfig: choiceOf(choice) }),
  };
  for (const [name, value] of Object.entries(config)) setAt(body, `/generationConfig/${name}`, value);
  writeSettings(body, "generate-content", facts);
  const operation = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  return jsonRequest(`/v1beta/models/${percentEncoded(model)}:${operation}`, [], body);
}
