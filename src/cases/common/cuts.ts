/** Cases in which an answer breaks off, or its bytes are wrong, in every interface. */
import { gzipSync } from "node:zlib";
import { utf8 } from "../../wire/build.ts";
import type { Answer, AnswerPiece } from "../answer.ts";
import { callPart } from "../calls.ts";
import type { Case } from "../case.ts";
import { type Good, piece, writeEvent } from "../good.ts";
import { everyInterface, streaming } from "../interface-names.ts";
import type { SpeechEnd } from "../speech.ts";
import { withHeaders } from "./transfer.ts";

type CutCase = Pick<Case, "id" | "says" | "answer"> & Partial<Case>;

/** A client must not take an incomplete message for a complete one. */
const incomplete = "RFC 9112 section 8";

const fault = (own: CutCase): Case => ({
  interfaces: everyInterface,
  kind: "fault",
  restsOn: [incomplete],
  due: "error",
  fails: ["silent"],
  ...own,
  id: `cut/${own.id}`,
});

const inStream = (own: CutCase): Case => fault({ interfaces: streaming, form: "stream", ...own });

/** Nothing says that the message is incomplete but what the interface has as its end. */
const cleanly = (own: CutCase): Case => inStream({ fails: [], ...own });

/** Arguments as they came are fine, and so is an error. Others are not what the model said. */
const shortCall = (own: CutCase): Case =>
  cleanly({
    interfaces: ["chat-completions", "messages"],
    due: "either",
    offersTools: true,
    needs(good) {
      if (good.tools.length === 0) return "it offers no tools";
      return callPart(good).pieces.length > 1 ? undefined : "its tool takes no arguments that can be cut";
    },
    ...own,
  });

const bytesOf = (pieces: readonly AnswerPiece[]): Buffer => Buffer.concat(pieces.map(({ bytes }) => bytes));

/** The answer up to a share of its events, at least one of which brings text. */
function begun(answer: Answer, share = 0.6): Answer {
  const kept = Math.max(1, Math.floor(answer.pieces.length * share));
  return { ...answer, pieces: answer.pieces.slice(0, kept), isComplete: false };
}

/** The answer up to the middle of the data of an event. */
function begunInEvent(answer: Answer, share = 0.6): Answer {
  const part = begun(answer, share);
  const next = answer.pieces[part.pieces.length]!;
  return { ...part, pieces: [...part.pieces, piece(next.bytes.subarray(0, Math.floor(next.bytes.length * 0.7)))] };
}

/** The beginning of a whole body. */
function begunBody(answer: Answer): Answer {
  const bytes = bytesOf(answer.pieces);
  return { ...answer, pieces: [piece(bytes.subarray(0, Math.floor(bytes.length / 2)))], isComplete: false };
}

const cut = (answer: Answer): Answer => (answer.pieces.length > 2 ? begun(answer) : begunBody(answer));

const once =
  (failing: (good: Good) => Answer) =>
  (good: Good): Answer =>
    good.attempt < 1 ? failing(good) : good.answer();

const headless = (good: Good, end: "close" | "reset", headEnd: number): Answer => ({
  ...good.answer(),
  pieces: [],
  headEnd,
  end,
  isComplete: false,
});

