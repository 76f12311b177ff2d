/** Reads what a reply holds besides plain text: what shows that a feature works. */
import { isObject, parseJson } from "../wire/json.ts";
import { memberPaths } from "../wire/member-paths.ts";

/** A sign that `schemas/features.json` may name, and the member of a reply or an event that shows it. */
type Sign = readonly [name: string, member: RegExp];

const choice = String.raw`^choices\/\*\/(?:message|delta)\/`;
const block = String.raw`^content(?:\/\*|_block)\/type=`;
const part = String.raw`^candidates\/\*\/content\/parts\/\*\/`;

const signs: Readonly<Record<string, readonly Sign[]>> = {
  "chat-completions": [
    ["text", new RegExp(`${choice}(?:content|refusal)=.`)],
    ["call", new RegExp(`${choice}(?:tool_calls\\/\\*|function_call)\\/`)],
    ["sound", new RegExp(`${choice}audio\\/data=.`)],
    ["sources", new RegExp(`${choice}annotations\\/\\*\\/`)],
    ["log-probabilities", /^choices\/\*\/logprobs\/(?:content|refusal)\/\*\/logprob=/],
    ["usage", /^usage\/\w+=/],
  ],
  images: [["picture", /^data\/\*\/(?:url|b64_json)=./]],
  messages: [
    ["text", /^(?:content\/\*|delta)\/text=./],
    ["call", new RegExp(`${block}tool_use`)],
    ["thinking", new RegExp(`${block}(?:redacted_)?thinking`)],
  ],
  "generate-content": [
    ["text", new RegExp(`${part}text=.`)],
    ["call", new RegExp(`${part}functionCall\\/`)],
    ["thinking", new RegExp(`${part}thought=true|^usageMetadata\\/thoughtsTokenCount=[1-9]`)],
    ["picture", new RegExp(`${part}inlineData\\/mimeType=image\\/`)],
    ["sound", new RegExp(`${part}inlineData\\/mimeType=audio\\/`)],
    ["code", new RegExp(`${part}executableCode\\/`)],
    ["sources", /^candidates\/\*\/(?:groundingMetadata|urlContextMetadata|citationMetadata)\//],
    ["log-probabilities", /^candidates\/\*\/(?:logprobsResult\/|avgLogprobs=)/],
  ],
};

/** Signs that are counted: `calls` and `choices` stand for several of them. */
const callIds: Readonly<Record<string, (value: unknown) => readonly unknown[]>> = {
  "chat-completions": (value) =>
    listAt(value, "choices").flatMap((one) =>
      ["message", "delta"].flatMap((name) =>
        listAt(memberOf(one, name), "tool_calls").map((call, i) => memberOf(call, "index") ?? i),
      ),
    ),
  messages: (value) =>
    [...listAt(value, "content"), memberOf(value, "content_block")]
      .filter((one) => memberOf(one, "type") === "tool_use")
      .map((one) => memberOf(one, "id")),
  "generate-content": (value) =>
    listAt(value, "candidates")
      .flatMap((one) => listAt(memberOf(one, "content"), "parts"))
      .filter((one) => isObject(memberOf(one, "functionCall"))),
};

/** What tells the choices of a reply apart. */
const choicesIn = (value: unknown): readonly unknown[] =>
  [...listAt(value, "choices"), ...listAt(value, "candidates")].map((one, i) => memberOf(one, "index") ?? i);

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const listAt = (value: unknown, name: string): readonly unknown[] => {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
};

/**
 * The signs of a reply, sorted.
 * @param values the JSON of the reply, or of each event of its stream
 */
export function replySigns(interfaceName: string, values: readonly unknown[]): string[] {
  const found = new Set<string>();
  const left = new Set(signs[interfaceName] ?? []);
  for (const value of values)
    for (const member of memberPaths(value))
      for (const sign of left)
        if (sign[1].test(member)) {
          found.add(sign[0]);
          left.delete(sign);
        }
  if (new Set(values.flatMap((value) => callIds[interfaceName]?.(value) ?? [])).size > 1) found.add("calls");
  if (new Set(values.flatMap(choicesIn)).size > 1) found.add("choices");
  return [...found].sort();
}

/** Where the last message of a request hands back what a tool gave. */
const toolResult: Readonly<Record<string, RegExp>> = {
  "chat-completions": /^role=(?:tool|function)$/,
  messages: /^content\/\*\/type=tool_result$/,
  "generate-content": /^parts\/(?:\*\/)?function_?[rR]esponse\b/,
};

/** Closing braces of a reply at which a begun JSON text may end. */
const maxEnds = 20;

/** Whether a reply completes a JSON text that the request's last message began: what began anew would not fit behind it. */
function completesJson(begun: string, reply: string): boolean {
  for (let at = reply.indexOf("}"), ends = 0; at >= 0 && ends < maxEnds; at = reply.indexOf("}", at + 1), ends++)
    if (parseJson(begun + reply.slice(0, at + 1)).ok) return !parseJson(begun).ok;
  return false;
}

/** The text of a message, or of the pieces of a streamed one. */
const textIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : (Array.isArray(content) ? (content as unknown[]) : [])
        .map((block) => memberOf(block, "text"))
        .filter((text) => typeof text === "string")
        .join("");

/**
 * Signs that a reply shows only beside its request: `continuation` of a begun answer, `answer-to-tool-result`.
 * @param asked the JSON of the request
 * @param holds the signs of the reply by itself
 */
export function exchangeSigns(
  interfaceName: string,
  asked: unknown,
  values: readonly unknown[],
  holds: readonly string[],
): string[] {
  const last = [...listAt(asked, "messages"), ...listAt(asked, "contents")].at(-1);
  const result = toolResult[interfaceName];
  const isAnswer = result !== undefined && [...memberPaths(last)].some((member) => result.test(member));
  const reply = values
    .map((value) => textIn(memberOf(value, "content")) || textIn([memberOf(value, "delta")]))
    .join("");
  const isContinued =
    interfaceName === "messages" &&
    memberOf(last, "role") === "assistant" &&
    completesJson(textIn(memberOf(last, "content")), reply);
  return [
    ...(isAnswer && (holds.includes("text") || holds.includes("call")) ? ["answer-to-tool-result"] : []),
    ...(isContinued ? ["continuation"] : []),
  ];
}

/** Whether a reply comes to an error whatever its status: a stream whose last event is one, or an error object with success. */
export function isErrorReply(values: readonly unknown[]): boolean {
  const last = values.at(-1);
  return memberOf(last, "type") === "error" || isObject(memberOf(last, "error"));
}
