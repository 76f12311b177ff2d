/** Checks whether the model did what a recording needs: call a tool, meet a stop sequence, or reach the token limit. */
import type { Interface } from "../../check/interface.ts";
import type { ActionSigns, ModelAction } from "../../check/interface-signs.ts";
import type { WireResponse } from "../../wire/exchange.ts";
import { isObject, parseJson, parseJsonBytes } from "../../wire/json.ts";
import { parseEvents } from "../../wire/sse.ts";
import { plainBody } from "./request-failure.ts";

/** Deeds that another try may bring about; a reply that was short once is short again. */
export const worthAnotherTry = (deed: ModelAction | undefined): boolean =>
  deed === "call the tool" || deed === "meet the stop sequence";

/** Interface name to what its replies tell of their models. */
export type Actions = Readonly<Record<string, ActionSigns>>;

/** Those of all interfaces, for the thread that asks. */
export const actionsOf = (interfaces: readonly Interface[]): Actions =>
  Object.fromEntries(
    interfaces.flatMap(({ name, replies }) => (replies?.actions ? [[name, replies.actions] as const] : [])),
  );

const isCall = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : isObject(value));

function* deedsIn(value: unknown, signs: ActionSigns): Generator<ModelAction> {
  const { holders, calls = [], callType, ending, endings } = signs;
  if (Array.isArray(value)) for (const item of value) yield* deedsIn(item, signs);
  if (!isObject(value)) return;
  if (calls.some((name) => isCall(value[name])) || (callType !== undefined && value["type"] === callType))
    yield "call the tool";
  const ended = value[ending];
  if (typeof ended === "string" && Object.hasOwn(endings, ended)) yield endings[ended]!;
  for (const member of holders) yield* deedsIn(value[member], signs);
}

/** The deeds that an answer shows, whole or streamed. */
export function deedsOf(response: WireResponse, signs: ActionSigns): ReadonlySet<ModelAction> {
  const decoded = plainBody(response);
  if (!decoded.ok) return new Set();
  const whole = parseJsonBytes(decoded.bytes);
  if (whole.ok) return new Set(deedsIn(whole.value, signs));
  const events = parseEvents(decoded.bytes).events.map(({ data }) => parseJson(data));
  return new Set(events.flatMap((event) => (event.ok ? [...deedsIn(event.value, signs)] : [])));
}

/** Lists what a good answer lacks beside the recorded one for want of the model's help alone. */
export function missingActions(
  response: WireResponse | null,
  before: WireResponse | null,
  signs: ActionSigns | undefined,
): ModelAction[] {
  const isGood = (one: WireResponse | null): one is WireResponse =>
    one !== null && one.status >= 200 && one.status < 300;
  if (!signs || !isGood(response) || !isGood(before)) return [];
  const expected = deedsOf(before, signs);
  if (expected.size === 0) return [];
  const shown = deedsOf(response, signs);
  return [...expected].filter((deed) => !shown.has(deed));
}
