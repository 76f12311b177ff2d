/** Holds image facts to bytes of every format, and transparency to the pixels. */
import * as zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { encodePng, imageFacts, transparentPixel } from "./image.ts";

const filled = (width: number, height: number, channels: 1 | 2 | 3 | 4, value = 255): Uint8Array =>
  new Uint8Array(width * height * channels).fill(value);

function chunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

interface Raw {
  width?: number;
  height?: number;
  depth: number;
  color: number;
  interlaced?: boolean;
  extra?: Buffer[];
  rows: Uint8Array;
}

/** A PNG file by its parts, for what the encoder does not write. */
function rawPng({ width = 2, height = 1, depth, color, interlaced = false, extra = [], rows }: Raw): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, color, 0, 0, interlaced ? 1 : 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const data = chunk("IDAT", zlib.deflateSync(rows));
  return Buffer.concat([signature, chunk("IHDR", header), ...extra, data, chunk("IEND", Buffer.alloc(0))]);
}

const riff = (kind: string, data: number[]): Buffer =>
  Buffer.concat([Buffer.from(`RIFF\x20\0\0\0WEBP${kind}\x10\0\0\0`, "latin1"), Buffer.from(data), Buffer.alloc(20)]);
const jpegStart = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xff, 0xdb, 0, 3, 9];

