/** The fast way of putting pieces together shows all that the exact way shows. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../fuzz.test-kit.ts";
import { parseJson } from "../wire/json.ts";
import { eachPiece } from "./pieces.ts";
import { joined } from "./views.ts";

const name = fc.constantFrom("content", "bytes", "token", "top_logprobs", "candidates", "delta", "a b");
const text = fc.oneof(fc.constantFrom("", "sk-", 'say "x"', "back\\slash", "é\n", "12"), fc.string({ maxLength: 6 }));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.integer({ min: 0, max: 300 }),
    fc.constantFrom(-1.5, 2e21, null, true),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => ({ token: "", bytes: items })),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    fc.record({ index: fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, tie("value")), token: tie("value") }),
  ),
}));
const layout = fc.constantFrom(undefined, 1, "\t");
const event = fc.tuple(fc.oneof(value, fc.dictionary(name, value)), layout);

/** A stream, or what an upstream may make of it. */
const body = fc.array(event, { maxLength: 6 }).chain((events) => {
  const stream = events.map(([one, space]) => `data: ${JSON.stringify(one, null, space)}\n\n`).join("");
  const whole = JSON.stringify(events.map(([one]) => one));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(stream) },
    { weight: 4, arbitrary: fc.constant(whole) },
    fc.nat(stream.length).map((cut) => stream.slice(0, cut)),
    fc.nat(stream.length).map((cut) => `data: ${stream.slice(cut)}`),
  );
});

/** All pieces, with a line end behind each. */
function piecesOf(bytes: Buffer, broken = false): Buffer | undefined {
  const all: Buffer[] = [];
  const held = eachPiece(bytes, 0, broken, (piece) => {
    all.push(piece, Buffer.from("\n"));
    return false;
  });
  return held === undefined ? undefined : Buffer.concat(all);
}

/** What the bytes of a string's inside say. */
function undone(inside: Buffer): Buffer | undefined {
  const parsed = parseJson(`"${inside.toString("utf8")}"`);
  return parsed.ok ? Buffer.from(parsed.value as string) : undefined;
}

test("every view of a body stands among its pieces", () => {
  let compared = 0;
  fc.assert(
    fc.property(body, (one) => {
      const bytes = Buffer.from(one, "utf8");
      const pieces = piecesOf(bytes);
      if (!pieces) return;
      for (const view of joined(bytes.toString("latin1"))) {
        compared++;
        const isThere = pieces.includes(view.bytes) || pieces.includes(undone(view.bytes) ?? "none at all");
        expect(isThere).toBe(true);
      }
    }),
    fuzz(3_000),
  );
  expect(compared).toBeGreaterThan(500);
});

test("of a stream that was broken off, too", () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ a: text, b: fc.array(text) }), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      (all, cut) => {
        const stream = all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
        // Within a text of the last event, behind its name.
        const strings = [...stream.matchAll(/(?<=[:[,])"(?:[^"\\]|\\.)*"(?=[\],}])/g)];
        const { index, 0: string } = strings[cut % strings.length]!;
        const bytes = Buffer.from(stream.slice(0, index + 1 + (cut % string.length)), "utf8");
        const pieces = piecesOf(bytes, true)!;
        for (const view of joined(bytes.toString("latin1"))) {
          compared++;
          const shown = undone(view.bytes) ?? undone(view.bytes.subarray(0, view.bytes.lastIndexOf("\\")))!;
          expect(pieces.includes(shown)).toBe(true);
        }
      },
    ),
    fuzz(1_000),
  );
  expect(compared).toBeGreaterThan(500);
});

test("what all events repeat is left out, and escapes are undone", () => {
  const stream = ['{"id":"same","content":"one"}', '{"id":"same","content":"t\\u0077o"}', "[DONE]"];
  const text = stream.map((data) => `data: ${data}\n\n`).join("");
  expect(piecesOf(Buffer.from(text))?.toString()).toBe("onetwo\n");
});

test("long ones are shown bit by bit, nothing cut that is as long as what is looked for", () => {
  const numbersOf = (i: number): number[] => [i & 255, (i >> 8) & 255, i >> 16];
  const words = Array.from({ length: 150_000 }, (_, i) => ` ${i * 7919}`);
  const event = (text: string, i: number): string =>
    `data: ${JSON.stringify({ text, bytes: numbersOf(i), id: "the same in all of them" })}\n\n`;
  const bytes = Buffer.from(words.map(event).join(""));
  const shown: Buffer[] = [];
  eachPiece(bytes, 1000, false, (piece) => shown.push(piece) === 0);
  const whole = words.join("");
  const numbers = Buffer.from(words.flatMap((_, i) => numbersOf(i)));
  for (let at = 0; at + 1000 <= whole.length; at += 311)
    expect(shown.some((piece) => piece.includes(whole.slice(at, at + 1000)))).toBe(true);
  for (let at = 0; at + 1000 <= numbers.length; at += 311)
    expect(shown.some((piece) => piece.includes(numbers.subarray(at, at + 1000)))).toBe(true);
  expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(500_000);
  expect(Buffer.concat(shown).includes("the same")).toBe(false);
});

test.each([
  ["a member that stands twice", '[{"token":"a","token":"b"}]'],
  ["a name with an escape", '[{"to\\u006ben":"a"}]'],
  ["an event that is no JSON", 'data: {"a":"b"}\n\ndata: {"a\n\n'],
  ["an end too early", '[{"token":"a"'],
])("%s needs a closer look", (_, text) => {
  expect(piecesOf(Buffer.from(text))).toBeUndefined();
});
