/** Makes edits of a JSON body: at every place of it, and of how it is written. */
import { editBody, editJson } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { parseJson } from "../wire/json.ts";
import { pointer } from "../wire/pointer.ts";
import { type AnEdit, bodyText, type Side } from "./an-edit.test-kit.ts";
import { edited, editsAt, type Oracle, placesIn, withRepeated } from "./edits-of-places.test-kit.ts";

export function* jsonEdits(exchange: Exchange, side: Side, oracle: Oracle): Generator<AnEdit> {
  const body = parseJson(bodyText(exchange, side));
  if (!body.ok) return;
  for (const found of placesIn(body.value, oracle)) {
    const at = `${side} ${pointer(...found.path)}`;
    const isNested = !Array.isArray(found.parent);
    for (const [what, change, changes] of editsAt(found, oracle))
      yield {
        what: `${at}: ${what}`,
        changes: found.isInMap ? 0 : changes,
        change: (one) => editJson(one, side, (root: unknown) => edited(root, found.path, change)),
      };
    if (isNested)
      yield {
        what: `${at}: twice`,
        changes: 1,
        change: (one) => editBody(one, side, Buffer.from(withRepeated(body.value, found.path))),
      };
  }
  const bytes = (of: (text: string) => string | Uint8Array): AnEdit["change"] => {
    return (one) => editBody(one, side, Buffer.from(of(bodyText(one, side)) as string));
  };
  yield { what: `${side}: white space behind it`, changes: 0, change: bytes((text) => `${text}\n\n  `) };
  yield { what: `${side}: indented`, changes: 0, change: bytes((text) => JSON.stringify(JSON.parse(text), null, 2)) };
  yield { what: `${side}: a byte order mark`, changes: 1, change: bytes((text) => `\ufeff${text}`) };
  yield { what: `${side}: cut in its middle`, changes: 1, change: bytes((text) => text.slice(0, text.length >> 1)) };
  yield* notUtf8(exchange, side);
}

/** A byte that is not UTF-8 at the beginning of a text that says something. */
export function* notUtf8(exchange: Exchange, side: Side): Generator<AnEdit> {
  const found = /"(?:content|text|message|prompt|partial_json)":\s*"(?=[^"])/.exec(bodyText(exchange, side));
  if (!found) return;
  yield {
    what: `${side}: a byte that is not UTF-8`,
    changes: 1,
    change: (one) => {
      const text = bodyText(one, side);
      const at = found.index + found[0].length;
      const pieces = [Buffer.from(text.slice(0, at)), Buffer.from([0xff]), Buffer.from(text.slice(at))];
      return editBody(one, side, Buffer.concat(pieces));
    },
  };
}
