/** Clients are tried with breakages such as those of servers in the field. */
import { expect, test } from "vitest";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { createReference, sdkHeaders } from "../../reference/reference.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import type { Reply } from "../../wire/listen.ts";
import { createBreakageFinder } from "./breakage.ts";

const catalogue = await openCatalogue();
const reference = createReference(catalogue, () => "", namesFrom(sdkHeaders));
const find = createBreakageFinder(catalogue, reference);
const request = (target: string, key: string, body: object): WireRequest => ({
  method: "POST",
  target,
  headers: [
    ["content-type", "application/json"],
    ["anthropic-version", "2023-06-01"],
    [key, key === "authorization" ? "Bearer key" : "key"],
  ],
  body: Buffer.from(JSON.stringify(body)),
});
const replyText = ({ pieces }: Reply): string => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString();
const ask = [{ role: "user", content: "Hello" }];
const chat = (stream: boolean) =>
  request("/v1/chat/completions", "authorization", { model: "chat-model", messages: ask, stream });
const messages = (stream: boolean) =>
  request("/v1/messages", "x-api-key", { model: "messages-model", max_tokens: 64, messages: ask, stream });
const generate = (stream: boolean) =>
  request(
    `/v1beta/models/generate-model:${stream ? "streamGenerateContent?alt=sse&" : "generateContent?"}key=key`,
    "x-other",
    {
      contents: [{ role: "user", parts: [{ text: "Hello" }] }],
    },
  );

test.each([
  ["chat-completions.streaming.stream-when-asked", chat],
  ["messages.streaming.stream-when-asked", messages],
  ["generate-content.streaming.events-when-asked", generate],
] as const)("%s is broken in both directions", (clause, ask) => {
  for (const stream of [false, true]) {
    const own = ask(stream);
    const good = reference(own);
    const ways = find([{ request: own, reply: good }]).filter((one) => one.clause === clause);
    expect(ways.length).toBeGreaterThan(0);
    for (const { change } of ways) {
      const text = replyText(change(own, good));
      expect(text.includes("data: {")).toBe(!stream);
      expect(text.length).toBeGreaterThan(100);
    }
  }
});

test("a block of a message is one that the vendor added, too, and a list of choices is empty", () => {
  const broken = (own: WireRequest, clause: string): string => {
    const good = reference(own);
    const ways = find([{ request: own, reply: good }]).filter((one) => one.clause === clause);
    return ways.map(({ change }) => replyText(change(own, good))).join("\n");
  };
  expect(broken(messages(false), "messages.response.block-type-values")).toContain('"server_tool_use"');
  expect(broken(chat(false), "chat-completions.exchange.choice-count")).toContain('"choices":[]');
});
