/** Holds what becomes of the facts of answers: texts, calls, ends, usage, failures, and how streams arrive. */
import { expect, test } from "vitest";
import type { WireResponse } from "../../wire/exchange.ts";
import {
  candidate,
  chatText,
  compared,
  config,
  message,
  ofAnswer,
  request,
  response,
  stream,
} from "./compare.test-kit.ts";

type More = NonNullable<Parameters<typeof ofAnswer>[4]>;
type Row = readonly [
  what: string,
  route: Parameters<typeof ofAnswer>[0],
  fact: string,
  WireResponse,
  WireResponse | null,
  More,
  string,
];

const c = (...given: Parameters<typeof chatText>) => response(chatText(...given));
const m = (...given: Parameters<typeof message>) => response(message(...given));
const g = (...given: Parameters<typeof candidate>) => response(candidate(...given));
const delta = (content: string, index = 0) => ({
  id: "1",
  object: "chat.completion.chunk",
  created: 1,
  model: "x",
  choices: [{ index, delta: { content }, finish_reason: null }],
});
const end = (finish_reason: string, index = 0) => ({
  id: "1",
  object: "chat.completion.chunk",
  created: 1,
  model: "x",
  choices: [{ index, delta: {}, finish_reason }],
});
const begin = {
  type: "message_start",
  message: {
    id: "1",
    type: "message",
    role: "assistant",
    model: "x",
    content: [],
    usage: { input_tokens: 3, output_tokens: 1 },
  },
};
const block = (index: number, content_block: object = { type: "text", text: "" }) => ({
  type: "content_block_start",
  index,
  content_block,
});
const piece = (index: number, text: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "text_delta", text },
});
const stop = (index: number) => ({ type: "content_block_stop", index });
const done = (stop_reason = "end_turn") => [
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];
const twoBlocks = stream(begin, block(0), piece(0, "One. "), stop(0), block(1), piece(1, "Two."), stop(1), ...done());

const broken = stream(begin, block(0), piece(0, "Half"));
const brokenChat = stream(delta("Half"));
const wholeChat = stream(delta("Half"), end("stop"), "[DONE]");

const texts: readonly Row[] = [
  ["a text", "cm", "text", m("Hello."), c("Hello."), {}, "kept"],
  ["another text", "cm", "text", m("Hello."), c("Goodbye."), {}, "changed"],
  ["a text that is cut", "cm", "text", m("Hello there."), c("Hello"), {}, "changed"],
  ["no text", "cm", "text", m("Hello."), c(""), {}, "dropped"],
  ["a text of nobody", "cm", "text", m([], "end_turn"), c("Sorry."), {}, "invented"],
  [
    "two blocks that are joined",
    "cm",
    "text",
    m([
      { type: "text", text: "One." },
      { type: "text", text: "Two." },
    ]),
    c("One.\nTwo."),
    {},
    "kept, converted",
  ],
  [
    "two parts that are joined with a line break",
    "mg",
    "text",
    g([{ text: "One." }, { text: " Two." }]),
    m("One.\n Two."),
    {},
    "kept, converted",
  ],
  [
    "two blocks of a stream in one choice",
    "cm",
    "text",
    twoBlocks,
    stream(delta("One. "), delta("Two."), end("stop"), "[DONE]"),
    { asked: { stream: true }, arrived: { stream: true } },
    "kept",
  ],
  [
    "a stream whose pieces repeat those before them",
    "cm",
    "text",
    twoBlocks,
    stream(delta("One. "), delta("One. Two."), end("stop"), "[DONE]"),
    { asked: { stream: true }, arrived: { stream: true } },
    "changed",
  ],
  [
    "two blocks of a stream over two choices",
    "cm",
    "text",
    twoBlocks,
    stream(delta("One. "), delta("Two.", 1), end("stop"), "[DONE]"),
    { asked: { stream: true }, arrived: { stream: true } },
    "changed",
  ],
  [
    "two blocks of a stream over two choices",
    "cm",
    "choices",
    twoBlocks,
    stream(delta("One. "), delta("Two.", 1), end("stop"), "[DONE]"),
    { asked: { stream: true }, arrived: { stream: true } },
    "changed",
  ],
  ["a refusal as text", "mc", "text", c(null, { refusal: "I will not." }), m("I will not."), {}, "kept, converted"],
  ["a refusal that is lost", "mc", "text", c(null, { refusal: "I will not." }), m([]), {}, "dropped"],
  [
    "a form that was asked for as a tool",
    "cm",
    "text",
    m([{ type: "tool_use", id: "a", name: "json", input: { a: 1 } }], "tool_use"),
    c('{"a":1}'),
    {
      asked: { response_format: { type: "json_object" } },
      arrived: {
        tools: [{ name: "json", input_schema: { type: "object" } }],
        tool_choice: { type: "tool", name: "json" },
      },
    },
    "kept, converted",
  ],
  [
    "a form that was asked for as a tool",
    "cm",
    "tool-calls",
    m([{ type: "tool_use", id: "a", name: "json", input: { a: 1 } }], "tool_use"),
    c('{"a":1}'),
    {
      asked: { response_format: { type: "json_object" } },
      arrived: {
        tools: [{ name: "json", input_schema: { type: "object" } }],
        tool_choice: { type: "tool", name: "json" },
      },
    },
    "nothing",
  ],
  [
    "a form that was asked for as a tool",
    "cm",
    "finish",
    m([{ type: "tool_use", id: "a", name: "json", input: { a: 1 } }], "tool_use"),
    c('{"a":1}'),
    {
      asked: { response_format: { type: "json_object" } },
      arrived: {
        tools: [{ name: "json", input_schema: { type: "object" } }],
        tool_choice: { type: "tool", name: "json" },
      },
    },
    "kept, converted",
  ],
];

