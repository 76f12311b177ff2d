import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "ids of items",
  { kind: "unique", of: { response: "/items/*/id" } },
  {
    good: [{ response: { items: [{ id: "a" }, { id: "b" }, { id: null }, { id: null }] } }],
    bad: [
      [{ response: { items: [{ id: "a" }, { id: "b" }, { id: "a" }] } }, "body/items/2/id"],
      [{ response: { items: [{ id: 1 }, { id: 1 }, { id: 1 }] } }, "body/items/1/id", "body/items/2/id"],
    ],
    none: [{ response: { items: [{ id: "a" }] } }, { response: {} }],
  },
);

lawCases(
  "ids per key",
  { kind: "unique", of: { event: "*", at: "/id", by: ["/i"] } },
  {
    good: [
      {
        events: [
          { i: 0, id: 1 },
          { i: 1, id: 1 },
          { i: 1, id: 2 },
        ],
      },
    ],
    bad: [
      [
        {
          events: [
            { i: 0, id: 1 },
            { i: 1, id: 1 },
            { i: 0, id: 1 },
          ],
        },
        "event 2/id",
      ],
    ],
  },
);
