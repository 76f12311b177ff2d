import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "one id in all events",
  { kind: "equal", of: { event: "*", at: "/id" } },
  {
    good: [{ events: [{ id: "a" }, { id: "a" }, "[DONE]"] }, { events: [{ id: 1 }, {}, { id: 1 }] }],
    bad: [[{ events: [{ id: "a" }, { id: "b" }, { id: "a" }] }, "event 1/id"]],
    none: [{ events: [{ id: "a" }] }, { response: { id: "a" } }],
  },
);

lawCases(
  "the echo of a member of the request",
  { kind: "equal", of: { response: "/model" }, to: { request: "/model" } },
  {
    good: [{ request: { model: "m" }, response: { model: "m" } }],
    bad: [[{ request: { model: "m" }, response: { model: "n" } }, "body/model"]],
    none: [
      { request: {}, response: { model: "n" } },
      { request: { model: "m" }, response: {} },
    ],
  },
);

lawCases(
  "per key",
  { kind: "equal", of: { event: "*", at: "/name", by: ["/index"] } },
  {
    good: [
      {
        events: [
          { index: 0, name: "a" },
          { index: 1, name: "b" },
          { index: 0, name: "a" },
        ],
      },
    ],
    bad: [
      [
        {
          events: [
            { index: 0, name: "a" },
            { index: 1, name: "b" },
            { index: 1, name: "a" },
          ],
        },
        "event 2/name",
      ],
    ],
  },
);

lawCases(
  "a list of what was sent",
  { kind: "equal", of: { event: "end", at: "/items" }, to: { event: "item", at: "/item" }, as: "list" },
  {
    good: [
      {
        events: [
          { type: "item", item: { a: "x" } },
          { type: "end", items: [{ a: "x" }] },
        ],
      },
    ],
    bad: [
      [
        {
          events: [
            { type: "item", item: { a: "x" } },
            { type: "end", items: [] },
          ],
        },
        "event 1/items",
      ],
      [{ events: [{ type: "end", items: [1] }] }, "event 0/items"],
    ],
  },
);

lawCases(
  "one value",
  { kind: "equal", of: { response: "/items/*/kind" }, is: "item" },
  {
    good: [{ response: { items: [{ kind: "item" }] } }],
    bad: [[{ response: { items: [{ kind: "item" }, { kind: "x" }] } }, "body/items/1/kind"]],
    none: [{ response: { items: [] } }],
  },
);

lawCases(
  "a set of what was sent",
  { kind: "equal", of: { event: "end", at: "/items" }, to: { event: "item", at: "/item" }, as: "set" },
  {
    good: [
      {
        events: [
          { type: "item", item: { a: "x", b: 1 } },
          { type: "item", item: { a: "y" } },
          { type: "end", items: [{ a: "y" }, { b: 1, a: "x" }] },
        ],
      },
    ],
    bad: [
      [
        {
          events: [
            { type: "item", item: { a: "x" } },
            { type: "end", items: [{ a: "x" }, { a: "x" }] },
          ],
        },
        "event 1/items",
      ],
    ],
  },
);
