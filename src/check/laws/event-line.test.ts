import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "lines that are there",
  { kind: "event-line" },
  {
    good: [{ events: [{ type: "a" }, { type: "b" }, {}, "[DONE]"], lines: ["a", undefined, "c", "d"] }],
    bad: [[{ events: [{ type: "a" }, { type: "b" }], lines: ["a", "a"] }, "event 1"]],
    none: [{ events: [{ type: "a" }] }, { response: {} }, { events: [{ type: 1 }], lines: ["a"] }],
  },
);

lawCases(
  "a line for each event, and another member",
  { kind: "event-line", at: "/kind", required: true },
  {
    good: [{ events: [{ kind: "a" }, {}, "[DONE]"], lines: ["a"] }],
    bad: [
      [{ events: [{ kind: "a" }, { kind: "b" }], lines: ["a"] }, "event 1"],
      [{ events: [{ kind: "a" }], lines: ["b"] }, "event 0"],
    ],
    none: [{ events: [{}] }],
  },
);
