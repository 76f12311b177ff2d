/** Good lists of chat completions and of their messages. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonResponse } from "../../../wire/build.ts";
import { call, choice, completion, headers } from "./response.ts";

const text = choice({ content: "Hello there!" });
const called = choice({ tool_calls: [call("call_1", "get_weather", "Oslo")] }, "tool_calls");
const listed = completion([text], { id: "chatcmpl-3" });
const listedMessage = (id: string, more: object) => ({
  id,
  role: "user",
  content: "Hello",
  name: null,
  refusal: null,
  content_parts: null,
  ...more,
});

function list(name: string, target: string, body: unknown): Example {
  return {
    name,
    exchange: exchangeOf({ method: "GET", target, headers, body: new Uint8Array() }, jsonResponse(body)),
  };
}

const messagesPath = "/v1/chat/completions/chatcmpl-3/messages";
export const examples: readonly Example[] = [
  list("a list of completions", "/v1/chat/completions?limit=2", {
    object: "list",
    data: [
      {
        ...listed,
        request_id: "req_1",
        tool_choice: null,
        seed: 7,
        top_p: 1,
        temperature: 0.5,
        presence_penalty: 0,
        frequency_penalty: 0,
        input_user: null,
        tools: null,
        metadata: { topic: "greeting" },
        response_format: null,
      },
      completion([called], { id: "chatcmpl-4" }),
    ],
    first_id: "chatcmpl-3",
    last_id: "chatcmpl-4",
    has_more: false,
  }),
  list("an empty list of completions", "/v1/chat/completions", {
    object: "list",
    data: [],
    first_id: null,
    last_id: null,
    has_more: false,
  }),
  list("a list of messages", messagesPath, {
    object: "list",
    data: [
      listedMessage("chatcmpl-3-0", {}),
      listedMessage("chatcmpl-3-1", {
        role: "assistant",
        content: null,
        tool_calls: [call("call_1", "get_weather", "Oslo")],
        annotations: [],
      }),
    ],
    first_id: "chatcmpl-3-0",
    last_id: "chatcmpl-3-1",
    has_more: true,
  }),
  list("an empty list of messages", messagesPath, { object: "list", data: [], has_more: false }),
];
