/** Bytes as a reader would see them, escapes undone or a stream put together, with the way back to where each byte stands. */

/** A run of bytes. */
export type Span = readonly [from: number, to: number];

/** A stretch of a view: where it begins there, and the bytes it stands for. */
type Stretch = readonly [at: number, from: number, to: number];

export interface View {
  readonly bytes: Buffer;
  /** In order, without gaps. One as long as what it stands for is a copy, byte for byte. */
  readonly stretches: readonly Stretch[];
}

/** The bytes that a span of a view stands for. */
export function* originals({ bytes, stretches }: View, [from, to]: Span): Generator<Span> {
  let low = 0;
  for (let high = stretches.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (stretches[middle]![0] <= from) low = middle;
    else high = middle;
  }
  for (let i = low; i < stretches.length && stretches[i]![0] < to; i++) {
    const [at, begin, end] = stretches[i]!;
    const length = (stretches[i + 1]?.[0] ?? bytes.length) - at;
    if (length !== end - begin) yield [begin, end];
    else yield [begin + Math.max(0, from - at), begin + Math.min(length, to - at)];
  }
}

/** `\u0041` and `%41`, also where they were encoded again, as in JSON within JSON. */
const escapes = /\\+u00([0-9a-f]{2})|%(?:25)*([0-9a-f]{2})/gi;

/** The text with such escapes undone; undefined where it has none. `text` holds one character a byte. */
export function unescaped(text: string): View | undefined {
  if (!text.includes("\\u00") && !text.includes("%")) return undefined;
  const stretches: Stretch[] = [];
  let plain = "";
  let from = 0;
  for (const { index, 0: whole, 1: json, 2: percent } of text.matchAll(escapes)) {
    if (index > from) stretches.push([plain.length, from, index]);
    plain += text.slice(from, index);
    from = index + whole.length;
    stretches.push([plain.length, index, from]);
    plain += String.fromCharCode(Number.parseInt(json ?? percent!, 16));
  }
  if (from === 0) return undefined;
  stretches.push([plain.length, from, text.length]);
  return { bytes: Buffer.from(plain + text.slice(from), "latin1"), stretches };
}

/** An object or a list that is being read. */
interface Frame {
  readonly above: Frame | undefined;
  readonly depth: number;
  /** The member it is, or the list it stands in. */
  readonly name: string;
  /** What tells it from its like: its own `index` member, or its place in a list of alternatives. */
  which: string;
  readonly list: boolean;
  /** The member whose value comes next. */
  key: string;
  /** Values read so far. */
  count: number;
  path: string | undefined;
}

/** Deeper values are not put together. */
export const deepest = 32;
/** Lists whose items are alternatives to each other rather than a sequence. */
export const alternatives: ReadonlySet<string> = new Set(["top_logprobs", "candidates"]);

const newFrame = (above: Frame | undefined, list: boolean): Frame => ({
  above,
  depth: (above?.depth ?? 0) + 1,
  name: above?.key ?? "",
  which: above?.list && alternatives.has(above.key) ? String(above.count) : "",
  list,
  key: list ? (above?.key ?? "") : "",
  count: 0,
  path: undefined,
});

/** Names of members on the way to a frame; places in lists are left out. Read only once the frame is complete. */
function pathOf(frame: Frame): string {
  frame.path ??= `${frame.above ? pathOf(frame.above) : ""}/${frame.name}${frame.which && `:${frame.which}`}`;
  return frame.path;
}

/** The closing quote of a string that begins before `at`, or the line's end where it has none. */
function closingQuote(text: string, at: number, end: number): number {
  for (let quote = text.indexOf('"', at); quote >= 0 && quote < end; quote = text.indexOf('"', quote + 1)) {
    let slashes = quote;
    while (slashes > at && text.charCodeAt(slashes - 1) === 92) slashes--;
    if ((quote - slashes) % 2 === 0) return quote;
  }
  return end;
}

type Leaf = readonly [frame: Frame, key: string, from: number, to: number];

/** Every string of JSON texts, and the numbers of members called `bytes`. Lines of a stream may stand between them. */
function leavesOf(text: string): Leaf[] {
  const leaves: Leaf[] = [];
  let frame = newFrame(undefined, false);
  for (let line = 0; line < text.length; ) {
    const next = text.indexOf("\n", line);
    const end = next < 0 ? text.length : next;
    // A blank line ends an event, whatever state its JSON is in.
    if (end === line || (end === line + 1 && text.charCodeAt(line) === 13)) frame = newFrame(undefined, false);
    for (let at = line; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 34) {
        const quote = closingQuote(text, at + 1, end);
        if (!frame.list && text.charCodeAt(quote + 1) === 58) frame.key = text.slice(at + 1, quote);
        else if (!frame.list && /^\s+:/.test(text.slice(quote + 1, quote + 9))) frame.key = text.slice(at + 1, quote);
        else if (frame.depth <= deepest) leaves.push([frame, frame.key, at + 1, quote]);
        at = quote;
      } else if (code === 123 || code === 91) frame = newFrame(frame, code === 91);
      else if (code === 125 || code === 93) frame = frame.above ?? frame;
      else if (code === 44) frame.count++;
      else if (code >= 48 && code <= 57) {
        const from = at;
        while (at + 1 < end && text.charCodeAt(at + 1) >= 48 && text.charCodeAt(at + 1) <= 57) at++;
        if (frame.key === "index") frame.which = text.slice(from, at + 1);
        else if (frame.key === "bytes" && frame.list && frame.depth <= deepest)
          leaves.push([frame, "bytes[]", from, at + 1]);
      }
    }
    line = end + 1;
  }
  return leaves;
}

/** The strings at one path put together; undefined where that tells nothing new: one of them, or all alike. */
function viewOf(text: string, leaves: readonly Leaf[]): View | undefined {
  const numbers = leaves[0]![1] === "bytes[]";
  const parts = leaves.map(([, , from, to]) => text.slice(from, to));
  if (parts.every((part) => part === parts[0])) return undefined;
  const stretches: Stretch[] = [];
  let at = 0;
  for (const [, , from, to] of leaves) {
    if (to === from) continue;
    stretches.push([at, from, to]);
    at += numbers ? 1 : to - from;
  }
  return { bytes: numbers ? Buffer.from(parts.map(Number)) : Buffer.from(parts.join(""), "latin1"), stretches };
}

const stream = /^(?:(?:data|event|id|retry)(?::|\r|\n)|:)/;
const isBlank = (byte: number | undefined): boolean => byte === 32 || (byte! >= 9 && byte! <= 13) || byte === 160;

/** Whether a body may say something in pieces: a stream, a list, or a reply made of tokens. */
export function inPieces(bytes: Buffer): boolean {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let at = start;
  while (isBlank(bytes[at])) at++;
  if (bytes[at] === 91 || stream.test(bytes.toString("latin1", at, at + 8))) return true;
  // A stream may begin with what is no field.
  return bytes.includes("\ndata:") || bytes.includes('"token"');
}

/**
 * What a body says in pieces: the same member of all events of a stream, the tokens of a list, each put together.
 * `text` holds one character a byte.
 */
export function* joined(text: string): Generator<View> {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leavesOf(text)) {
    const path = `${pathOf(leaf[0])}/${leaf[1]}`;
    const group = groups.get(path);
    if (group) group.push(leaf);
    else groups.set(path, [leaf]);
  }
  for (const leaves of groups.values()) {
    const view = viewOf(text, leaves);
    if (view) yield view;
  }
}
