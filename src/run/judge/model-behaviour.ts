/** Checks whether the model did what a recording needs: call a tool, meet a stop sequence, or reach the token limit. */
import type { WireResponse } from "../../wire/exchange.ts";
import { isObject, parseJson } from "../../wire/json.ts";
import { parseEvents } from "../../wire/sse.ts";
import { plainBody } from "./request-failure.ts";

/** What a model did, in the words that say that it did not. */
export type ModelAction = "call the tool" | "meet the stop sequence" | "reach the token bound";

/** Deeds that another try may bring about; a reply that was short once is short again. */
export const worthAnotherTry = (deed: ModelAction | undefined): boolean =>
  deed === "call the tool" || deed === "meet the stop sequence";

/** Reasons to end that only such a deed has. */
const endings: Readonly<Record<string, ModelAction>> = {
  stop_sequence: "meet the stop sequence",
  length: "reach the token bound",
  max_tokens: "reach the token bound",
  MAX_TOKENS: "reach the token bound",
};

const endingMembers = ["finish_reason", "stop_reason", "finishReason"];

/** Where replies hold the next deeper thing that may tell of a deed. */
const holders = ["choices", "message", "delta", "content", "content_block", "candidates", "parts"];

function* deedsIn(value: unknown): Generator<ModelAction> {
  if (Array.isArray(value)) for (const item of value) yield* deedsIn(item);
  if (!isObject(value)) return;
  const calls = value["tool_calls"];
  const called = [value["function_call"], value["functionCall"]].some(isObject);
  if ((Array.isArray(calls) && calls.length > 0) || called || value["type"] === "tool_use") yield "call the tool";
  for (const member of endingMembers) {
    const ending = value[member];
    if (typeof ending === "string" && Object.hasOwn(endings, ending)) yield endings[ending]!;
  }
  for (const member of holders) yield* deedsIn(value[member]);
}

/** The deeds that an answer shows, whole or streamed. */
export function deedsOf(response: WireResponse): ReadonlySet<ModelAction> {
  const decoded = plainBody(response);
  if (!decoded.ok) return new Set();
  const whole = parseJson(Buffer.from(decoded.bytes).toString("utf8"));
  if (whole.ok) return new Set(deedsIn(whole.value));
  const events = parseEvents(decoded.bytes).events.map(({ data }) => parseJson(data));
  return new Set(events.flatMap((event) => (event.ok ? [...deedsIn(event.value)] : [])));
}

/** What a good answer does not show though the recorded one does, for want of the model's help alone. */
export function deedsMissing(response: WireResponse | null, before: WireResponse | null): ModelAction[] {
  const isGood = (one: WireResponse | null): one is WireResponse =>
    one !== null && one.status >= 200 && one.status < 300;
  if (!isGood(response) || !isGood(before)) return [];
  const expected = deedsOf(before);
  if (expected.size === 0) return [];
  const shown = deedsOf(response);
  return [...expected].filter((deed) => !shown.has(deed));
}