export const breaks: readonly Case[] = [
  fault({
    id: "reset-before-head",
    says: "The connection is always reset before any headers.",
    answer: (good) => headless(good, "reset", 0),
  }),
  fault({
    id: "close-before-head",
    says: "The connection is always closed before any headers.",
    answer: (good) => headless(good, "close", 0),
  }),
  fault({
    id: "reset-before-head-once",
    says: "The connection is reset before any headers once, and then the server answers.",
    answer: once((good) => headless(good, "reset", 0)),
  }),
  fault({
    id: "reset-in-head",
    says: "The connection is always reset in the middle of the headers.",
    answer: (good) => headless(good, "reset", 30),
  }),
  fault({
    id: "close-in-head",
    says: "The connection is always closed in the middle of the headers.",
    answer: (good) => headless(good, "close", 30),
  }),
  fault({
    id: "reset-after-head",
    says: "The connection is always reset after the headers.",
    answer: (good) => ({ ...good.answer(), pieces: [], end: "reset", toldLength: 1000, isComplete: false }),
  }),
  fault({
    id: "close-after-head",
    says: "The connection is always closed after the headers.",
    answer: (good) => ({ ...good.answer(), pieces: [], end: "close", toldLength: 1000, isComplete: false }),
  }),
  fault({
    id: "reset-in-body",
    says: "The connection is always reset in the middle of the body.",
    answer: (good) => ({ ...cut(good.answer()), end: "reset", ...lengthOf(good) }),
  }),
  fault({
    id: "reset-in-body-once",
    says: "The connection is reset in the middle of the body once, and then the server answers.",
    answer: once((good) => ({ ...cut(good.answer()), end: "reset", ...lengthOf(good) })),
  }),
  fault({
    id: "close-in-body",
    says: "The connection is always closed in the middle of the body, and its end is missing.",
    answer: (good) => ({ ...cut(good.answer()), end: "close", ...lengthOf(good) }),
  }),
  fault({
    id: "close-before-told-length",
    says: "The connection is closed before all bytes that Content-Length announced.",
    answer: (good) => ({
      ...cut(good.answer()),
      framing: "length",
      toldLength: bytesOf(good.answer().pieces).length,
      end: "close",
    }),
  }),
  inStream({
    id: "reset-in-event",
    says: "The connection is always reset in the middle of an event.",
    answer: (good) => ({ ...begunInEvent(good.answer()), end: "reset" }),
  }),
  inStream({
    id: "close-in-event",
    says: "The connection is always closed in the middle of an event, and the last chunk is missing.",
    answer: (good) => ({ ...begunInEvent(good.answer()), end: "close" }),
  }),
  inStream({
    id: "reset-in-arguments",
    says: "The connection is always reset in the middle of a call's arguments.",
    needs: "tools",
    answer: (good) => ({ ...begunInCall(good), end: "reset" }),
  }),
  inStream({
    id: "close-in-arguments",
    says: "The connection is always closed in the middle of a call's arguments, and the last chunk is missing.",
    needs: "tools",
    answer: (good) => ({ ...begunInCall(good), end: "close" }),
  }),
  fault({
    id: "gzip-cut",
    says: "The compressed body ends too early.",
    restsOn: ["RFC 1952 section 2.3"],
    // HTTP has nothing to say of it.
    fails: [],
    needs: (good) => (good.takes("gzip") ? undefined : "it does not take the content coding gzip"),
    answer: (good) => {
      const bytes = gzipSync(bytesOf(good.answer().pieces));
      const short = bytes.subarray(0, Math.floor(bytes.length / 2));
      return {
        ...withHeaders(good.answer(), [["Content-Encoding", "gzip"]]),
        pieces: [piece(short)],
        isComplete: false,
      };
    },
  }),
  fault({
    id: "not-gzip",
    says: "The body is labelled as compressed and is not.",
    restsOn: ["RFC 9110 section 8.4"],
    fails: [],
    needs: (good) => (good.takes("gzip") ? undefined : "it does not take the content coding gzip"),
    due: "either",
    // The fetch of Node 20 hangs by chance where the end comes a moment after the bytes that are no gzip.
    answer: (good) => ({ ...withHeaders(good.answer(), [["Content-Encoding", "gzip"]]), isAtOnce: true }),
  }),
  fault({
    id: "bad-chunk-size",
    says: "The size of a chunk is not a number.",
    restsOn: ["RFC 9112 section 7.1"],
    answer: (good) => ({
      ...cut(good.answer()),
      framing: "chunked",
      raw: utf8("zz\r\nnothing\r\n0\r\n\r\n"),
      end: "close",
    }),
  }),
  fault({
    id: "not-http",
    says: "The answer is not HTTP.",
    restsOn: ["RFC 9112 section 2.1"],
    answer: (good) => ({
      ...headless(good, "close", 0),
      before: utf8("SSH-2.0-OpenSSH_9.6\r\n\r\n"),
    }),
  }),
];

