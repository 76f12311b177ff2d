import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "exactly one end",
  { kind: "count", of: { data: "[DONE]" }, is: 1 },
  {
    good: [{ events: [{}, "[DONE]"] }],
    bad: [
      [{ events: [{}, "[DONE]", "[DONE]"] }, "event 2"],
      [{ events: [{}, {}] }, "event 1"],
    ],
    none: [{ response: {} }],
    mends: false,
  },
);

lawCases(
  "as many as the request says",
  { kind: "count", of: { response: "/choices/*" }, is: { request: "/n" }, default: 1 },
  {
    good: [{ request: { n: 2 }, response: { choices: [1, 2] } }, { response: { choices: [1] } }],
    bad: [
      [{ request: { n: 2 }, response: { choices: [1] } }, "body/choices/0"],
      [{ response: { choices: [1, 2] } }, "body/choices/1"],
    ],
  },
);

lawCases(
  "at most one per key",
  { kind: "count", of: { event: "*", at: "/name", by: ["/i"] }, max: 1 },
  {
    good: [{ events: [{ i: 0, name: "a" }, { i: 1, name: "b" }, { i: 0 }] }],
    bad: [
      [
        {
          events: [
            { i: 0, name: "a" },
            { i: 0, name: "a" },
          ],
        },
        "event 1/name",
      ],
    ],
  },
);
