/** Chat replies the document allows to a request, whole, and lists of them. */
import type { Chance } from "./chance.ts";
import { choiceFor } from "./chat-choice.ts";
import { toolCall } from "./chat-messages.ts";
import { among, integer, list, type Make, type Members, number, object, orNull, text } from "./shape.ts";

type Json = Record<string, unknown>;

/** Members whose values are settled already. */
export const constants = (members: object): Record<string, Make> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, () => value]));

export function usageFor(asked: Members, chance: Chance): unknown {
  const bound = asked["max_completion_tokens"] ?? asked["max_tokens"];
  const most = typeof bound === "number" ? bound * Number(asked["n"] ?? 1) : 500;
  const prompt = integer(0, 500)(chance) as number;
  const completion = integer(0, most)(chance) as number;
  const part = integer(0, completion);
  return object(
    { prompt_tokens: () => prompt, completion_tokens: () => completion, total_tokens: () => prompt + completion },
    {
      prompt_tokens_details: object({}, { cached_tokens: integer(0, prompt), audio_tokens: integer(0, prompt) }),
      completion_tokens_details: object(
        {},
        {
          reasoning_tokens: part,
          audio_tokens: part,
          accepted_prediction_tokens: part,
          rejected_prediction_tokens: part,
        },
      ),
    },
  )(chance);
}

export const countOf = (asked: Members): number => (typeof asked["n"] === "number" ? asked["n"] : 1);

export function headOf(asked: Members, kind: string, chance: Chance): Json {
  const tier = asked["service_tier"];
  const names = {
    id: text(1)(chance),
    object: kind,
    created: integer(0, 2_000_000_000)(chance),
    model: chance.pick(["some-model", "other-2025"]),
  };
  return {
    ...names,
    ...(chance.once(2) && { system_fingerprint: orNull(text())(chance) }),
    ...((typeof tier === "string" || chance.once(6)) && {
      service_tier: chance.pick([tier ?? "default", "default", "flex", "auto", null]),
    }),
  };
}

/** A whole reply to a request. */
export function chatReply(asked: Members, chance: Chance): unknown {
  const indices = Array.from({ length: countOf(asked) }, (_, i) => i);
  const choices = (chance.once(4) ? chance.shuffled(indices) : indices).map((index) => {
    const { message, finish, logprobs } = choiceFor(asked, chance);
    const drops = message["refusal"] === null && chance.once(2);
    const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !drops || name !== "refusal"));
    return object({
      index: () => index,
      message: object(constants(kept)),
      logprobs: () => logprobs,
      finish_reason: () => finish,
    })(chance);
  });
  const head = headOf(asked, "chat.completion", chance);
  return object({
    ...constants(head),
    choices: () => choices,
    usage: () => (chance.once(12) ? undefined : usageFor(asked, chance)),
  })(chance);
}

/** The members of a list beside its kind: the ids of its ends may be left out or null only if it has none. */
function listOf(data: readonly unknown[], chance: Chance): unknown {
  const [first, last] = [data[0], data.at(-1)] as ({ id: string } | undefined)[];
  const ends = first ? { first_id: first.id, last_id: last?.id } : chance.pick([{}, { first_id: null, last_id: null }]);
  return object({ object: among("list"), data: () => data, has_more: among(true, false), ...constants(ends) })(chance);
}

/** A list of completions: its shape is documented, the operation that returns it is the field's. */
export function chatList(chance: Chance): unknown {
  const asked = {
    request_id: text(),
    tool_choice: among(null, "auto"),
    seed: integer(0, 9),
    top_p: number(0, 1),
    temperature: number(0, 2),
    presence_penalty: number(-2, 2),
    frequency_penalty: number(-2, 2),
    input_user: orNull(text()),
    tools: among(null, []),
    metadata: among({}, { a: "b" }),
    response_format: among(null, { type: "text" }),
  };
  const entry: Make = (by) => ({ ...(chatReply({}, by) as object), ...(object({}, asked)(by) as object) });
  return listOf(list(entry, 0, 3)(chance) as unknown[], chance);
}

/** A list of the messages of a completion. */
export function chatMessageList(chance: Chance): unknown {
  const entry = object(
    { id: text(1), role: among("user", "assistant", "system"), content: orNull(text()) },
    {
      name: orNull(text()),
      refusal: orNull(text()),
      annotations: among([]),
      tool_calls: list(toolCall(text(1)), 0, 2),
      content_parts: among(null),
    },
  );
  return listOf(list(entry, 0, 3)(chance) as unknown[], chance);
}
