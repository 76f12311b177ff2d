import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "a total in a body",
  { kind: "sum", of: { response: "/total" }, is: [{ response: "/in" }, { response: "/out/*" }] },
  {
    good: [{ response: { total: 6, in: 1, out: [2, 3] } }, { response: { total: 0.3, in: 0.1, out: [0.2] } }],
    bad: [[{ response: { total: 7, in: 1, out: [2, 3] } }, "body/total"]],
    none: [
      { response: { total: 6, in: 1, out: ["2"] } },
      { response: { total: 6, in: 1 } },
      { response: { in: 1, out: [1] } },
      { response: { total: null, in: 1, out: [1] } },
    ],
  },
);

lawCases(
  "a total in each event",
  { kind: "sum", of: { event: "*", at: "/total" }, is: [{ event: "*", at: "/in" }] },
  {
    good: [{ events: [{ total: 1, in: 1 }, {}, { total: 2, in: 2 }] }],
    bad: [
      [
        {
          events: [
            { total: 1, in: 1 },
            { total: 3, in: 2 },
          ],
        },
        "event 1/total",
      ],
    ],
    none: [{ events: [{ total: 1 }, { in: 2 }] }],
  },
);

lawCases(
  "details within a total",
  { kind: "sum", of: { response: "/cached" }, atMost: [{ response: "/in" }] },
  {
    good: [{ response: { cached: 1, in: 2 } }, { response: { cached: 2, in: 2 } }],
    bad: [[{ response: { cached: 3, in: 2 } }, "body/cached"]],
  },
);

lawCases(
  "a total that covers its parts",
  { kind: "sum", of: { response: "/total" }, atLeast: [{ response: "/in" }] },
  {
    good: [{ response: { total: 2, in: 2 } }, { response: { total: 3, in: 2 } }],
    bad: [[{ response: { total: 1, in: 2 } }, "body/total"]],
  },
);
