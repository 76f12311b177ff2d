import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "numbers of events",
  { kind: "sequence", of: { event: "*", at: "/n" }, from: 0 },
  {
    good: [{ events: [{ n: 0 }, { n: 1 }, "[DONE]"] }],
    bad: [
      [{ events: [{ n: 1 }, { n: 2 }] }, "event 0/n"],
      [{ events: [{ n: 0 }, { n: 2 }, { n: 3 }] }, "event 1/n"],
      [{ events: [{ n: 0 }, { n: 0 }] }, "event 1/n"],
    ],
    none: [{ events: [{}] }, { events: [{ n: "0" }] }],
  },
);

lawCases(
  "positions that repeat",
  { kind: "sequence", of: { event: "*", at: "/i" }, from: 0, repeats: true },
  {
    good: [{ events: [{ i: 0 }, { i: 0 }, { i: 1 }] }],
    bad: [[{ events: [{ i: 0 }, { i: 2 }] }, "event 1/i"]],
  },
);
