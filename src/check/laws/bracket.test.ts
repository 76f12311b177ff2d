import { lawCases } from "./laws.test-kit.ts";

const open = (i: number) => ({ type: "open", i });
const close = (i: number) => ({ type: "close", i });
const delta = (i: number) => ({ type: "delta", i });

lawCases(
  "items",
  {
    kind: "bracket",
    open: { event: "open", by: ["/i"] },
    close: { event: "close", by: ["/i"] },
    inside: [{ event: "delta", by: ["/i"] }],
  },
  {
    good: [
      { events: [open(0), delta(0), close(0), open(1), close(1)] },
      { events: [open(0), open(1), delta(0), delta(1), close(1), close(0), "[DONE]"] },
    ],
    bad: [
      [{ events: [open(0), delta(0)] }, "event 0"],
      [{ events: [open(0), delta(1), close(0)] }, "event 1", "event 1"],
      [{ events: [open(0), close(0), delta(0)] }, "event 2"],
      [{ events: [open(0), close(0), open(0), close(0)] }, "event 2"],
      [{ events: [open(0), open(0), close(0)] }, "event 1"],
      [{ events: [close(0)] }, "event 0"],
    ],
    none: [{ events: [{ type: "x" }] }],
    mends: false,
  },
);
