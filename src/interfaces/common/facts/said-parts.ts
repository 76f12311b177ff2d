/** Makes parts of what a reply says, from the places that its interface reads for people. */
import type { ReplyPart, ReplyPlace } from "../../../check/reply-parts.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { resolvePointer } from "../../../wire/pointer.ts";
import type { Part } from "./model.ts";
import { known } from "./read.ts";

function valueAt({ response, streamEvents }: Subject, { event, pointer }: ReplyPlace): unknown {
  if (event !== undefined) return resolvePointer(streamEvents?.[event]?.sent, pointer);
  return response?.body.kind === "json" ? resolvePointer(response.body.sent, pointer) : undefined;
}

/** The text that pieces make together; an input that came as JSON is written as text. */
function joinedText(subject: Subject, pieces: readonly ReplyPlace[]): string {
  const texts = pieces.map((piece) => {
    const value = valueAt(subject, piece);
    return typeof value === "string" ? value : isObject(value) ? JSON.stringify(value) : "";
  });
  return texts.join("");
}

function partOf(subject: Subject, { kind, pieces, name, id }: ReplyPart): Part | undefined {
  const text = joinedText(subject, pieces);
  if (kind === "end") return undefined;
  if (kind === "call") return { kind, arguments: text === "" ? "{}" : text, ...known({ name, id }) };
  return text === "" ? undefined : { kind, text };
}

/** The pieces of a whole reply's text are parts of their own. */
const separately = ({ streamEvents }: Subject, part: ReplyPart): readonly ReplyPart[] =>
  streamEvents || part.kind === "call" || part.pieces.length < 2
    ? [part]
    : part.pieces.map((piece) => ({ ...part, pieces: [piece] }));

/** The parts of each reply in turn. */
export function partsSaid(subject: Subject, said: readonly ReplyPart[]): readonly (readonly Part[])[] {
  const replies: Part[][] = [];
  for (const one of said) {
    const parts = (replies[one.reply] ??= []);
    for (const piece of separately(subject, one)) {
      const part = partOf(subject, piece);
      if (part) parts.push(part);
    }
  }
  return Array.from(replies, (parts) => parts ?? []);
}

/** The value of the last word on why a reply ended; undefined where there is none. */
export function endSaid(subject: Subject, said: readonly ReplyPart[], reply: number): string | undefined {
  const end = said.findLast((one) => one.kind === "end" && one.reply === reply);
  const value = end?.pieces[0] && valueAt(subject, end.pieces[0]);
  return typeof value === "string" ? value : undefined;
}

/** When the events came that bring text, in milliseconds; undefined where nobody kept that. */
export function timesOf(
  { exchange, streamEvents }: Subject,
  said: readonly ReplyPart[],
): readonly number[] | undefined {
  const { chunks, headers } = exchange.response ?? {};
  if (!chunks || !streamEvents || headers?.some(([name]) => name.toLowerCase() === "content-encoding"))
    return undefined;
  const saying = new Set(
    said.flatMap(({ kind, pieces }) =>
      kind === "end" || kind === "call" ? [] : pieces.flatMap(({ event }) => event ?? []),
    ),
  );
  const times: number[] = [];
  let size = 0;
  let chunk = 0;
  for (const { position, offset } of streamEvents) {
    // The chunk that holds the first byte of an event brings at least its beginning.
    while (chunk < chunks.length - 1 && size + chunks[chunk]![1] <= offset) size += chunks[chunk++]![1];
    if (saying.has(position)) times.push(chunks[chunk]?.[0] ?? 0);
  }
  return times;
}
