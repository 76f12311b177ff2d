import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "names of the request",
  { kind: "member", of: { response: "/calls/*/name" }, among: { request: "/tools/*/name" } },
  {
    good: [
      { request: { tools: [{ name: "a" }, { name: "b" }] }, response: { calls: [{ name: "b" }, { name: null }] } },
    ],
    bad: [
      [
        { request: { tools: [{ name: "a" }] }, response: { calls: [{ name: "a" }, { name: "c" }] } },
        "body/calls/1/name",
      ],
    ],
    none: [{ response: { calls: [{ name: {} }] } }, { response: {} }],
  },
);

lawCases(
  "names of a request without any",
  { kind: "member", of: { response: "/calls/*/name" }, among: { request: "/tools/*/name" } },
  {
    good: [{ request: { tools: [{ name: "a" }] }, response: { calls: [{ name: "a" }] } }],
    bad: [[{ request: {}, response: { calls: [{ name: "a" }] } }, "body/calls/0/name"]],
    mends: false,
  },
);

lawCases(
  "an optional list",
  { kind: "member", of: { response: "/stop" }, among: { request: "/stops/*" }, ifNone: "any" },
  {
    good: [{ request: { stops: ["a"] }, response: { stop: "a" } }],
    bad: [[{ request: { stops: ["a"] }, response: { stop: "b" } }, "body/stop"]],
    none: [{ response: { stop: "b" } }],
  },
);

lawCases(
  "values of the same key",
  {
    kind: "member",
    of: { event: "use", at: "/v", by: ["/k"] },
    among: { event: "define", at: "/v", by: ["/k"] },
  },
  {
    good: [
      {
        events: [
          { type: "define", k: 1, v: "a" },
          { type: "use", k: 1, v: "a" },
        ],
      },
    ],
    bad: [
      [
        {
          events: [
            { type: "define", k: 1, v: "a" },
            { type: "define", k: 2, v: "b" },
            { type: "use", k: 2, v: "a" },
          ],
        },
        "event 2/v",
      ],
    ],
  },
);
