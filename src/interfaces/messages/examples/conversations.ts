/** Good messages exchanges that belong together: one question asked in several ways, tools, streams at the same time. */
import type { Exchange } from "../../../wire/exchange.ts";
import { countToTen, oneTwo } from "../../common/examples.ts";
import { answered, type Data, ended, message, streamed, textBlock, toolBlock, weather, weatherUse } from "./parts.ts";

/** A reply to the question that the other interfaces are asked as well, cut off at the token bound. */
export const cutOff: Exchange = answered(
  "",
  { messages: [{ role: "user", content: countToTen }], max_tokens: 4 },
  {
    id: "msg_20",
    stop_reason: "max_tokens",
    content: [{ type: "text", text: oneTwo }],
    usage: { input_tokens: 9, output_tokens: 4 },
  },
).exchange;

const cold = { temperature: 0 };
const whole = (asked: Data, id: string, more: Data = {}): Exchange => answered("", asked, { id, ...more }).exchange;
const inPieces = (asked: Data, id: string, blocks: readonly Data[], stop = "end_turn"): Exchange =>
  streamed("", asked, [
    {
      type: "message_start",
      message: message({ id, content: [], stop_reason: null, usage: { input_tokens: 8, output_tokens: 1 } }),
    },
    ...blocks,
    ...ended(stop),
  ]).exchange;

const marked = (word: string): Data => ({ messages: [{ role: "user", content: `Repeat ${word}.` }] });
const words = ["canary-00000000000a", "canary-00000000000b"] as const;

const letters = [..."a b c d e f g h"];

export const conversations: readonly { readonly name: string; readonly exchanges: readonly Exchange[] }[] = [
  {
    name: "one question whole and streamed, then another",
    exchanges: [
      whole(cold, "msg_01"),
      inPieces(cold, "msg_02", textBlock(0, "Hello! How", " can I help?")),
      whole({ top_k: 5 }, "msg_03", { content: [{ type: "text", text: "Good day." }] }),
    ],
  },
  {
    name: "one question whole, and streamed in many pieces",
    exchanges: [
      whole(cold, "msg_20", { content: [{ type: "text", text: letters.join("") }] }),
      inPieces(cold, "msg_21", textBlock(0, ...letters)),
    ],
  },
  {
    name: "tools, whole and streamed",
    exchanges: [
      whole({ tools: [weather] }, "msg_04", { stop_reason: "tool_use", content: [weatherUse] }),
      inPieces(
        { tools: [weather] },
        "msg_05",
        toolBlock(0, "toolu_02", "get_weather", '{"city":', '"Rome"}'),
        "tool_use",
      ),
    ],
  },
  {
    name: "streams at the same time",
    exchanges: words.map((word, i) => inPieces(marked(word), `msg_0${i + 6}`, textBlock(0, word))),
  },
];
