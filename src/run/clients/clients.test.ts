/** The installed clients meet the reference broken in what `schemas/clients.json` says they need. */

import { mkdtempSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { namesFrom } from "../../check/names.ts";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { createBreaker } from "../../prove/break.ts";
import { createReference, sdkHeaders } from "../../reference/reference.ts";
import { replaceText } from "../../replace-text.test-kit.ts";
import type { ClientTrial } from "../../verdict/run-results.ts";
import { cert, key } from "../../wire/certificate.test-kit.ts";
import { type Handler, type Listening, listen } from "../../wire/listen.ts";
import { loadFitness } from "../plan/fitness-data.ts";
import { bareTarget } from "../plan/target.test-kit.ts";
import { type DriveOptions, driveClients } from "./drive.ts";

const catalogue = await openCatalogue();
const names = namesFrom(sdkHeaders);
const servers: Listening[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** The reference, its answers changed. */
async function serve(change: (good: Handler) => Handler): Promise<string> {
  let base = "";
  const reference = createReference(catalogue, () => base, names);
  const server = await listen(change((request) => reference(request)));
  servers.push(server);
  base = server.url;
  return base;
}

const broken = (clause: string): Promise<string> => {
  const breaker = createBreaker(catalogue, [clause], names);
  return serve((good) => async (request) => breaker(request, await good(request)));
};

/** Bodies that nobody ends once they are sent. */
const endless = (): Promise<string> =>
  serve((good) => async (request) => {
    const reply = await good(request);
    const never = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
    };
    return reply.headers.some(([, value]) => value === "text/event-stream") ? { ...reply, more: never() } : reply;
  });

function drive(
  url: string,
  of: string,
  more: Partial<Omit<DriveOptions, "target"> & Pick<DriveOptions["target"], "keys" | "headers">> = {},
) {
  const { keys = {}, headers = [], ...options } = more;
  const target = { ...bareTarget(url), keys, headers };
  const knownModels = new Set(["chat-model", "messages-model", "generate-model"]);
  return driveClients([of], { target, knownModels, maxIdleMs: 20_000, ...options }, home);
}
const outcomes = (trials: readonly ClientTrial[]): string[] => [...new Set(trials.map(({ outcome }) => outcome))];

const { clients } = loadFitness();
const harmful = ["throws", "drops", "mixes"];
/** One need of each client and scenario: `npm run check:clients` holds them all. The piece that loses its index first may be empty, and choices miscounted by one harm nobody. */
const cases = clients.flatMap(({ name, scenarios, needs }) =>
  Object.keys(scenarios)
    .flatMap((scenario) => {
      const own = needs.filter((need) => need.scenario === scenario && !need.when && !need.unless && !need.spread);
      return own
        .filter(({ clause, effect }) => harmful.includes(effect) && !/delta-index|choice-count/.test(clause))
        .slice(0, 1);
    })
    .map(({ clause, scenario, effect }) => [name, scenario, clause, effect] as const),
);
const waiting = clients.flatMap(({ name, needs }) =>
  needs
    .filter(({ effect }) => effect === "waits")
    .slice(0, 1)
    .map(({ scenario, clause }) => [name, scenario, clause] as const),
);

test("clients find nothing amiss in the reference", async () => {
  const url = await serve((good) => good);
  for (const of of ["chat-completions", "images", "messages", "generate-content"]) {
    const trials = await drive(url, of);
    expect(trials.filter(({ outcome }) => outcome !== "fine")).toEqual([]);
    expect(trials.length).toBeGreaterThan(of === "images" ? 0 : 4);
  }
});

test.each(cases)("%s, %s: cannot do without %s", async (only, scenario, clause, effect) => {
  const [of] = clients.find(({ name }) => name === only)!.scenarios[scenario]!.features[0]!.split("/");
  const trials = await drive(await broken(clause), of!, { only, scenario });
  // A loss on both sides of a client shows nothing.
  expect(effect === "drops" ? [...harmful, "not shown"] : harmful).toContain(outcomes(trials)[0]);
});

test.each(waiting)("%s, %s: waits for the end of a body", async (only, scenario, clause) => {
  const trials = await drive(await endless(), clause.split(".")[0]!, { only, scenario, maxIdleMs: 80 });
  expect(outcomes(trials)).toEqual(["waits"]);
});

test("a bad request that is answered 500 is asked again", async () => {
  let asked = 0;
  const url = await serve((good) => (request) => {
    if (!Buffer.from(request.body).includes('"temperature":3')) return good(request);
    asked++;
    return {
      status: 500,
      headers: [["retry-after-ms", "1"]],
      pieces: [{ bytes: Buffer.from('{"error":{"message":"no"}}') }],
    };
  });
  const trials = await drive(url, "chat-completions", { only: "openai" });
  expect(trials.find(({ scenario }) => scenario === "error")).toMatchObject({
    outcome: "asks again",
    detail: "3 requests where 1 would do",
  });
  expect(asked).toBe(3);
});

/** The reference, whose every answer to a request with a tool passes through `change`. */
const withTools = (change: (body: string) => string): Promise<string> =>
  serve((good) => async (request) => {
    const reply = await good(request);
    if (!Buffer.from(request.body).includes('"tools"')) return reply;
    const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes)).toString();
    return { ...reply, pieces: [{ bytes: Buffer.from(change(body)) }] };
  });