const use = (id: string, city: string) => ({ type: "tool_use", id, name: "look_up", input: { city } });
const call = (id: string | undefined, args: string) => ({
  id,
  type: "function",
  function: { name: "look_up", arguments: args },
});
const both = m([use("a", "Oslo"), use("b", "Rome")], "tool_use");
const calls = (...tool_calls: unknown[]) => c(null, { tool_calls }, "tool_calls");
const fn = (city: string) => ({ functionCall: { name: "look_up", args: { city } } });

/** A call in pieces, and a text that names its block. */
const strayText = stream(
  begin,
  block(0, { type: "tool_use", id: "a", name: "look_up", input: {} }),
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"city":"Oslo"}' } },
  piece(0, "Soon."),
  stop(0),
  ...done("tool_use"),
);
const callAndText = g([{ functionCall: { name: "look_up", args: { city: "Oslo" } } }, { text: "Soon." }]);

const ofCalls: readonly Row[] = [
  ["a call whose block has a stray text", "mg", "tool-calls", callAndText, strayText, {}, "kept"],
  ["a text in the block of a call", "mg", "text", callAndText, strayText, {}, "dropped"],
  [
    "two calls",
    "cm",
    "tool-calls",
    both,
    calls(call("a", '{"city":"Oslo"}'), call("b", '{"city":"Rome"}')),
    {},
    "kept",
  ],
  [
    "arguments written anew",
    "cm",
    "tool-calls",
    both,
    calls(call("a", '{ "city": "Oslo" }'), call("b", '{"city":"Rome"}')),
    {},
    "kept",
  ],
  [
    "ids that are renamed",
    "cm",
    "tool-calls",
    both,
    calls(call("x", '{"city":"Oslo"}'), call("y", '{"city":"Rome"}')),
    {},
    "kept, converted",
  ],
  [
    "ids that are one",
    "cm",
    "tool-calls",
    both,
    calls(call("x", '{"city":"Oslo"}'), call("x", '{"city":"Rome"}')),
    {},
    "changed",
  ],
  [
    "ids that are lost",
    "cm",
    "tool-calls",
    both,
    calls(call(undefined, '{"city":"Oslo"}'), call(undefined, '{"city":"Rome"}')),
    {},
    "changed",
  ],
  [
    "two calls that are merged into one",
    "cm",
    "tool-calls",
    both,
    calls(call("a", '{"city":"Oslo"}{"city":"Rome"}')),
    {},
    "changed",
  ],
  ["calls that are lost", "cm", "tool-calls", both, c(""), {}, "dropped"],
  [
    "a search of which the upstream says nothing",
    "mc",
    "tool-calls",
    c("Oslo."),
    m([
      { type: "server_tool_use", id: "a", name: "web_search", input: { query: "" } },
      { type: "web_search_tool_result", tool_use_id: "a", content: [] },
      { type: "text", text: "Oslo." },
    ]),
    {},
    "invented",
  ],
  [
    "a search of which the upstream says nothing, in a stream",
    "mc",
    "tool-calls",
    wholeChat,
    stream(
      begin,
      block(0, { type: "server_tool_use", id: "a", name: "web_search", input: {} }),
      stop(0),
      block(1),
      piece(1, "Half"),
      stop(1),
      ...done(),
    ),
    { asked: { stream: true }, arrived: { stream: true } },
    "invented",
  ],
  [
    "a search by its sources",
    "mc",
    "tool-calls",
    c("Oslo.", {
      annotations: [
        { type: "url_citation", url_citation: { url: "https://a.test/", title: "A", start_index: 0, end_index: 1 } },
      ],
    }),
    m([
      { type: "server_tool_use", id: "a", name: "web_search", input: { query: "Oslo" } },
      { type: "text", text: "Oslo." },
    ]),
    {},
    "nothing",
  ],
  [
    "calls of an interface without ids",
    "mg",
    "tool-calls",
    g([fn("Oslo"), fn("Oslo")]),
    m([use("1", "Oslo"), use("2", "Oslo")], "tool_use"),
    {},
    "kept",
  ],
  [
    "calls of an interface without ids, under one",
    "mg",
    "tool-calls",
    g([fn("Oslo"), fn("Oslo")]),
    m([use("1", "Oslo"), use("1", "Oslo")], "tool_use"),
    {},
    "changed",
  ],
  ["calls for an interface without ids", "gm", "tool-calls", both, g([fn("Oslo"), fn("Rome")]), {}, "kept"],
  ["calls in another order", "gm", "tool-calls", both, g([fn("Rome"), fn("Oslo")]), {}, "changed"],
];

