/** Holds reading a `.jsonl` by byte positions: whatever stretches it is read in, every line comes once, and no byte more than a few times. */
import { expect, test } from "vitest";
import { type Bytes, createLineReader, headOf } from "./range.ts";

/** Bytes in memory, and how many were read of them. */
function counted(memory: Buffer) {
  const bytes = { read: 0, all: memory };
  const source: Bytes = {
    read(into, at) {
      const length = bytes.all.copy(into, 0, Math.min(at, bytes.all.length));
      bytes.read += length;
      return length;
    },
  };
  return { bytes, source };
}

const maxLineLength = 5 << 20;
const lines = ["a", "", "b".repeat(1 << 20), "c".repeat((1 << 20) - 1), "dd", "e".repeat(maxLineLength), "", "f"];

test.each([7, 20_000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, 100 << 20])(
  "stretches of %d bytes give every line once",
  (length) => {
    const { bytes, source } = counted(Buffer.from(`${lines.join("\n")}\n`));
    const size = bytes.all.length;
    const all: string[] = [];
    // The shortest stretches are taken of the start only: there are a million of them.
    const end = length < 1000 ? 70 : size;
    for (let from = 0; from < end; from += length) {
      const read = createLineReader(source);
      const to = Math.min(size, from + length);
      for (let at = from, begins = from === 0; at < to; ) {
        const stretch = read({ from: at, to, begins, growing: false });
        expect(stretch.next).toBeGreaterThan(at);
        all.push(...stretch.lines.map(String));
        ({ next: at, begins } = stretch);
      }
    }
    expect(all.length < lines.length ? lines.slice(0, all.length) : lines).toEqual(all);
    if (end === size) expect(all).toHaveLength(lines.length);
    expect(bytes.read).toBeLessThan(3 * size + 2 * length);
  },
);

test("a growing line that is taken back is not waited for: the line in its place comes at once", () => {
  const { bytes, source } = counted(Buffer.from("half of a line"));
  const read = createLineReader(source);
  const next = () => read({ from: 0, to: Number.POSITIVE_INFINITY, begins: true, growing: true });
  expect(next().lines).toEqual([]);
  bytes.all = Buffer.from("short\n");
  expect(next().lines.map(String)).toEqual(["short"]);
});

test("a line that grows bit by bit is looked through once, and comes when it is whole", () => {
  const line = Buffer.alloc(4 << 20, "x");
  const { bytes, source } = counted(Buffer.alloc(0));
  const read = createLineReader(source);
  const step = 8 << 10;
  for (let length = step; length < line.length; length += step) {
    bytes.all = line.subarray(0, length);
    expect(read({ from: 0, to: Number.POSITIVE_INFINITY, begins: true, growing: true })).toMatchObject({
      lines: [],
      next: 0,
    });
  }
  bytes.all = Buffer.concat([line, Buffer.from("\nrest")]);
  const whole = read({ from: 0, to: Number.POSITIVE_INFINITY, begins: true, growing: true });
  expect(whole).toMatchObject({ next: line.length + 1, torn: false });
  expect(whole.lines.map(({ length }) => length)).toEqual([line.length]);
  expect(bytes.read).toBeLessThan(4 * line.length);
  expect(read({ from: whole.next, to: Number.POSITIVE_INFINITY, begins: true, growing: false })).toMatchObject({
    torn: true,
  });
});

test.each([
  ['{"touchstone":1}\n{', { bytes: 17, lines: 1 }],
  ['\n \n{"touchstone":1,"title":"x"}\n', { bytes: 32, lines: 3 }],
  ['{"touchstone":1}', "open"],
  ["", "open"],
  ['{"touchstone":1,"exchanges":[]}\n', undefined],
  ['{"log":{}}\n', undefined],
  ["{\n", undefined],
  ["\u001f\u008b\n", undefined],
  ["x".repeat(64 << 10), undefined],
])("%.40s begins with a head: %j", (text, head) => {
  expect(headOf(Buffer.from(text, "latin1"))).toEqual(head);
});

test("a line that is longer than any can be read is passed over, in a file and in one that grows", () => {
  const long = `${"x".repeat(5 << 20)}\n`;
  const { bytes, source } = counted(Buffer.from(long));
  const read = createLineReader(source, 2 << 20);
  const from = { from: 0, to: Number.POSITIVE_INFINITY, begins: true };
  const passed = { lines: [], tooLong: true, next: long.length, begins: true };
  expect(read({ ...from, growing: false })).toMatchObject(passed);
  bytes.all = Buffer.from(long.slice(0, -1));
  expect(read({ ...from, growing: true })).toMatchObject({ lines: [], tooLong: false, next: 0 });
  expect(read({ ...from, growing: true })).toMatchObject({ lines: [], tooLong: false, next: 0 });
  bytes.all = Buffer.from(`${long}next\n`);
  expect(read({ ...from, growing: true })).toMatchObject(passed);
  expect(read({ ...from, from: long.length, growing: true }).lines.map(String)).toEqual(["next"]);
  expect(bytes.read).toBeLessThan(6 * long.length);
});
