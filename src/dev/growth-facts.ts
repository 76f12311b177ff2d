/** Trips through a gateway that grow in one respect, for reading and comparing their facts, and tables of ever more outcomes. */
import { namesFrom } from "../check/names.ts";
import { compareTrip } from "../gateway/compare.ts";
import type { Route } from "../gateway/trip.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { formatOutcomesJunit } from "../report/outcomes/junit.ts";
import { formatOutcomesMarkdown } from "../report/outcomes/markdown.ts";
import { formatOutcomesSarif } from "../report/outcomes/sarif.ts";
import { besideOneAnother } from "../report/outcomes/side-by-side.ts";
import type { OutcomeRow, OutcomeTable } from "../report/outcomes/table.ts";
import { formatOutcomes } from "../report/outcomes/text.ts";
import type { Exchange } from "../wire/exchange.ts";
import {
  chat,
  chatOf,
  chatStream,
  delta,
  type Family,
  generate,
  list,
  members,
  messages,
  messagesStream,
  reading,
} from "./growth-family.ts";

const catalogue = await openCatalogue();
const options = { strict: true, catalogue, names: namesFrom() };

/** Comparing both ends of a trip. What arrives is one larger than what was sent, so that something differs. */
const through = (
  name: string,
  made: (n: number) => Exchange,
  arrived: (n: number) => Exchange = made,
  route: Route = { from: "chat-completions", to: "chat-completions" },
): Family => ({
  name: `facts: ${name}`,
  make(n) {
    const trip = { id: "growth", client: made(n), upstream: [arrived(n + 1)] };
    return () => compareTrip(trip, route, options);
  },
});

const ofMessages: Route = { from: "messages", to: "messages" };
const fromMessages: Route = { from: "messages", to: "chat-completions" };
const ofGenerate: Route = { from: "generate-content", to: "generate-content" };

const role = (i: number): string => (i % 2 ? "assistant" : "user");
const call = (i: number) => ({
  id: `c${i}`,
  type: "function",
  function: { name: `f${i % 7}`, arguments: `{"a":${i}}` },
});
const toolOf = (parameters: object): Exchange =>
  chat({ tools: [{ type: "function", function: { name: "f", parameters } }] });
const tool = (i: number) => ({ type: "function", function: { name: `f${i}`, parameters: { type: "object" } } });

const conversation = (n: number): Exchange =>
  chat({ messages: list(n, (i) => ({ role: role(i), content: `text ${i}` })) });
const conversationOfBlocks = (n: number): Exchange =>
  messages({ messages: list(n, (i) => ({ role: role(i), content: [{ type: "text", text: `text ${i}` }] })) });

/** One turn with all calls, then their results, the last first. */
const calls = (n: number): Exchange =>
  chat({
    messages: [
      { role: "user", content: "hi" },
      { role: "assistant", content: null, tool_calls: list(n, call) },
      ...list(n, (i) => ({ role: "tool", tool_call_id: `c${n - 1 - i}`, content: `result ${i}` })),
    ],
  });

const table = (n: number): OutcomeTable => ({
  kind: "gateway",
  title: "Gateway",
  columns: [{ name: "a", started: null, facts: [], complete: true, troubles: [] }],
  legend: [
    { outcome: "dropped", says: "gone", tone: "bad" },
    { outcome: "kept", says: "it arrived", tone: "good" },
  ],
  groups: [
    {
      name: "request",
      title: "What was asked",
      noun: "fact",
      rows: list(
        Math.ceil(n / 10),
        (i): OutcomeRow => ({
          id: `fact-${i}`,
          says: `What ${i} says.`,
          cells: [
            i % 2
              ? { outcome: "kept", level: null, examples: [] }
              : { outcome: "dropped", level: "warning", count: i, of: n, why: "gone", examples: [] },
          ],
        }),
      ),
    },
  ],
});

