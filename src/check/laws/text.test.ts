import { lawCases } from "./laws.test-kit.ts";

lawCases(
  "JSON in a string",
  { kind: "text", of: { response: "/items/*/json" }, is: "json" },
  {
    good: [{ response: { items: [{ json: "{}" }, { json: "1" }] } }],
    bad: [
      [
        { response: { items: [{ json: "{}" }, { json: "{" }, { json: "" }] } },
        "body/items/1/json",
        "body/items/2/json",
      ],
    ],
    none: [{ response: { items: [{ json: null }, {}] } }],
  },
);

lawCases(
  "a JSON object in deltas",
  { kind: "text", of: { event: "delta", at: "/json", by: ["/i"] }, is: "json-object", joined: true },
  {
    good: [
      {
        events: [
          { type: "delta", i: 0, json: '{"a"' },
          { type: "delta", i: 1, json: "{}" },
          { type: "delta", i: 0, json: ":1}" },
          { type: "delta", i: 2, json: "" },
        ],
      },
    ],
    bad: [
      [
        {
          events: [
            { type: "delta", i: 0, json: "[" },
            { type: "delta", i: 0, json: "]" },
          ],
        },
        "event 1/json",
      ],
      [
        {
          events: [
            { type: "delta", i: 0, json: "{}" },
            { type: "delta", i: 0, json: "}" },
          ],
        },
        "event 1/json",
      ],
    ],
    none: [{ events: [{ type: "delta", i: 0, json: "" }] }],
  },
);

lawCases(
  "base64",
  { kind: "text", of: { response: "/data" }, is: "base64" },
  {
    good: [{ response: { data: "aGk=" } }, { response: { data: "" } }],
    bad: [
      [{ response: { data: "aGk" } }, "body/data"],
      [{ response: { data: "a-_=" } }, "body/data"],
    ],
  },
);

lawCases(
  "characters, not UTF-16 units",
  { kind: "text", of: { response: "/id" }, maxLength: 2 },
  {
    good: [{ response: { id: "😀😀" } }, { response: { id: "ab" } }, { response: { id: "" } }],
    bad: [[{ response: { id: "abc" } }, "body/id"]],
  },
);
