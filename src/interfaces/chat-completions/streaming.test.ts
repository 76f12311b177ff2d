/** Each fault in a streamed chat reply gives one finding, at the place that is wrong. */
import { describe, expect, test } from "vitest";
import { call, tool } from "./examples/response.ts";
import { chunk } from "./examples/stream.ts";
import { faultsOf, judged, streamed } from "./response.test-kit.ts";

const weather = { tools: [tool("get_weather")] };
const first = chunk({ role: "assistant", content: "" });
const done = "[DONE]";

describe("one fault in a stream gives one finding", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const counted = { stream_options: { include_usage: true } };
  const none = { usage: null };
  const say = (content: string, more: object = {}) => chunk({ content }, null, more);
  const end = chunk({}, "stop");
  const quiet = chunk({ role: "assistant", content: "" }, null, none);
  test.each<[string, object, readonly unknown[], string]>([
    ["no [DONE]", {}, [first, say("Hi."), end], "error streaming.done-sent"],
    ["[DONE] twice", {}, [first, say("Hi."), end, done, done], "error streaming.done-once"],
    ["a chunk after [DONE]", {}, [first, say("Hi."), end, done, say("More.")], "error streaming.done-last"],
    ["data that is no JSON", {}, [first, say("Hi."), "{broken", end, done], "error streaming.event-is-json"],
    ["a first event that is no JSON", {}, ["{broken", say("Hi."), end, done], "error streaming.event-is-json"],
    ["a last event that is no JSON", {}, [first, say("Hi."), "{broken", done], "error streaming.event-is-json"],
    ["an array as chunk", {}, [first, say("Hi."), [], end, done], "error streaming.event-is-chunk"],
    ["no finish reason", {}, [first, say("Hi."), chunk({}), done], "error streaming.finish-reason-in-last-chunk"],
    [
      "an early finish reason",
      {},
      [first, chunk({ content: "Hi." }, "stop"), end, done],
      "error streaming.finish-reason-null-before-last",
    ],
    [
      "text after the finish reason",
      {},
      [first, end, chunk({ content: "" }, null), done],
      "error streaming.finish-reason-null-before-last",
    ],
    [
      "text in the last delta",
      {},
      [first, chunk({ content: "Hi." }, "stop"), done],
      "error streaming.last-delta-empty",
    ],
    ["no role", {}, [chunk({ content: "" }), say("Hi."), end, done], "error streaming.first-chunk-role"],
    [
      "another role",
      {},
      [chunk({ role: "user", content: "" }), say("Hi."), end, done],
      "error streaming.delta-role-value",
    ],
    [
      "text in the first chunk",
      {},
      [chunk({ role: "assistant", content: "Hi." }), end, done],
      "warning streaming.first-chunk-content",
    ],
    [
      "a role in every chunk",
      {},
      [first, chunk({ role: "assistant", content: "Hi." }), end, done],
      "warning streaming.role-in-first-chunk-only",
    ],
    [
      "another id",
      {},
      [first, chunk({ content: "Hi." }, null, { id: "chatcmpl-2" }), end, done],
      "error streaming.id-constant",
    ],
    [
      "usage unasked",
      {},
      [first, say("Hi."), chunk({}, "stop", { usage }), done],
      "error streaming.usage-only-when-asked",
    ],
    [
      "usage on the last choice",
      counted,
      [chunk({ role: "assistant", content: "" }, null, none), chunk({}, "stop", { usage }), done],
      "error streaming.usage-chunk-choices-empty",
    ],
    [
      "usage throughout",
      counted,
      [
        chunk({ role: "assistant", content: "" }, null, { usage }),
        chunk({}, "stop", none),
        { ...chunk({}), choices: [], usage },
        done,
      ],
      "error streaming.usage-null-before-last",
    ],
    [
      "no usage though asked",
      counted,
      [chunk({ role: "assistant", content: "" }, null, none), chunk({}, "stop", none), done],
      "error streaming.usage-chunk-sent",
    ],
    [
      "usage members missing before the last",
      counted,
      [first, end, { ...chunk({}), choices: [], usage }, done],
      "warning streaming.usage-null-present",
    ],
    ["a choice too few", { n: 2 }, [first, say("Hi."), end, done], "error exchange.choice-count"],
    [
      "a streamed stop sequence in pieces",
      { stop: "END" },
      [first, say("The E"), say("ND."), end, done],
      "error exchange.stop-excluded",
    ],
    [
      "streamed calls that finish with stop",
      weather,
      [first, chunk({ tool_calls: [{ index: 0, ...call("c", "get_weather", "Oslo") }] }), end, done],
      "warning response.tool-calls-finish-reason",
    ],
    [
      "a streamed call nobody asked for",
      {},
      [
        first,
        chunk({ tool_calls: [{ index: 0, ...call("c", "get_weather", "Oslo") }] }),
        chunk({}, "tool_calls"),
        done,
      ],
      "error exchange.no-tools-no-calls",
    ],
    [
      "streamed text in JSON mode",
      { response_format: { type: "json_object" }, messages: [{ role: "user", content: "JSON" }] },
      [first, say("{"), end, done],
      "error exchange.json-mode",
    ],
    [
      "tool calls as an object",
      weather,
      [first, chunk({ tool_calls: {} }), chunk({}, "stop"), done],
      "warning streaming.delta-tool-calls-type",
    ],
    [
      "no choices in the first chunk",
      {},
      [{ ...chunk({}), choices: undefined }, say("Hi."), end, done],
      "error streaming.choices-required",
    ],
    [
      "no index in the last chunk",
      {},
      [first, chunk({}, "stop", {}, { index: undefined }), done],
      "error streaming.index-required",
    ],
    ["[DONE] before the last chunk", {}, [first, say("Hi."), done, end], "error streaming.done-last"],
    ["[DONE] first", {}, [done, first, say("Hi."), end], "error streaming.done-last"],
    [
      "[DONE] before the usage",
      counted,
      [quiet, chunk({}, "stop", none), done, { ...chunk({}), choices: [], usage }],
      "error streaming.done-last",
    ],
    [
      "a null usage in the extra chunk",
      counted,
      [quiet, chunk({}, "stop", none), { ...chunk({}), choices: [], ...none }, done],
      "error streaming.usage-chunk-sent",
    ],
    [
      "a usage that is no object",
      counted,
      [quiet, chunk({}, "stop", none), { ...chunk({}), choices: [], usage: "3" }, done],
      "error streaming.usage-type",
    ],
  ])("%s", (_what, asked, events, finding) => {
    expect(faultsOf(streamed(asked, events))).toEqual([finding]);
  });

  test("an error in mid-stream is undocumented, and excuses the end that is missing", () => {
    const exchange = streamed({}, [first, say("Hi."), { error: { message: "Overloaded." } }]);
    expect(faultsOf(exchange)).toEqual([]);
    expect(judged(exchange).findings.map(({ clause }) => clause)).toEqual([
      "chat-completions.streaming.no-error-event",
    ]);
  });

  test("a stream that the client broke off owes no end", () => {
    expect(
      faultsOf({ ...streamed(counted, [chunk({ role: "assistant", content: "" }, null, none)]), aborted: "client" }),
    ).toEqual([]);
  });

  test("a stream cut short lacks its end, and what would have come by then is not counted too", () => {
    expect(faultsOf(streamed(counted, [quiet, say("Hel", none)]))).toEqual(["error streaming.done-sent"]);
  });

  test.each(["", "<html></html>"])("%j is no answer to a streamed request", (body) => {
    const exchange = streamed({}, []);
    const response = { status: 200, headers: [["content-type", "text/html"]] as const, body: Buffer.from(body) };
    expect(faultsOf({ ...exchange, response })).toEqual(["error streaming.stream-when-asked"]);
  });
});

