/** The reference implementation's answer to a chat request: a plan that is sent whole or in chunks. */

import { isObject } from "../../wire/json.ts";
import { mediaTokens } from "../answer.ts";
import { createdNow, directivesIn, stableId, tokensIn } from "../directives.ts";
import { sampleOf } from "../sample.ts";
import { audioOf } from "./audio.ts";
import { argumentsFor, chosenFunction, chosenTools, messagesOf, type PlannedCall, type Problem } from "./calls.ts";

type Json = Readonly<Record<string, unknown>>;

export interface LogEntry {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
  readonly top_logprobs: readonly Omit<LogEntry, "top_logprobs">[];
}

export interface PlannedChoice {
  /** Pieces of the content, or of the refusal where `refused`. */
  readonly tokens: readonly string[];
  readonly refused: boolean;
  readonly calls: readonly PlannedCall[];
  readonly functionCall: PlannedCall["function"] | undefined;
  readonly audio: Json | undefined;
  readonly annotations: readonly Json[];
  /** One entry a token; undefined when not asked for. */
  readonly logprobs: readonly LogEntry[] | undefined;
  readonly finish: string;
}

export interface Plan {
  /** `id`, `created`, `model`, `system_fingerprint` and, where it was asked for, `service_tier`. */
  readonly head: Json;
  readonly choices: readonly PlannedChoice[];
  readonly usage: Json;
}

/** The text of a message's content, parts joined. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join(" ");
}

/** The last text of the user: directives stand there. */
export function lastUserText(body: Json): string {
  return contentText(messagesOf(body).findLast(({ role }) => role === "user")?.["content"]);
}

const whole = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);

/** The words that a user text asks to have repeated: behind a colon. */
const repeated = /^Repeat these words[^:]*: *(.+)$/s;

/** The text to say before any bound: JSON where it was asked for. */
function textFor(body: Json, directives: ReadonlyMap<string, string>, position: number): string {
  const format = isObject(body["response_format"]) ? body["response_format"] : {};
  const wanted = isObject(format["json_schema"]) ? format["json_schema"] : {};
  const words = Number(directives.get("words"));
  const said =
    directives.get("say") ??
    (words > 0
      ? Array.from({ length: Math.min(10_000, words) }, (_, i) => `word${i + 1}`).join(" ")
      : (repeated.exec(lastUserText(body))?.[1] ?? "Hello from the reference implementation."));
  if (format["type"] === "json_object") return JSON.stringify({ answer: said, choice: position });
  if (format["type"] === "json_schema")
    return JSON.stringify(wanted["schema"] === undefined ? { answer: said } : sampleOf(wanted["schema"]));
  const source = isObject(body["web_search_options"]) ? " (reference.example)" : "";
  return `${said}${position > 0 ? ` (${position + 1})` : ""}${source}`;
}

/** The text up to the first stop sequence in it. */
function beforeStop(text: string, stop: unknown): string {
  const cuts = [stop]
    .flat()
    .filter((one): one is string => typeof one === "string" && one !== "")
    .map((one) => text.indexOf(one))
    .filter((at) => at >= 0);
  return cuts.length ? text.slice(0, Math.min(...cuts)) : text;
}

const bytesOf = (text: string): number[] => [...Buffer.from(text)];

/** Made-up but steady log probabilities; the first token is an improbable one where that was asked for. */
function logprobsOf(tokens: readonly string[], top: number, improbable: boolean): LogEntry[] {
  return tokens.map((token, i) => {
    const rare = improbable && i === 0;
    const names = Array.from({ length: top }, (_, k) => (k === 0 && !rare ? token : `~${k}`));
    return {
      token,
      logprob: rare ? -9999 : -0.125,
      bytes: bytesOf(token),
      top_logprobs: names.map((name, k) => ({ token: name, logprob: -0.125 - k, bytes: bytesOf(name) })),
    };
  });
}

function citationsIn(text: string): Json[] {
  const at = text.indexOf("(reference.example)");
  if (at < 0) return [];
  const start = Array.from(text.slice(0, at)).length;
  return [
    {
      type: "url_citation",
      url_citation: {
        start_index: start,
        end_index: start + 18,
        url: "https://reference.example/",
        title: "Reference",
      },
    },
  ];
}

/** How many tokens one choice may take, so that all of them stay within the bound together where that can be. */
function budgetOf(body: Json, n: number): number {
  const max = whole(body["max_completion_tokens"] ?? body["max_tokens"]);
  return max === undefined ? Number.MAX_SAFE_INTEGER : Math.max(1, Math.floor(max / n));
}