const ends: readonly Row[] = [
  ["a natural end", "cm", "finish", m("Hi."), c("Hi."), {}, "kept"],
  [
    "a stop sequence, for which chat has no word",
    "cm",
    "finish",
    m("Hi.", "stop_sequence", { stop_sequence: "END" }),
    c("Hi."),
    {},
    "kept",
  ],
  [
    "which stop sequence it was",
    "mm",
    "finish",
    m("Hi.", "stop_sequence", { stop_sequence: "END" }),
    m("Hi.", "stop_sequence"),
    {},
    "changed",
  ],
  ["an end by length that is told as a natural one", "cm", "finish", m("Hi.", "max_tokens"), c("Hi."), {}, "changed"],
  ["an end by length", "cm", "finish", m("Hi.", "max_tokens"), c("Hi.", {}, "length"), {}, "kept"],
  [
    "an end by length in the words of another interface",
    "cm",
    "finish",
    m("Hi.", "max_tokens"),
    c("Hi.", {}, "max_tokens"),
    {},
    "changed",
  ],
  [
    "an end for a tool that is told as a natural one",
    "cm",
    "finish",
    both,
    calls(call("a", '{"city":"Oslo"}'), call("b", '{"city":"Rome"}')),
    {},
    "kept",
  ],
  [
    "an end for a tool that is told as a natural one",
    "cg",
    "finish",
    g([fn("Oslo")]),
    c(null, { tool_calls: [call("a", '{"city":"Oslo"}')] }, "stop"),
    {},
    "changed",
  ],
  [
    "an end for a tool of an interface without a word for it",
    "gc",
    "finish",
    calls(call("a", '{"city":"Oslo"}')),
    g([fn("Oslo")]),
    {},
    "kept",
  ],
  ["a filter", "gc", "finish", c("Hi.", {}, "content_filter"), g("Hi.", "SAFETY"), {}, "kept"],
  [
    "a filter that is told as a natural end where there is a word for it",
    "gc",
    "finish",
    c("Hi.", {}, "content_filter"),
    g("Hi."),
    {},
    "changed",
  ],
  [
    "a filter that is told as a natural end where there is none",
    "mc",
    "finish",
    c("Hi.", {}, "content_filter"),
    m("Hi."),
    {},
    "no-counterpart",
  ],
  [
    "a filter that is told as a stop sequence",
    "mc",
    "finish",
    c("Hi.", {}, "content_filter"),
    m("Hi.", "stop_sequence"),
    {},
    "changed",
  ],
  [
    "a filter under a word that services know",
    "mc",
    "finish",
    c("Hi.", {}, "content_filter"),
    m("Hi.", "refusal"),
    {},
    "kept",
  ],
  [
    "a prompt that was blocked",
    "cg",
    "finish",
    response({ promptFeedback: { blockReason: "SAFETY" } }),
    c("", {}, "content_filter"),
    {},
    "kept",
  ],
  [
    "a natural end that is told as a stop sequence nobody asked for",
    "mc",
    "finish",
    c("Hi."),
    m("Hi.", "stop_sequence"),
    {},
    "changed",
  ],
  [
    "a stop that may be one of the sequences asked for",
    "mc",
    "finish",
    c("Hi."),
    m("Hi.", "stop_sequence"),
    { asked: { stop_sequences: ["END"] } },
    "kept",
  ],
  [
    "no end",
    "cm",
    "finish",
    m("Hi."),
    response({ ...chatText("Hi."), choices: [{ index: 0, message: { role: "assistant", content: "Hi." } }] }),
    {},
    "dropped",
  ],
];