export const cleanEnds: readonly Case[] = [
  cleanly({
    id: "end-in-text",
    says: "The stream ends in the middle of the text, although HTTP says that it is complete.",
    restsOn: ["https://github.com/earendil-works/pi/issues/5793"],
    answer: (good) => begun(good.answer()),
  }),
  cleanly({
    id: "end-in-event",
    says: "The stream ends in the middle of an event, although HTTP says that it is complete.",
    restsOn: ["WHATWG HTML 9.2.6"],
    answer: (good) => begunInEvent(good.answer()),
  }),
  cleanly({
    id: "end-in-arguments",
    says: "The stream ends in the middle of a call's arguments, although HTTP says that it is complete.",
    restsOn: ["https://github.com/earendil-works/pi/issues/5793"],
    needs: "tools",
    answer: (good) => begunInCall(good),
  }),
  shortCall({
    id: "arguments-cut-by-length",
    says: "The arguments of a call are cut, and the stream ends because the token limit is reached.",
    restsOn: [
      "https://github.com/ahwurm/localharness/issues/77",
      "https://github.com/experientiallabs/experiential/issues/758",
    ],
    answer: (good) => endedInCall(good, "length"),
  }),
  shortCall({
    id: "arguments-cut-unsaid",
    says: "The arguments of a call are cut, and the stream ends as if the call were whole.",
    restsOn: [
      "https://github.com/MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark/issues/55",
      "https://github.com/NousResearch/hermes-agent/pull/7693",
    ],
    answer: (good) => endedInCall(good, "calls"),
  }),
  cleanly({
    id: "end-after-first-event",
    says: "The stream ends after its first event, before any text, although HTTP says that it is complete.",
    restsOn: ["https://github.com/earendil-works/pi/issues/5793"],
    answer: (good) => begun(good.answer(), good.shape?.beginsWithText ? 0.1 : 0),
  }),
  cleanly({
    id: "no-event",
    says: "The stream has no events, only a comment.",
    restsOn: ["WHATWG HTML 9.2.6"],
    answer: (good) => ({ ...begun(good.answer()), pieces: [piece(": nothing here\n\n")] }),
  }),
];

export const wrongBytes: readonly Case[] = [
  fault({
    id: "broken-json",
    says: "The whole reply is truncated JSON, although HTTP says that it is complete.",
    restsOn: ["RFC 8259 section 2"],
    form: "whole",
    answer: (good) => begunBody(good.answer()),
  }),
  inStream({
    id: "broken-event",
    says: "The data of one event is truncated JSON, and the stream goes on.",
    restsOn: ["RFC 8259 section 2"],
    fails: [],
    answer: (good) => {
      const answer = good.answer();
      const at = Math.floor(answer.pieces.length / 2);
      const text = Buffer.from(answer.pieces[at]!.bytes).toString().trimEnd();
      const broken = piece(`${text.slice(0, text.length - 12)}\n\n`);
      return { ...answer, pieces: answer.pieces.with(at, broken), isComplete: false };
    },
  }),
  inStream({
    id: "event-no-json",
    says: "The data of one event is plain words instead of JSON.",
    restsOn: ["https://github.com/anomalyco/opencode/issues/50871"],
    fails: [],
    due: "either",
    answer: (good) => {
      const answer = good.answer();
      const at = Math.floor(answer.pieces.length / 2);
      return { ...answer, pieces: answer.pieces.toSpliced(at, 0, piece("data: : keepalive\n\n")) };
    },
  }),
  inStream({
    id: "bad-utf8-in-stream",
    says: "A character of the text is not valid UTF-8.",
    restsOn: ["X-UTF8", "WHATWG HTML 9.2.6"],
    fails: [],
    due: "end",
    answer: (good) => withBadByte(good),
  }),
  fault({
    id: "bad-utf8",
    says: "A character of the whole reply is not valid UTF-8.",
    restsOn: ["X-UTF8", "RFC 8259 section 8.1"],
    form: "whole",
    interfaces: streaming,
    fails: [],
    due: "end",
    answer: (good) => withBadByte(good),
  }),
];

/** The answer with the first character of several bytes replaced by a byte that no UTF-8 holds. */
function withBadByte(good: Good): Answer {
  const answer = good.answer();
  let isDone = false;
  const pieces = answer.pieces.map((one) => {
    const at = isDone ? -1 : one.bytes.findIndex((byte) => byte >= 0xc0);
    if (at < 0) return one;
    isDone = true;
    const bytes = Buffer.from(one.bytes);
    return piece(Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 2)]));
  });
  return { ...answer, pieces, isComplete: false };
}