describe("facts", () => {
  test.each([
    ["PNG without alpha", encodePng({ width: 3, height: 5, channels: 3, data: filled(3, 5, 3) }), "png", 3, 5, false],
    ["PNG with alpha", encodePng({ width: 3, height: 5, channels: 4, data: filled(3, 5, 4) }), "png", 3, 5, true],
    ["grey PNG with alpha", encodePng({ width: 1, height: 1, channels: 2, data: filled(1, 1, 2) }), "png", 1, 1, true],
    ["JPEG", Buffer.from([...jpegStart, 0xff, 0xc2, 0, 11, 8, 1, 2, 3, 4, 1, 1, 0x11, 0]), "jpeg", 0x304, 0x102, false],
    ["lossy WEBP", riff("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, 0x90, 0x41, 0x20, 0xc0]), "webp", 400, 32, false],
    ["lossless WEBP", riff("VP8L", [0x2f, 0x8f, 0xc1, 0x07, 0x10]), "webp", 400, 32, true],
    ["extended WEBP", riff("VP8X", [0x10, 0, 0, 0, 0x8f, 1, 0, 0x1f, 0, 0]), "webp", 400, 32, true],
    ["extended WEBP without alpha", riff("VP8X", [0x02, 0, 0, 0, 0, 0, 1, 0, 0, 1]), "webp", 65537, 65537, false],
    ["GIF", Buffer.from("GIF89a\x90\x01\x20\x00\0\0\0", "latin1"), "gif", 400, 32, undefined],
  ])("of a %s", (_, bytes, format, width, height, alpha) => {
    expect(imageFacts(bytes)).toEqual({ format, width, height, ...(alpha !== undefined && { alpha }) });
  });

  test.each([
    ["PNG", Buffer.from("89504e470d0a1a0a", "hex"), "png"],
    ["JPEG", Buffer.from(jpegStart), "jpeg"],
    ["WEBP", riff("VP8L", []).subarray(0, 20), "webp"],
    ["GIF", Buffer.from("GIF87a"), "gif"],
  ])("of a %s cut short are its format alone", (_, bytes, format) => {
    const { width, height, ...rest } = imageFacts(bytes);
    expect([rest.format, width, height]).toEqual([format, undefined, undefined]);
  });

  test.each(["", "hello", "\x89PNG", "RIFF    WAVE", "GIF88a", "<svg/>"])("of %j are unknown", (text) => {
    expect(imageFacts(Buffer.from(text, "latin1"))).toEqual({ format: "unknown" });
  });

  test("tRNS makes a PNG transparent only as a chunk before the pixels", () => {
    const rows = Buffer.from([0, 1, 2]);
    const trns = chunk("tRNS", Buffer.from([0, 1]));
    const facts = (extra: Buffer[]): unknown => imageFacts(rawPng({ depth: 8, color: 0, extra, rows })).alpha;
    expect(facts([trns])).toBe(true);
    expect(facts([chunk("tEXt", trns)])).toBe(false);
    expect(facts([])).toBe(false);
  });
});

describe("a transparent pixel", () => {
  test.each([1, 2, 3, 4] as const)("is none in an opaque image of %i channels", (channels) => {
    expect(transparentPixel(encodePng({ width: 9, height: 4, channels, data: filled(9, 4, channels) }))).toBe(false);
  });

  test.each([2, 4] as const)("is found anywhere in an image of %i channels", (channels) => {
    for (const at of [0, 17, 35]) {
      const data = filled(9, 4, channels);
      data[at * channels + channels - 1] = 0;
      expect(transparentPixel(encodePng({ width: 9, height: 4, channels, data }))).toBe(true);
    }
  });

  test("is one whose alpha is zero, not its color", () => {
    const data = filled(9, 4, 4, 0).map((_, i) => (i % 4 === 3 ? 1 : 0));
    expect(transparentPixel(encodePng({ width: 9, height: 4, channels: 4, data }))).toBe(false);
  });

  test("needs all 16 bits to be zero", () => {
    const png = (alpha: number): Uint8Array =>
      encodePng({ width: 1, height: 1, channels: 2, data: new Uint16Array([500, alpha]) });
    expect([transparentPixel(png(1)), transparentPixel(png(256)), transparentPixel(png(0))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("is found through palettes of any depth, and only where the palette entry is used", () => {
    const extra = [chunk("PLTE", Buffer.alloc(12)), chunk("tRNS", Buffer.from([255, 0]))];
    const png = (depth: number, row: number[]): unknown =>
      transparentPixel(rawPng({ depth, color: 3, extra, rows: Buffer.from([0, ...row]) }));
    expect([png(8, [0, 1]), png(8, [2, 3]), png(4, [0x01]), png(4, [0x20]), png(2, [0x10])]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    // Bits behind the last pixel of a row are none.
    expect(png(2, [0x01])).toBe(false);
    expect(transparentPixel(rawPng({ depth: 1, color: 3, extra, rows: Buffer.from([0, 0x40]) }))).toBe(true);
  });

  test("is found by the color that tRNS names", () => {
    const grey = (depth: number, row: number[]): unknown =>
      transparentPixel(
        rawPng({ depth, color: 0, extra: [chunk("tRNS", Buffer.from([0, 1]))], rows: Buffer.from([0, ...row]) }),
      );
    expect([
      grey(8, [5, 1]),
      grey(8, [5, 2]),
      grey(1, [0x40]),
      grey(1, [0x20]),
      grey(16, [0, 1, 1, 1]),
      grey(16, [1, 1, 1, 0]),
    ]).toEqual([true, false, true, false, true, false]);
    const extra = [chunk("tRNS", Buffer.from([0, 1, 0, 2, 0, 3]))];
    const rgb = (row: number[]): unknown =>
      transparentPixel(rawPng({ depth: 8, color: 2, extra, rows: Buffer.from([0, ...row]) }));
    expect([rgb([9, 9, 9, 1, 2, 3]), rgb([0, 1, 2, 3, 0, 0])]).toEqual([true, false]);
  });

  test("is found in an interlaced image", () => {
    const rows = Buffer.from([0, 7, 255, 0, 7, 0]);
    expect(transparentPixel(rawPng({ width: 2, depth: 8, color: 4, interlaced: true, rows }))).toBe(true);
  });

  test("cannot be in a JPEG, and cannot be told of other formats or damaged files", () => {
    expect(transparentPixel(Buffer.from(jpegStart))).toBe(false);
    expect(transparentPixel(Buffer.from("GIF89a"))).toBeUndefined();
    expect(transparentPixel(rawPng({ depth: 8, color: 4, rows: Buffer.from([0]) }))).toBeUndefined();
    expect(transparentPixel(rawPng({ depth: 8, color: 5, rows: Buffer.from([0]) }))).toBeUndefined();
    const png = encodePng({ width: 9, height: 4, channels: 4, data: filled(9, 4, 4) });
    expect(transparentPixel(png.subarray(0, png.length - 20))).toBeUndefined();
  });

  test("is not looked for in images of more than 64 megapixels, nor in bombs", () => {
    const rows = Buffer.from([0]);
    expect(transparentPixel(rawPng({ width: 1 << 16, height: 1 << 16, depth: 8, color: 6, rows }))).toBeUndefined();
    expect(transparentPixel(rawPng({ depth: 8, color: 4, rows: Buffer.alloc(50 << 20) }))).toBeUndefined();
    const bomb = chunk("iCCP", Buffer.concat([Buffer.from("x\0\0"), zlib.deflateSync(Buffer.alloc(50 << 20))]));
    expect(transparentPixel(rawPng({ depth: 8, color: 4, extra: [bomb], rows: Buffer.from([0, 1, 1, 1, 0]) }))).toBe(
      true,
    );
  });
});

test("no bytes make them throw", () => {
  const good = encodePng({ width: 4, height: 4, channels: 4, data: filled(4, 4, 4, 1) });
  const starts = [good, Buffer.from(jpegStart), riff("VP8X", []), riff("VP8L", [0x2f]), Buffer.from("GIF89a")];
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
      fc.nat(100),
      (start, changes, length) => {
        const bytes = Buffer.from(start);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        imageFacts(bytes.subarray(0, length));
        transparentPixel(bytes);
      },
    ),
    fuzz(1000),
  );
});