const used = (usage: object) => response({ ...chatText("Hi."), usage });
const counted = (usageMetadata: object) => g("Hi.", "STOP", { usageMetadata });
const spent = (usage: object) => m("Hi.", "end_turn", { usage });

const usages: readonly Row[] = [
  ["sums", "cm", "usage", m("Hi."), used({ prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }), {}, "kept"],
  ["zeros", "cm", "usage", m("Hi."), used({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }), {}, "changed"],
  [
    "a wrong total",
    "cm",
    "usage",
    m("Hi."),
    used({ prompt_tokens: 3, completion_tokens: 5, total_tokens: 9 }),
    {},
    "changed",
  ],
  ["no usage", "cm", "usage", m("Hi."), c("Hi."), {}, "dropped"],
  [
    "cached tokens in the sum",
    "cm",
    "usage",
    spent({ input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 }),
    used({ prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, prompt_tokens_details: { cached_tokens: 4 } }),
    {},
    "kept",
  ],
  [
    "cached tokens beside the sum",
    "cm",
    "usage",
    spent({ input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 }),
    used({ prompt_tokens: 3, completion_tokens: 5, total_tokens: 8, prompt_tokens_details: { cached_tokens: 4 } }),
    {},
    "kept, converted",
  ],
  [
    "cached tokens that are lost",
    "cm",
    "usage",
    spent({ input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 }),
    used({ prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 }),
    {},
    "changed",
  ],
  [
    "thoughts in the sum",
    "cg",
    "usage",
    counted({ promptTokenCount: 3, candidatesTokenCount: 5, thoughtsTokenCount: 9, totalTokenCount: 17 }),
    used({ prompt_tokens: 3, completion_tokens: 14, total_tokens: 17 }),
    {},
    "kept",
  ],
  [
    "thoughts beside the sum",
    "cg",
    "usage",
    counted({ promptTokenCount: 3, candidatesTokenCount: 5, thoughtsTokenCount: 9, totalTokenCount: 17 }),
    used({ prompt_tokens: 3, completion_tokens: 5, total_tokens: 17 }),
    {},
    "kept, converted",
  ],
  [
    "input and output that are exchanged",
    "mc",
    "usage",
    used({ prompt_tokens: 3, completion_tokens: 50, total_tokens: 53 }),
    spent({ input_tokens: 50, output_tokens: 3 }),
    {},
    "changed",
  ],
  [
    "a chat stream that was not asked for usage",
    "cm",
    "usage",
    twoBlocks,
    stream(delta("One. Two."), end("stop"), "[DONE]"),
    { asked: { stream: true } },
    "nothing",
  ],
  [
    "a chat stream that was asked for usage",
    "cm",
    "usage",
    twoBlocks,
    stream(delta("One. Two."), end("stop"), "[DONE]"),
    { asked: { stream: true, stream_options: { include_usage: true } } },
    "dropped",
  ],
  [
    "an upstream that counts nothing",
    "mc",
    "usage",
    c("Hi."),
    spent({ input_tokens: 1, output_tokens: 1 }),
    {},
    "nothing",
  ],
  [
    "an upstream that counts nothing, told as zeros",
    "mc",
    "usage",
    c("Hi."),
    spent({ input_tokens: 0, output_tokens: 0 }),
    {},
    "invented",
  ],
];

const failed = (status: number, type = "x", headers: [string, string][] = []): WireResponse => {
  const made = response({ type: "error", error: { type, message: "No.", code: "x" } }, status);
  return { ...made, headers: [...made.headers, ...headers] };
};
const amid = stream(begin, block(0), piece(0, "Half"), {
  type: "error",
  error: { type: "server_error", message: "No." },
});
const s = { asked: { stream: true }, arrived: { stream: true } };

