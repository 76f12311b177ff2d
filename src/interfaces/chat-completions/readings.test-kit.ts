/** Chat replies that readings grade, and what they are put together from. */

import { replaceText } from "../../replace-text.test-kit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { call, choice, completion, entry, tool, usage } from "./examples/response.ts";
import { chunk } from "./examples/stream.ts";
import { type Outcome, streamed, whole } from "./response.test-kit.ts";

export const text = choice({ content: "Hello there!" });
export const reply = (more: object, asked: object = {}): Exchange => whole(asked, completion([text], more));
export const said = (
  message: Readonly<Record<string, unknown>>,
  asked: object = {},
  finish = "stop",
  more: object = {},
): Exchange => whole(asked, completion([choice(message, finish, more)]));
export const calls = { tool_calls: [call("c", "get_weather", "Oslo")] };
export const weather = { tools: [tool("get_weather")] };
export const logged = (logprobs: unknown): Exchange =>
  said({ content: "Hi" }, { logprobs: true, top_logprobs: 20 }, "stop", { logprobs });
export const hi = entry("Hi", -0.1);
export const twenty = Array.from({ length: 20 }, (_, i) => ({ token: `${i}`, logprob: -1, bytes: null }));
export const cited = (start_index: number, end_index: number): Exchange =>
  said({
    content: "Grüß dich.",
    annotations: [{ type: "url_citation", url_citation: { start_index, end_index, url: "", title: "" } }],
  });
export const sound = (data: string): Exchange =>
  said(
    { audio: { id: "a", data, transcript: "", expires_at: 1 } },
    { modalities: ["text", "audio"], audio: { format: "pcm16", voice: "alloy" } },
  );
export const loud = { modalities: ["text", "audio"], audio: { format: "wav", voice: "alloy" } };
export const json = {
  response_format: { type: "json_object" },
  messages: [{ role: "user", content: "JSON, please." }],
};

export const first = chunk({ role: "assistant", content: "" });
export const hello = chunk({ content: "Hello." });
export const end = chunk({}, "stop");
export const stream = (...events: unknown[]): Exchange => streamed({}, [...events, "[DONE]"]);
export const counted = { stream_options: { include_usage: true } };
export const none = { usage: null };
export const quietFirst = chunk({ role: "assistant", content: "" }, null, none);
export const quietEnd = chunk({}, "stop", none);
export const extra = { ...chunk({}), choices: [], usage };
export const list = (more: object) => ({
  object: "list",
  data: [{ ...completion([text]), ...more }],
  first_id: "chatcmpl-1",
  last_id: "chatcmpl-1",
  has_more: false,
});
export const withText = (exchange: Exchange, from: string, to: string): Exchange => ({
  ...exchange,
  response: {
    ...exchange.response!,
    body: Buffer.from(replaceText(Buffer.from(exchange.response!.body).toString("utf8"), from, to)),
  },
});
export const withType = (exchange: Exchange, type: string | undefined): Exchange => ({
  ...exchange,
  response: { ...exchange.response!, headers: type === undefined ? [] : [["content-type", type]] },
});

/** Reading, what is judged, the clause, what is said of it by default and where the reading is strict. */
export type ReadingCase = readonly [string, string, Exchange, string, Outcome, Outcome];
