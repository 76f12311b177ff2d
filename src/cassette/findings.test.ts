/** Holds the published schema of findings to the shape that scripts rely on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { home } from "../home.ts";

const schema = (name: string): object =>
  JSON.parse(readFileSync(join(home, "schemas", "formats", `${name}.schema.json`), "utf8"));
const ajv = new Ajv2020({ strictTypes: false, validateFormats: false });
for (const name of ["names", "expectations"]) ajv.addSchema(schema(name), `${name}.schema.json`);
const validate = ajv.compile(schema("findings"));

const finding = {
  source: "session.har",
  exchange: 0,
  interface: "chat-completions",
  operation: "POST /v1/chat/completions",
  side: "response",
  in: "body",
  event: null,
  pointer: "/choices/0/finish_reason",
  clause: "chat-completions.response.finish-reason-values",
  level: "error",
  message: "m",
  expected: "e",
  actual: "a",
  document: { name: "chat-completions-and-images", section: "Choice object" },
};
const document = {
  complete: true,
  summary: { exchanges: 3, errors: 1, warnings: 0, notes: 2, unjudged: 0 },
  findings: [finding],
  groups: [
    {
      clause: "chat-completions.response.finish-reason-values",
      level: "error",
      side: "response",
      in: "body",
      pointer: "/choices/*/finish_reason",
      count: 300,
      exchanges: 11,
      first: [0],
    },
  ],
  unjudged: [{ source: "session.har", exchange: 1, operation: null, why: "too much to judge" }],
  clauses: [{ id: "a.b.c", verdict: "pass", exercised: 3, failed: 0 }],
};

test("the promised shape fits, with a reading and with members of results too", () => {
  const graded = { ...finding, in: "stream", event: 2, pointer: "", reading: "M-MAXTOK" };
  expect(validate(document)).toBe(true);
  expect(validate({ ...document, findings: [graded], target: {}, plan: {} })).toBe(true);
});

test("another shape does not", () => {
  for (const odd of [
    { event: -1 },
    { event: undefined },
    { side: "both" },
    { in: "cookie" },
    { pointer: "x" },
    { level: "fatal" },
    { document: {} },
  ])
    expect(validate(JSON.parse(JSON.stringify({ ...document, findings: [{ ...finding, ...odd }] })))).toBe(false);
  for (const member of Object.keys(document)) expect(validate({ ...document, [member]: undefined })).toBe(false);
  expect(validate({ ...document, clauses: [{ ...document.clauses[0], verdict: "ok" }] })).toBe(false);
});
