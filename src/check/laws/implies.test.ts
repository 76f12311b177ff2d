import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "a value in the body",
  {
    kind: "implies",
    if: { response: "/choices/*/finish", is: "tools", by: ["/choices/*/i"] },
    // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
    then: { response: "/choices/*/calls", by: ["/choices/*/i"] },
  },
  {
    good: [
      {
        response: {
          choices: [
            { i: 0, finish: "tools", calls: [1] },
            { i: 1, finish: "stop" },
          ],
        },
      },
    ],
    bad: [
      [
        {
          response: {
            choices: [
              { i: 0, finish: "stop", calls: [1] },
              { i: 1, finish: "tools" },
            ],
          },
        },
        "body/choices/1/calls",
      ],
    ],
    none: [{ response: { choices: [{ i: 0, finish: "stop" }] } }, { events: [{}] }, { status: 400 }],
  },
);

lawCases(
  "a media type, whatever its parameters",
  {
    kind: "implies",
    if: { request: "/stream", is: { not: true } },
    // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
    then: { media: true, is: { not: "text/event-stream" } },
  },
  {
    good: [{ request: {} }, { request: { stream: false }, response: {} }],
    bad: [[{ request: {}, events: [{}] }, "headers/content-type"]],
    none: [{ request: { stream: true }, events: [{}] }, { request: { stream: true } }],
  },
);

lawCases(
  "one of several values, by status",
  {
    kind: "implies",
    if: { status: true, is: [429, 503] },
    // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
    then: { error: "/type", is: ["limit", "busy"] },
  },
  {
    good: [{ status: 429, response: { type: "limit" } }],
    bad: [
      [{ status: 503, response: { type: "other" } }, "body/type"],
      [{ status: 503, response: {} }, "body/type"],
    ],
    none: [{ status: 400, response: { type: "other" } }, { response: {} }],
  },
);

lawCases(
  "absence",
  {
    kind: "implies",
    if: { request: "/logprobs", is: { not: true } },
    // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
    then: { response: "/choices/*/logprobs", is: { present: false } },
  },
  {
    good: [{ response: { choices: [{}] } }, { request: { logprobs: false }, response: { choices: [] } }],
    bad: [[{ response: { choices: [{}, { logprobs: {} }] } }, "body/choices/1/logprobs"]],
    none: [{ request: { logprobs: true }, response: { choices: [{ logprobs: {} }] } }],
  },
);

lawCases(
  "none of these values, absent included",
  {
    kind: "implies",
    if: { request: "/n" },
    // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
    then: { response: "/a", is: { not: ["x", "y"] } },
  },
  {
    good: [
      { request: { n: 1 }, response: {} },
      { request: { n: 1 }, response: { a: "z" } },
    ],
    bad: [[{ request: { n: 1 }, response: { a: "x" } }, "body/a"]],
    none: [{ request: {}, response: { a: "x" } }],
  },
);

lawCases(
  "a value somewhere in a stream",
  {
    kind: "implies",
    if: { request: "/usage", is: true },
    // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
    then: { event: "*", at: "/tokens" },
  },
  {
    good: [{ request: { usage: true }, events: [{ a: 1 }, { tokens: 1 }] }],
    bad: [[{ request: { usage: true }, events: [{ a: 1 }, { b: 1 }] }, "event 1"]],
    none: [{ request: {}, events: [{ a: 1 }] }],
  },
);
