/** Cases of how HTTP carries an answer, in every interface. */
import { brotliCompressSync, constants, crc32, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { utf8 } from "../../wire/build.ts";
import type { HeaderPairs } from "../../wire/exchange.ts";
import type { Answer } from "../answer.ts";
import type { Case } from "../case.ts";
import { type Good, piece } from "../good.ts";
import { everyInterface, streaming } from "../interface-names.ts";

type TransferCase = Pick<Case, "id" | "says" | "restsOn" | "answer"> & Partial<Case>;

const legal = (own: TransferCase): Case => ({
  interfaces: everyInterface,
  kind: "legal",
  due: "answer",
  ...own,
  id: `transfer/${own.id}`,
});

const bytesOf = ({ pieces }: Answer): Buffer => Buffer.concat(pieces.map(({ bytes }) => bytes));

/** The answer with headers in place of those of the same names. */
export function withHeaders(answer: Answer, headers: HeaderPairs): Answer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return { ...answer, headers: [...answer.headers.filter(([name]) => !names.has(name.toLowerCase())), ...headers] };
}

const mapHeaders = (answer: Answer, change: (name: string, value: string) => readonly [string, string]): Answer => ({
  ...answer,
  headers: answer.headers.map(([name, value]) => change(name, value)),
});

const encoded = (good: Good, coding: string, bytes: Uint8Array): Answer => ({
  ...withHeaders(good.answer(), [["Content-Encoding", coding]]),
  pieces: [piece(bytes)],
});

/** The header that a request lacks for an answer in a content coding. */
const takes =
  (coding: string) =>
  (good: Good): string | undefined =>
    good.takes(coding) ? undefined : `it does not take the content coding ${coding}`;

/** A gzip file of several parts, each of which can be read when it comes: sync flushes between them. */
function flushed(parts: readonly Uint8Array[]): Uint8Array[] {
  const all = Buffer.concat(parts);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(all), 0);
  tail.writeUInt32LE(all.length, 4);
  const last = deflateRawSync(new Uint8Array());
  return [
    Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]),
    ...parts.map((bytes) => deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })),
    Buffer.concat([last, tail]),
  ];
}

const manyHeaders: HeaderPairs = Array.from({ length: 60 }, (_, i) => [`X-Trace-${i}`, `value-${i}`]);

export const codings: readonly Case[] = [
  legal({
    id: "gzip",
    says: "The body is compressed with gzip, as the request allows.",
    restsOn: ["RFC 9110 section 8.4"],
    needs: takes("gzip"),
    answer: (good) => encoded(good, "gzip", gzipSync(bytesOf(good.answer()))),
  }),
  legal({
    id: "brotli",
    says: "The body is compressed with brotli, as the request allows.",
    restsOn: ["RFC 9110 section 8.4"],
    needs: takes("br"),
    answer: (good) => encoded(good, "br", brotliCompressSync(bytesOf(good.answer()))),
  }),
  legal({
    id: "deflate",
    says: "The body is compressed with deflate, as the request allows.",
    restsOn: ["RFC 9110 section 8.4.1.2"],
    needs: takes("deflate"),
    answer: (good) => encoded(good, "deflate", deflateSync(bytesOf(good.answer()))),
  }),
  legal({
    id: "gzip-in-pieces",
    says: "The compressed body comes in pieces of seven bytes.",
    restsOn: ["RFC 9110 section 8.4", "RFC 9112 section 7.1"],
    needs: takes("gzip"),
    answer: (good) => {
      const bytes = gzipSync(bytesOf(good.answer()));
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
        piece(bytes.subarray(i * 7, i * 7 + 7)),
      );
      return { ...encoded(good, "gzip", bytes), pieces, framing: "chunked" };
    },
  }),
  legal({
    id: "gzip-flushed",
    says: "Each event is compressed and flushed on its own. It can be read at once.",
    restsOn: ["RFC 9110 section 8.4"],
    form: "stream",
    interfaces: streaming,
    needs: takes("gzip"),
    answer: (good) => {
      const answer = good.answer();
      const parts = flushed(answer.pieces.map(({ bytes }) => bytes));
      return { ...encoded(good, "gzip", new Uint8Array()), pieces: parts.map((bytes) => piece(bytes, 2)) };
    },
  }),
];

