/** Bodies at rest: wire bytes to one of four JSON forms and back, byte for byte. */

import { isAscii, isUtf8 } from "node:buffer";
import { viewOf } from "../wire/bytes.ts";
import type { ChunkMark } from "../wire/exchange.ts";
import { readJson } from "../wire/read.ts";
import type { BodyJson, ChunkJson } from "./format.ts";

/** Deeper values stay text, since writing JSON recurses. */
const maxDepth = 200;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

/**
 * A body as one piece: `json` where that is exact, else `text` where it is UTF-8, else `base64`.
 * @param maxJson bodies of more bytes are not written as `json`, which takes reading and writing them once more
 */
export function encodeBody(body: Uint8Array, maxJson = Number.POSITIVE_INFINITY): BodyJson {
  const view = viewOf(body);
  if (!isUtf8(view)) return { base64: view.toString("base64") };
  if (body.length > maxJson || (body[0] !== 0x7b && body[0] !== 0x5b)) return { text: view.toString("utf8") };
  const { text, json } = readJson(body);
  if (json.ok && isShallow(json.value, maxDepth) && JSON.stringify(json.value) === text()) return { json: json.value };
  return { text: text() };
}

/** A body in the pieces it arrived in. */
export function encodeChunks(body: Uint8Array, marks: readonly ChunkMark[]): { chunks: ChunkJson[] } {
  const view = viewOf(body);
  let from = 0;
  if (isAscii(view)) {
    // One text, cut up: most streams are ASCII, and of many pieces.
    const text = view.toString("latin1");
    return { chunks: marks.map(([at, length]): ChunkJson => [at, text.slice(from, (from += length))]) };
  }
  const chunks = marks.map(([at, length]): ChunkJson => {
    const piece = view.subarray(from, (from += length));
    return isUtf8(piece) ? [at, piece.toString("utf8")] : [at, piece.toString("base64"), "base64"];
  });
  return { chunks };
}

/** Bytes of a body that become one piece of text: of whole groups of base64, and so few that the collector makes short work of it. */
const stride = 48 << 10;

/** The end of a piece that begins at `from`, so that no character of UTF-8 is cut. */
function endOf(view: Buffer, from: number): number {
  let end = Math.min(view.length, from + stride);
  while (end < view.length && (view[end]! & 0xc0) === 0x80) end--;
  return end;
}

const inside = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The JSON text of `encodeBody`, in pieces, for a body too large to be one text; never in the form `json`. */
export function* bodyPieces(body: Uint8Array): Generator<string> {
  const view = viewOf(body);
  const text = isUtf8(view);
  yield text ? '{"text":"' : '{"base64":"';
  for (let from = 0, to = 0; from < view.length; from = to) {
    to = text ? endOf(view, from) : Math.min(view.length, from + stride);
    yield text ? inside(view.toString("utf8", from, to)) : view.toString("base64", from, to);
  }
  yield '"}';
}

/** The JSON text of `encodeChunks`, in pieces. */
export function* chunkPieces(body: Uint8Array, marks: readonly ChunkMark[]): Generator<string> {
  let before = '{"chunks":[';
  for (let first = 0, from = 0; first < marks.length; ) {
    let last = first;
    let to = from;
    while (last < marks.length && to - from < stride) to += marks[last++]![1];
    const { chunks } = encodeChunks(body.subarray(from, to), marks.slice(first, last));
    yield before + JSON.stringify(chunks).slice(1, -1);
    before = ",";
    first = last;
    from = to;
  }
  yield "]}";
}

/** The bytes of a body that was checked. */
export function bytesOfBody(body: BodyJson): Uint8Array {
  if ("json" in body) return Buffer.from(JSON.stringify(body.json), "utf8");
  if ("text" in body) return Buffer.from(body.text, "utf8");
  return "base64" in body ? Buffer.from(body.base64, "base64") : joinChunks(body.chunks);
}

/** The pieces in which a body came, where they were kept. */
export function marksOfBody(body: BodyJson): readonly ChunkMark[] | undefined {
  if (!("chunks" in body)) return undefined;
  return body.chunks.map(([at, piece, form]) => [
    at,
    form === undefined ? Buffer.byteLength(piece, "utf8") : Buffer.from(piece, form).length,
  ]);
}

/** The bytes of all pieces. */
function joinChunks(chunks: readonly ChunkJson[]): Uint8Array {
  const pieces = chunks.map(([, text, form]) => (form === undefined ? text : Buffer.from(text, form)));
  const texts = pieces.filter((piece) => typeof piece === "string");
  // Text is turned into bytes in one go; cut within a surrogate pair, its pieces would mean something else together.
  return texts.length === pieces.length && texts.every((text) => text.isWellFormed())
    ? Buffer.from(texts.join(""), "utf8")
    : Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "utf8") : piece)));
}
