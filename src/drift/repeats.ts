/** Finds events of a stream that come again word for word: they show a stream that was sent on twice, not a model that says a word twice. */
import type { StreamEvent } from "../check/body.ts";
import type { Operation } from "../check/operation.ts";

/** Names the place of events that come again, and that of pieces of text that do, which models write too, now and then. */
export const sentTwice = "events sent twice";
export const pieceTwice = "a piece of text twice in a row";

/** Shorter ones, such as letters and blanks, follow themselves in every second text. */
const isWord = (text: string): boolean => (text.match(/\p{L}/gu)?.length ?? 0) >= 3;

/** The parts that an event brings, for the order of its stream. */
export function labelsOf({ brings }: Operation, { kind, data, value }: StreamEvent): readonly string[] {
  if (kind === "json") return brings?.(value) ?? [];
  return kind === "terminator" ? [data] : [];
}

/** The repetitions in a stream: the parts that repeated events bring, and whether a piece of text followed itself. */
export interface Repeats {
  readonly things: ReadonlySet<string>;
  readonly piece: boolean;
}

/** Work and memory grow with the stream alone. */
export function repeatsIn(operation: Operation, events: readonly StreamEvent[]): Repeats {
  const things = new Set<string>();
  let piece = false;
  /** How many different events bring a thing. */
  const different = new Map<string, number>();
  const texts = new Set<string>();
  const again: (readonly string[])[] = [];
  let last: string | undefined;
  for (const event of events) {
    const labels = labelsOf(operation, event);
    if (labels.length === 0) continue;
    const pieces = event.kind === "json" ? (operation.pieces?.(event.value) ?? []) : [];
    if (!texts.has(event.data)) {
      texts.add(event.data);
      for (const label of labels) different.set(label, (different.get(label) ?? 0) + 1);
    } else if (pieces.length === 0) for (const label of labels) things.add(label);
    // An event that carries text counts by the other parts that no other event brings, such as the reason why a reply
    // ended.
    else if (labels.length > 1) again.push(labels);
    piece ||= event.data === last && pieces.some(isWord);
    last = event.data;
  }
  for (const labels of again) for (const label of labels) if (different.get(label) === 1) things.add(label);
  return { things, piece };
}