export const framings: readonly Case[] = [
  legal({
    id: "chunked",
    says: "The body comes in chunks.",
    restsOn: ["RFC 9112 section 7.1"],
    answer: (good) => ({ ...good.answer(), framing: "chunked" }),
  }),
  legal({
    id: "content-length",
    says: "Content-Length announces the length of the body.",
    restsOn: ["RFC 9112 section 6.2"],
    answer: (good) => ({ ...good.answer(), framing: "length" }),
  }),
  legal({
    id: "ends-with-connection",
    says: "The body ends when the connection closes.",
    restsOn: ["RFC 9112 section 6.3"],
    answer: (good) => ({ ...good.answer(), framing: "close", closes: true }),
  }),
  legal({
    id: "connection-close",
    says: "The server announces that it will close the connection after the answer, and does.",
    restsOn: ["RFC 9112 section 9.6"],
    answer: (good) => ({ ...good.answer(), closes: true }),
  }),
  legal({
    id: "keep-alive",
    says: "The connection stays open after the answer, with a timeout in Keep-Alive.",
    restsOn: ["RFC 9112 section 9.3"],
    answer: (good) =>
      withHeaders(good.answer(), [
        ["Connection", "keep-alive"],
        ["Keep-Alive", "timeout=60"],
      ]),
  }),
  legal({
    id: "chunk-extensions",
    says: "Every chunk has an extension after its size.",
    restsOn: ["RFC 9112 section 7.1.1"],
    isNeutral: true,
    answer: (good) => ({ ...good.answer(), framing: "chunked", chunkExtension: ";trace=4f1c" }),
  }),
  legal({
    id: "trailers",
    says: "Trailer fields follow the last chunk.",
    restsOn: ["RFC 9112 section 7.1.2"],
    isNeutral: true,
    answer: (good) => ({
      ...withHeaders(good.answer(), [["Trailer", "X-Took"]]),
      framing: "chunked",
      trailers: [["X-Took", "12 ms"]],
    }),
  }),
  legal({
    id: "early-hints",
    says: "An informational response, 103, comes before the answer.",
    restsOn: ["RFC 9110 section 15.2", "RFC 8297"],
    answer: (good) => ({
      ...good.answer(),
      before: utf8("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"),
    }),
  }),
  legal({
    id: "continue",
    says: "100 Continue comes before the answer, although the client did not ask for it.",
    restsOn: ["RFC 9110 section 15.2.1"],
    isNeutral: true,
    answer: (good) => ({ ...good.answer(), before: utf8("HTTP/1.1 100 Continue\r\n\r\n") }),
  }),
  legal({
    id: "processing",
    says: "102 Processing comes twice before the answer.",
    restsOn: ["RFC 9110 section 15.2"],
    isNeutral: true,
    answer: (good) => ({ ...good.answer(), before: utf8("HTTP/1.1 102 Processing\r\n\r\n".repeat(2)) }),
  }),
];

