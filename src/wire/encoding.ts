/** Undoes content encodings (gzip, deflate, br, zstd), with a bound on what a small body may grow to. */
import * as zlib from "node:zlib";
import type { Decoded } from "./decoded.ts";
import type { HeaderPairs } from "./exchange.ts";
import { decodeZstd } from "./zstd.ts";

/** No honest sender stacks more than two; each may grow to the limit. */
const maxCodings = 5;

/** The size that a body may grow to by default: a hundredfold, which no large honest text reaches; small ones may say one thing over and over. */
const maxGrown = (length: number): number => Math.min(128 << 20, Math.max(16 << 20, 100 * length));

type Inflate = (body: Uint8Array, options: zlib.ZlibOptions) => Buffer;

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/** Runs one of zlib's decoders; where it wants more bytes, once more for what is there. */
function inflate(decode: Inflate, body: Uint8Array, limit: number, finishFlush: number): Decoded {
  try {
    return { ok: true, bytes: decode(body, { maxOutputLength: limit }) };
  } catch (error) {
    if (codeOf(error) !== "Z_BUF_ERROR") throw error;
    return { ok: true, bytes: decode(body, { maxOutputLength: limit, finishFlush }), partial: true };
  }
}

const startsAsZlib = (body: Uint8Array): boolean =>
  (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | (body[1] ?? 0)) % 31 === 0;

/** `deflate` means the zlib format, but many servers send raw deflate data under that name. */
function undeflate(body: Uint8Array, limit: number): Decoded {
  const flush = zlib.constants.Z_SYNC_FLUSH;
  if (!startsAsZlib(body)) return inflate(zlib.inflateRawSync, body, limit, flush);
  try {
    return inflate(zlib.inflateSync, body, limit, flush);
  } catch (error) {
    if (codeOf(error) !== "Z_DATA_ERROR") throw error;
    return inflate(zlib.inflateRawSync, body, limit, flush);
  }
}

function undo(coding: string, body: Uint8Array, limit: number): Decoded {
  if (coding === "gzip" || coding === "x-gzip")
    return inflate(zlib.gunzipSync, body, limit, zlib.constants.Z_SYNC_FLUSH);
  if (coding === "deflate") return undeflate(body, limit);
  if (coding === "br")
    return inflate(zlib.brotliDecompressSync as Inflate, body, limit, zlib.constants.BROTLI_OPERATION_FLUSH);
  if (coding === "zstd") return decodeZstd(body, limit);
  return { ok: false, problem: `unknown content encoding ${coding}` };
}

/** Decodes `body` by a Content-Encoding value such as `gzip` or `gzip, br`, to at most `limit` bytes. Never throws. */
export function decodeContent(
  body: Uint8Array,
  contentEncoding: string | undefined,
  limit = maxGrown(body.length),
): Decoded {
  if (!contentEncoding || body.length === 0) return { ok: true, bytes: body };
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length === 0) return { ok: true, bytes: body };
  if (codings.length > maxCodings) return { ok: false, problem: `${codings.length} content encodings in a row` };
  let bytes = body;
  let partial = false;
  for (const coding of codings.reverse()) {
    try {
      const decoded = undo(coding, bytes, limit);
      if (!decoded.ok) return decoded;
      bytes = decoded.bytes;
      partial ||= decoded.partial === true;
    } catch (error) {
      const tooLarge = codeOf(error) === "ERR_BUFFER_TOO_LARGE";
      const why = tooLarge ? `the body decodes to more than ${limit} bytes` : (error as Error).message;
      return { ok: false, problem: `content encoding ${coding}: ${why}`, ...(tooLarge && { tooLarge }) };
    }
  }
  return { ok: true, bytes, ...(partial && { partial }) };
}

/** Whether a body still has the coding its header names, which clients undo, and some who export bodies do not. */
export function isStillEncoded(body: Uint8Array, coding: string): boolean {
  const decoded = decodeContent(body, coding);
  if (!decoded.ok) return decoded.problem.startsWith("unknown");
  const magic = Buffer.from(body.subarray(0, 4)).toString("hex");
  return !decoded.partial || magic.startsWith("1f8b") || magic === "28b52ffd";
}

/**
 * The headers that fit a body as it is kept: without a coding that was undone, and without a length that is not the body's.
 * @param length the body's; undefined where it is not whole
 */
export function fittingHeaders(
  headers: HeaderPairs,
  { undone, length }: { readonly undone: boolean; readonly length: number | undefined },
): HeaderPairs {
  return headers.filter(([name, value]) => {
    if (name.toLowerCase() === "content-encoding") return !undone;
    return name.toLowerCase() !== "content-length" || length === undefined || value.trim() === String(length);
  });
}