test("a bad request that is accepted drops nothing, and one that is answered 200 with an error does", async () => {
  const accepting = await serve((good) => (request) => {
    const body = replaceText(Buffer.from(request.body).toString(), /,"temperature":3/, "");
    return good({ ...request, body: Buffer.from(body) });
  });
  const lying = await serve((good) => async (request) => ({ ...(await good(request)), status: 200 }));
  for (const of of ["chat-completions", "messages"]) {
    const only = of === "messages" ? "anthropic" : "openai";
    const error = async (url: string) => outcomes(await drive(url, of, { only, scenario: "error" }));
    expect(await error(accepting)).toEqual(["not shown"]);
    expect(await error(lying)).toEqual(["drops"]);
  }
});

test.each([
  ["chat-completions", "openai", "chunks"],
  ["chat-completions", "ai-openai", "text, streamed"],
  ["messages", "anthropic", "events"],
  ["messages", "langchain-anthropic", "text, streamed"],
])("%s, %s: a whole answer in place of a stream is dropped", async (of, only, scenario) => {
  const url = await serve((good) => (request) => {
    const body = replaceText(Buffer.from(request.body).toString(), '"stream":true', '"stream":false');
    return good({ ...request, body: Buffer.from(body.replace(/,"stream_options":\{[^}]*\}/, "")) });
  });
  expect(outcomes(await drive(url, of, { only, scenario }))).toEqual(["drops"]);
});

test("arguments of two calls that become one are mixed", async () => {
  const piece = (id: string): string =>
    `{"index":0,"id":"${id}","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"${id}\\"}"}}`;
  const chunk = (delta: string, finish: string): string =>
    `data: {"id":"a","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`;
  const stream =
    chunk('{"role":"assistant"}', "null") +
    chunk(`{"tool_calls":[${piece("one")}]}`, "null") +
    chunk(`{"tool_calls":[${piece("two")}]}`, "null") +
    chunk("{}", '"tool_calls"');
  const url = await withTools(() => `${stream}data: [DONE]\n\n`);
  const trials = await drive(url, "chat-completions", { only: "openai-stream", scenario: "tools, streamed" });
  expect(outcomes(trials)).toEqual(["mixes"]);
});

test.each([
  ["pieces that repeat the id and the name of their call", ['{\\"city\\":', '\\"Paris\\"}'], "fine"],
  ["pieces that each hold all so far", ['{\\"city\\":', '{\\"city\\":\\"Paris\\"}'], "throws"],
])("%s: %#", async (_what, pieces, outcome) => {
  const call = (text: string): string =>
    `{"index":0,"id":"one","type":"function","function":{"name":"get_weather","arguments":"${text}"}}`;
  const chunk = (delta: string, finish: string): string =>
    `data: {"id":"a","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`;
  const stream = [
    chunk('{"role":"assistant"}', "null"),
    ...pieces.map((text) => chunk(`{"tool_calls":[${call(text)}]}`, "null")),
    chunk("{}", '"tool_calls"'),
    "data: [DONE]\n\n",
  ].join("");
  const url = await withTools(() => stream);
  const trials = await drive(url, "chat-completions", { only: "openai-stream", scenario: "tools, streamed" });
  expect(outcomes(trials)).toEqual([outcome]);
});

