/** Messages replies, streams and failures the document allows, written down from its text. */
import type { Chance } from "./chance.ts";
import { input } from "./messages-request.ts";
import { among, integer, list, type Make, type Members, object, text, word } from "./shape.ts";

type Json = Record<string, unknown>;

const useBlock = (name: Make, id: Make): Make => object({ type: among("tool_use"), id, name, input });

const usage = object(
  { input_tokens: integer(1, 5000), output_tokens: integer(1, 2) },
  { cache_creation_input_tokens: integer(0, 50), cache_read_input_tokens: integer(0, 50) },
);

/** The model's message to a request: blocks, and why it ended. */
function messageFor(
  asked: Members,
  chance: Chance,
): { content: Json[]; stop_reason: string; stop_sequence: string | null } {
  const tools = ((asked["tools"] ?? []) as { name: string }[]).map(({ name }) => name);
  const choice = asked["tool_choice"] as Json | undefined;
  const stops = (asked["stop_sequences"] ?? []) as string[];
  const content: Json[] = [];
  const thinks = (asked["thinking"] as Json | undefined)?.["type"] === "enabled";
  if (chance.once(thinks ? 2 : 15)) content.push({ type: "thinking", thinking: "Hm.", signature: "c2ln" });
  if (chance.once(2) || !choice)
    content.push(...(list(object({ type: among("text"), text: text(1) }), 0, 2)(chance) as Json[]));
  const must = choice?.["type"] === "any" || choice?.["type"] === "tool";
  if (must || (tools.length > 0 && chance.once(2))) {
    const name = choice?.["type"] === "tool" ? () => choice["name"] : among(...tools);
    const most = choice?.["disable_parallel_tool_use"] === true ? 1 : 3;
    for (let i = 0; i < 1 + chance.below(most); i++) content.push(useBlock(name, () => `toolu_${i}`)(chance) as Json);
    const stop_reason = chance.pick(["tool_use", "tool_use", "tool_use", "max_tokens", ...(must ? [] : ["end_turn"])]);
    return { content, stop_reason, stop_sequence: null };
  }
  if (stops.length > 0 && chance.once(2))
    return { content, stop_reason: "stop_sequence", stop_sequence: chance.pick(stops) };
  return { content, stop_reason: chance.pick(["end_turn", "max_tokens"]), stop_sequence: null };
}

/** A whole message. */
export function messagesReply(asked: Members, chance: Chance): unknown {
  const said = messageFor(asked, chance);
  return object({
    id: text(1),
    type: among("message"),
    role: among("assistant"),
    model: text(1),
    content: () => said.content,
    stop_reason: () => said.stop_reason,
    stop_sequence: () => said.stop_sequence,
    usage,
  })(chance);
}

/** The events of a block: its start, what comes bit by bit, its end. */
function blockEvents(block: Json, index: number, chance: Chance): Json[] {
  const at = { index: () => index };
  const delta = (made: object): Json =>
    object({ type: among("content_block_delta"), ...at, delta: () => made })(chance) as Json;
  const start = (opened: object): Json =>
    object({ type: among("content_block_start"), ...at, content_block: () => opened })(chance) as Json;
  const stop = object({ type: among("content_block_stop"), ...at })(chance) as Json;
  if (block["type"] === "text") {
    const pieces = ["", ...Array.from(String(block["text"]))].map((piece) =>
      chance.once(2) ? { text: piece } : { type: "text_delta", text: piece },
    );
    return [start(chance.once(2) ? { type: "text" } : { type: "text", text: "" }), ...pieces.map(delta), stop];
  }
  if (block["type"] === "tool_use") {
    const written = JSON.stringify(block["input"]);
    const half = chance.below(written.length);
    const pieces = [written.slice(0, half), written.slice(half)].map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
    return [start({ ...block, input: {} }), ...pieces.map(delta), stop];
  }
  return [start({ ...block, thinking: "" }), delta({ type: "thinking_delta", thinking: "Hm." }), stop];
}

/** The events of a streamed message, with pings and events nobody knows among them. */
export function messagesStream(asked: Members, chance: Chance): unknown[] {
  const said = messageFor(asked, chance);
  const full = { stop_reason: among(null), stop_sequence: among(null), content: among([]), usage };
  const started = object({ id: text(1), model: text(1), role: among("assistant"), type: among("message") }, full);
  const inside = chance.once(2);
  const base = chance.once(15) ? 1 : 0;
  const counts = chance.once(10) ? { output_tokens: 1 } : usage(chance);
  const sequence = said.stop_sequence === null && chance.once(2) ? {} : { stop_sequence: said.stop_sequence };
  const events: unknown[] = [
    object({ type: among("message_start"), message: started })(chance),
    ...said.content.flatMap((block, index) => blockEvents(block, base + index, chance)),
    {
      type: "message_delta",
      delta: { stop_reason: said.stop_reason, ...sequence, ...(inside && { usage: counts }) },
      ...((!inside || chance.once(2)) && { usage: counts }),
    },
    object({ type: among("message_stop") })(chance),
  ];
  for (let more = chance.below(3); more > 0; more--)
    events.splice(chance.below(events.length), 0, chance.pick([{ type: "ping" }, { type: "new_event", index: "x" }]));
  return chance.once(15) ? [...events, "[DONE]"] : events;
}

const failures: readonly (readonly [number, string])[] = [
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [429, "rate_limit_error"],
  [500, "server_error"],
  [599, "server_error"],
  [404, "invalid_request_error"],
];

/** A failed reply and its status. */
export function messagesFailure(chance: Chance): readonly [number, unknown] {
  const [status, type] = chance.pick(failures);
  const error = object({ type: among(type), message: text() }, { code: word("abc_", 1, 20) });
  return [status, object({ error }, { type: among("error") })(chance)];
}