test("pieces of a streamed call without id, name or type are noted, not accused; without index they warn", () => {
  const bare = { function: { arguments: "{}" } };
  const exchange = streamed(weather, [first, chunk({ tool_calls: [bare] }), chunk({}, "tool_calls"), done]);
  expect(faultsOf(exchange)).toEqual(["warning streaming.delta-tool-call-index-required"]);
  const noted = judged(exchange).findings.filter(({ level }) => level === "note");
  expect(noted.map(({ clause }) => clause.split(".").at(-1)).sort()).toEqual([
    "delta-tool-call-id",
    "delta-tool-call-kind",
    "delta-tool-call-name",
  ]);
});

test("a null role in the first chunk is no role", () => {
  const nobody = chunk({ role: null, content: "" } as never);
  expect(faultsOf(streamed({}, [nobody, chunk({ content: "Hi." }), chunk({}, "stop"), done]))).toContain(
    "error streaming.first-chunk-role",
  );
});

test("text beside streamed tool calls is blamed on the chunk that brought it, and quoted as it stands there", () => {
  const call = { index: 0, id: "call_1", type: "function", function: { name: "get_weather", arguments: "{}" } };
  const exchange = streamed(weather, [
    first,
    chunk({ content: "Let me " }),
    chunk({ content: "see." }),
    chunk({ tool_calls: [call] }),
    chunk({}, "tool_calls"),
    "[DONE]",
  ]);
  const found = judged(exchange).findings.filter(({ clause }) => clause.endsWith("content-null-with-tool-calls"));
  expect(found).toMatchObject([{ event: 1, pointer: "/choices/0/delta/content", actual: '"Let me "' }]);
});