test("a loop whose model calls again behind the result does not show that it ends", async () => {
  const called = '{"id":"a","name":"get_weather","input":{"city":"Paris"},"type":"tool_use"}';
  const message = `{"id":"m","type":"message","role":"assistant","model":"m","content":[${called}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`;
  const call =
    '{"id":"one","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Paris\\"}"}}';
  const completion = `{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[${call}]},"finish_reason":"tool_calls"}]}`;
  for (const [of, only, body] of [
    ["chat-completions", "openai-agent-loop", completion],
    ["messages", "anthropic-agent-loop", message],
  ] as const) {
    const [trial] = await drive(await withTools(() => body), of, { only });
    expect(trial).toMatchObject({ outcome: "not shown", detail: "the model called again behind the result" });
  }
});

test("a call is forced once: behind its result the model is free", async () => {
  const told: unknown[] = [];
  const url = await serve((good) => (request) => {
    told.push(JSON.parse(Buffer.from(request.body).toString()).tool_choice);
    return good(request);
  });
  for (const only of ["openai-agent-loop", "anthropic-agent-loop"])
    expect(outcomes(await drive(url, only.startsWith("openai") ? "chat-completions" : "messages", { only }))).toEqual([
      "fine",
    ]);
  expect(told).toEqual(["required", "auto", { type: "any" }, { type: "auto" }]);
});

test("an error that repeats the key is told without it, and a client that is not installed in one line", async () => {
  const url = await serve(() => ({ headers }) => ({
    status: 404,
    headers: [["content-type", "application/json"]],
    pieces: [{ bytes: Buffer.from(JSON.stringify({ error: { message: `no ${JSON.stringify(headers)}` } })) }],
  }));
  const trials = await drive(url, "messages", { keys: { "*": "key-never-shown" } });
  expect(outcomes(trials)).toContain("refused");
  expect(JSON.stringify(trials)).not.toContain("never-shown");
  const target = bareTarget(url);
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const missing = { scenario: "", outcome: "not installed" };
  expect(await driveClients(["messages"], { target, knownModels: new Set(), maxIdleMs: 1 }, folder)).toEqual([
    { ...missing, client: "anthropic", detail: "npm install @anthropic-ai/sdk" },
    { ...missing, client: "ai-anthropic", detail: "npm install @ai-sdk/anthropic ai" },
    { ...missing, client: "langchain-anthropic", detail: "npm install @langchain/anthropic" },
  ]);
});

test("each client asks at the paths of its interface", async () => {
  const targets = new Set<string>();
  const url = await serve((good) => (request) => {
    targets.add(request.target.replace(/[?&]key=[^&]*/, ""));
    return good(request);
  });
  for (const of of ["chat-completions", "images", "messages", "generate-content"]) await drive(url, of);
  expect([...targets].sort()).toEqual([
    "/v1/chat/completions",
    "/v1/images/generations",
    "/v1/messages",
    "/v1/messages?beta=true",
    "/v1beta/models/generate-model:generateContent",
    "/v1beta/models/generate-model:streamGenerateContent?alt=sse",
  ]);
});

test("libraries force a call once, and run it", async () => {
  for (const [of, only] of [
    ["chat-completions", "ai-openai-tools"],
    ["chat-completions", "langchain-openai-tools"],
    ["messages", "ai-anthropic-tools"],
    ["messages", "langchain-anthropic-tools"],
  ] as const) {
    const told: unknown[] = [];
    const url = await serve((good) => (request) => {
      told.push(JSON.parse(Buffer.from(request.body).toString()).tool_choice);
      return good(request);
    });
    expect([only, outcomes(await drive(url, of, { only, scenario: "tools, round trip" }))]).toEqual([only, ["fine"]]);
    const [first, second] = told.map((choice) => (choice as { type?: unknown } | undefined)?.type ?? choice ?? "auto");
    expect([only, first, second]).toEqual([only, of === "messages" ? "any" : "required", "auto"]);
    expect(told).toHaveLength(2);
  }
});

