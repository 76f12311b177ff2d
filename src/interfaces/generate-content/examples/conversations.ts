/** Good generate-content exchanges that belong together: one question asked in several ways, streams at the same time. */
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../../wire/build.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { countToTen, oneTwo } from "../../common/examples.ts";
import { told, usage } from "./reply.ts";
import { asks, streamTarget, wholeTarget } from "./request.ts";

type Json = Readonly<Record<string, unknown>>;

/** A reply to the question that the other interfaces are asked as well, cut off at the token bound. */
export const cutOff: Exchange = exchangeOf(
  jsonRequest(wholeTarget, [], { contents: asks(countToTen), generationConfig: { maxOutputTokens: 4 } }),
  jsonResponse({
    candidates: [told(oneTwo, { finishReason: "MAX_TOKENS" })],
    usageMetadata: usage(9, 4),
    modelVersion: "gemini-2.0-flash",
    responseId: "r-20",
  }),
);

const cold: Json = { contents: asks("Hello."), generationConfig: { temperature: 0 } };
const stamp = (responseId: string): Json => ({ modelVersion: "gemini-2.0-flash", responseId });

const whole = (request: Json, id: string, text: string): Exchange =>
  exchangeOf(
    jsonRequest(wholeTarget, [], request),
    jsonResponse({ candidates: [told(text)], usageMetadata: usage(2, 3), ...stamp(id) }),
  );

const streamed = (request: Json, id: string, ...pieces: string[]): Exchange =>
  exchangeOf(
    jsonRequest(streamTarget, [], request),
    streamResponse(
      pieces.map((text, i) => {
        const last = i === pieces.length - 1;
        const piece = { content: { role: "model", parts: [{ text }] }, index: 0 };
        return sseEvent({
          candidates: [last ? told(text) : piece],
          ...(last && { usageMetadata: usage(2, 3) }),
          ...stamp(id),
        });
      }),
    ),
  );

const words = ["canary-00000000000a", "canary-00000000000b"] as const;

const letters = [..."a b c d e f g h"];

export const conversations: readonly { readonly name: string; readonly exchanges: readonly Exchange[] }[] = [
  {
    name: "one question whole and streamed, then another",
    exchanges: [
      whole(cold, "r-1", "Hello there."),
      streamed(cold, "r-2", "Hello", " there", "."),
      whole({ contents: asks("Good day.") }, "r-3", "Good day."),
    ],
  },
  {
    name: "one question whole, and streamed in many pieces",
    exchanges: [whole(cold, "r-20", letters.join("")), streamed(cold, "r-21", ...letters)],
  },
  {
    name: "streams at the same time",
    exchanges: words.map((word, i) => streamed({ contents: asks(`Repeat ${word}.`) }, `r-${i + 4}`, word)),
  },
];
