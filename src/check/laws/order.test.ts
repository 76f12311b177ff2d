import { lawCases } from "./laws.test-kit.ts";

const start = { type: "start" };
const end = { type: "end" };
const delta = { type: "delta" };

lawCases(
  "comes first",
  { kind: "order", of: { event: "start" }, first: true },
  {
    good: [{ events: [start, delta, end] }],
    bad: [[{ events: [delta, start] }, "event 0"]],
    none: [{ response: {} }],
    mends: false,
  },
);

lawCases(
  "comes last",
  { kind: "order", of: { event: ["end", "failed"] }, last: true },
  {
    good: [{ events: [start, end, "[DONE]"] }, { events: [start, { type: "failed" }] }],
    bad: [[{ events: [start, end, delta] }, "event 2"]],
    none: [{ events: [start, delta] }],
    mends: false,
  },
);

lawCases(
  "the end of the stream",
  { kind: "order", of: { data: "[DONE]" }, last: true },
  {
    good: [{ events: [start, "[DONE]"] }],
    bad: [[{ events: ["[DONE]", start] }, "event 1"]],
    mends: false,
  },
);

lawCases(
  "comes before",
  { kind: "order", of: { event: "start" }, before: { event: "end" } },
  {
    good: [{ events: [start, delta, end] }],
    bad: [[{ events: [end, start] }, "event 1"]],
    none: [{ events: [start] }],
    mends: false,
  },
);

lawCases(
  "comes after",
  { kind: "order", of: { event: "delta", by: ["/i"] }, after: { event: "start", by: ["/i"] } },
  {
    good: [{ events: [start, delta] }],
    bad: [
      [
        {
          events: [
            { ...start, i: 1 },
            { ...delta, i: 2 },
          ],
        },
        "event 1",
      ],
    ],
    none: [{ events: [start, end] }],
    mends: false,
  },
);