test("a library whose stream loses text drops it, and one whose model calls no tool shows nothing", async () => {
  const event = (type: string, rest: string): string => `event: ${type}\ndata: {"type":"${type}"${rest}}\n\n`;
  const start = event(
    "message_start",
    ',"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}',
  );
  const text = (index: number, said: string): string =>
    event("content_block_start", `,"index":${index},"content_block":{"type":"text","text":""}`) +
    event("content_block_delta", `,"index":${index},"delta":{"type":"text_delta","text":"${said}"}`) +
    event("content_block_stop", `,"index":${index}`);
  const end =
    event("message_delta", ',"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":1}') +
    event("message_stop", "");
  const stream = start + text(0, "Hello") + text(1, " there") + end;
  const streaming = (body: string) =>
    serve(() => () => ({
      status: 200,
      headers: [["content-type", "text/event-stream"]],
      pieces: [{ bytes: Buffer.from(body) }],
    }));
  const whole = await streaming(stream);
  const silent = await streaming(replaceText(stream, /^event: content_block_delta\n/gm, ""));
  const trial = async (url: string, only: string, scenario: string): Promise<string> =>
    outcomes(await drive(url, "messages", { only, scenario })).join();
  expect(await trial(whole, "langchain-anthropic", "text, streamed")).toBe("fine");
  // It reads events by the names of their lines.
  expect(await trial(silent, "langchain-anthropic", "text, streamed")).toBe("drops");
  expect(await trial(silent, "ai-anthropic", "text, streamed")).toBe("fine");
  for (const only of ["ai-anthropic-tools", "langchain-anthropic-tools"])
    expect([only, await trial(whole, only, "tools, streamed")]).toEqual([only, "not shown"]);
});

test("libraries print nothing and report to no tracing service while they are used", async () => {
  const log = vi.spyOn(console, "log");
  vi.stubEnv("LANGSMITH_TRACING", "true");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    log.mockRestore();
  });
  let tracing: string | undefined = "never asked";
  const url = await serve((good) => async (request) => {
    tracing = process.env["LANGSMITH_TRACING"];
    const reply = await good(request);
    const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes)).toString();
    return { ...reply, pieces: [{ bytes: Buffer.from(replaceText(body, /"content":"[^"]+"/g, '"content":0.5')) }] };
  });
  const [trial] = await drive(url, "chat-completions", { only: "langchain-openai", scenario: "text, streamed" });
  expect(trial!.outcome).toBe("drops");
  expect(log).not.toHaveBeenCalled();
  expect(tracing).toBeUndefined();
  expect(process.env["LANGSMITH_TRACING"]).toBe("true");
});

test("an operation that a target lacks is refused, whether it answers 404 or 501", async () => {
  for (const status of [404, 501]) {
    const url = await serve(() => () => ({
      status,
      headers: [
        ["content-type", "application/json"],
        ["retry-after-ms", "1"],
      ],
      pieces: [{ bytes: Buffer.from('{"error":{"message":"no"}}') }],
    }));
    expect([status, outcomes(await drive(url, "images"))]).toEqual([status, ["refused"]]);
  }
});

test("clients send what the run is told to send, wait for their turn, and count the wait for no silence of the target", async () => {
  const told: (string | undefined)[] = [];
  const url = await serve((good) => (request) => {
    told.push(request.headers.find(([name]) => name.toLowerCase() === "x-team")?.[1]);
    return good(request);
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const turn = async (): Promise<void> => void vi.advanceTimersByTime(60_000);
  const trials = await drive(url, "images", { headers: [["X-Team", "blue"]], turn, maxIdleMs: 20_000 });
  const fine = { scenario: "image", outcome: "fine", detail: "" };
  expect(trials).toEqual([
    { ...fine, client: "openai-images", version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    { ...fine, client: "ai-openai-images", version: expect.stringMatching(/^\d+\.\d+\.\d+ with ai \d/) },
  ]);
  expect(told).toEqual(["blue", "blue"]);
});

test("clients take a certificate that nobody trusts where the run does", async () => {
  const body = { data: [{ b64_json: "AAAA" }] };
  const server = https.createServer({ key, cert }, (_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(outcomes(await drive(url, "images", { insecure: true }))).toEqual(["fine"]);
});
