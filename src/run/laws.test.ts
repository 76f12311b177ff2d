/** Each law is broken by a small server, asked over a socket, and found by name; a server that keeps them all is not accused. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { createReference } from "../reference/reference.ts";
import { serveReference } from "../reference/serve.ts";
import { jsonResponse } from "../wire/build.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { listen, type Reply } from "../wire/listen.ts";
import { createSender } from "../wire/send.ts";
import { judgeCassette } from "./judge/judge-cassette.ts";
import { makePlan } from "./plan/plan.ts";
import { answeredModels } from "./plan/recording-coverage.ts";
import { readRecording } from "./plan/recordings.ts";
import { isThere } from "./plan/send-order.ts";
import { bareTarget } from "./plan/target.test-kit.ts";
import type { Target } from "./plan/target.ts";
import { sendCassette } from "./send/send-cassette.ts";

const catalogue = await openCatalogue();
const recordings = await Promise.all(
  [
    ...["chat-completions", "messages", "generate-content"].flatMap((of) =>
      ["same-question", "same-tool", "at-once"].map((name) => `${of}/laws/${name}.json`),
    ),
    "messages/laws/same-conversation.json",
  ].map((source) => readRecording(join(home, "recordings"), source)),
);
const knownModels = answeredModels(recordings, catalogue.interfaces);

/** Changes the text of a server's answers; it may remember. */
type Fault = () => (text: string, streamed: boolean, request: WireRequest) => string;

const replyText = ({ pieces }: Reply): string => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString("utf8");

/** Asks a faulty reference the scenarios of an interface: what is found, as `level clause`. */
async function found(of: string, name: string, fault?: Fault): Promise<string[]> {
  const change = fault?.();
  const server = await serveReference(catalogue, {
    change: (request, reply) => {
      if (!change || reply.status !== 200) return reply;
      const streamed = reply.headers.some(([, value]) => value.includes("event-stream"));
      const bytes = Buffer.from(change(replyText(reply), streamed, request));
      const headers = reply.headers.filter(([header]) => header.toLowerCase() !== "content-length");
      return { ...reply, headers, pieces: [{ bytes }] };
    },
  });
  const sender = createSender();
  const target: Target = { ...bareTarget(server.url), keys: { "*": "k" } };
  try {
    const { exchanges, ...rest } = recordings.find(({ source }) => source === `${of}/laws/${name}.json`)!;
    // The last question comes after a while, for the sake of one law.
    const waits = name === "same-question" && fault !== frozen;
    const recording = { ...rest, exchanges: waits ? exchanges.slice(0, -1) : exchanges };
    const answers = await sendCassette(recording, { target, knownModels }, sender);
    const { evidence, incidents } = judgeCassette(recording, answers, { target, policy: lenient }, catalogue);
    expect(incidents).toEqual([]);
    const findings = evidence.flatMap((one) => one.findings);
    return [...new Set(findings.map(({ level, clause }) => `${level} ${clause.replace(`${of}.`, "")}`))];
  } finally {
    await sender.close();
    await server.close();
  }
}

const replaced =
  (from: RegExp, to: string): Fault =>
  () =>
  (text) =>
    text.replace(from, to);
const inStreams =
  (from: RegExp, to: string | ((...found: string[]) => string)): Fault =>
  () =>
  (text, streamed) =>
    streamed ? text.replace(from, to as string) : text;
const more = (_all: string, member: string, count: string): string => `"${member}":${Number(count) + 5}`;

