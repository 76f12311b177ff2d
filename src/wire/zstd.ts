/** Undoes zstd with a bounded use of fzstd: Node's own decoder is not in every Node and reads only the first frame. */

import { Decompress, decompress, type ZstdError, ZstdErrorCode } from "fzstd";
import { viewOf } from "./bytes.ts";
import type { Decoded } from "./decoded.ts";

/** Largest window a sender may use in HTTP (RFC 9659). fzstd moves the whole window for every block. */
const widestWindow = 8 << 20;
/** Bytes of window moved that every body may cost, and those for each of its bytes. */
const movedAlways = 2 ** 33;
const movedPerByte = 2 ** 15;
/** Frames of one body: an honest sender makes one, or one a flush. */
const maxFrames = 100_000;
/** Bytes handed to fzstd in one go. */
const step = 1 << 16;

interface Frame {
  /** Size its header declares; undefined where it leaves that open. */
  readonly declared: number | undefined;
  readonly window: number;
  readonly blocks: number;
  /** Position after the frame; undefined when the body ends before the frame does. */
  readonly end: number | undefined;
}

/** Walks a frame's headers without decoding it (RFC 8878 section 3.1.1); undefined where no frame starts. */
function frameAt(body: Buffer, at: number): Frame | undefined {
  if (body.length < at + 4) return { declared: undefined, window: 0, blocks: 0, end: undefined };
  const magic = body.readUInt32LE(at);
  if (magic >>> 4 === 0x184d2a5) {
    const end = body.length < at + 8 ? undefined : at + 8 + body.readUInt32LE(at + 4);
    return { declared: 0, window: 0, blocks: 0, end: end !== undefined && end <= body.length ? end : undefined };
  }
  if (magic !== 0xfd2fb528) return undefined;
  if (body.length < at + 18) {
    // Room for the longest header; short frames are padded here only so that reading stays in bounds.
    const padded = frameAt(Buffer.concat([body.subarray(at), Buffer.alloc(18)]), 0)!;
    return { ...padded, end: padded.end && padded.end <= body.length - at ? at + padded.end : undefined };
  }
  const flags = body[at + 4]!;
  const single = (flags >> 5) & 1;
  const sizeBytes = flags >> 6 ? 1 << (flags >> 6) : single;
  let next = at + 6 - single + [0, 1, 2, 4][flags & 3]!;
  let declared: number | undefined;
  if (sizeBytes === 8) declared = Number(body.readBigUInt64LE(next));
  else if (sizeBytes > 0) declared = body.readUIntLE(next, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  next += sizeBytes;
  const exponent = 1 << (10 + (body[at + 5]! >> 3));
  const window = single ? declared! : exponent + (exponent / 8) * (body[at + 5]! & 7);
  for (let blocks = 1; ; blocks++) {
    if (next + 3 > body.length) return { declared, window, blocks, end: undefined };
    const header = body.readUIntLE(next, 3);
    next += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
    const end = next + (flags & 4);
    if (end > body.length) return { declared, window, blocks, end: undefined };
    if (header & 1) return { declared, window, blocks, end };
  }
}

class TooLarge extends Error {}

/** Decodes block by block, so that it can stop at the limit and keep what a torn body holds. */
function decodeInSteps(body: Uint8Array, limit: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const stream = new Decompress((piece) => {
    size += piece.length;
    if (size > limit) throw new TooLarge();
    pieces.push(piece);
  });
  try {
    for (let at = 0; at < body.length; at += step) stream.push(body.subarray(at, at + step), at + step >= body.length);
  } catch (error) {
    if ((error as ZstdError).code !== ZstdErrorCode.UnexpectedEOF) throw error;
  }
  return Buffer.concat(pieces);
}

/** Decodes zstd frames to at most `limit` bytes; throws what the decoder throws on damaged data. */
export function decodeZstd(bytes: Uint8Array, limit: number): Decoded {
  const body = viewOf(bytes);
  const pieces: Uint8Array[] = [];
  let left = limit;
  let frames = 0;
  let movable = movedAlways + movedPerByte * body.length;
  for (let at = 0; at < body.length; ) {
    const frame = frameAt(body, at);
    if (!frame) return { ok: false, problem: "content encoding zstd: no frame where one must start" };
    const { declared, window, blocks, end } = frame;
    const tooLarge = {
      ok: false,
      problem: `content encoding zstd: the body decodes to more than ${limit} bytes`,
      tooLarge: true,
    } as const;
    if (declared !== undefined && declared > left) return tooLarge;
    const isWide = declared === undefined && (window > widestWindow || window * blocks > movable);
    if (declared === undefined) movable -= window * blocks;
    if (isWide) return { ok: false, problem: "content encoding zstd: the window is larger than 8 MB", tooLarge: true };
    if (++frames > maxFrames)
      return { ok: false, problem: `content encoding zstd: more than ${maxFrames} frames`, tooLarge: true };
    try {
      const bytes = body.subarray(at, end);
      if (declared !== undefined && end) pieces.push(decompress(bytes));
      else pieces.push(decodeInSteps(bytes, left));
    } catch (error) {
      if (error instanceof TooLarge) return tooLarge;
      throw error;
    }
    left -= pieces.at(-1)!.length;
    if (end === undefined) return { ok: true, bytes: Buffer.concat(pieces), partial: true };
    at = end;
  }
  return { ok: true, bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces) };
}
