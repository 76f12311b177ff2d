/** The parts that the interfaces share to ask a question in another form. */

import { utf8 } from "../../wire/build.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { isObject, parseJsonBytes } from "../../wire/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** The request with another JSON object as its body; undefined where the body is none, or nothing is to change. */
export function withBody(request: WireRequest, change: (body: Json) => Json | undefined): WireRequest | undefined {
  const json = parseJsonBytes(request.body);
  const changed = json.ok && isObject(json.value) ? change(json.value) : undefined;
  return changed && { ...request, body: utf8(JSON.stringify(changed)) };
}

/** A list with its last item changed that can be; undefined where none can. */
export function withLast(list: unknown, change: (item: Json) => Json | undefined): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  for (let i = list.length - 1; i >= 0; i--) {
    const item: unknown = list[i];
    const changed = isObject(item) ? change(item) : undefined;
    if (changed) return list.with(i, changed);
  }
  return undefined;
}

/** A text with a word behind it. */
export const followedBy = (text: string, word: string): string => `${text} ${word}`;

/** A member that is a text, or a list whose last part of the type `text` is one, with a word behind it. */
export function wordIn(content: unknown, word: string): unknown {
  if (typeof content === "string") return followedBy(content, word);
  return withLast(content, (part) =>
    part["type"] === "text" && typeof part["text"] === "string"
      ? { ...part, text: followedBy(part["text"], word) }
      : undefined,
  );
}

/** The request with a word behind the last text of the role `user` in its messages. */
export const wordInMessages = (request: WireRequest, word: string): WireRequest | undefined =>
  withBody(request, (body) => {
    const messages = withLast(body["messages"], (message) => {
      const content = message["role"] === "user" ? wordIn(message["content"], word) : undefined;
      return content === undefined ? undefined : { ...message, content };
    });
    return messages && { ...body, messages };
  });
