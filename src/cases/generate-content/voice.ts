/** Says speeches as generated content. */
import { failures } from "../../interfaces/generate-content/errors.ts";
import { jsonRequest } from "../../wire/build.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { pathOf } from "../../wire/target.ts";
import type { HandedCall } from "../observation.ts";
import type { Speech, SpeechPart } from "../speech.ts";
import type { GoodEvent, Json, OfferedTool, Voice } from "../voice.ts";

const reasons = { stop: "STOP", length: "MAX_TOKENS", filter: "SAFETY", calls: "STOP", sequence: "STOP" };

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

function ask(request: WireRequest, json: Json, text: string): WireRequest {
  const isStream = /:streamGenerateContent$/.test(pathOf(request.target));
  const isEvents = /[?&](?:\$|%24)?alt=sse\b/.test(request.target);
  const verb = isStream ? `streamGenerateContent${isEvents ? "?alt=sse" : ""}` : "generateContent";
  const model = /\/models\/([^/:]+):/.exec(pathOf(request.target))?.[1] ?? "model";
  const config = isObject(json["generationConfig"]) ? json["generationConfig"] : {};
  const count = config["candidateCount"];
  const body = {
    contents: [{ role: "user", parts: [{ text: `[[say:${text}]]` }] }],
    ...(typeof count === "number" && { generationConfig: { candidateCount: count } }),
  };
  return jsonRequest(`/v1beta/models/${model}:${verb}`, [["x-goog-api-key", "case-key"]], body);
}

function tools(json: Json): OfferedTool[] {
  const last = listIn(listIn(json["contents"]).at(-1)?.["parts"]);
  if (last.some((part) => "functionResponse" in part || "function_response" in part)) return [];
  return listIn(json["tools"])
    .flatMap((tool) => listIn(tool["functionDeclarations"] ?? tool["function_declarations"]))
    .flatMap(({ name, parameters, parametersJsonSchema }) =>
      typeof name === "string" ? [{ name, schema: parametersJsonSchema ?? parameters ?? {} }] : [],
    );
}

const callsIn = (json: Json): HandedCall[] =>
  listIn(json["contents"]).flatMap(({ parts }) =>
    listIn(parts).flatMap((part) => {
      const call = part["functionCall"] ?? part["function_call"];
      return isObject(call) ? [{ name: String(call["name"]), arguments: JSON.stringify(call["args"] ?? {}) }] : [];
    }),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return {};
  }
}

/** The parts of a reply that bring one part of a speech, one for each piece of a text. */
export function partsOf(part: SpeechPart): Json[] {
  if (part.kind === "call") {
    const args = part.pieces.join("");
    return [{ functionCall: { name: part.name, ...(args !== "" && { args: parsed(args) }) } }];
  }
  const more = part.kind === "thinking" ? { thought: true } : {};
  return part.pieces.map((text) => ({ text, ...more }));
}

const contentOf = (parts: readonly Json[]): Json => ({ content: { parts, role: "model" } });

/** The stamp that all events share, and what the last one brings besides. */
export function frameOf(template: readonly GoodEvent[]): { stamp: Json; last: Json; counts: Json } {
  const { candidates, usageMetadata, ...stamp } = template.at(-1)!.data as Json;
  const { content: _content, ...last } = listIn(candidates)[0] ?? {};
  return { stamp, last, counts: { usageMetadata } };
}

function events(template: readonly GoodEvent[], { parts, end }: Speech): GoodEvent[] {
  const { stamp, last, counts } = frameOf(template);
  const all = parts.flatMap(partsOf);
  const ended = { ...last, finishReason: reasons[end] };
  const before = all.slice(0, -1).map(
    (part): GoodEvent => ({
      data: { candidates: [{ ...contentOf([part]), index: 0 }], ...stamp },
    }),
  );
  const content = all.length > 0 ? contentOf(all.slice(-1)) : {};
  return [...before, { data: { candidates: [{ ...content, ...ended }], ...counts, ...stamp } }];
}

function body(template: unknown, { parts, end }: Speech): unknown {
  const reply = template as Json;
  const [first, ...others] = listIn(reply["candidates"]);
  const { content: _content, ...rest } = first ?? {};
  const all = parts.flatMap((part) =>
    part.kind === "call" ? partsOf(part) : partsOf({ ...part, pieces: [part.pieces.join("")] }),
  );
  const content = all.length > 0 ? contentOf(all) : {};
  return { ...reply, candidates: [{ ...content, ...rest, finishReason: reasons[end] }, ...others] };
}

/** The JSON that reports a failure of this status. */
const failure: Voice["failure"] = (status, message) => {
  const known = failures.find(([one]) => one === status)?.[1];
  return { error: { code: status, message, status: known ?? (status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT") } };
};

export const voice: Voice = {
  interface: "generate-content",
  ask,
  tools,
  callsIn,
  events,
  body,
  stream: { beginsWithText: true, endingEvents: 0, failure: (message) => ({ data: failure(503, message) }) },
  failure,
};
