/** What a request needs of a target beyond plain text, told by the members it holds. */
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { isObject, parseJson } from "../wire/json.ts";
import { maxValueLength, memberPaths } from "../wire/member-paths.ts";
import { parseForm } from "../wire/multipart.ts";

/** A need, and where a request shows it: a member as `messages/*\/role=developer`, of what is false, null or empty none. */
type Sign = readonly [need: string, member: RegExp];

const signs: Readonly<Record<string, readonly Sign[]>> = {
  "chat-completions": [
    ["audio", /^(?:audio\b|modalities\/\*=audio)/],
    ["audio-input", /^messages\/\*\/content\/\*\/(?:type=input_audio|input_audio\b)/],
    ["developer-role", /^messages\/\*\/role=developer$/],
    ["documents", /^messages\/\*\/content\/\*\/(?:type=file$|file\b)/],
    ["functions", /^(?:functions|function_call|messages\/\*\/function_call)\b/],
    ["image-input", /^messages\/\*\/content\/\*\/(?:type=image_url|image_url\b)/],
    ["json-mode", /^response_format\/type=json_object$/],
    ["logit-bias", /^logit_bias\b/],
    ["logprobs", /^(?:logprobs|top_logprobs)\b/],
    ["max-tokens", /^max_tokens\b/],
    ["metadata", /^metadata\b/],
    ["n", /^n=(?!1$)/],
    ["penalties", /^(?:frequency|presence)_penalty\b/],
    ["prediction", /^prediction\b/],
    ["reasoning", /^reasoning_effort\b/],
    ["refusals", /^messages\/\*\/(?:content\/\*\/type=refusal|(?:content\/\*\/)?refusal\b)/],
    ["streaming", /^stream(?:_options)?\b/],
    ["structured-output", /^response_format\/(?:type=json_schema|json_schema\b)|^tools\/\*\/function\/strict=true$/],
    ["tools", /^(?:tools|tool_choice|parallel_tool_calls|messages\/\*\/tool_call(?:s|_id))\b/],
    ["web-search", /^web_search_options\b/],
  ],
  images: [
    ["image-multi", /^model=image-multi$/],
    ["image-v3", /^model=image-v3$/],
    ["url", /^response_format=url$/],
  ],
  messages: [
    ["cache-control", /\/cache_control\b/],
    ["computer-use", /^tools\/\*\/type=(?!custom$)/],
    ["documents", /^messages\/\*\/content\/\*(?:\/content\/\*)?\/type=document$/],
    ["image-input", /^messages\/\*\/content\/\*(?:\/content\/\*)?\/type=image$/],
    ["streaming", /^stream\b/],
    ["thinking", /^thinking\/(?!type=disabled$)|^thinking=/],
    ["tools", /^(?:tools|tool_choice)\b|^messages\/\*\/content\/\*\/type=tool_(?:use|result)$/],
    ["top-k", /^top_k\b/],
  ],
  "generate-content": [
    ["audio-input", /^contents\/(?:\*\/)?parts\/(?:\*\/)?(?:inline|file)Data\/mimeType=audio\//],
    ["candidates", /^generationConfig\/candidateCount=(?!1$)/],
    ["code-execution", /^tools\/\*\/codeExecution\b|\/parts\/\*\/(?:executableCode|codeExecutionResult)\b/],
    ["documents", /^contents\/(?:\*\/)?parts\/(?:\*\/)?(?:inline|file)Data\/mimeType=application\/pdf/],
    ["grounding", /^tools\/\*\/googleSearch/],
    ["image-input", /^contents\/(?:\*\/)?parts\/(?:\*\/)?(?:inline|file)Data\/mimeType=image\//],
    ["image-output", /^generationConfig\/responseModalities\/\*=IMAGE$/],
    ["logprobs", /^generationConfig\/(?:responseLogprobs|logprobs)\b/],
    ["penalties", /^generationConfig\/(?:frequency|presence)Penalty\b/],
    ["speech", /^generationConfig\/(?:speechConfig\b|responseModalities\/\*=AUDIO$)/],
    ["structured-output", /^generationConfig\/response(?:Schema\b|MimeType=(?!text\/plain$))/],
    ["thinking", /^generationConfig\/thinkingConfig\b/],
    ["tools", /^(?:tools\/\*\/functionDeclarations|toolConfig)\b|\/parts\/\*\/function(?:Call|Response)\b/],
    ["url-context", /^tools\/\*\/urlContext\b/],
  ],
};

/** Every need that requests show by themselves. */
export const shownNeeds: ReadonlySet<string> = new Set([
  "snake-case",
  ...Object.values(signs).flatMap((own) => own.map(([need]) => need)),
]);

const inCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** What one request of an interface needs, sorted. What only its wording shows, as an answer that is begun, is not among it. */
export function needsShownBy(request: WireRequest, of: string): string[] {
  const needs = new Set<string>();
  const add = (member: string): void => {
    for (const [need, sign] of signs[of] ?? []) if (sign.test(member)) needs.add(need);
  };
  if (request.target.includes(":streamGenerateContent")) needs.add("streaming");
  const json = parseJson(Buffer.from(request.body).toString("utf8"));
  const isOfBothSpellings = of === "generate-content";
  if (json.ok) {
    for (const member of memberPaths(json.value, isOfBothSpellings ? inCamelCase : undefined)) add(member);
    if (isOfBothSpellings && isInSnakeCase(json.value)) needs.add("snake-case");
  } else {
    for (const [name, value] of fieldsOf(request)) add(`${name}=${value}`);
  }
  return [...needs].sort();
}

/** Members without which there is no request, and those that are features of their own by other signs. */
const essential = new Set([
  "model",
  "messages",
  "contents",
  "prompt",
  "image",
  "stream",
  "max_tokens",
  "generationConfig",
]);

const forced: Readonly<Record<string, readonly Sign[]>> = {
  "chat-completions": [
    ["tool-choice", /^tool_choice(?:=(?!auto$)|\/type=)/],
    ["tool-choice-named", /^tool_choice\/type=/],
    ["tool-choice-none", /^tool_choice=none$/],
    ["tool-choice-required", /^tool_choice=required$/],
  ],
  messages: [
    ["tool-choice", /^tool_choice\/type=(?!auto$)/],
    ["tool-choice-any", /^tool_choice\/type=any$/],
    ["tool-choice-named", /^tool_choice\/type=tool$/],
    ["tool-choice-none", /^tool_choice\/type=none$/],
  ],
  "generate-content": [
    ["tool-choice", /^toolConfig\/functionCallingConfig\/mode=(?:ANY|NONE)$/],
    ["tool-choice-any", /^toolConfig\/functionCallingConfig\/mode=ANY$/],
    ["tool-choice-named", /^toolConfig\/functionCallingConfig\/allowedFunctionNames\b/],
    ["tool-choice-none", /^toolConfig\/functionCallingConfig\/mode=NONE$/],
  ],
};

/** How a request with tools binds the model to use them: a part of the need `tools` that a target may lack, sorted. */
export function toolChoicesIn({ body }: WireRequest, of: string): string[] {
  const json = parseJson(Buffer.from(body).toString("utf8"));
  const signs = forced[of] ?? [];
  if (!json.ok || signs.length === 0) return [];
  const members = [...memberPaths(json.value, of === "generate-content" ? inCamelCase : undefined)];
  return signs.filter(([, sign]) => members.some((member) => sign.test(member))).map(([need]) => need);
}

/**
 * The optional members of a request, sorted: those of the body, of what configures the generation, a system message, and the form that
 * images are asked for in, of which a target may offer one and not the other.
 */
export function optionalMembers(request: WireRequest): string[] {
  const json = parseJson(Buffer.from(request.body).toString("utf8"));
  const body = json.ok ? json.value : Object.fromEntries(fieldsOf(request));
  if (!isObject(body)) return [];
  const config = body["generationConfig"];
  const all = [body, ...(isObject(config) ? [config] : [])].flatMap(Object.entries);
  const said = all.filter(([name, value]) => value !== null && value !== false && !essential.has(name));
  const names = said.map(([name]) => name);
  if (hasSystemRole(body["messages"])) names.push("system");
  if (body["response_format"] === "b64_json") names.push("b64_json");
  return names.sort();
}

/** The parts of a form with their values; of files an empty one. */
function fieldsOf({ body, headers }: WireRequest): [name: string, value: string][] {
  const form = parseForm(body, headerValue(headers, "content-type"));
  return (form.ok ? form.parts : []).map(({ name, filename, bytes }) => [
    name,
    filename === undefined ? Buffer.from(bytes).toString("utf8").slice(0, maxValueLength) : "",
  ]);
}

/** One interface says with a role what others say with a member of its own. */
const hasSystemRole = (messages: unknown): boolean =>
  Array.isArray(messages) && messages.some((message) => isObject(message) && message["role"] === "system");

/** Members whose own members are names of the client's. */
const named = /^(?:args|response|properties|labels)$/;

function isInSnakeCase(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isInSnakeCase);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => name.includes("_") || (!named.test(name) && isInSnakeCase(inner)),
  );
}
