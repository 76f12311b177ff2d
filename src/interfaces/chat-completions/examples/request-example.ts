/** The parts that examples of good chat requests share: the key, a question, a call of a tool. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonRequest } from "../../../wire/build.ts";
import type { HeaderPairs, WireResponse } from "../../../wire/exchange.ts";

const headers: HeaderPairs = [["Authorization", "Bearer a-key"]];
export const ask = { role: "user", content: "What is the weather in Ghent?" };

/** An exchange of a request: a model and one question, but for what `body` says. */
export function request(name: string, body: object, response: WireResponse | null = null): Example {
  const whole = { model: "some-model", messages: [ask], ...body };
  return { name, exchange: exchangeOf(jsonRequest("/v1/chat/completions", headers, whole), response) };
}

export const call = { id: "call_1", type: "function", function: { name: "look_up-2", arguments: '{"town":"Ghent"}' } };
