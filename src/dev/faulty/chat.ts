/** Chat completions of the small server. */
import {
  type Answer,
  type Event,
  type IncomingRequest,
  integerAt,
  isJson,
  type Json,
  now,
  objectAt,
  objectsAt,
} from "./answer.ts";
import { called, echo, filled, heard, promptTokens, type Speech, speak, tokensOf } from "./model.ts";

interface Choice {
  readonly speech: Speech;
  readonly finish: string;
  readonly message: Json;
  readonly logprobs: Json[] | undefined;
}

interface Tool {
  readonly name: string;
  readonly parameters: unknown;
}

const asTool = ({ name, parameters }: Json): Tool => ({ name: String(name), parameters });

/** The tools a reply calls, in the place the request's own generation of tools has them. */
function callsOf(body: Json, text: string, serial: number): Json {
  const choice = body["tool_choice"];
  const tools = objectsAt(body, "tools").map((tool) => asTool(objectAt(tool, "function")));
  const spoken = objectsAt(body, "messages").at(-1)?.["role"] !== "user";
  const single = body["parallel_tool_calls"] === false;
  const forced = isJson(choice) ? objectAt(choice, "function")["name"] : undefined;
  const chosen = forced
    ? tools.filter(({ name }) => name === forced)
    : choice === "none" || (spoken && choice !== "required")
      ? []
      : called(tools, text, choice === "required", single);
  const write = ({ name, parameters }: Tool): Json => ({ name, arguments: JSON.stringify(filled(parameters ?? {})) });
  if (chosen.length > 0)
    return {
      tool_calls: chosen.map((tool, i) => ({ id: `call_${serial}_${i}`, type: "function", function: write(tool) })),
    };
  const old = body["function_call"];
  const functions = objectsAt(body, "functions").map(asTool);
  const named = isJson(old) ? functions.find(({ name }) => name === old["name"]) : undefined;
  const wanted = named ?? (old === "none" || spoken ? undefined : called(functions, text, false, true)[0]);
  return wanted ? { function_call: write(wanted) } : {};
}

const entry = (token: string, logprob: number): Json => ({ token, logprob, bytes: [...Buffer.from(token)] });

function logprobsOf(body: Json, tokens: readonly string[]): Json[] | undefined {
  if (body["logprobs"] !== true) return undefined;
  const top = integerAt(body, "top_logprobs") ?? 0;
  return tokens.map((token) => ({
    ...entry(token, -0.1),
    top_logprobs: Array.from({ length: top }, (_, i) => entry(i === 0 ? token : ` other${i}`, -0.1 - i)),
  }));
}

/** The first bytes each format is known by, and silence. */
const audioStart: Readonly<Record<string, string>> = {
  wav: "524946462400000057415645666d74201000000001000100401f0000803e0000020010006461746100000000",
  mp3: "494433040000000000000000",
  flac: "664c6143000000220000",
  opus: "4f6767530002000000000000",
  pcm16: "00000000",
};

function choiceOf(body: Json, calls: Json, serial: number): Choice {
  const text = heard(objectsAt(body, "messages").findLast(({ role }) => role === "user")?.["content"]);
  const format = objectAt(body, "response_format");
  const said =
    format["type"] === "json_object"
      ? JSON.stringify({ heard: text })
      : format["type"] === "json_schema"
        ? JSON.stringify(filled(objectAt(format, "json_schema")["schema"] ?? {}))
        : echo(text);
  const calling = Object.keys(calls).length > 0;
  const bound = integerAt(body, "max_completion_tokens") ?? integerAt(body, "max_tokens");
  const speech = speak(calling ? "" : said, body["stop"], bound);
  const content = speech.tokens.join("");
  const audible = Array.isArray(body["modalities"]) && body["modalities"].includes("audio") && !calling;
  const audio = {
    id: `audio_${serial}`,
    data: Buffer.from(audioStart[String(objectAt(body, "audio")["format"])] ?? "", "hex").toString("base64"),
    expires_at: now() + 3600,
    transcript: content,
  };
  const cited = isJson(body["web_search_options"]) && !calling && content.length > 1;
  const citation = { start_index: 0, end_index: 1, url: "https://example.com/", title: "Example" };
  return {
    speech,
    finish: calls["tool_calls"]
      ? "tool_calls"
      : calls["function_call"]
        ? "function_call"
        : speech.cut
          ? "length"
          : "stop",
    message: {
      role: "assistant",
      content: calling || audible ? null : content,
      refusal: null,
      ...(cited && { annotations: [{ type: "url_citation", url_citation: citation }] }),
      ...(audible && { audio }),
      ...calls,
    },
    logprobs: logprobsOf(body, speech.tokens),
  };
}

