/** Tells what is not there from what is refused. */

import { expect, test } from "vitest";
import { interfaces } from "../../interfaces/index.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
import { isNotThere, saysNoOperation } from "./absence.ts";

const asked = (target: string, status: number, message: string, body = "{}"): SentRecord =>
  ({
    source: "smoke-test",
    exchange: 0,
    interface: "chat-completions",
    passed: {
      request: { method: "POST", target, headers: [], body: Buffer.from(body) },
      response: { status, headers: [], body: Buffer.from(JSON.stringify({ message })) },
    },
  }) as unknown as SentRecord;

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
  expect([saysNoOperation(one), isNotThere([one], interfaces)]).toEqual([is, is]);
});

const path = "/v1/chat/completions";
const nobody = "/v1/no-such-operation";
const tools = '{"tools":[{"type":"function"}]}';

test.each([
  ["a plain request and a path that nobody has", [asked(path, 400, "bad"), asked(nobody, 400, "bad")], true],
  [
    "those, and a request for tools",
    [asked(path, 400, "bad"), asked(nobody, 400, "bad"), asked(path, 400, "bad", tools)],
    true,
  ],
  [
    "requests for tools alone, by a target that looks at bodies",
    [asked(path, 400, "no tools", tools), asked(nobody, 400, "no tools", tools)],
    false,
  ],
])("answered alike: %s", (_, all, is) => {
  expect(isNotThere(all, interfaces)).toBe(is);
});

const reply = (target: string, status: number, body: string, type = "application/json"): SentRecord => {
  const one = asked(target, status, "");
  const response = { status, headers: [["content-type", type]], body: Buffer.from(body) };
  return { ...one, passed: { ...one.passed, response } } as unknown as SentRecord;
};

test.each([
  ["a page", reply(path, 200, "<p>1", "text/html"), reply(nobody, 200, "<p>2", "text/html"), true],
  ["JSON of something else", reply(path, 200, '{"ok":true}'), reply(nobody, 200, '{"ok":true}'), true],
  ["an echo", reply(path, 200, `{"path":"${path}"}`), reply(nobody, 200, `{"path":"${nobody}"}`), true],
  ["a failure", asked(path, 500, "Oh."), asked(nobody, 500, "Oh."), true],
  ["nothing", reply(path, 204, ""), reply(nobody, 204, ""), true],
  ["a reply", reply(path, 200, '{"choices":[]}'), reply(nobody, 200, '{"choices":[]}'), false],
  ["a stream", reply(path, 200, "data: 1\n\n", "text/event-stream"), reply(nobody, 404, "{}"), false],
  ["odd JSON of its own", reply(path, 200, '{"ok":true}'), reply(nobody, 404, "{}"), false],
  ["a failure of its own", asked(path, 500, "Oh."), asked(nobody, 404, "No."), false],
  ["too many requests", asked(path, 429, "Later."), asked(nobody, 429, "Later."), false],
])("%s, and what a path that nobody has is answered", (_, one, ofNobody, is) => {
  expect(isNotThere([one, ofNobody], interfaces)).toBe(is);
});