/** Answers with the word of whoever asked first. */
const mixing: Fault = () => {
  let first: string | undefined;
  return (text, _streamed, { body }) => {
    const own = /canary-[0-9a-f]{12}/.exec(Buffer.from(body).toString())![0];
    first ??= own;
    const isSaid = text.includes(own);
    return isSaid ? text.replaceAll(own, first) : text.replace(/("(?:content|text)":")([^"\\]+")/, `$1${first} $2`);
  };
};

/** Says something else every time it is asked as a whole. */
const fickle: Fault = () => {
  let asked = 0;
  return (text, streamed) => (streamed ? text : text.replace(/("content":")/, `$1${"Well. ".repeat(asked++)}`));
};

const frozen: Fault = () => {
  let first: string | undefined;
  return (text) => text.replace(/"created":(\d+)/g, (_all, time: string) => `"created":${(first ??= time)}`);
};

const chat = "chat-completions";
const content = "generate-content";

describe.concurrent("a server that", () => {
  test.each<[string, string, string, Fault, string]>([
    [
      "gives every chat reply one id",
      chat,
      "same-tool",
      replaced(/"chatcmpl-[^"]+"/g, '"chatcmpl-1"'),
      "response.id-unique",
    ],
    ["gives every message one id", "messages", "same-tool", replaced(/"msg_[^"]+"/g, '"msg_1"'), "response.id-unique"],
    [
      "gives every response one id",
      content,
      "same-tool",
      replaced(/"resp-[^"]+"/g, '"resp-1"'),
      "laws.response-id-unique",
    ],
    [
      "gives every tool call one id",
      chat,
      "same-tool",
      replaced(/"call_[^"]+"/g, '"call_1"'),
      "laws.tool-call-id-unique",
    ],
    [
      "gives every tool use one id",
      "messages",
      "same-tool",
      replaced(/"toolu_[^"]+"/g, '"toolu_1"'),
      "laws.tool-use-id-unique",
    ],
    ["has a clock that stands still", chat, "same-question", frozen, "laws.created-moves"],
    [
      "ends streamed calls otherwise",
      chat,
      "same-tool",
      inStreams(/"tool_calls"(?=\s*[,}])/g, '"content_filter"'),
      "laws.stream-finish",
    ],
    [
      "ends streamed messages otherwise",
      "messages",
      "same-question",
      inStreams(/"end_turn"/g, '"max_tokens"'),
      "laws.stream-stop-reason",
    ],
    [
      "ends streamed candidates otherwise",
      content,
      "same-question",
      inStreams(/"STOP"/g, '"OTHER"'),
      "laws.stream-finish",
    ],
    [
      "loses the end of streamed arguments",
      chat,
      "same-tool",
      inStreams(/(\}")(?=\}\}\])/, '"'),
      "laws.stream-arguments",
    ],
    [
      "names streams in another way",
      chat,
      "same-question",
      inStreams(/"chatcmpl-([^"]+)"/g, '"$1"'),
      "laws.stream-id-form",
    ],
    [
      "names streamed messages in another way",
      "messages",
      "same-question",
      inStreams(/"msg_([^"]+)"/g, '"$1"'),
      "laws.stream-id-form",
    ],
    [
      "counts more in streams",
      chat,
      "same-question",
      inStreams(/"(prompt_tokens|total_tokens)":(\d+)/g, more),
      "laws.stream-usage",
    ],
    [
      "counts more in streamed messages",
      "messages",
      "same-question",
      inStreams(/"(input_tokens)":(\d+)/g, more),
      "laws.stream-usage",
    ],
    [
      "counts more in streams of candidates",
      content,
      "same-question",
      inStreams(/"(promptTokenCount|totalTokenCount)":(\d+)/g, more),
      "laws.stream-usage",
    ],
    [
      "loses a piece of a stream",
      chat,
      "same-question",
      inStreams(/data: [^\n]*"content":" [^\n]*\n\n/, ""),
      "laws.stream-text",
    ],
    [
      "loses a piece of a streamed message",
      "messages",
      "same-question",
      inStreams(/event: content_block_delta\ndata: [^\n]*"text":" [^\n]*\n\n/, ""),
      "laws.stream-text",
    ],
    [
      "says in messages that a reply ended which was cut off",
      "messages",
      "same-conversation",
      replaced(/"max_tokens"/g, '"end_turn"'),
      "laws.same-conversation",
    ],
    [
      "says in chat that a reply ended which was cut off",
      "messages",
      "same-conversation",
      replaced(/"length"/g, '"stop"'),
      "chat-completions.laws.same-conversation",
    ],
    [
      "says of candidates that they ended which were cut off",
      "messages",
      "same-conversation",
      replaced(/"MAX_TOKENS"/g, '"STOP"'),
      "generate-content.laws.same-conversation",
    ],
    [
      "loses the arguments of calls in chat",
      "messages",
      "same-conversation",
      replaced(/"arguments":"[^}]*\}"/g, '"arguments":"{}"'),
      "chat-completions.laws.same-conversation",
    ],
    [
      "loses the arguments of calls in candidates",
      "messages",
      "same-conversation",
      replaced(/"args":\{[^}]*\}/g, '"args":{}'),
      "generate-content.laws.same-conversation",
    ],
    ["mixes streams", chat, "at-once", mixing, "laws.streams-apart"],
    ["mixes streams of messages", "messages", "at-once", mixing, "laws.streams-apart"],
    ["mixes streams of candidates", content, "at-once", mixing, "laws.streams-apart"],
  ])("%s", async (_what, of, name, fault, clause) => {
    const all = await found(of, name, fault);
    expect(all).toContain(`warning ${clause}`);
    // One question answered with one id and in two ways is two replies.
    expect(all.filter((one) => !one.includes("id-unique") || one.endsWith(clause))).toEqual([`warning ${clause}`]);
  });

  test("chooses other words is no more than noted", async () => {
    const all = await found(chat, "same-question", fickle);
    expect(all.filter((one) => !one.includes("id-unique"))).toEqual(["note exchange.seed-deterministic"]);
  });

  test.each(recordings.map(({ interface: of, source }) => [of, source.split("/")[2]!.replace(".json", "")] as const))(
    "keeps the laws is not accused: %s %s",
    async (of, name) => {
      expect(await found(of, name)).toEqual([]);
    },
  );

  test("lacks one of the interfaces of a conversation has no incident, and the others are judged", async () => {
    const recording = recordings.at(-1)!;
    const reference = createReference(catalogue, () => "http://127.0.0.1");
    const server = await listen((request) => {
      if (!request.target.startsWith("/v1/chat/")) return reference(request);
      const { body: bytes, ...head } = jsonResponse({ error: "not found" }, 404);
      return { ...head, pieces: [{ bytes }] };
    });
    const sender = createSender();
    try {
      const target = bareTarget(server.url);
      const answers = await sendCassette(recording, { target, knownModels }, sender);
      expect(answers.sent.map((one) => one.interface)).toEqual(recording.spans);
      const outcome = judgeCassette(recording, answers, { target, policy: lenient }, catalogue);
      expect(outcome.incidents).toEqual([]);
      expect(outcome.unshown.map(({ exchange, why }) => `${exchange} ${why}`)).toEqual([
        "1 an operation of chat-completions",
        "4 an operation of chat-completions",
      ]);
      const laws = outcome.evidence.at(-1)!;
      expect(laws.findings).toEqual([]);
      expect(laws.exercised).toContain("messages.laws.same-conversation");
    } finally {
      await sender.close();
      await server.close();
    }
  });
});

test("a conversation in several interfaces is planned only where all of them are asked", () => {
  const [recording] = recordings.slice(-1);
  const none = { interfaces: [], sections: [], clauses: [], scenarios: [], lacks: [], shard: null, limit: null };
  const planned = (more: object) =>
    makePlan([recording!], { ...none, ...more }, () => [], catalogue.interfaces).cassettes;
  expect(planned({ interfaces: ["messages"] })).toEqual([]);
  expect(planned({ interfaces: recording!.spans })).toHaveLength(1);
  expect(planned({ lacks: ["generate-content"] })).toEqual([expect.objectContaining({ skipped: "generate-content" })]);
  expect(isThere(recording!, ["chat-completions"])).toBe(false);
  expect(isThere(recording!, ["images"])).toBe(true);
});
