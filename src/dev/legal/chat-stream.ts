/** Chat replies the document allows, as the chunks of a stream. */
import type { Chance } from "./chance.ts";
import { type Choice, choiceFor } from "./chat-choice.ts";
import { constants, countOf, headOf, usageFor } from "./chat-reply.ts";
import { type Members, object } from "./shape.ts";

type Json = Record<string, unknown>;

/** A text in pieces that may be empty. */
function cut(whole: string, chance: Chance): string[] {
  const pieces: string[] = [];
  const points = Array.from(whole);
  while (points.length > 0) pieces.push(points.splice(0, chance.below(5)).join(""));
  return pieces;
}

/** The deltas of one choice between its first and its last. */
function deltasOf({ message }: Choice, chance: Chance): Json[] {
  if (typeof message["refusal"] === "string") return cut(message["refusal"], chance).map((refusal) => ({ refusal }));
  const calls = message["tool_calls"];
  if (Array.isArray(calls) && calls.length > 0)
    return (calls as Json[]).flatMap(({ id, function: called }, index) => {
      const { name, arguments: all } = called as { name: string; arguments: string };
      return [
        { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
        ...cut(all, chance).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ];
    });
  const called = message["function_call"] as { name: string; arguments: string } | undefined;
  if (called)
    return [
      { function_call: { name: called.name, arguments: "" } },
      { function_call: { arguments: called.arguments } },
    ];
  const said = cut(String(message["content"] ?? ""), chance).map((content) => ({ content }));
  return message["audio"] ? [...said, { audio: { id: "a1", data: "AAAA", transcript: "x" } }] : said;
}

/** The chunks of a streamed reply, `[DONE]` included. */
export function chatStream(asked: Members, chance: Chance): unknown[] {
  const head = headOf(asked, "chat.completion.chunk", chance);
  const options = asked["stream_options"] as Json | null | undefined;
  const counts = options?.["include_usage"] === true;
  const nulls = counts || chance.once(4);
  const usage = (): object => (nulls && !chance.once(12) ? { usage: null } : {});
  const chunk = (index: number, delta: object, finish: string | null, logprobs: unknown): unknown => {
    const choice = object({
      index: () => index,
      delta: () => delta,
      finish_reason: () => finish,
      logprobs: () => logprobs,
    });
    const more = { ...head, choices: [choice(chance)], ...usage() };
    return object(constants(more))(chance);
  };
  const lanes = Array.from({ length: countOf(asked) }, (_, index) => {
    const choice = choiceFor(asked, chance);
    const calls = choice.message["tool_calls"] ?? choice.message["function_call"];
    const nothing = chance.once(12) ? undefined : null;
    const first = { role: "assistant", content: calls && chance.once(2) ? nothing : "" };
    const deltas = deltasOf(choice, chance);
    return [
      chunk(index, first, null, deltas.length === 0 ? choice.logprobs : null),
      ...deltas.map((delta, i) => chunk(index, delta, null, i === 0 ? choice.logprobs : null)),
      chunk(
        index,
        chance.once(12) ? { content: chance.pick(["", null]) } : {},
        choice.finish,
        chance.pick([null, undefined]),
      ),
    ];
  });
  const chunks: unknown[] = [];
  while (lanes.some((lane) => lane.length > 0))
    chunks.push(chance.pick(lanes.filter((lane) => lane.length > 0)).shift());
  const last = counts ? [{ ...head, choices: [], usage: usageFor(asked, chance) }] : [];
  return [...chunks, ...last, "[DONE]"];
}