/** Of a whole answer the first half. */
const half: WireResponse = { ...m("Half."), body: m("Half.").body.subarray(0, 40) };
const unsafe = response({ error: { message: "The prompt was blocked: SAFETY." } }, 400);
const blocked = stream({ promptFeedback: { blockReason: "SAFETY" } });
const waited = { timing: { gaveUp: 8000 } };

const failures: readonly Row[] = [
  [
    "a rate with its retry-after",
    "cm",
    "error",
    failed(429, "rate_limit_error", [["retry-after", "7"]]),
    failed(429, "x", [["Retry-After", "7"]]),
    {},
    "kept",
  ],
  [
    "a rate whose retry-after is lost",
    "cm",
    "error",
    failed(429, "rate_limit_error", [["retry-after", "7"]]),
    failed(429),
    {},
    "changed",
  ],
  ["a rate that is told as a failure of the server", "cm", "error", failed(429), failed(500), {}, "changed"],
  ["a bad request that is told as a failure of the server", "cm", "error", failed(400), failed(500), {}, "changed"],
  ["another status of one class", "cm", "error", failed(500), failed(502), {}, "kept"],
  ["an overloaded upstream", "cm", "error", failed(529), failed(503), {}, "kept"],
  [
    "an overloaded upstream, where the document names no such error",
    "mc",
    "error",
    failed(503),
    failed(500),
    {},
    "kept, converted",
  ],
  [
    "a model that is not there, where the document names no such error",
    "mc",
    "error",
    failed(404),
    failed(400),
    {},
    "kept, converted",
  ],
  ["a model that is not there", "cm", "error", failed(404), failed(400), {}, "changed"],
  ["a failure that is told as a success", "cm", "error", failed(500), c("Something went wrong."), {}, "dropped"],
  [
    "an error in a body of success",
    "cm",
    "error",
    failed(500, "server_error"),
    failed(200, "server_error"),
    {},
    "kept",
  ],
  ["a success that is told as a failure", "cm", "error", m("Hi."), failed(500), {}, "invented"],
  ["a blocked prompt as an error that says so", "cg", "finish", g([], "SAFETY"), unsafe, {}, "kept, converted"],
  ["a blocked prompt as an error that says so", "cg", "error", g([], "SAFETY"), unsafe, {}, "nothing"],
  ["a blocked prompt as an error", "cg", "finish", g([], "SAFETY"), failed(500), {}, "changed"],
  ["a stream that is cut", "cm", "error", broken, brokenChat, { ...s, cut: true, aborted: true }, "kept"],
  ["a stream that is cut, and ended without an end", "cm", "error", broken, brokenChat, { ...s, cut: true }, "kept"],
  ["a stream that is cut, and ended as a whole", "cm", "error", broken, wholeChat, { ...s, cut: true }, "dropped"],
  [
    "an error amid a stream",
    "cm",
    "error",
    amid,
    stream(delta("Half"), { error: { message: "No." } }),
    s,
    "kept, converted",
  ],
  [
    "an error amid a stream, as a reason of a chunk without a choice's index",
    "cm",
    "error",
    amid,
    stream(delta("Half"), { id: "1", choices: [{ delta: { content: "" }, finish_reason: "server_error" }] }, "[DONE]"),
    s,
    "changed",
  ],
  [
    "an error amid a stream, and no end",
    "cm",
    "error",
    amid,
    brokenChat,
    { ...s, aborted: true, ...waited },
    "dropped",
  ],
  ["a stream that is cut, and no end", "cm", "error", broken, brokenChat, { ...s, cut: true, ...waited }, "dropped"],
  ["a reply without an end", "cm", "error", m("Hi."), brokenChat, { ...s, aborted: true, ...waited }, "invented"],
  ["a whole reply that is cut", "cm", "error", half, failed(500), { cut: true }, "kept"],
  ["a whole reply that is cut, and told as a success", "cm", "error", half, c("Half"), { cut: true }, "dropped"],
  ["a whole reply that is cut, and no answer", "cm", "error", half, null, { cut: true }, "kept"],
  ["an error amid a stream, and cut", "cm", "error", amid, brokenChat, { ...s, aborted: true }, "kept, converted"],
  ["an error amid a stream, and ended as a whole", "cm", "error", amid, wholeChat, s, "dropped"],
  ["an error amid a stream that just stops", "cm", "error", amid, brokenChat, s, "dropped"],
  ["a blocked prompt as a stream that just stops", "cg", "finish", blocked, brokenChat, s, "dropped"],
  ["a blocked prompt as a stream that just stops", "cg", "error", blocked, brokenChat, s, "nothing"],
  ["an error amid a stream, before anything was sent", "cm", "error", amid, failed(500), s, "kept"],
];

