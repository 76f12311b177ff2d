/** The fast way of putting pieces together shows all that the exact way shows. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { piecesOf } from "./pieces.ts";
import { joined } from "./views.ts";

const name = fc.constantFrom("content", "index", "bytes", "token", "top_logprobs", "candidates", "delta", "a b", "é");
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
  ),
}));
const layout = fc.constantFrom(undefined, 1, "\t");
const event = fc.tuple(fc.oneof(value, fc.dictionary(name, value)), layout);

/** A stream, or what an upstream may make of it. */
const body = fc.array(event, { maxLength: 6 }).chain((events) => {
  const stream = events.map(([one, space]) => `data: ${JSON.stringify(one, null, space)}\n\n`).join("");
  const whole = JSON.stringify(events.map(([one]) => one));
  return fc.oneof(
    fc.constant(stream),
    fc.constant(whole),
    fc.nat(stream.length).map((cut) => stream.slice(0, cut)),
    fc.nat(stream.length).map((cut) => `data: ${stream.slice(cut)}`),
  );
});

test("every view of a body stands among its pieces", () => {
  fc.assert(
    fc.property(body, (one) => {
      const bytes = Buffer.from(one, "utf8");
      const pieces = piecesOf(bytes);
      for (const view of joined(bytes.toString("latin1"))) expect(pieces.includes(view.bytes)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test("what all events repeat is left out", () => {
  const events = ["one", "two"].map((content) => `data: ${JSON.stringify({ id: "same", content })}\n\n`);
  expect(piecesOf(Buffer.from(events.join(""))).toString()).toBe("onetwo\n");
});
