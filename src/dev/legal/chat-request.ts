/** Chat requests the document allows, written down from its text and not from our schemas. */
import type { Chance } from "./chance.ts";
import { conversation, functionName, textPart } from "./chat-messages.ts";
import {
  among,
  boolean,
  integer,
  list,
  type Make,
  type Members,
  map,
  number,
  object,
  oneOf,
  orNull,
  text,
  word,
} from "./shape.ts";

/** Schemas for output, each with values that follow it exactly. */
export const outputSchemas: readonly { readonly schema: Members; readonly values: readonly unknown[] }[] = [
  {
    schema: {
      type: "object",
      properties: { city: { type: "string" }, degrees: { type: ["number", "null"] } },
      required: ["city", "degrees"],
      additionalProperties: false,
    },
    values: [
      { city: "Gent", degrees: -1.5 },
      { degrees: null, city: "" },
    ],
  },
  {
    schema: {
      type: "object",
      properties: { list: { type: "array", items: { $ref: "#/$defs/item" } } },
      required: ["list"],
      additionalProperties: false,
      $defs: { item: { anyOf: [{ type: "integer" }, { enum: ["a", "b"] }] } },
    },
    values: [{ list: [] }, { list: [1, "a", 7] }],
  },
];

const responseFormat = oneOf(
  object({ type: among("text") }),
  object({ type: among("json_object") }),
  object({
    type: among("json_schema"),
    json_schema: object(
      { name: functionName },
      { description: text(), schema: ({ pick }) => pick(outputSchemas).schema, strict: among(true, false, null) },
    ),
  }),
);

const tool = object({
  type: among("function"),
  function: object(
    { name: functionName },
    {
      description: text(),
      parameters: among({}, { type: "object", properties: { city: { type: "string" } }, required: ["city"] }),
      strict: orNull(boolean),
    },
  ),
});

const webSearch = object(
  {},
  {
    search_context_size: among("low", "medium", "high"),
    user_location: orNull(
      object({
        approximate: object(
          { type: among("approximate") },
          {
            city: text(),
            country: among("BE", "JP", "US", "ZA", "XK", "GB"),
            region: text(),
            timezone: among("Europe/Brussels", "America/Argentina/Buenos_Aires", "UTC", "Asia/Kolkata", "Etc/GMT+5"),
          },
        ),
      }),
    ),
  },
);

const nullable = orNull;
/** Members that are allowed whatever the others say. */
const free: Readonly<Record<string, Make>> = {
  store: nullable(boolean),
  metadata: map(text(1, 64), text(0, 512), 0, 16),
  prediction: object({ type: among("content"), content: oneOf(text(), list(textPart, 1, 2)) }),
  temperature: nullable(number(0, 2)),
  top_p: nullable(number(0, 1)),
  n: nullable(integer(1, 4)),
  stop: nullable(oneOf(text(1, 5), list(text(1, 5), 0, 4))),
  max_completion_tokens: nullable(integer(1, 5000)),
  presence_penalty: nullable(number(-2, 2)),
  frequency_penalty: nullable(number(-2, 2)),
  logit_bias: nullable(map(word("123456789", 1, 5), number(-100, 100), 0, 4)),
  user: text(),
  service_tier: nullable(among("auto", "default", "flex")),
  response_format: responseFormat,
  seed: nullable(integer(-1e15, 1e15)),
  parallel_tool_calls: boolean,
  web_search_options: webSearch,
};

const voices = ["alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer"];
const audio = object({ format: among("wav", "mp3", "flac", "opus", "pcm16"), voice: among(...voices) });

/** Members that come only with others, or only for some models. */
function bound(chance: Chance, reasoning: boolean): Readonly<Record<string, Make>> {
  const stream = chance.pick([true, true, false, null, undefined]);
  const logprobs = chance.pick([true, true, false, null, undefined]);
  const speaks = chance.once(4);
  const chosen = toolsOf(chance);
  return {
    stream: () => stream,
    ...(stream && chance.once(2) && { stream_options: nullable(object({}, { include_usage: boolean })) }),
    logprobs: () => logprobs,
    ...(logprobs && chance.once(2) && { top_logprobs: nullable(integer(0, 20)) }),
    ...(speaks
      ? { modalities: among(["text", "audio"]), audio }
      : chance.once(3) && { modalities: nullable(among(["text"])), audio: nullable(audio) }),
    ...(reasoning
      ? { reasoning_effort: nullable(among("low", "medium", "high")), stop: among(undefined) }
      : chance.once(6) && { max_tokens: nullable(integer(1, 5000)), max_completion_tokens: among(undefined) }),
    ...Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, () => value])),
  };
}

/** Tools and the choice among them, or the deprecated functions. */
function toolsOf(chance: Chance): Members {
  if (chance.once(2)) return {};
  if (chance.once(5)) {
    const functions = list(
      object({ name: functionName }, { description: text(), parameters: among({}) }),
      1,
      3,
    )(chance) as {
      name: string;
    }[];
    return {
      functions,
      function_call: chance.pick([undefined, "none", "auto", { name: chance.pick(functions).name }]),
    };
  }
  const tools = list(tool, 0, chance.once(20) ? 128 : 4)(chance) as { function: { name: string } }[];
  const forced = tools[0] && { type: "function", function: { name: chance.pick(tools).function.name } };
  return {
    tools,
    tool_choice: chance.pick(tools[0] ? [undefined, "none", "auto", "required", forced] : [undefined, "none", "auto"]),
  };
}

/** The body of a legal chat request. */
export function chatRequest(chance: Chance): Members {
  const reasoning = chance.once(5);
  const base = object({
    model: reasoning ? among("reasoning") : oneOf(among("not-reasoning", "some-model"), text(1)),
    messages: () => conversation(chance, reasoning),
  });
  const more = object({}, free, { exact: true })(chance) as Members;
  const tied = object(bound(chance, reasoning))(chance) as Members;
  const made = { ...(base(chance) as Members), ...more, ...tied };
  // A reasoning model takes no stop, and `max_tokens` stands beside no second bound.
  if (reasoning) delete (made as Record<string, unknown>)["stop"];
  if (typeof made["max_tokens"] === "number") delete (made as Record<string, unknown>)["max_completion_tokens"];
  return made;
}