const listed = response([candidate("Ha"), candidate("lf")]);

const slow = (at: number): WireResponse => ({ ...wholeChat, chunks: [[at, wholeChat.body.length]] });
const upstreamSlow = stream(begin, block(0), piece(0, "Ha"), piece(0, "lf"), stop(0), ...done());

const streams: readonly Row[] = [
  [
    "pieces that pass as they come",
    "cm",
    "streamed",
    upstreamSlow,
    slow(5),
    { ...s, situation: "slow", timing: { upstreamEnded: 400 } },
    "kept",
  ],
  [
    "pieces that all come at the end",
    "cm",
    "streamed",
    upstreamSlow,
    slow(410),
    { ...s, situation: "slow", timing: { upstreamEnded: 400 } },
    "changed",
  ],
  ["a stream that came as a whole reply", "cm", "streamed", upstreamSlow, c("Half"), s, "dropped"],
  [
    "a client that has left",
    "cm",
    "disconnect",
    upstreamSlow,
    brokenChat,
    { ...s, situation: "disconnect", timing: { disconnectReached: 12 } },
    "kept",
  ],
  [
    "a client that has left, of which nobody tells",
    "cm",
    "disconnect",
    upstreamSlow,
    brokenChat,
    { ...s, situation: "disconnect", timing: { disconnectReached: null } },
    "dropped",
  ],
  [
    "a stream that comes as a list, since nobody asked for events",
    "cg",
    "text",
    listed,
    stream(delta("Half"), end("stop"), "[DONE]"),
    { asked: { stream: true }, arrived: { stream: true } },
    "kept",
  ],
  [
    "a stream that comes as a list, of which the end is lost",
    "cg",
    "text",
    listed,
    stream(delta("Ha"), end("stop"), "[DONE]"),
    { asked: { stream: true }, arrived: { stream: true } },
    "changed",
  ],
];

const thought = { type: "thinking", thinking: "Let me see.", signature: "x" };
const cited = {
  annotations: [{ type: "url_citation", url_citation: { url: "https://x.example/", title: "X" } }],
};
const beside: readonly Row[] = [
  [
    "sources as the results of a search, which no document has",
    "mc",
    "sources",
    c("See.", cited),
    m([
      { type: "web_search_tool_result", content: [{ type: "web_search_result", url: "https://x.example/" }] },
      { type: "text", text: "See." },
    ]),
    {},
    "kept, converted",
  ],
  [
    "sources that are lost, where there is no word for them",
    "mc",
    "sources",
    c("See.", cited),
    m("See."),
    {},
    "no-counterpart",
  ],
  [
    "thoughts under a name that services know",
    "cm",
    "thinking",
    m([thought, { type: "text", text: "Hi." }]),
    c("Hi.", { reasoning_content: "Let me see." }),
    {},
    "kept",
  ],
  [
    "thoughts that are lost, of which no document speaks",
    "cm",
    "thinking",
    m([thought, { type: "text", text: "Hi." }]),
    c("Hi."),
    {},
    "no-counterpart",
  ],
  [
    "thoughts that are lost in one interface",
    "mm",
    "thinking",
    m([thought, { type: "text", text: "Hi." }]),
    m("Hi."),
    {},
    "dropped",
  ],
  [
    "thoughts within the text",
    "cm",
    "text",
    m([thought, { type: "text", text: "Hi." }]),
    c("Let me see.Hi."),
    {},
    "changed",
  ],
  [
    "log probabilities",
    "gc",
    "log-probabilities",
    response({
      ...chatText("Hi."),
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hi." },
          logprobs: { content: [{ token: "Hi.", logprob: -0.1, bytes: null, top_logprobs: [] }] },
          finish_reason: "stop",
        },
      ],
    }),
    response({
      candidates: [
        {
          index: 0,
          content: { role: "model", parts: [{ text: "Hi." }] },
          finishReason: "STOP",
          logprobsResult: { chosenCandidates: [{ token: "Hi.", logProbability: -0.1 }] },
        },
      ],
    }),
    {},
    "kept",
  ],
  [
    "log probabilities that are lost",
    "gc",
    "log-probabilities",
    response({
      ...chatText("Hi."),
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hi." },
          logprobs: { content: [{ token: "Hi.", logprob: -0.1, bytes: null, top_logprobs: [] }] },
          finish_reason: "stop",
        },
      ],
    }),
    g("Hi."),
    {},
    "dropped",
  ],
  ["a choice", "cm", "choices", upstreamSlow, stream(delta("Half"), end("stop"), "[DONE]"), s, "nothing"],
  [
    "a choice that has the index of the block it was",
    "cm",
    "choices",
    upstreamSlow,
    stream(delta("Half", 1), end("stop", 1), "[DONE]"),
    s,
    "changed",
  ],
  [
    "two candidates",
    "cg",
    "choices",
    response({
      candidates: [
        ...(candidate("A").candidates as object[]),
        { ...(candidate("B").candidates as object[])[0], index: 1 },
      ],
    }),
    response({
      ...chatText("A"),
      choices: [...(chatText("A")["choices"] as object[]), { ...(chatText("B")["choices"] as object[])[0], index: 1 }],
    }),
    { asked: { n: 2 }, arrived: config({ candidateCount: 2 }) },
    "kept",
  ],
  [
    "two candidates, of which one is lost",
    "cg",
    "choices",
    response({
      candidates: [
        ...(candidate("A").candidates as object[]),
        { ...(candidate("B").candidates as object[])[0], index: 1 },
      ],
    }),
    c("A"),
    { asked: { n: 2 }, arrived: config({ candidateCount: 2 }) },
    "changed",
  ],
];

