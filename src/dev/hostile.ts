/** Fuzzes exchanges: any value at any place, to see that judging neither throws nor hangs. */

import { sseEvent, utf8 } from "../wire/build.ts";
import { type EditableEvent, editBody, editEvents, editJson } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isEventStream } from "../wire/headers.ts";
import { parseJsonBytes } from "../wire/json.ts";
import type { Chance } from "./legal/chance.ts";

/** Values no document has in mind. */
export const oddValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    -1,
    1e308,
    5e-324,
    2 ** 53,
    0.1,
    "",
    " ",
    "\0",
    "\ud800",
    "\udfff\ud800",
    "null",
    "1e999",
    "__proto__",
  ],
  ...[
    [],
    [[]],
    [null],
    [1, "a", {}],
    {},
    { "": null },
    { length: 3, 0: 1 },
    { constructor: 1, hasOwnProperty: 2, toString: null },
  ],
  JSON.parse('{"__proto__":{"type":"text","text":"x"},"type":"tool_use"}'),
  JSON.parse(
    '{"type":"object","properties":{"__proto__":{"$ref":"#"}},"required":[1,null],"enum":4,"items":[7],"pattern":"("}',
  ),
  { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } },
  { role: "assistant", content: [{ type: "tool_use" }], tool_calls: [null], function_call: {} },
];

type Loose = Record<string, unknown>;

/** Every object and array below a value, itself included. */
function* containers(value: unknown): Generator<Loose> {
  if (typeof value !== "object" || value === null) return;
  yield value as Loose;
  for (const child of Object.values(value)) yield* containers(child);
}

/** Changes one place of a document: another value, no value, a copied or renamed member, a list many times as long. */
export function spoilDocument(document: unknown, chance: Chance): unknown {
  const places = [...containers(document)];
  if (places.length === 0 || chance.once(30)) return chance.pick(oddValues);
  const place = chance.pick(places);
  const keys = Object.keys(place);
  const key = keys.length > 0 ? chance.pick(keys) : "x";
  const kind = chance.below(6);
  if (kind === 0) delete place[key];
  else if (kind === 1) place[chance.pick(["__proto__x", "", key.toUpperCase(), `${key}s`])] = place[key];
  else if (kind === 2 && Array.isArray(place)) place.push(...structuredClone(place), ...structuredClone(place));
  else if (kind === 3) place[key] = structuredClone(place[chance.pick(keys.length > 0 ? keys : [key])]);
  else place[key] = chance.pick(oddValues);
  return document;
}

function spoilEvents(events: EditableEvent[], chance: Chance): EditableEvent[] {
  const at = chance.below(events.length + 1);
  const kind = chance.below(6);
  if (kind === 0) return chance.shuffled(events);
  if (kind === 1) return events.toSpliced(at, 1);
  if (kind === 2) return events.toSpliced(at, 0, { data: chance.pick(oddValues) });
  if (kind === 3) return events.toSpliced(at, 0, ...events.slice(0, 1 + at));
  return events.map((event, i) => (i === at ? { ...event, data: spoilDocument(event.data, chance) } : event));
}

/** Any byte of a body changed, dropped or doubled. */
function spoilBytes(body: Uint8Array, chance: Chance): Uint8Array {
  const at = chance.below(body.length + 1);
  const inserted = Buffer.from(
    chance.pick(["{", "}", "[", '"', "\\", ",", "\r\n\r\n", "data: {\n\n", "--", "\xff", "\0"]),
    "latin1",
  );
  return Buffer.concat([body.subarray(0, at), inserted, body.subarray(at + chance.below(3))]);
}

/** One exchange after a few such changes, on either side. */
export function spoiled(exchange: Exchange, chance: Chance): Exchange {
  let made = exchange;
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const side = chance.pick(["request", "response"] as const);
    const kind = chance.below(10);
    if (kind === 0 && made[side]) made = editBody(made, side, spoilBytes(made[side].body, chance));
    else if (kind === 1 && made.response)
      made = { ...made, response: { ...made.response, status: chance.pick([0, 99, 204, 299, 304, 400, 401, 999]) } };
    else if (kind === 2 && made[side]) made = { ...made, [side]: { ...made[side], headers: [] } };
    else if (side === "response" && isEventStream(made.response))
      made = editEvents(made, (events) => spoilEvents(events, chance));
    else made = editJson(made, side, (body) => spoilDocument(body, chance));
  }
  return made;
}

const mark = "\u2603";

/** The exchange with `text`, as JSON, at each place of its bodies in turn: every member of every object, and every item. */
export function* withEverywhere(exchange: Exchange, text: string): Generator<Exchange> {
  for (const side of ["request", "response"] as const) {
    const message = exchange[side];
    if (!message || (side === "response" && isEventStream(exchange.response))) continue;
    const body = parseJsonBytes(message.body);
    if (!body.ok) continue;
    for (const document of markedCopies(body.value))
      yield editBody(exchange, side, utf8(JSON.stringify(document).replace(`"${mark}"`, () => text)));
  }
  if (isEventStream(exchange.response)) {
    const datas: unknown[] = [];
    editEvents(exchange, (events) => void datas.push(...events.map(({ data }) => data)));
    for (const [at, data] of datas.entries())
      for (const document of markedCopies(data)) {
        const written = JSON.stringify(document).replace(`"${mark}"`, () => text);
        yield editBody(exchange, "response", utf8(datas.map((one, i) => sseEvent(i === at ? written : one)).join("")));
      }
  }
}

/** Copies of a document with a mark at one place each, down to four levels. */
function* markedCopies(document: unknown, depth = 4): Generator<unknown> {
  if (depth === 0 || typeof document !== "object" || document === null) return;
  for (const [key, child] of Object.entries(document)) {
    const copy = (value: unknown): unknown => {
      const made = structuredClone(document) as Loose;
      made[key] = value;
      return made;
    };
    yield copy(mark);
    for (const inner of markedCopies(child, depth - 1)) yield copy(inner);
  }
}
