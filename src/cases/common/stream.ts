/** Cases of how a stream of server-sent events is spelt, in every interface that streams. */
import type { Answer, AnswerPiece } from "../answer.ts";
import type { Case } from "../case.ts";
import { type Good, piece } from "../good.ts";
import { streaming } from "../interface-names.ts";
import type { GoodEvent } from "../voice.ts";
import { canaries, piecesOf } from "../words.ts";

const parsing = "WHATWG HTML 9.2.6";
const framing = ["WHATWG HTML 9.2.5", parsing, "X-SSE"];

type StreamCase = Pick<Case, "id" | "says"> & Partial<Case> & Pick<Case, "answer">;

const legal = (own: StreamCase): Case => ({
  interfaces: streaming,
  kind: "legal",
  restsOn: framing,
  form: "stream",
  due: "answer",
  ...own,
  id: `stream/${own.id}`,
});

const dataOf = (event: GoodEvent): string => (typeof event.data === "string" ? event.data : JSON.stringify(event.data));

/** The lines of an event, its blank line left out. */
export const linesOf = (event: GoodEvent): string[] => [
  ...(event.event === undefined ? [] : [`event: ${event.event}`]),
  `data: ${dataOf(event)}`,
];

/** The answer with its events spelt by lines. @param end what ends a line */
export function spelt(good: Good, lines: (event: GoodEvent, at: number) => readonly string[], end = "\n"): Answer {
  const { events } = good;
  const pieces = events.map((event, i) => piece([...lines(event, i), ""].map((line) => line + end).join("")));
  return { ...good.answer(), pieces };
}

/** The answer with other pieces. */
const withPieces = (good: Good, change: (pieces: readonly AnswerPiece[]) => readonly AnswerPiece[]): Answer => {
  const answer = good.answer();
  return { ...answer, pieces: change(answer.pieces) };
};

const bytesOf = (pieces: readonly AnswerPiece[]): Buffer => Buffer.concat(pieces.map(({ bytes }) => bytes));

/** Bytes in pieces of a size; those that begin within a character wait a moment, so that they leave apart. */
function inPieces(bytes: Buffer, size: number): AnswerPiece[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, i) => {
    const own = bytes.subarray(i * size, (i + 1) * size);
    const isWithin = (own[0]! & 0xc0) === 0x80;
    return piece(own, isWithin ? 4 : i % 64 === 63 ? 1 : undefined);
  });
}

/** Bytes cut before each place of a list. */
function cutAt(bytes: Buffer, places: readonly number[], wait: number): AnswerPiece[] {
  const bounds = [0, ...places, bytes.length];
  return bounds.slice(1).map((to, i) => piece(bytes.subarray(bounds[i], to), i === 0 ? undefined : wait));
}

/** Places within characters of several bytes. */
function withinCharacters(bytes: Buffer): number[] {
  const places: number[] = [];
  for (let i = 1; i < bytes.length; i++)
    if ((bytes[i]! & 0xc0) === 0x80 && (bytes[i - 1]! & 0xc0) === 0xc0) places.push(i);
  return places;
}

/** Says the words one event each, and more text of another kind. */
const saying = (good: Good, pieces: readonly string[]): Good =>
  good.say({ parts: [{ kind: "text", pieces }], end: "stop" });

/** The text with something between its words. */
const sayingBetween = (good: Good, between: string): Good => {
  const half = Math.ceil(good.words.length / 2);
  const [before, after] = [good.words.slice(0, half), good.words.slice(half)];
  return saying(good, [...piecesOf(before), between, ...piecesOf(after)]);
};

/** JSON with spaces wherever JSON allows them. */
const spaced = (value: unknown): string => JSON.stringify(value, undefined, 1).replaceAll("\n", " ");

/** JSON in which every non-ASCII character is escaped. */
const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A value with the members of each object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

const dashscope = "https://github.com/openai/openai-python/issues/498";