export const families: readonly Family[] = [
  through("turns", conversation),
  through("turns of another interface", conversationOfBlocks, conversation, fromMessages),
  through("turns of one role", (n) => chat({ messages: list(n, (i) => ({ role: "user", content: `text ${i}` })) })),
  through("parts of a turn", (n) =>
    chat({ messages: [{ role: "user", content: list(n, (i) => ({ type: "text", text: `text ${i}` })) }] }),
  ),
  through("images", (n) =>
    chat({
      messages: [
        {
          role: "user",
          content: list(n, (i) => ({ type: "image_url", image_url: { url: `data:image/png;base64,${1000 + i}` } })),
        },
      ],
    }),
  ),
  through("system texts", (n) => chat({ messages: list(n, (i) => ({ role: "system", content: `text ${i}` })) })),
  through("calls and their results", calls),
  through("tools", (n) => chat({ tools: list(n, tool) })),
  through(
    "tools in another order",
    (n) => chat({ tools: list(n, tool) }),
    (n) => chat({ tools: list(n, tool).reverse() }),
  ),
  through("a schema", (n) => toolOf({ type: "object", properties: members(n, () => ({ type: "string" })) })),
  through(
    "a schema whose references are put in place",
    (n) =>
      toolOf({
        type: "object",
        properties: members(n, (i) => ({ $ref: `#/$defs/d${i}` })),
        $defs: Object.fromEntries(list(n, (i) => [`d${i}`, { type: "string" }])),
      }),
    (n) => toolOf({ type: "object", properties: members(n, () => ({ type: "string" })) }),
  ),
  through(
    "a schema with definitions all over it",
    (n) => toolOf({ type: "object", properties: members(n, () => ({ $defs: { a: { type: "string" } } })) }),
    (n) => toolOf({ type: "object", properties: members(n, () => ({ type: "string" })) }),
  ),
  through("stop sequences", (n) => chat({ stop: list(n, (i) => `stop ${i}`) })),
  through("choices", (n) =>
    chatOf({
      choices: list(n, (i) => ({ index: i, message: { role: "assistant", content: `x${i}` }, finish_reason: "stop" })),
    }),
  ),
  through("calls of a reply", (n) => chat({}, { tool_calls: list(n, call) }, { finish_reason: "tool_calls" })),
  through("pieces of a stream", (n) => chatStream(list(n, (i) => delta(0, { content: `x${i}` })))),
  through("calls of a stream", (n) => chatStream(list(n, (i) => delta(0, { tool_calls: [{ index: i, ...call(i) }] })))),
  through("pieces of one call", (n) =>
    chatStream(
      list(n, (i) => delta(0, { tool_calls: [{ index: 0, ...(i === 0 && call(0)), function: { arguments: "1" } }] })),
    ),
  ),
  through(
    "blocks of a stream",
    (n) =>
      messagesStream(
        list(Math.ceil(n / 3), (i) => [
          { type: "content_block_start", index: i, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: i, delta: { type: "text_delta", text: `x${i}` } },
          { type: "content_block_stop", index: i },
        ]).flat(),
      ),
    undefined,
    ofMessages,
  ),
  through(
    "parts of generate content",
    (n) =>
      generate(
        { contents: list(n, (i) => ({ role: i % 2 ? "model" : "user", parts: [{ text: `text ${i}` }] })) },
        { content: { role: "model", parts: list(n, (i) => ({ text: `x${i}` })) } },
      ),
    undefined,
    ofGenerate,
  ),
  reading("outcomes: text", table, (one) => formatOutcomes(one, { color: false, verbose: true })),
  reading("outcomes: brief text", table, (one) => formatOutcomes(one, { color: false, verbose: false })),
  reading("outcomes: JUnit", table, formatOutcomesJunit),
  reading("outcomes: Markdown", table, (one) => formatOutcomesMarkdown(one)),
  reading("outcomes: SARIF", table, formatOutcomesSarif),
  reading("outcomes: side by side", table, (one) => {
    const both = besideOneAnother(
      [one, { ...one, groups: [{ ...one.groups[0]!, rows: [...one.groups[0]!.rows].reverse() }] }],
      "Gateways",
      ["a", "b"],
    );
    return formatOutcomes(both, { color: false, verbose: true });
  }),
];
