/** Holds decoding: every coding, stacked, torn, damaged, and bombs. */
import * as zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import type { Decoded } from "./decoded.ts";
import { decodeContent } from "./encoding.ts";
import { decodeZstd } from "./zstd.ts";

const plain = Buffer.from(JSON.stringify({ text: "häuser ".repeat(500) }), "utf8");
/** `small` as the zstd tool writes it: from a file, from a pipe, and from a pipe without checksum. */
const small = Buffer.from("hello hello hello hello hello hello\n");
const zstd = {
  declared: Buffer.from("KLUv/SQkbQAAOGhlbGxvIAoBALlLEWsfCGc=", "base64"),
  piped: Buffer.from("KLUv/QRYbQAAOGhlbGxvIAoBALlLEWsfCGc=", "base64"),
  bare: Buffer.from("KLUv/QBYbQAAOGhlbGxvIAoBALlLEQ==", "base64"),
};

const bytesOf = (decoded: Decoded): string =>
  decoded.ok ? Buffer.from(decoded.bytes).toString("utf8") : decoded.problem;

describe("a coding", () => {
  test.each([
    ["gzip", zlib.gzipSync(plain)],
    ["x-gzip", zlib.gzipSync(plain)],
    ["GZip", zlib.gzipSync(plain)],
    ["deflate", zlib.deflateSync(plain)],
    ["deflate", zlib.deflateRawSync(plain)],
    ["br", zlib.brotliCompressSync(plain)],
    ["deflate, gzip", zlib.gzipSync(zlib.deflateSync(plain))],
    ["identity , gzip,", zlib.gzipSync(plain)],
    ["gzip", Buffer.concat([zlib.gzipSync(plain.subarray(0, 7)), zlib.gzipSync(plain.subarray(7))])],
    ["", plain],
    [undefined, plain],
  ])("%s is undone", (coding, body) => {
    expect(decodeContent(body, coding)).toEqual({ ok: true, bytes: plain });
  });

  test.each(Object.entries(zstd))("zstd is undone: size %s", (_, body) => {
    expect(bytesOf(decodeContent(body, "zstd"))).toBe(small.toString());
    expect(bytesOf(decodeContent(Buffer.concat([body, body]), "zstd"))).toBe(`${small}${small}`);
  });

  test("that nobody knows is a problem, as are many in a row", () => {
    expect(decodeContent(plain, "rot13")).toEqual({ ok: false, problem: "unknown content encoding rot13" });
    expect(decodeContent(plain, "gzip,".repeat(6))).toMatchObject({ ok: false });
  });

  test("of an empty body leaves it empty", () => {
    expect(decodeContent(new Uint8Array(), "gzip")).toMatchObject({ ok: true, bytes: { length: 0 } });
  });
});

describe("a torn body", () => {
  const numbers = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 9973).join(" ");
  test.each([
    ["gzip", zlib.gzipSync(numbers)],
    ["deflate", zlib.deflateSync(numbers)],
    ["deflate", zlib.deflateRawSync(numbers)],
    ["br", zlib.brotliCompressSync(numbers)],
  ])("of %s gives what is there and says that it is partial", (coding, body) => {
    const decoded = decodeContent(body.subarray(0, body.length - 20), coding);
    expect(decoded).toMatchObject({ ok: true, partial: true });
    expect(numbers.startsWith(bytesOf(decoded))).toBe(true);
    expect(bytesOf(decoded).length).toBeGreaterThan(5000);
  });

  test("of zstd gives its whole blocks", () => {
    const raw = Buffer.concat([
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]),
      ...[1, 2].map(() => Buffer.from([0x28, 0, 0, 104, 101, 108, 108, 111])),
    ]);
    expect(decodeContent(raw.subarray(0, raw.length - 1), "zstd")).toMatchObject({ ok: true, partial: true });
    expect(bytesOf(decodeContent(raw.subarray(0, raw.length - 1), "zstd"))).toBe("hello");
    expect(decodeContent(zstd.piped.subarray(0, 3), "zstd")).toMatchObject({ ok: true, partial: true });
  });
});

test("damaged bodies are problems", () => {
  for (const coding of ["gzip", "deflate", "br", "zstd"])
    expect(decodeContent(Buffer.from("this is no compressed data at all, but text"), coding)).toMatchObject({
      ok: false,
    });
});

describe("a bomb", () => {
  const zeros = Buffer.alloc(1 << 20);
  test.each([
    ["gzip", zlib.gzipSync(zeros)],
    ["deflate", zlib.deflateSync(zeros)],
    ["br", zlib.brotliCompressSync(zeros)],
    ["gzip, gzip", zlib.gzipSync(zlib.gzipSync(zeros))],
  ])("of %s stops at the bound", (coding, body) => {
    expect(bytesOf(decodeContent(body, coding, 1000))).toMatch("more than 1000 bytes");
    expect(decodeContent(body, coding, zeros.length)).toMatchObject({ ok: true });
  });

  test("of zstd stops at the bound, whether its size is declared or not", () => {
    // A block that repeats one byte 128 KiB times, twice; the header declares nothing.
    const block = [0x02, 0, 0x10, 65];
    const open = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, ...block, 0x03, 0, 0x10, 65]);
    expect(decodeContent(open, "zstd")).toMatchObject({ ok: true, bytes: { length: 1 << 18 } });
    expect(bytesOf(decodeContent(open, "zstd", 1000))).toMatch("more than 1000 bytes");
    expect(bytesOf(decodeContent(zstd.declared, "zstd", 10))).toMatch("more than 10 bytes");
    expect(bytesOf(decodeContent(Buffer.concat([zstd.declared, open]), "zstd", 1000))).toMatch("more than 1000 bytes");
  });

  test("stops at 16 MiB, or at a hundredfold of what is larger, where nobody names a bound", () => {
    const bomb = zlib.gzipSync(Buffer.alloc((16 << 20) + 1), { level: 1 });
    expect(bytesOf(decodeContent(bomb, "gzip"))).toMatch(`more than ${16 << 20} bytes`);
    expect(bytesOf(decodeContent(zlib.gzipSync(bomb), "gzip, gzip"))).toMatch(`more than ${16 << 20} bytes`);
    const honest = Buffer.from(
      Array.from({ length: 300_000 }, (_, i) => `data: {"index":${i},"text":"word"}\n\n`).join(""),
    );
    const large = Buffer.concat([honest, Buffer.alloc(16 << 20)]);
    expect(decodeContent(zlib.gzipSync(large, { level: 1 }), "gzip")).toMatchObject({ ok: true });
  });

  test("of a zstd window that HTTP does not allow is refused", () => {
    const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa0, 0x03, 0, 0x10, 65]);
    expect(decodeZstd(wide, 1 << 20)).toMatchObject({ ok: false });
  });
});

test("no bytes make it throw", () => {
  const starts = [
    zlib.gzipSync(plain),
    zlib.deflateSync(plain),
    zlib.brotliCompressSync(plain),
    zstd.declared,
    zstd.piped,
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 }),
      fc.nat(300),
      fc.constantFrom("gzip", "deflate", "br", "zstd"),
      (start, changes, length, coding) => {
        const body = Buffer.from(start);
        for (const [at, value] of changes) body[at % body.length] = value;
        decodeContent(body.subarray(0, length), coding, 1 << 20);
      },
    ),
    fuzz(500),
  );
});