export const spellings: readonly Case[] = [
  legal({
    id: "crlf",
    says: "Lines end with CR LF.",
    answer: (good) => spelt(good, linesOf, "\r\n"),
  }),
  legal({
    id: "lf",
    says: "Lines end with LF.",
    answer: (good) => spelt(good, linesOf),
  }),
  legal({
    id: "cr",
    says: "Lines end with CR alone.",
    isNeutral: true,
    answer: (good) => spelt(good, linesOf, "\r"),
  }),
  legal({
    id: "mixed-line-ends",
    says: "Events alternate between line endings: LF, CR LF and CR.",
    isNeutral: true,
    answer: (good) =>
      withPieces({ ...good, answer: () => spelt(good, linesOf) }, (pieces) =>
        pieces.map(({ bytes }, i) =>
          piece(
            Buffer.from(bytes)
              .toString()
              .replaceAll("\n", ["\n", "\r\n", "\r"][i % 3]!),
          ),
        ),
      ),
  }),
  legal({
    id: "bom",
    says: "The stream begins with a byte order mark.",
    isNeutral: true,
    answer: (good) =>
      withPieces(good, ([first, ...rest]) => [piece(Buffer.concat([Buffer.from("\ufeff"), first!.bytes])), ...rest]),
  }),
  legal({
    id: "comment-first",
    says: "The stream begins with a comment and a blank line.",
    restsOn: [parsing, "https://github.com/mnfst/llm-gateway/issues/2053"],
    answer: (good) => withPieces(good, (pieces) => [piece(": PROCESSING\n\n"), ...pieces]),
  }),
  legal({
    id: "comments-between",
    says: "A comment and a blank line come between every two events.",
    restsOn: [parsing, "https://github.com/googleapis/go-genai/issues/903"],
    answer: (good) => withPieces(good, (pieces) => pieces.flatMap((one) => [one, piece(": keep-alive\n\n")])),
  }),
  legal({
    id: "comment-line-alone",
    says: "A one-line comment comes before each event, with no blank line after it.",
    restsOn: [parsing, "https://github.com/theopenco/llmgateway/pull/2334"],
    answer: (good) => withPieces(good, (pieces) => pieces.flatMap((one) => [piece(": ping\n"), one])),
  }),
  legal({
    id: "empty-comments",
    says: "A line with only a colon comes between every two events.",
    restsOn: [parsing, "https://github.com/coder/coder/issues/28185"],
    answer: (good) => withPieces(good, (pieces) => pieces.flatMap((one) => [one, piece(":\n\n")])),
  }),
  legal({
    id: "comment-beside-data",
    says: "Each event contains a comment before its data.",
    answer: (good) => spelt(good, (event) => [": HTTP_STATUS/200", ...linesOf(event)]),
  }),
  legal({
    id: "comment-behind-data",
    says: "Each event contains a comment after its data.",
    answer: (good) => spelt(good, (event) => [...linesOf(event), ": took 12 ms"]),
  }),
  legal({
    id: "id-before-data",
    says: "Each event has an id before its data.",
    answer: (good) => spelt(good, (event, i) => [`id: ${i + 1}`, ...linesOf(event)]),
  }),
  legal({
    id: "id-behind-data",
    says: "Each event has an id after its data.",
    answer: (good) => spelt(good, (event, i) => [...linesOf(event), `id: ${i + 1}`]),
  }),
  legal({
    id: "id-and-comments",
    says: "Each event has an id, and comments with blank lines come between events.",
    restsOn: [parsing, "https://github.com/openai/openai-python/issues/2722"],
    answer: (good) => spelt(good, (event, i) => [...(i > 0 ? [": ping", ""] : []), `id: ${i + 1}`, ...linesOf(event)]),
  }),
  legal({
    id: "retry",
    says: "An event with text also sets the retry time.",
    answer: (good) => spelt(good, (event, i) => [...(i === 2 ? ["retry: 3000"] : []), ...linesOf(event)]),
  }),
  legal({
    id: "retry-alone",
    says: "The stream begins with a block that only sets the retry time.",
    answer: (good) => withPieces(good, (pieces) => [piece("retry: 3000\n\n"), ...pieces]),
  }),
  legal({
    id: "unknown-field",
    says: "Each event has a line with a field that the standard does not define.",
    isNeutral: true,
    answer: (good) => spelt(good, (event) => ["trace: 4f1c", ...linesOf(event)]),
  }),
  legal({
    id: "field-without-colon",
    says: "Each event has a line without a colon: the name of a field that the standard does not define.",
    isNeutral: true,
    answer: (good) => spelt(good, (event) => ["heartbeat", ...linesOf(event)]),
  }),
  legal({
    id: "no-blank",
    says: "No space follows the colon of a field.",
    restsOn: [parsing, dashscope],
    answer: (good) => spelt(good, (event) => linesOf(event).map((line) => line.replace(": ", ":"))),
  }),
  legal({
    id: "two-blanks",
    says: "Two spaces follow the colon of data: the second one belongs to the JSON.",
    restsOn: [parsing, "RFC 8259 section 2"],
    isNeutral: true,
    answer: (good) =>
      spelt(good, (event) =>
        linesOf(event).map((line) => (/^data: \{/.test(line) ? line.replace("data: ", "data:  ") : line)),
      ),
  }),
  legal({
    id: "all-fields",
    says: "Each event has a comment, an id, a retry time, and data without a space after its colon.",
    answer: (good) =>
      spelt(good, (event, i) => [
        ": note",
        `id:${i + 1}`,
        "retry:1000",
        ...linesOf(event).map((line) => line.replace(": ", ":")),
      ]),
  }),
  legal({
    id: "several-data-lines",
    says: "The JSON of each event is spread over several data lines.",
    isNeutral: true,
    answer: (good) =>
      spelt(good, (event) => [
        ...(event.event === undefined ? [] : [`event: ${event.event}`]),
        ...(typeof event.data === "string" ? event.data : JSON.stringify(event.data, undefined, 1))
          .split("\n")
          .map((line) => `data: ${line}`),
      ]),
  }),
  legal({
    id: "data-before-event",
    says: "The data line of an event comes before the line that names the event.",
    interfaces: ["messages"],
    answer: (good) => spelt(good, (event) => linesOf(event).reverse()),
  }),
  legal({
    id: "empty-data",
    says: "Events with empty data come between the others.",
    restsOn: [parsing, "https://github.com/caozhiyuan/copilot-api/pull/88"],
    kind: "odd",
    answer: (good) =>
      withPieces(good, (pieces) => pieces.flatMap((one, i) => (i === 0 ? [one] : [piece("data:\n\n"), one]))),
  }),
  legal({
    id: "blank-lines",
    says: "Several blank lines come before the first event, between events and after the last one.",
    answer: (good) =>
      withPieces(good, (pieces) => [
        piece("\n\n"),
        ...pieces.map(({ bytes }) => piece(Buffer.concat([bytes, Buffer.from("\n\n")]))),
      ]),
  }),
  legal({
    id: "comment-last",
    says: "A comment follows the last event.",
    answer: (good) => withPieces(good, (pieces) => [...pieces, piece(": bye\n\n")]),
  }),
  legal({
    id: "long-comment",
    says: "A comment of 256 KiB comes between two events.",
    isNeutral: true,
    answer: (good) =>
      withPieces(good, (pieces) =>
        pieces.flatMap((one, i) => (i === 2 ? [piece(`:${"-".repeat(1 << 18)}\n\n`), one] : [one])),
      ),
  }),
  legal({
    id: "raw-line-separators",
    says: "The text contains U+2028, U+2029 and U+0085 unescaped, as JSON allows. None of them ends a line of an event stream.",
    restsOn: [parsing, "RFC 8259 section 7", "https://github.com/florimondmanca/httpx-sse/issues/34"],
    answer: (good) => sayingBetween(good, " \u2028 \u2029 \u0085 ").answer(),
  }),
  legal({
    id: "raw-form-feeds",
    says: "The text contains U+000C and U+001C, escaped in the JSON. Some languages treat them as line endings.",
    restsOn: [parsing, "RFC 8259 section 7"],
    answer: (good) => sayingBetween(good, " \f \u001c \v ").answer(),
  }),
  legal({
    id: "escaped-characters",
    says: "Every non-ASCII character is escaped; those beyond 16 bits take two escapes.",
    restsOn: ["RFC 8259 section 7"],
    answer: (good) => spelt(good, (event) => linesOf(event).map(escaped)),
  }),
  legal({
    id: "json-blanks",
    says: "The JSON of each event has spaces wherever JSON allows them.",
    restsOn: ["RFC 8259 section 2"],
    answer: (good) =>
      spelt(good, (event) => linesOf(typeof event.data === "string" ? event : { ...event, data: spaced(event.data) })),
  }),
  legal({
    id: "member-order",
    says: "The members of every object come in reverse order.",
    restsOn: ["RFC 8259 section 4"],
    answer: (good) => good.withEvents(good.events.map((event) => ({ ...event, data: reversed(event.data) }))),
  }),
  legal({
    id: "text-like-events",
    says: "The text looks like lines of a stream, such as an end marker.",
    restsOn: ["RFC 8259 section 7"],
    answer: (good) => sayingBetween(good, "\n\ndata: [DONE]\n\nevent: error\ndata: {}\n\n: ").answer(),
  }),
  legal({
    id: "escapes-in-text",
    says: "The text contains quotes, backslashes, tabs and line breaks.",
    restsOn: ["RFC 8259 section 7"],
    answer: (good) => sayingBetween(good, ' "\\" \\n \t\r\n </script> {} ').answer(),
  }),
  legal({
    id: "blanks-alone",
    says: "Some events carry only a space or a line break.",
    restsOn: ["RFC 8259 section 7"],
    answer: (good) =>
      saying(
        good,
        good.words.flatMap((word, i) => (i === 0 ? [word] : [i % 3 === 0 ? "\n" : " ", word])),
      ).answer(),
  }),
  legal({
    id: "repeated-pieces",
    says: "Several events in a row carry the same piece of text.",
    restsOn: ["RFC 8259 section 7"],
    answer: (good) => {
      const words = piecesOf(good.words);
      return saying(good, [...words.slice(0, 5), " ha", " ha", " ha", ...words.slice(5)]).answer();
    },
  }),
  legal({
    id: "one-letter-events",
    says: "Each event carries one character of the text.",
    restsOn: [parsing],
    cutsWords: true,
    answer: (good) => saying(good, [...good.words.join(" ")]).answer(),
  }),
];

export const cuts: readonly Case[] = [
  legal({
    id: "cut-at-every-byte",
    says: "Every byte of the body is a chunk of its own.",
    restsOn: ["RFC 9112 section 7.1", parsing],
    answer: (good) => withPieces(good, (pieces) => inPieces(bytesOf(pieces), 1)),
  }),
  legal({
    id: "cut-at-every-third-byte",
    says: "The body comes in chunks of three bytes.",
    restsOn: ["RFC 9112 section 7.1", parsing],
    answer: (good) => withPieces(good, (pieces) => inPieces(bytesOf(pieces), 3)),
  }),
  legal({
    id: "cut-within-characters",
    says: "Every multi-byte character is split between two packets.",
    restsOn: ["RFC 9112 section 7.1", "WHATWG HTML 9.2.6"],
    answer: (good) =>
      withPieces(good, (pieces) => {
        const bytes = bytesOf(pieces);
        return cutAt(bytes, withinCharacters(bytes), 15);
      }),
  }),
  legal({
    id: "cut-within-line-ends",
    says: "Every CR LF is split between two packets.",
    restsOn: ["RFC 9112 section 7.1", parsing],
    answer: (good) => {
      const bytes = bytesOf(spelt(good, linesOf, "\r\n").pieces);
      const places = [...bytes.toString("latin1").matchAll(/\r(?=\n)/g)].map(({ index }) => index + 1);
      return { ...good.answer(), pieces: cutAt(bytes, places, 2) };
    },
  }),
  legal({
    id: "cut-between-blank-lines",
    says: "Every blank line comes in a later packet than the line before it.",
    restsOn: ["RFC 9112 section 7.1", parsing],
    answer: (good) =>
      withPieces(good, (pieces) =>
        pieces.flatMap(({ bytes }) => [
          piece(bytes.subarray(0, bytes.length - 1), 2),
          piece(bytes.subarray(bytes.length - 1), 2),
        ]),
      ),
  }),
  legal({
    id: "cut-in-data",
    says: "Every event is split in the middle of its data, with a pause.",
    restsOn: ["RFC 9112 section 7.1", parsing],
    answer: (good) =>
      withPieces(good, (pieces) =>
        pieces.flatMap(({ bytes }) => {
          const middle = Math.floor(bytes.length / 2);
          return [piece(bytes.subarray(0, middle), 5), piece(bytes.subarray(middle), 5)];
        }),
      ),
  }),
  legal({
    id: "one-write",
    says: "The whole body comes in one piece.",
    restsOn: [parsing],
    answer: (good) => withPieces(good, (pieces) => [piece(bytesOf(pieces))]),
  }),
  legal({
    id: "one-and-a-half",
    says: "Each piece of the body holds the end of one event and the beginning of the next.",
    restsOn: [parsing],
    answer: (good) =>
      withPieces(good, (pieces) => {
        const bytes = bytesOf(pieces);
        const middles: number[] = [];
        let at = 0;
        for (const one of pieces) {
          middles.push(at + Math.floor(one.bytes.length / 2));
          at += one.bytes.length;
        }
        return cutAt(bytes, middles, 3);
      }),
  }),
];

export const sizes: readonly Case[] = [
  legal({
    id: "thousand-events",
    says: "A thousand events carry one word each, all in one piece.",
    restsOn: [parsing],
    answer: (good) =>
      withPieces(saying(good, piecesOf(canaries(good.words.join(" "), 1000))), (pieces) => [piece(bytesOf(pieces))]),
  }),
  legal({
    id: "megabyte-event",
    says: "One event carries 1 MB of text.",
    restsOn: [parsing],
    answer: (good) => {
      const [first, ...rest] = piecesOf(good.words);
      return saying(good, [first!, ` ${"la".repeat(1 << 19)}`, ...rest]).answer();
    },
  }),
  legal({
    id: "quarter-megabyte-event",
    says: "One event carries 256 KiB of text.",
    restsOn: [parsing],
    answer: (good) => {
      const [first, ...rest] = piecesOf(good.words);
      return saying(good, [first!, ` ${"la".repeat(1 << 17)}`, ...rest]).answer();
    },
  }),
];

export const paces: readonly Case[] = [
  legal({
    id: "slow-first-event",
    says: "The headers come at once, and the first event two seconds later.",
    restsOn: [parsing],
    answer: (good) => withPieces(good, ([first, ...rest]) => [{ ...first!, after: 2000 }, ...rest]),
  }),
  legal({
    id: "silence-with-comments",
    says: "Two seconds pass between two events, with a comment every half second.",
    restsOn: [parsing, "https://github.com/mnfst/llm-gateway/issues/2053"],
    answer: (good) =>
      withPieces(good, (pieces) =>
        pieces.flatMap((one, i) =>
          i === 2 ? [...Array.from({ length: 4 }, () => piece(": ping\n\n", 500)), one] : [one],
        ),
      ),
  }),
  legal({
    id: "silence",
    says: "Two seconds pass between two events.",
    restsOn: [parsing],
    answer: (good) => withPieces(good, (pieces) => pieces.map((one, i) => (i === 2 ? { ...one, after: 2000 } : one))),
  }),
  legal({
    id: "steady-pace",
    says: "The events come one by one, 20 ms apart.",
    restsOn: [parsing],
    answer: (good) => withPieces(good, (pieces) => pieces.map((one) => ({ ...one, after: 20 }))),
  }),
];
