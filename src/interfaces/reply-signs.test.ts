/** A sign shows a feature only if request and reply are read together. */

import { expect, test } from "vitest";
import { interfaceNamed } from "../check/interface.ts";
import { interfaces } from "./index.ts";
import { messages } from "./messages/index.ts";
import { exchangeSigns } from "./reply-signs.ts";

const begun = { messages: [{ role: "user" }, { role: "assistant", content: '{"city":"' }] };
const said = (...texts: string[]) => [{ content: texts.map((text) => ({ type: "text", text })) }];

test.each([
  ["goes on", begun, said('Paris"}')],
  ["goes on, and says more behind it", begun, said('Par}is"', "}\n\nThat is {all}.")],
  [
    "goes on in a stream",
    { messages: [{ role: "assistant", content: [{ type: "text", text: '{"city":"' }] }] },
    [{ type: "message_start", message: { content: [] } }, { delta: { text: "Par" } }, { delta: { text: 'is"}' } }],
  ],
])("an answer that %s shows a continuation", (_, asked, values) => {
  expect(exchangeSigns(messages, asked, values, ["text"])).toEqual(["continuation"]);
});

test.each([
  ["begins anew", begun, said('{"city":"Paris"}')],
  ["ignores what is begun", begun, said("What can I do {for} you?")],
  ["is empty", begun, said()],
  ["goes on from nothing", { messages: [{ role: "user", content: '{"city":"' }] }, said('Paris"}')],
  ["follows what is whole", { messages: [{ role: "assistant", content: '{"city":"Paris"}' }] }, said("}")],
])("an answer that %s does not", (_, asked, values) => {
  expect(exchangeSigns(messages, asked, values, ["text"])).toEqual([]);
});

test.each([
  ["chat-completions", { messages: [{ role: "user" }, { role: "tool", content: "18" }] }],
  ["messages", { messages: [{ role: "user", content: [{ type: "tool_result", content: "18" }] }] }],
  ["generate-content", { contents: [{ parts: [{ functionResponse: { name: "f", response: { a: 18 } } }] }] }],
  ["generate-content", { contents: [{ parts: { function_response: { name: "f" } } }] }],
])("text or a further call behind a tool's result answers it: %s", (of, asked) => {
  expect(exchangeSigns(interfaceNamed(interfaces, of)!, asked, [], ["text"])).toEqual(["answer-to-tool-result"]);
  expect(exchangeSigns(interfaceNamed(interfaces, of)!, asked, [], ["call"])).toEqual(["answer-to-tool-result"]);
  expect(exchangeSigns(interfaceNamed(interfaces, of)!, asked, [], [])).toEqual([]);
  const question = { messages: [{ role: "user", content: "Hi" }], contents: [{ parts: [{ text: "Hi" }] }] };
  expect(exchangeSigns(interfaceNamed(interfaces, of)!, question, [], ["text", "call"])).toEqual([]);
});
