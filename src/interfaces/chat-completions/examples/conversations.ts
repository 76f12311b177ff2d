/** Good chat exchanges that belong together: one question asked in several ways, calls, streams at the same time. */
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../../wire/build.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { countToTen, oneTwo } from "../../common/examples.ts";
import { call, choice, completion, headers, hello, tool } from "./response.ts";
import { chunk } from "./stream.ts";

const start = 1_735_689_600;
/** A reply to the question that the other interfaces are asked as well, cut off at the token bound. */
export const cutOff: Exchange = exchangeOf(
  jsonRequest("/v1/chat/completions", headers, {
    model: "chat-1",
    messages: [{ role: "user", content: countToTen }],
    max_completion_tokens: 4,
  }),
  jsonResponse(
    completion([choice({ content: oneTwo }, "length")], {
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
    }),
  ),
);

const counts = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

interface Reply {
  readonly id: string;
  /** Seconds after the first exchange. */
  readonly at?: number;
}

const ask = (asked: object) =>
  jsonRequest("/v1/chat/completions", headers, { model: "chat-1", messages: hello, ...asked });
const of = (asked: object, response: Exchange["response"], at = 0): Exchange => ({
  ...exchangeOf(ask(asked), response),
  started: (start + at) * 1000,
});

const whole = (
  asked: object,
  { id, at = 0 }: Reply,
  message: Parameters<typeof choice>[0],
  finish = "stop",
): Exchange =>
  of(asked, jsonResponse(completion([choice(message, finish)], { id, created: start + at, usage: counts })), at);

const streamed = (asked: object, { id, at = 0 }: Reply, deltas: readonly object[], finish = "stop"): Exchange => {
  const head = { id, created: start + at, usage: null };
  const chunks = [
    chunk({ role: "assistant", content: "" }, null, head),
    ...deltas.map((delta) => chunk(delta as Parameters<typeof chunk>[0], null, head)),
    chunk({}, finish, head),
    { ...chunk({}, null, head), choices: [], usage: counts },
  ];
  const events = [...chunks.map((data) => sseEvent(data)), sseEvent("[DONE]")];
  return of({ ...asked, stream: true, stream_options: { include_usage: true } }, streamResponse(events), at);
};

const seeded = { temperature: 0, seed: 7 };
const tools = { tools: [tool("get_weather")] };
const pieces = (id: string): object[] => [
  { tool_calls: [{ index: 0, id, type: "function", function: { name: "get_weather", arguments: "" } }] },
  { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
  { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
];
const marked = (word: string): object => ({ messages: [{ role: "user", content: `Repeat ${word}.` }] });
const words = ["canary-00000000000a", "canary-00000000000b"] as const;

const letters = [..."a b c d e f g h"];

export const conversations: readonly { readonly name: string; readonly exchanges: readonly Exchange[] }[] = [
  {
    name: "one question whole, again and streamed, then another",
    exchanges: [
      whole(seeded, { id: "chatcmpl-1" }, { content: "Hello there!" }),
      streamed(seeded, { id: "chatcmpl-2", at: 1 }, [{ content: "Hello" }, { content: " there!" }]),
      whole({ temperature: 0 }, { id: "chatcmpl-3", at: 3 }, { content: "Good day." }),
    ],
  },
  {
    name: "one question whole, and streamed in many pieces",
    exchanges: [
      whole({ temperature: 0 }, { id: "chatcmpl-20" }, { content: letters.join("") }),
      streamed(
        { temperature: 0 },
        { id: "chatcmpl-21", at: 1 },
        letters.map((content) => ({ content })),
      ),
    ],
  },
  {
    name: "one question twice with a seed",
    exchanges: [
      whole(seeded, { id: "chatcmpl-4" }, { content: "Hello there!" }),
      whole(seeded, { id: "chatcmpl-5" }, { content: "Hello there!" }),
    ],
  },
  {
    name: "calls, whole and streamed",
    exchanges: [
      whole(tools, { id: "chatcmpl-6" }, { tool_calls: [call("call_1", "get_weather", "Oslo")] }, "tool_calls"),
      streamed(tools, { id: "chatcmpl-7" }, pieces("call_2"), "tool_calls"),
      whole(
        { ...tools, tool_choice: "required" },
        { id: "chatcmpl-8" },
        { tool_calls: [call("call_3", "get_weather", "Lima")] },
        "tool_calls",
      ),
    ],
  },
  {
    name: "streams at the same time",
    exchanges: words.map((word, i) => streamed(marked(word), { id: `chatcmpl-${i + 9}` }, [{ content: word }])),
  },
];
