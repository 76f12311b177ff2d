import { lawCases } from "./laws.test-kit.ts";

const delta = (i: number, text: unknown) => ({ type: "delta", i, text });
const done = (i: number, text: unknown) => ({ type: "done", i, text });

lawCases(
  "deltas and the whole text, per key",
  {
    kind: "concat",
    of: { event: "delta", at: "/text", by: ["/i"] },
    to: { event: "done", at: "/text", by: ["/i"] },
  },
  {
    good: [
      { events: [delta(0, "a"), delta(1, "x"), delta(0, "b"), done(0, "ab"), done(1, "x")] },
      { events: [delta(0, "a"), done(0, "a"), done(1, "no deltas")] },
    ],
    bad: [
      [{ events: [delta(0, "a"), delta(1, "b"), done(0, "ab"), done(1, "b")] }, "event 2/text"],
      [{ events: [delta(0, "a"), done(0, "")] }, "event 1/text"],
    ],
    none: [
      { events: [delta(0, "a")] },
      { events: [done(0, "a")] },
      { events: [delta(0, null), delta(0, "a"), done(0, "b")] },
      { events: [delta(0, "a"), done(0, 1)] },
      { response: {} },
    ],
  },
);
