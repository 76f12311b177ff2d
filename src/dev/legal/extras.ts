/** Puts members that no document knows into any object of an exchange's JSON. */
import { editEvents, editJson } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import type { Chance } from "./chance.ts";
import { setMember, strangers, strangeValues } from "./shape.ts";

/** Maps, whose members all mean something; a delta, which may have to be empty; schemas, which mean something as a whole. */
const closed = new Set(
  "metadata logit_bias delta input args response parameters input_schema schema responseSchema response_schema".split(
    " ",
  ),
);

function sprinkle(value: unknown, chance: Chance, often: number): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) if (!closed.has(name)) sprinkle(member, chance, often);
  if (!Array.isArray(value) && chance.once(often)) setMember(value, chance.pick(strangers), chance.pick(strangeValues));
}

/** The exchange with unknown members in some of its objects, on both sides and in every event. */
export function withExtras(exchange: Exchange, chance: Chance): Exchange {
  const add = (value: unknown): void => sprinkle(value, chance, 4);
  const asked = editJson(exchange, "request", add);
  if (headerValue(asked.response?.headers ?? [], "content-type")?.startsWith("text/event-stream") !== true)
    return editJson(asked, "response", add);
  return editEvents(asked, (events) => {
    for (const { data } of events) add(data);
  });
}
