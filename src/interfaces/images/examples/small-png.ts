/** Small PNG files for examples and counterexamples: plain, half transparent, or padded to a size in bytes. */
import { crc32 } from "node:zlib";
import { imageFacts } from "../../../wire/image.ts";
import { encodePng } from "../../../wire/png.ts";

/** A grey PNG; with `alpha`, its left half is fully transparent. */
export function plainPng({ width, height, alpha }: { width: number; height: number; alpha?: boolean }): Uint8Array {
  const channels = alpha ? 2 : 1;
  const data = new Uint8Array(width * height * channels).fill(0x80);
  if (alpha) for (let i = 0; i < width * height; i++) data[2 * i + 1] = i % width < Math.max(1, width / 2) ? 0 : 255;
  return encodePng({ width, height, channels, data });
}

/** A PNG of another's kind and height, and so many pixels wider; very large ones come back smaller. */
export function widerPng(bytes: Uint8Array, by: number): Uint8Array {
  const { width = 1, height = 1, alpha } = imageFacts(bytes);
  const [across, down] = [Math.min(width, 1024), Math.min(height, 1024)];
  return plainPng({ width: across + by, height: down, ...(alpha && { alpha }) });
}

/** The same picture in a file of exactly `size` bytes: a private ancillary chunk before the end makes it up. */
export function paddedPng(png: Uint8Array, size: number): Uint8Array {
  const end = png.length - 12;
  const chunk = Buffer.alloc(size - png.length);
  chunk.writeUInt32BE(chunk.length - 12, 0);
  chunk.write("teSt", 4, "latin1");
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return Buffer.concat([png.subarray(0, end), chunk, png.subarray(end)]);
}
