/** Good exchanges of one conversation in several interfaces, one of which cuts off a reply in each. */
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import type { Exchange } from "../wire/exchange.ts";
import { choice, completion, headers } from "./chat-completions/examples/response.ts";
import { told, usage } from "./generate-content/examples/reply.ts";
import { asks, wholeTarget } from "./generate-content/examples/request.ts";
import { answered } from "./messages/examples/parts.ts";

const question = "Count from one to ten.";
const messages = [{ role: "user", content: question }];
const said = "One, two";

export const acrossConversations: readonly { readonly name: string; readonly exchanges: readonly Exchange[] }[] = [
  {
    name: "one conversation in several interfaces",
    exchanges: [
      exchangeOf(
        jsonRequest("/v1/chat/completions", headers, { model: "chat-1", messages, max_completion_tokens: 4 }),
        jsonResponse(
          completion([choice({ content: said }, "length")], {
            usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
          }),
        ),
      ),
      answered(
        "",
        { messages, max_tokens: 4 },
        {
          id: "msg_20",
          stop_reason: "max_tokens",
          content: [{ type: "text", text: said }],
          usage: { input_tokens: 9, output_tokens: 4 },
        },
      ).exchange,
      exchangeOf(
        jsonRequest(wholeTarget, [], { contents: asks(question), generationConfig: { maxOutputTokens: 4 } }),
        jsonResponse({
          candidates: [told(said, { finishReason: "MAX_TOKENS" })],
          usageMetadata: usage(9, 4),
          modelVersion: "gemini-2.0-flash",
          responseId: "r-20",
        }),
      ),
    ],
  },
];
