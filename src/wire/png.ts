/** PNG files: header, transparency of their pixels, and writing them. */

import * as zlib from "node:zlib";
import { decode, encode } from "fast-png";
import { viewOf } from "./bytes.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Larger images are not decoded: 4096 by 4096. */
const maxPixels = 16 << 20;
/** Samples of a pixel by color type. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The chunks in order, up to the one that ends the image or the first that is cut short. */
function* chunksOf(view: Buffer): Generator<Chunk> {
  for (let at = 8; at + 12 <= view.length; ) {
    const end = at + 8 + view.readUInt32BE(at);
    if (end + 4 > view.length) return;
    const type = view.toString("latin1", at + 4, at + 8);
    yield { type, data: view.subarray(at + 8, end) };
    // What follows is no part of the image.
    if (type === "IEND") return;
    at = end + 4;
  }
}

export type PngHeader =
  | { readonly width: number; readonly height: number; readonly color: number; readonly alpha: boolean }
  /** The signature is there, the header is not. */
  | { readonly width: undefined };

/** Reads a PNG's header; undefined where the signature is another's. */
export function pngHeader(view: Buffer): PngHeader | undefined {
  if (!view.subarray(0, 8).equals(signature)) return undefined;
  if (view.length < 29 || view.toString("latin1", 12, 16) !== "IHDR") return { width: undefined };
  const color = view[25]!;
  let alpha = color === 4 || color === 6;
  if (!alpha)
    for (const { type } of chunksOf(view)) {
      if (type === "IDAT") break;
      if (type === "tRNS") alpha = true;
    }
  return { width: view.readUInt32BE(16), height: view.readUInt32BE(20), color, alpha };
}

interface Pixels {
  readonly data: Uint8Array | Uint8ClampedArray | Uint16Array;
  readonly width: number;
  readonly depth: number;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const made = Buffer.alloc(data.length + 12);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, "latin1");
  made.set(data, 8);
  return made;
}

/**
 * Decodes the pixels from header and pixel data alone: other chunks may hold compressed data of any size. The decoder has no
 * bound, so the pixel data is unpacked here first, to no more than the header admits.
 */
function pixelsOf(header: Buffer, packed: readonly Buffer[]): Pixels | undefined {
  const [width, height, depth, color] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8]!, header[9]!];
  const interlaced = header[12] !== 0;
  // fast-png does not read interlaced samples smaller than a byte.
  if (interlaced && depth < 8) return undefined;
  const row = Math.ceil((width * depth * channelsOf[color]!) / 8);
  const raw = zlib.inflateSync(Buffer.concat(packed), { maxOutputLength: (row + 4) * height + 64 });
  if (raw.length < row * height) return undefined;
  const file = Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", zlib.deflateSync(raw, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return decode(file);
}

/** Whether the last sample of some pixel is zero. */
function someAlphaZero(data: Pixels["data"], channels: number): boolean {
  for (let i = channels - 1; i < data.length; i += channels) if (data[i] === 0) return true;
  return false;
}

/** Whether some pixel has exactly the color that tRNS names. */
function someColored({ data, depth, width }: Pixels, wanted: readonly number[]): boolean {
  if (depth < 8) return someSample({ data, depth, width }, (sample) => sample === wanted[0]);
  for (let i = 0; i + wanted.length <= data.length; i += wanted.length)
    if (wanted.every((sample, k) => data[i + k] === sample)) return true;
  return false;
}

/** Walks one-channel samples, packed several a byte where the depth is below 8; rows start at a byte. */
function someSample({ data, depth, width }: Pixels, test: (sample: number) => boolean): boolean {
  const row = Math.ceil((width * depth) / 8);
  const mask = (1 << depth) - 1;
  for (let start = 0; start + row <= data.length; start += row)
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      if (test((data[start + (bit >> 3)]! >> (8 - depth - (bit & 7))) & mask)) return true;
    }
  return false;
}

/** A PNG's pixels with the chunks that say what samples mean. */
interface Opened {
  readonly color: number;
  readonly pixels: Pixels;
  readonly palette: Buffer | undefined;
  readonly transparency: Buffer | undefined;
}

/** Bytes that a PNG's pixels unpack to, a thousand times as many as it has; Infinity for one that is not decoded for its size. */
export function unpackedSize(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const facts = pngHeader(view);
  if (!facts || facts.width === undefined) return 0;
  if (facts.width * facts.height > maxPixels) return Number.POSITIVE_INFINITY;
  return (facts.width * facts.height * (channelsOf[facts.color] ?? 0) * view[24]!) / 8;
}