test.each([...texts, ...ofCalls, ...ends, ...usages, ...failures, ...streams, ...beside])(
  "%s, by %s, is told of %s",
  (_, route, fact, answered, got, more, outcome) => {
    expect(ofAnswer(route, fact, answered, got, more)).toBe(outcome);
  },
);

const bad = (message: string): WireResponse => response({ error: { message } }, 400);

test.each([
  ["names the fact by its member", "unsupported parameter: presence_penalty", "refused"],
  ["names the fact in words", "penalties are not supported for this model", "refused"],
  ["names nothing", "Bad Request", "not-shown"],
  ["names another fact that begins alike", "unsupported: penalties.other", "not-shown"],
])("a refusal that %s", (_, said, outcome) => {
  const client = { request: request("c", { presence_penalty: 0.5, seed: 7 }), response: bad(said) };
  const found = compared("cm", client, []);
  expect(found.find(({ fact }) => fact === "penalties")?.outcome).toBe(outcome);
  expect(found.find(({ fact }) => fact === "seed")?.outcome).toBe("not-shown");
});

test("a gateway that answers by itself shows nothing of requests", () => {
  const found = compared("cm", { request: request("c", { seed: 7 }), response: c("Cached.") }, []);
  expect(found.map(({ fact, outcome }) => [fact, outcome])).toEqual([
    ["seed", "not-shown"],
    ["turns", "not-shown"],
  ]);
});

test("of several tries the last is compared", () => {
  const client = { request: request("c", { temperature: 0.5 }), response: c("Hi.") };
  const first = { request: request("m", { temperature: 0.1 }), response: failed(529) };
  const last = { request: request("m", { temperature: 0.5 }), response: m("Hi.") };
  const found = compared("cm", client, [first, last]);
  expect(found.filter(({ outcome }) => outcome !== "kept")).toEqual([
    { fact: "usage", side: "answer", outcome: "dropped", answered: { input: 3, output: 5 } },
  ]);
});

test("several choices may be asked for one by one", () => {
  const choice = (content: string, index: number) => ({ ...(chatText(content)["choices"] as object[])[0], index });
  const client = {
    request: request("c", { n: 2 }),
    response: response({ ...chatText("A"), choices: [choice("A", 0), choice("B", 1)] }),
  };
  const upstream = ["A", "B"].map((text) => ({ request: request("m", {}), response: m(text) }));
  const found = compared("cm", client, upstream);
  expect(found.filter(({ fact }) => fact === "choices").map(({ outcome }) => outcome)).toEqual(["kept", "kept"]);
  expect(found.find(({ fact }) => fact === "text")?.outcome).toBe("kept");
});
