import { expect, test } from "vitest";
import type { Asked } from "../verdict/asked.ts";
import { isNotThere, saysNoOperation } from "./absence.ts";

const asked = (target: string, status: number, message: string): Asked =>
  ({
    source: "smoke-test",
    exchange: 0,
    passed: {
      request: { method: "POST", target, headers: [], body: Buffer.from("{}") },
      response: { status, headers: [], body: Buffer.from(JSON.stringify({ message })) },
    },
  }) as unknown as Asked;

test.each([
  ["/v1/messages", 500, "messages is not supported by openai", true],
  ["/v1/messages", 500, "The endpoint 'messages' is not supported by the 'openai' provider", true],
  ["/v1/images/generations?a=b", 400, "The generations endpoint is not yet supported.", true],
  ["/v1/messages", 500, "Something went wrong", false],
  ["/v1/messages", 400, "messages[0].role is not supported", false],
  ["/v1/messages", 400, "The field of messages called name is not supported", false],
  ["/v1/chat/completions", 400, "The model gpt-9 is not supported", false],
  ["/v1/messages", 200, "messages is not supported by openai", false],
])("%s, %i, %s", (target, status, message, is) => {
  const one = asked(target, status, message);
  expect([saysNoOperation(one), isNotThere([one])]).toEqual([is, is]);
});
