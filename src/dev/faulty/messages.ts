/** Messages of the small server. */
import { type Answer, type Event, type IncomingRequest, isJson, type Json, objectAt, objectsAt } from "./answer.ts";
import { called, echo, filled, heard, promptTokens, speak, tokensOf } from "./model.ts";

/** The input of a built-in tool. */
const builtIn: Readonly<Record<string, Json>> = {
  computer: { action: "screenshot" },
  bash: { command: "ls" },
  str_replace_editor: { command: "view", path: "/" },
};

function callsOf(body: Json, text: string, serial: number): Json[] {
  const choice = objectAt(body, "tool_choice");
  const tools = objectsAt(body, "tools").map(({ name, input_schema: schema }) => ({ name: String(name), schema }));
  const forced = choice["type"] === "tool" ? tools.filter(({ name }) => name === choice["name"]) : undefined;
  const last = objectsAt(body, "messages").at(-1)?.["content"];
  const answered = Array.isArray(last) && last.some((block) => isJson(block) && block["type"] === "tool_result");
  const must = choice["type"] === "any";
  const single = choice["disable_parallel_tool_use"] === true;
  const chosen = forced ?? (answered && !must ? [] : called(tools, text, must, single));
  return chosen.map(({ name, schema }, i) => ({
    type: "tool_use",
    id: `toolu_${serial}_${i}`,
    name,
    input: schema === undefined ? builtIn[name] : filled(schema),
  }));
}

/** A block as events: its start, its increments, its end. */
function blockEvents(block: Json, index: number): Event[] {
  const { type, text, thinking, signature, input } = block;
  const json = JSON.stringify(input) ?? "";
  const [empty, increments] =
    type === "text"
      ? [{ type, text: "" }, tokensOf(String(text)).map((part) => ({ type: "text_delta", text: part }))]
      : type === "thinking"
        ? [
            { type, thinking: "", signature: "" },
            [
              { type: "thinking_delta", thinking },
              { type: "signature_delta", signature },
            ],
          ]
        : [
            { ...block, input: {} },
            [json.slice(0, 3), json.slice(3)].map((part) => ({ type: "input_json_delta", partial_json: part })),
          ];
  return [
    { event: "content_block_start", data: { type: "content_block_start", index, content_block: empty } },
    ...increments.map((delta) => ({
      event: "content_block_delta",
      data: { type: "content_block_delta", index, delta },
    })),
    { event: "content_block_stop", data: { type: "content_block_stop", index } },
  ];
}

export function messages({ body, serial }: IncomingRequest): Answer {
  const all = objectsAt(body, "messages");
  const text = heard(all.findLast(({ role }) => role === "user")?.["content"]);
  const begun = all.at(-1)?.["role"] === "assistant";
  const calls = callsOf(body, text, serial);
  const speech = speak(
    calls.length > 0 ? "" : begun ? " and so on. That is all." : echo(text),
    body["stop_sequences"],
    Number(body["max_tokens"]),
  );
  const said = speech.tokens.join("");
  const thinks = objectAt(body, "thinking")["type"] === "enabled";
  const content: Json[] = [
    ...(thinks ? [{ type: "thinking", thinking: "What did I hear?", signature: "c21hbGw=" }] : []),
    ...(said === "" ? [] : [{ type: "text", text: said }]),
    ...calls,
  ];
  const end = {
    stop_reason: speech.cut
      ? "max_tokens"
      : calls.length > 0
        ? "tool_use"
        : speech.stop === undefined
          ? "end_turn"
          : "stop_sequence",
    stop_sequence: speech.stop ?? null,
  };
  const usage = {
    input_tokens: promptTokens(all, /"type":"(?:image|document)"/g),
    output_tokens: Math.max(1, speech.tokens.length) + (thinks ? 4 : 0),
  };
  const head = { id: `msg_${serial}`, type: "message", role: "assistant", model: body["model"] };
  if (body["stream"] !== true) return { body: { ...head, content, ...end, usage } };
  const opened = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  return {
    events: [
      { event: "message_start", data: { type: "message_start", message: opened } },
      { event: "ping", data: { type: "ping" } },
      ...content.flatMap(blockEvents),
      { event: "message_delta", data: { type: "message_delta", delta: { ...end, usage }, usage } },
      { event: "message_stop", data: { type: "message_stop" } },
    ],
  };
}
