/** Makes edits of a stream of events: at every place of what they say, of which events come, and of how they are written. */

import { replaceText } from "../replace-text.test-kit.ts";
import { type EditableEvent, editBody, editEvents } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { pointer, resolvePointer } from "../wire/pointer.ts";
import { type AnEdit, bodyText } from "./an-edit.test-kit.ts";
import { notUtf8 } from "./edits-of-bodies.test-kit.ts";
import { edited, editsAt, type Oracle, placesIn, withRepeated } from "./edits-of-places.test-kit.ts";

/** At every place of what events say; of several events of one kind in the first. */
function* editsInEvents(events: readonly EditableEvent[], oracle: Oracle): Generator<AnEdit> {
  const known = new Set<string>();
  for (const [position, { data }] of events.entries()) {
    if (!isObject(data)) continue;
    for (const found of placesIn(data, oracle)) {
      const at = pointer(...found.path).replace(/\/\d+/g, "/*");
      const name = `${(data as { type?: unknown }).type ?? ""} ${at}`;
      if (known.has(name)) continue;
      known.add(name);
      for (const [what, change, changes] of editsAt(found, oracle)) {
        // Lists of a stream that are emptied once still hold items elsewhere.
        if (what === "an empty list") continue;
        const isOfAll = what === "away" || what === "by another name";
        const isOf = (one: unknown): boolean =>
          isObject(one) &&
          `${one["type"] ?? ""} ${at}` === name &&
          resolvePointer(one, pointer(...found.path)) !== undefined;
        yield {
          what: `event ${position} ${name}: ${what}`,
          changes: found.isInMap ? 0 : changes,
          change: (one) =>
            editEvents(one, (list) => {
              for (const [i, { data: own }] of list.entries())
                if (isOfAll ? isOf(own) : i === position) edited(own, found.path, change);
            }),
        };
      }
      if (!Array.isArray(found.parent))
        yield {
          what: `event ${position} ${name}: twice`,
          changes: 1,
          change: (one) => {
            const json = JSON.stringify(data);
            const text = bodyText(one, "response");
            const again = withRepeated(data, found.path);
            return editBody(one, "response", Buffer.from(text.replace(json, () => again)));
          },
        };
    }
  }
}

/** Events that come twice, go, or have other names. */
function* editsOfEvents(events: readonly EditableEvent[]): Generator<AnEdit> {
  const list = (change: (all: EditableEvent[]) => EditableEvent[]): AnEdit["change"] => {
    return (one) => editEvents(one, change);
  };
  const last = events.findLastIndex(({ data }) => isObject(data));
  const deltas = events.findIndex(({ data }) => JSON.stringify(data).includes('"delta":{"content"'));
  if (deltas > 0)
    yield {
      what: "one more piece of what is said",
      changes: 0,
      change: list((all) => {
        const more = JSON.parse(
          replaceText(JSON.stringify(all[deltas]!.data), '"content":"', '"content":"and '),
        ) as unknown;
        return all.toSpliced(deltas, 0, { ...all[deltas]!, data: more });
      }),
    };
  // A piece that follows itself is a word that was said twice where the stream has letters or blanks for pieces.
  for (const [position, one] of events.entries())
    if (
      one.data === "[DONE]" ||
      /"(?:finish_reason|finishReason)":"|"type":"(?:message|content_block)_(?:start|stop)"/.test(
        JSON.stringify(one.data),
      )
    )
      yield {
        what: `event ${position} sent twice`,
        changes: 1,
        change: list((all) => all.toSpliced(position, 0, all[position]!)),
      };
  if (events.at(-1)?.data === "[DONE]")
    yield { what: "no [DONE]", changes: 1, change: list((all) => all.slice(0, -1)) };
  yield { what: "an event that is no JSON", changes: 1, change: list((all) => all.toSpliced(last, 0, { data: "{" })) };
  if (events.every(({ event }) => event !== undefined))
    yield { what: "no names of events", changes: 1, change: list((all) => all.map(({ data }) => ({ data }))) };
  yield {
    what: "an event by another name",
    changes: 1,
    change: list((all) => all.map((one, i) => (i === last ? { ...one, event: "renamed" } : one))),
  };
}

/** Edits of the lines that events are written in. */
function* editsOfLines(): Generator<AnEdit> {
  const whole = (of: (text: string) => string): AnEdit["change"] => {
    return (one) => editBody(one, "response", Buffer.from(of(bodyText(one, "response"))));
  };
  yield { what: "a comment between events", changes: 0, change: whole((text) => `: ping\n\n${text}`) };
  yield {
    what: "lines that end otherwise",
    changes: 0,
    change: whole((text) => replaceText(text, /\r?\n/g, text.includes("\r\n") ? "\n" : "\r\n")),
  };
  yield { what: "no blank line at its end", changes: 1, change: whole((text) => replaceText(text, /\s+$/, "\n")) };
  yield { what: "a byte order mark before the stream", changes: 0, change: whole((text) => `\ufeff${text}`) };
}

export function* streamEdits(exchange: Exchange, oracle: Oracle): Generator<AnEdit> {
  const events: EditableEvent[] = [];
  editEvents(exchange, (list) => void events.push(...list));
  yield* editsInEvents(events, oracle);
  yield* editsOfEvents(events);
  yield* editsOfLines();
  yield* notUtf8(exchange, "response");
}