const lengthOf = (good: Good): Partial<Answer> =>
  good.form === "stream" ? {} : { toldLength: bytesOf(good.answer().pieces).length };

/** The bytes of an answer with a call whose arguments are cut, though it ends. @param end the reason that it gives */
function endedInCall(good: Good, end: SpeechEnd): Answer {
  const part = callPart(good);
  const pieces = part.pieces.slice(0, Math.ceil(part.pieces.length / 2));
  return good.say({ parts: [{ ...part, pieces }], end }).answer();
}

/** A call of which half of the arguments came. */
function begunInCall(good: Good): Answer {
  const part = callPart(good);
  const calling = good.say({ parts: [part], end: "calls" });
  const { pieces, ...answer } = calling.answer();
  const bare = good.say({ parts: [{ ...part, pieces: [] }], end: "calls" }).events;
  const brings = calling.events.length - bare.length;
  const first = calling.events.findIndex((event, i) => JSON.stringify(event) !== JSON.stringify(bare[i]));
  if (brings > 0) return { ...answer, pieces: pieces.slice(0, first + Math.floor(brings / 2)), isComplete: false };
  // The event of a stream that brings a call at once is cut within a word of the arguments.
  const { bytes } = pieces[first]!;
  const at = Buffer.from(bytes).indexOf(good.words[0]!);
  return { ...answer, pieces: [...pieces.slice(0, first), piece(bytes.subarray(0, at + 4))], isComplete: false };
}

export const errorEvents: readonly Case[] = [
  inStream({
    id: "error-event",
    says: "An event in the middle of the text reports an error, and the stream ends.",
    restsOn: ["X-STREAM-ERROR", "https://github.com/farzaa/clicky/issues/132"],
    fails: [],
    answer: (good) => withErrorEvent(good, 0.6),
  }),
  inStream({
    id: "error-event-first",
    says: "The only event of the stream reports an error.",
    restsOn: ["X-STREAM-ERROR", "https://github.com/router-for-me/CLIProxyAPI/pull/4980"],
    fails: [],
    answer: (good) => withErrorEvent(good, 0),
  }),
  inStream({
    id: "error-event-and-done",
    says: "The stream reports an error in its only event, and ends with [DONE].",
    restsOn: ["X-STREAM-ERROR", "https://github.com/BerriAI/litellm/issues/40578"],
    interfaces: ["chat-completions"],
    fails: [],
    answer(good) {
      const answer = withErrorEvent(good, 0);
      return { ...answer, pieces: [...answer.pieces, piece("data: [DONE]\n\n")] };
    },
  }),
  inStream({
    id: "error-event-and-end",
    says: "An event in the middle of the text reports an error. The usual end of a stream follows.",
    restsOn: ["X-STREAM-ERROR", "https://github.com/farzaa/clicky/issues/132"],
    fails: [],
    answer: (good) => {
      const answer = withErrorEvent(good, 0.6);
      const ending = good.events.slice(good.events.length - (good.shape?.endingEvents ?? 0));
      return { ...answer, pieces: [...answer.pieces, ...ending.map((event) => piece(writeEvent(event)))] };
    },
  }),
  inStream({
    id: "named-error-event",
    says: "An event named error carries plain words instead of JSON, and the stream ends.",
    restsOn: ["X-STREAM-ERROR", "https://github.com/SamSaffron/term-llm/pull/487"],
    fails: [],
    answer: (good) => {
      const part = begun(good.answer());
      return { ...part, pieces: [...part.pieces, piece("event: error\ndata: upstream is overloaded\n\n")] };
    },
  }),
];

function withErrorEvent(good: Good, share: number): Answer {
  const answer = good.answer();
  const kept = share === 0 ? [] : begun(answer, share).pieces;
  const failure = good.shape ? [good.shape.failure("Overloaded")] : [];
  return { ...answer, pieces: [...kept, ...failure.map((event) => piece(writeEvent(event)))], isComplete: false };
}