function planChoice(
  body: Json,
  directives: ReadonlyMap<string, string>,
  calls: readonly PlannedCall[],
  functionCall: PlannedCall["function"] | undefined,
  position: number,
  budget: number,
): PlannedChoice {
  const called = calls.length > 0 || functionCall !== undefined;
  const full = textFor(body, directives, position);
  const text = beforeStop(full, body["stop"]);
  const isJson = isObject(body["response_format"]) && body["response_format"]["type"] !== "text";
  // JSON cut at a stop sequence would not be JSON any more.
  const refused = !called && (directives.has("refuse") || (isJson && text !== full));
  const said = called ? "" : refused ? "I cannot answer that." : text;
  const all = tokensIn(said);
  const tokens = all.slice(0, budget);
  const asksAudio = Array.isArray(body["modalities"]) && body["modalities"].includes("audio");
  const finish = calls.length
    ? "tool_calls"
    : functionCall
      ? "function_call"
      : tokens.length < all.length
        ? "length"
        : directives.has("filter")
          ? "content_filter"
          : "stop";
  const top = whole(body["top_logprobs"]) ?? 0;
  return {
    tokens,
    refused,
    calls,
    functionCall,
    audio: asksAudio && !refused && !called ? audioOf(body["audio"], tokens.join("")) : undefined,
    annotations: refused ? [] : citationsIn(tokens.join("")),
    logprobs:
      body["logprobs"] === true
        ? logprobsOf(tokens, top, (directives.has("improbable") || body["temperature"] === 2) && top === 20)
        : undefined,
    finish,
  };
}

const mediaParts = new Set(["image_url", "input_audio", "file"]);

function usageOf(body: Json, choices: readonly PlannedChoice[], budget: number): Json {
  const words = messagesOf(body).reduce((sum, { content }) => sum + tokensIn(contentText(content)).length + 3, 0);
  const prompt = words + mediaTokens(body["messages"], mediaParts);
  const spoken = choices.reduce((sum, { tokens, calls, functionCall }) => {
    const called = [...calls.map((call) => call.function), ...(functionCall ? [functionCall] : [])];
    const count = called.reduce((all, { arguments: given }) => all + tokensIn(given).length + 1, tokens.length);
    return sum + Math.min(budget, count);
  }, 0);
  const room = budget * choices.length - spoken;
  const reasoning = typeof body["reasoning_effort"] === "string" && room >= 2 ? 2 : 0;
  const prediction = isObject(body["prediction"]) ? tokensIn(contentText(body["prediction"]["content"])) : [];
  const first = choices[0]?.tokens ?? [];
  const differs = prediction.findIndex((token, i) => token !== first[i]);
  const accepted = differs < 0 ? prediction.length : differs;
  const rejected = Math.min(prediction.length - accepted, Math.max(0, room - reasoning));
  const completion = spoken + reasoning + rejected;
  const audio = choices.reduce((sum, { audio, tokens }) => sum + (audio ? tokens.length : 0), 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: audio,
      accepted_prediction_tokens: accepted,
      rejected_prediction_tokens: rejected,
    },
  };
}

/** Plans the answer to a valid request, or says what cannot be met. */
export function replyTo(body: Json): Plan | Problem {
  const said = lastUserText(body);
  const directives = directivesIn(said);
  const tools = chosenTools(body, directives, said);
  if ("problem" in tools) return tools;
  const functionCall = tools.length ? undefined : chosenFunction(body, directives);
  if (functionCall && "problem" in functionCall) return functionCall;
  const seed = JSON.stringify(body);
  const refusing = directives.has("refuse");
  const callsOf = (position: number): PlannedCall[] =>
    tools.map(({ name, parameters }, i) => ({
      id: stableId("call_", `${seed}${i}${position > 0 ? ` ${position}` : ""}`),
      type: "function",
      function: { name, arguments: argumentsFor(parameters) },
    }));
  const n = Math.max(1, whole(body["n"]) ?? 1);
  const budget = budgetOf(body, n);
  const choices = Array.from({ length: n }, (_, position) =>
    planChoice(
      body,
      directives,
      refusing ? [] : callsOf(position),
      refusing ? undefined : functionCall,
      position,
      budget,
    ),
  );
  const tier = body["service_tier"];
  return {
    head: {
      id: stableId("chatcmpl-", seed),
      created: createdNow(),
      model: body["model"],
      system_fingerprint: "fp_reference",
      ...(typeof tier === "string" && { service_tier: tier === "flex" ? "flex" : "default" }),
    },
    choices,
    usage: usageOf(body, choices, budget),
  };
}

/** Log probabilities as the interface shows them; entries belong to the content or to the refusal. */
export function logprobsMember(entries: readonly LogEntry[] | undefined, refused: boolean): Json | null {
  return entries === undefined ? null : { content: refused ? [] : entries, refusal: refused ? entries : [] };
}

/** The plan as one chat completion object. */
export function completionOf({ head, choices, usage }: Plan): Json {
  const { id, created, model, ...rest } = head;
  return {
    id,
    object: "chat.completion",
    created,
    model,
    ...rest,
    choices: choices.map((choice, index) => {
      const { tokens, refused, calls, functionCall, audio, annotations } = choice;
      const silent = refused || calls.length > 0 || functionCall !== undefined || audio !== undefined;
      return {
        index,
        message: {
          role: "assistant",
          content: silent ? null : tokens.join(""),
          refusal: refused ? tokens.join("") : null,
          annotations,
          ...(audio && { audio }),
          ...(functionCall && { function_call: functionCall }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: logprobsMember(choice.logprobs, refused),
        finish_reason: choice.finish,
      };
    }),
    usage,
  };
}