export const heads: readonly Case[] = [
  legal({
    id: "lower-case-headers",
    says: "Header names are in lower case.",
    restsOn: ["RFC 9110 section 5.1"],
    answer: (good) => mapHeaders(good.answer(), (name, value) => [name.toLowerCase(), value]),
  }),
  legal({
    id: "upper-case-headers",
    says: "Header names are in upper case.",
    restsOn: ["RFC 9110 section 5.1"],
    answer: (good) => mapHeaders(good.answer(), (name, value) => [name.toUpperCase(), value]),
  }),
  legal({
    id: "no-blank-in-headers",
    says: "No space follows the colon of a header.",
    restsOn: ["RFC 9112 section 5.1"],
    answer: (good) => ({ ...good.answer(), headerSeparator: ":" }),
  }),
  legal({
    id: "blanks-in-headers",
    says: "Spaces and a tab surround the value of each header.",
    restsOn: ["RFC 9112 section 5.1"],
    isNeutral: true,
    answer: (good) => ({
      ...mapHeaders(good.answer(), (name, value) => [name, `${value} \t `]),
      headerSeparator: ": \t ",
    }),
  }),
  legal({
    id: "media-type-parameters",
    says: "The media type has a charset.",
    restsOn: ["RFC 9110 section 8.3.1", "X-CT-PARAMS"],
    answer: (good) =>
      mapHeaders(good.answer(), (name, value) => [
        name,
        /^content-type$/i.test(name) ? `${value}; charset=utf-8` : value,
      ]),
  }),
  legal({
    id: "media-type-quoted",
    says: "The media type has a charset in quotes, with no space before it.",
    restsOn: ["RFC 9110 section 8.3.1", "X-CT-PARAMS"],
    isNeutral: true,
    answer: (good) =>
      mapHeaders(good.answer(), (name, value) => [
        name,
        /^content-type$/i.test(name) ? `${value};charset="UTF-8"` : value,
      ]),
  }),
  legal({
    id: "media-type-case",
    says: "The words of the media type begin with capitals.",
    restsOn: ["RFC 9110 section 8.3.1"],
    isNeutral: true,
    answer: (good) =>
      mapHeaders(good.answer(), (name, value) => [
        name,
        /^content-type$/i.test(name) ? value.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : value,
      ]),
  }),
  legal({
    id: "many-headers",
    says: "The response has 60 more headers.",
    restsOn: ["RFC 9110 section 5.4"],
    answer: (good) => withHeaders(good.answer(), manyHeaders),
  }),
  legal({
    id: "long-header",
    says: "The response has a header of 4 KiB.",
    restsOn: ["RFC 9110 section 5.4"],
    answer: (good) => withHeaders(good.answer(), [["X-Policy", "p".repeat(4096)]]),
  }),
  legal({
    id: "repeated-header",
    says: "The response sets two cookies, each in its own header.",
    restsOn: ["RFC 6265 section 3"],
    answer: (good) => ({
      ...good.answer(),
      headers: [...good.answer().headers, ["Set-Cookie", "__a=1; path=/; HttpOnly"], ["Set-Cookie", "__b=2; path=/"]],
    }),
  }),
  legal({
    id: "no-reason",
    says: "The status line has no reason phrase.",
    restsOn: ["RFC 9112 section 4"],
    answer: (good) => ({ ...good.answer(), reason: "" }),
  }),
  legal({
    id: "other-reason",
    says: "The status line has an unusual reason phrase.",
    restsOn: ["RFC 9112 section 4"],
    isNeutral: true,
    answer: (good) => ({ ...good.answer(), reason: "Error: none" }),
  }),
  legal({
    id: "other-success",
    says: "The status is 201 instead of 200.",
    restsOn: ["X-STATUS", "RFC 9110 section 15.3"],
    isNeutral: true,
    answer: (good) => ({ ...good.answer(), status: 201 }),
  }),
  legal({
    id: "head-in-pieces",
    says: "The headers come in packets of ten bytes.",
    restsOn: ["RFC 9112 section 2"],
    answer: (good) => ({ ...good.answer(), headStride: 10 }),
  }),
  legal({
    id: "slow-head",
    says: "The first byte comes after two seconds.",
    restsOn: ["RFC 9110 section 15.3.1"],
    answer: (good) => ({ ...good.answer(), delay: 2000 }),
  }),
];

const whole = (own: TransferCase): Case => legal({ form: "whole", ...own, id: own.id });

export const wholes: readonly Case[] = [
  whole({
    id: "body-in-characters",
    says: "Every byte of the whole reply is a chunk of its own.",
    restsOn: ["RFC 9112 section 7.1"],
    interfaces: ["chat-completions", "messages", "generate-content"],
    answer: (good) => ({
      ...good.answer(),
      framing: "chunked",
      pieces: [...bytesOf(good.answer())].map((_, i, all) =>
        piece(Uint8Array.of(all[i]!), i % 64 === 63 ? 1 : undefined),
      ),
    }),
  }),
  whole({
    id: "blanks-around-json",
    says: "Blank lines come before and after the JSON.",
    restsOn: ["RFC 8259 section 2"],
    answer: (good) => ({ ...good.answer(), pieces: [piece("\n\n  "), ...good.answer().pieces, piece("\r\n\n")] }),
  }),
  whole({
    id: "blanks-while-waiting",
    says: "Line breaks come for two seconds, then the JSON. Some servers keep a connection alive this way.",
    restsOn: ["RFC 8259 section 2"],
    answer: (good) => ({
      ...good.answer(),
      framing: "chunked",
      pieces: [...Array.from({ length: 4 }, () => piece("\n", 500)), ...good.answer().pieces],
    }),
  }),
  whole({
    id: "pretty-json",
    says: "The JSON is spread over many lines.",
    restsOn: ["RFC 8259 section 2"],
    answer: (good) => ({ ...good.answer(), pieces: [piece(JSON.stringify(good.body, undefined, 2))] }),
  }),
  whole({
    id: "escaped-json",
    says: "Every non-ASCII character is escaped.",
    restsOn: ["RFC 8259 section 7"],
    interfaces: ["chat-completions", "messages", "generate-content"],
    answer: (good) => ({
      ...good.answer(),
      pieces: [
        piece(
          JSON.stringify(good.body).replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
          ),
        ),
      ],
    }),
  }),
];
