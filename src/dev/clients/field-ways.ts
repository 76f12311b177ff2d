/** Ways in which servers of the field break clauses, and which counterexamples do not try: a member is empty, or of a kind that vendors added. */

import { type Loose, parsed } from "../../run/clients/trial.ts";
import { utf8Text } from "../../wire/bytes.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isEventStream } from "../../wire/headers.ts";
import { isObject } from "../../wire/json.ts";

// Blocks of messages that no document describes: those of the vendor's service, a result behind its call as it sends
// them, and one that others made up.
const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
const otherBlocks: readonly (readonly object[])[] = [
  [search],
  [search, { type: "web_search_tool_result", tool_use_id: search.id, content: [] }],
  [{ type: "mcp_tool_use", id: "mcptoolu_1", name: "search", server_name: "one", input: {} }],
  [{ type: "reasoning", text: "It asks for the weather." }],
];

/** An exchange whose answer has another body. */
export function withBody(exchange: Exchange, text: string): Exchange {
  const body = Buffer.from(text);
  return { ...exchange, response: { ...exchange.response!, body, chunks: [[0, body.length] as const] } };
}

/**
 * An answer with each list, text and member emptied, nulled or left out, one at a time. A stream changes in each event, and in
 * all events of a kind.
 */
export function* emptied(exchange: Exchange): Generator<Exchange> {
  const text = utf8Text(exchange.response?.body ?? Buffer.of());
  if (!isEventStream(exchange.response)) {
    const value = parsed(text);
    for (const hole of holesIn(value)) yield withBody(exchange, JSON.stringify(emptiedAt(value, hole)));
    return;
  }
  const events = text.split(/(?<=\n\n)/).map((event) => {
    const data = /^data: (\{.*)$/m.exec(event)?.[1];
    return { event, data, value: parsed(data) };
  });
  const emptiedIn = (hole: Hole, isIt: (position: number) => boolean): Exchange => {
    const all = events.map(({ event, data, value }, position) =>
      isIt(position) ? event.replace(data!, () => JSON.stringify(emptiedAt(value, hole))) : event,
    );
    return withBody(exchange, all.join(""));
  };
  const known = new Set<string>();
  for (const [i, { value }] of events.entries())
    for (const hole of holesIn(value)) {
      yield emptiedIn(hole, (position) => position === i);
      const key = JSON.stringify([value.type, hole.path, hole.other === undefined ? "nothing" : hole.other]);
      if (known.has(key)) continue;
      known.add(key);
      yield emptiedIn(hole, (position) => {
        const other = events[position]!.value;
        return isObject(other) && other["type"] === value.type && isThere(other, hole);
      });
    }
}

/** A member, and what comes in its place: undefined where it is left out. */
interface Hole {
  readonly path: readonly string[];
  readonly other: unknown;
}

/** The values that a member is emptied to. */
function* holesIn(value: unknown, path: readonly string[] = []): Generator<Hole> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, own] of Object.entries(value)) {
    const at = [...path, name];
    const empty = Array.isArray(own) ? [[]] : typeof own === "string" ? [""] : typeof own === "number" ? [0] : [];
    if (!Array.isArray(value)) for (const other of [undefined, null, ...empty]) yield { path: at, other };
    yield* holesIn(own, at);
  }
}

const parentOf = (value: unknown, { path }: Hole): Loose =>
  path.slice(0, -1).reduce<Loose>((at, name) => at?.[name], value);

const isThere = (value: unknown, hole: Hole): boolean => parentOf(value, hole)?.[hole.path.at(-1)!] !== undefined;

function emptiedAt(value: unknown, hole: Hole): unknown {
  const copy = structuredClone(value);
  parentOf(copy, hole)[hole.path.at(-1)!] = hole.other;
  return copy;
}

/** A message whose content begins with blocks that no document describes. */
export function* withOtherBlocks(exchange: Exchange): Generator<Exchange> {
  const text = utf8Text(exchange.response?.body ?? Buffer.of());
  for (const blocks of otherBlocks) {
    if (!isEventStream(exchange.response)) {
      const message = JSON.parse(text);
      if (Array.isArray(message.content))
        yield withBody(exchange, JSON.stringify({ ...message, content: [...blocks, ...message.content] }));
      continue;
    }
    const events = text.split(/(?<=\n\n)/);
    const start = events.findIndex((event) => event.includes('"content_block_start"'));
    const event = (data: { readonly type: string; readonly [name: string]: unknown }): string =>
      `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    const own = blocks.flatMap((block, index) => [
      event({ type: "content_block_start", index, content_block: block }),
      event({ type: "content_block_stop", index }),
    ]);
    const later = events
      .slice(start)
      .map((one) => one.replace(/"index": ?(\d+)/, (_all, i) => `"index":${+i + blocks.length}`));
    if (start >= 0) yield withBody(exchange, [...events.slice(0, start), ...own, ...later].join(""));
  }
}
