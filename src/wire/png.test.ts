/** Reads single pixels of PNG files of every kind of sample. */
import { type BitDepth, encode } from "fast-png";
import { describe, expect, test } from "vitest";
import { encodePng, pixelReader, transparentPixel } from "./png.ts";

describe("pixelReader", () => {
  test("reads RGBA and RGB by column and row", () => {
    const data = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
    expect(pixelReader(encodePng({ width: 2, height: 2, channels: 4, data }))?.(1, 1)).toEqual([13, 14, 15, 0]);
    const rgb = encodePng({ width: 1, height: 2, channels: 3, data: data.subarray(0, 6) });
    expect(pixelReader(rgb)?.(0, 1)).toEqual([4, 5, 6, 255]);
  });

  test("spreads grey over all colours and keeps its alpha", () => {
    const png = encodePng({ width: 2, height: 1, channels: 2, data: Uint8Array.of(7, 255, 9, 0) });
    expect(pixelReader(png)?.(1, 0)).toEqual([9, 9, 9, 0]);
  });

  test("brings sixteen bits down to eight", () => {
    const png = encodePng({ width: 1, height: 1, channels: 1, data: Uint16Array.of(0x8080) });
    expect(pixelReader(png)?.(0, 0)).toEqual([128, 128, 128, 255]);
  });

  test.each([1, 2, 4, 8] as BitDepth[])("looks colours of %i bits up in the palette, with their alpha", (depth) => {
    const palette = [
      [10, 20, 30, 0],
      [40, 50, 60, 255],
    ];
    const packed = depth === 8 ? Uint8Array.of(0, 1) : Uint8Array.of(1 << (8 - 2 * depth));
    const read = pixelReader(encode({ width: 2, height: 1, depth, channels: 1, data: packed, palette }));
    expect(read?.(0, 0)).toEqual([10, 20, 30, 0]);
    expect(read?.(1, 0)).toEqual([40, 50, 60, 255]);
  });

  test.each([
    ["a text", Buffer.from("no picture")],
    ["a header alone", encodePng({ width: 9, height: 9, channels: 1, data: new Uint8Array(81) }).subarray(0, 40)],
  ])("declines %s", (_about, bytes) => {
    expect(pixelReader(bytes)).toBeUndefined();
  });
});

test("bytes behind the end of the image are no part of it", () => {
  const opaque = encodePng({ width: 1, height: 1, channels: 4, data: Uint8Array.of(1, 2, 3, 255) });
  const clear = encodePng({ width: 1, height: 1, channels: 4, data: Uint8Array.of(1, 2, 3, 0) });
  expect(transparentPixel(Buffer.concat([opaque, clear.subarray(8)]))).toBe(false);
  expect(transparentPixel(Buffer.concat([clear, Buffer.alloc(1 << 20)]))).toBe(true);
});