/** Opens a PNG whose header has been read; undefined when it cannot be decoded. Never throws. */
function open(view: Buffer, facts: PngHeader): Opened | undefined {
  if (facts.width === undefined || facts.width * facts.height > maxPixels) return undefined;
  if (!(facts.color in channelsOf)) return undefined;
  try {
    const chunks = [...chunksOf(view)];
    const dataOf = (wanted: string): Buffer | undefined => chunks.find(({ type }) => type === wanted)?.data;
    const packed = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
    const pixels = pixelsOf(chunks[0]!.data, packed);
    return pixels && { color: facts.color, pixels, palette: dataOf("PLTE"), transparency: dataOf("tRNS") };
  } catch {
    return undefined;
  }
}

/** The color that tRNS names, one number a sample; undefined where it is cut short. */
function namedColor(color: number, trns: Buffer): number[] | undefined {
  const channels = channelsOf[color]!;
  return trns.length < 2 * channels ? undefined : Array.from({ length: channels }, (_, i) => trns.readUInt16BE(2 * i));
}

/**
 * Whether at least one pixel is fully transparent; false also for JPEG, whose pixels never are.
 * Undefined where it cannot be known: another format, damaged, more than 64 megapixels. Never throws.
 */
export function transparentPixel(bytes: Uint8Array): boolean | undefined {
  const view = viewOf(bytes);
  if (view.length >= 3 && view.readUIntBE(0, 3) === 0xffd8ff) return false;
  const facts = pngHeader(view);
  if (!facts || facts.width === undefined || !(facts.color in channelsOf)) return undefined;
  if (!facts.alpha && facts.width * facts.height <= maxPixels) return false;
  const opened = open(view, facts);
  if (!opened) return undefined;
  const { color, pixels, transparency } = opened;
  if (color === 4 || color === 6) return someAlphaZero(pixels.data, channelsOf[color]!);
  if (!transparency) return undefined;
  if (color === 3) return transparency.includes(0) && someSample(pixels, (index) => transparency[index] === 0);
  const wanted = namedColor(color, transparency);
  return wanted && someColored(pixels, wanted);
}

/** One pixel: red, green, blue and alpha, each 0 to 255. */
export type Pixel = readonly [number, number, number, number];

/** Reads single pixels of a PNG by column and row; undefined where `transparentPixel` gives undefined. Never throws. */
export function pixelReader(bytes: Uint8Array): ((x: number, y: number) => Pixel) | undefined {
  const view = viewOf(bytes);
  const facts = pngHeader(view);
  const opened = facts && open(view, facts);
  if (!opened) return undefined;
  const { color, pixels, palette, transparency } = opened;
  const { data, width, depth } = pixels;
  const channels = channelsOf[color]!;
  const max = 2 ** depth - 1;
  const row = Math.ceil((width * depth) / 8);
  const named = transparency && color !== 3 ? namedColor(color, transparency) : undefined;
  const samplesAt = (x: number, y: number): number[] => {
    if (depth >= 8) return Array.from({ length: channels }, (_, i) => data[(y * width + x) * channels + i] ?? 0);
    const bit = x * depth;
    return [((data[y * row + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & max];
  };
  return (x, y) => {
    const samples = samplesAt(x, y);
    const first = samples[0]!;
    if (color === 3) {
      const [red = 0, green = 0, blue = 0] = palette?.subarray(3 * first, 3 * first + 3) ?? [];
      return [red, green, blue, transparency?.[first] ?? 255];
    }
    const levels = samples.map((sample) => Math.round((sample * 255) / max));
    const alpha = named?.every((sample, i) => sample === samples[i]) ? 0 : 255;
    const [a = 0, b = 0, c = 0, d = alpha] = levels;
    return channels < 3 ? [a, a, a, channels === 2 ? b : alpha] : [a, b, c, d];
  };
}

/** Samples row by row: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA; 8 bits each, or 16 in a Uint16Array. */
export interface PngPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Uint8Array | Uint16Array;
  /** Colours that samples of one channel stand for: red, green, blue. */
  readonly palette?: readonly (readonly number[])[];
}

/** Writes a PNG file; throws where `data` has not width × height × channels samples. */
export function encodePng({ width, height, channels, data, palette }: PngPixels): Uint8Array {
  const colors = palette && { palette: palette.map((color) => [...color]) };
  return encode({ width, height, channels, data, depth: data instanceof Uint16Array ? 16 : 8, ...colors });
}