function usageOf(body: Json, choices: readonly Choice[]): Json {
  const prompt = promptTokens(body["messages"], /"type":"(?:image_url|input_audio|file)"/g);
  const completion = choices.reduce((sum, { speech }) => sum + Math.max(1, speech.tokens.length), 0);
  const predicted = tokensOf(heard(objectAt(body, "prediction")["content"]));
  const accepted = predicted.findIndex((token, i) => token !== choices[0]?.speech.tokens[i]);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: accepted < 0 ? predicted.length : accepted,
      rejected_prediction_tokens: 0,
    },
  };
}

/** The deltas of one choice, with the log probabilities of each. */
function* deltas({ message, speech, logprobs, finish }: Choice): Generator<Json> {
  const step = (delta: Json, at?: number): Json => ({
    delta,
    logprobs: logprobs ? { content: at === undefined ? [] : [logprobs[at]], refusal: [] } : null,
    finish_reason: null,
  });
  yield step({ role: "assistant", content: "" });
  if (message["audio"]) yield step({ audio: message["audio"] });
  else for (const [i, token] of speech.tokens.entries()) yield step({ content: token }, i);
  if (message["annotations"]) yield step({ annotations: message["annotations"] });
  for (const [index, call] of objectsAt(message, "tool_calls").entries()) {
    const { name, arguments: text } = objectAt(call, "function");
    const middle = String(text).length >> 1;
    yield step({ tool_calls: [{ index, id: call["id"], type: "function", function: { name, arguments: "" } }] });
    for (const part of [String(text).slice(0, middle), String(text).slice(middle)])
      yield step({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  if (message["function_call"]) yield step({ function_call: message["function_call"] });
  yield { ...step({}), finish_reason: finish };
}

export function chat({ body, serial }: IncomingRequest): Answer {
  const text = heard(objectsAt(body, "messages").findLast(({ role }) => role === "user")?.["content"]);
  const choices = Array.from({ length: integerAt(body, "n") ?? 1 }, (_, i) =>
    choiceOf(body, callsOf(body, text, serial * 1000 + i), serial),
  );
  const tier = body["service_tier"];
  const head = { id: `chatcmpl-${serial}`, created: now(), model: body["model"], system_fingerprint: "fp_small" };
  const usage = usageOf(body, choices);
  if (body["stream"] !== true)
    return {
      body: {
        ...head,
        object: "chat.completion",
        ...(typeof tier === "string" && { service_tier: tier === "flex" ? "flex" : "default" }),
        choices: choices.map(({ message, logprobs, finish }, index) => ({
          index,
          message,
          logprobs: logprobs ? { content: logprobs, refusal: [] } : null,
          finish_reason: finish,
        })),
        usage,
      },
    };
  const counted = objectAt(body, "stream_options")["include_usage"] === true;
  const chunk = (parts: unknown[], total: Json | null): Event => ({
    data: { ...head, object: "chat.completion.chunk", choices: parts, ...(counted && { usage: total }) },
  });
  return {
    events: [
      ...choices.flatMap((choice, index) => [...deltas(choice)].map((delta) => chunk([{ index, ...delta }], null))),
      ...(counted ? [chunk([], usage)] : []),
      { data: "[DONE]" },
    ],
  };
}
