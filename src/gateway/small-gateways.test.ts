/** Losses of real gateways, made by small ones over sockets: each is told, and told of no gateway without it. */
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { interfaceNamed } from "../check/interface.ts";
import { namesFrom } from "../check/names.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { readRecording } from "../run/plan/recordings.ts";
import { bareTarget } from "../run/plan/target.test-kit.ts";
import { createSender, defaultLimits } from "../wire/send.ts";
import { compareTrip } from "./compare.ts";
import { questionsFor } from "./questions.ts";
import { sendTrips } from "./send-trips.ts";
import {
  chatOverGenerate,
  chatOverMessages,
  messagesOverChat,
  openSmallGateway,
  type SmallGateway,
} from "./small-gateway.test-kit.ts";
import { openUpstream } from "./upstream.ts";

const catalogue = await openCatalogue();
const sender = createSender(defaultLimits);
afterAll(() => sender.close());

const recorded = {
  "chat-completions": ["response/text", "streaming/text", "streaming/two-tool-calls"],
  messages: ["response/text"],
};

/** The losses that questions of some names show, as `answer text: its reason`. */
async function lossesOf(
  [from, to]: readonly [keyof typeof recorded, string],
  gateway: SmallGateway,
  asked: RegExp,
  change: (body: object) => object = (body) => body,
): Promise<readonly string[]> {
  const names = recorded[from].map((name) => `${from}/${name}.json`);
  const recordings = await Promise.all(names.map((name) => readRecording(join(home, "recordings"), name)));
  const target = bareTarget("http://127.0.0.1");
  const { conversations, breaking } = questionsFor(
    interfaceNamed(catalogue.interfaces, from)!,
    recordings,
    { twins: [] },
    new Set(),
    target,
  );
  const upstream = await openUpstream(catalogue, "127.0.0.1:0");
  const keys = {
    authorization: "Bearer any-key",
    "x-api-key": "any-key",
    "x-goog-api-key": "any-key",
    "partner-version": "2023-06-01",
  };
  const small = await openSmallGateway(upstream.url, gateway, keys);
  onTestFinished(async () => {
    await small.close();
    await upstream.close();
  });
  const steps = conversations
    .flatMap((one) => one.steps.flat())
    .filter(({ id }) => asked.test(id))
    .map(({ request, ...question }) => ({
      ...question,
      request: {
        ...request,
        body: Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(request.body).toString())))),
      },
    }));
  const losses: string[] = [];
  let trips = 0;
  await sendTrips(
    {
      conversations: steps.map((question) => ({ steps: [[question]] })),
      atOnce: [],
      breaking: breaking.filter(({ id }) => asked.test(id)),
    },
    {
      ...{ route: { from, to }, target: bareTarget(small.url), knownModels: new Set<string>() },
      ...{ interfaces: catalogue.interfaces, upstream, sender, plainSender: sender, concurrency: 4, patience: 20_000 },
      onTrip(trip) {
        trips++;
        for (const { outcome, side, fact, why } of compareTrip(
          trip,
          { from, to },
          { strict: false, catalogue, names: namesFrom() },
        ))
          if (["dropped", "changed", "invented"].includes(outcome)) losses.push(`${outcome} ${side} ${fact}: ${why}`);
      },
    },
  );
  expect(trips).toBeGreaterThan(0);
  return [...new Set(losses)].sort();
}

const messages = ["chat-completions", "messages"] as const;
const chat = ["messages", "chat-completions"] as const;
const generate = ["chat-completions", "generate-content"] as const;

const broken = /^situations\/(?:cut|stream-error|unfinished)\+stream$/;

test.each([
  [
    "passes all of them on",
    messages,
    chatOverMessages({}),
    /(?:response|streaming)\/text|blocks\+stream|two-tool-calls/,
    [],
  ],
  ["tells of broken streams", messages, chatOverMessages({}), broken, []],
  [
    "scatters the text of a stream by its blocks",
    messages,
    chatOverMessages({ scatters: "blocks" }),
    /blocks\+stream/,
    ["changed answer text: The text is scattered over 2 choices.", "changed answer choices: 1 choice became 2."],
  ],
  [
    "scatters the text of a stream by its pieces",
    messages,
    chatOverMessages({ scatters: "pieces" }),
    /streaming\/text$/,
    ["changed answer text: The text is scattered over 5 choices.", "changed answer choices: 1 choice became 5."],
  ],
  [
    "merges two calls of a stream",
    messages,
    chatOverMessages({ merges: true }),
    /two-tool-calls$/,
    ["changed answer tool-calls: 2 calls became 1."],
  ],
  [
    "ends broken streams as a success",
    messages,
    chatOverMessages({ isAlwaysWell: true }),
    broken,
    [
      "dropped answer error: The answer of the upstream broke off, and the client got an end.",
      "dropped answer error: The client got a success.",
    ],
  ],
  ["tells of filters", chat, messagesOverChat({}), /filtered$/, []],
  [
    "tells a filter as a stop sequence",
    chat,
    messagesOverChat({ hidesFilters: true }),
    /filtered$/,
    ["changed answer finish: The end by a filter is told as a stop sequence."],
  ],
  ["passes results of tools on", generate, chatOverGenerate(undefined), /^made/, []],
  [
    "gives results of tools a name that it made up",
    generate,
    chatOverGenerate("filler"),
    /^made/,
    ["changed request tool-result: It arrived under the name filler, which no call has."],
  ],
] as const)("a small gateway that %s", async (_, route, gateway, asked, expected) => {
  expect(await lossesOf(route, gateway, asked)).toEqual([...expected].sort());
});

test.each([
  [false, []],
  [true, ["invented request thinking: Thinking was switched on, though the request switches it off."]],
])("a small gateway that switches disabled thinking on: %s", async (thinksAlways, expected) => {
  const thinkingOff = (body: object): object => ({ ...body, thinking: { type: "disabled" } });
  expect(await lossesOf(chat, messagesOverChat({ thinksAlways }), /response\/text$/, thinkingOff)).toEqual(expected);
});
