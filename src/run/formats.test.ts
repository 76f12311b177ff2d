/** The schemas in schemas/formats/ and the code that reads or writes those documents say the same. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, expect, test } from "vitest";
import type { Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { readExpectations } from "../verdict/expectations.ts";
import { type Outcome, resultsOf } from "../verdict/results.ts";
import type { Plan } from "../verdict/run-results.ts";
import { settings } from "../verdict/settings.test-kit.ts";
import { readTarget } from "./plan/target-options.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-formats-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ajv = new Ajv2020({ allErrors: true, strict: false });
for (const name of ["names", "results", "target", "expectations"])
  ajv.addSchema(
    JSON.parse(readFileSync(join(home, "schemas", "formats", `${name}.schema.json`), "utf8")),
    `${name}.schema.json`,
  );
const errorsOf = (name: string, value: unknown): unknown => {
  const validate = ajv.getSchema(`${name}.schema.json`)!;
  return validate(JSON.parse(JSON.stringify(value))) ? [] : validate.errors;
};

test.each([
  [{ url: "http://127.0.0.1:1" }, true],
  [
    {
      url: "HTTPS://host/v1",
      keys: { messages: "$KEY", "*": "$ALL" },
      bindings: {
        names: { "partner-version": "v", "image-multi": ["a*"] },
        models: { reasoning: ["o*"] },
        credentials: "kept",
      },
      models: { messages: "m" },
      lacks: ["tools"],
      headers: { "X-A": "b" },
      expectations: "expectations.json",
      preset: "vendors",
      interfaces: ["messages"],
      readings: ["strict"],
      level: "warning",
      limits: { requests: 50, rate: 2.5, concurrency: 1, retries: 0, timeout: 5, wait: 1 },
      out: "results",
      $schema: "target.schema.json",
      "x-owner": "us",
    },
    true,
  ],
  [{}, false],
  [[], false],
  [{ url: 5 }, false],
  [{ url: "ftp://x" }, false],
  [{ url: "http://x", keys: { messages: "sk-literal" } }, false],
  [{ url: "http://x", lacks: "tools" }, false],
  [{ url: "http://x", bindings: { models: { reasoning: "o*" } } }, false],
  [{ url: "http://x", bindings: { name: {} } }, false],
  [{ url: "http://x", model: "m" }, false],
  [{ url: "http://x", limits: { request: 5 } }, false],
  [{ url: "http://x", level: "fatal" }, false],
])("target file %j: schema and reader agree", (content, good) => {
  const file = join(folder, "target.json");
  writeFileSync(file, JSON.stringify(content));
  expect(errorsOf("target", content)).toEqual(good ? [] : expect.arrayContaining([expect.anything()]));
  if (good) expect(readTarget(file)).toMatchObject({ url: expect.stringMatching(/^https?:/) });
  else expect(() => readTarget(file)).toThrow();
});

test.each([
  [{ expectations: [] }, true],
  [
    {
      expectations: [
        { clause: "images.response.created-type", reason: "r", ticket: "T", expires: "2030-12-31" },
        { cassette: "b", reason: "r" },
      ],
    },
    true,
  ],
  [{}, false],
  [{ expectations: [], more: 1 }, false],
  [{ expectations: [{ clause: "images.response.created-type" }] }, false],
  [{ expectations: [{ clause: "images.response.created-type", reason: " " }] }, false],
  [{ expectations: [{ reason: "r" }] }, false],
  [
    {
      expectations: [{ clause: "images.response.created-type", cassette: "b", reason: "r", "x-owner": "me" }],
      $schema: "s",
      $comment: "c",
    },
    true,
  ],
  [{ expectations: [{ clause: "images.response.created-type", cassette: 5, reason: "r" }] }, false],
  [{ expectations: [{ clause: "images.response.created-type", reason: "r", expires: "soon" }] }, false],
])("expectations %j: schema and reader agree", (content, good) => {
  expect(errorsOf("expectations", content)).toEqual(good ? [] : expect.arrayContaining([expect.anything()]));
  expect(readExpectations(content).ok).toBe(good);
});

test.each([
  ["messages.response.stop-reason-values", true],
  ["my-api.items.name-type", true],
  ["my-api.items./a/b-minimum", true],
  ["nonsense", false],
  ["messages.response", false],
  ["messages.response.", false],
  ["two words.response.a", false],
])("an editor accepts the clause %s in an expectations file: %s", (clause, good) => {
  const validate = ajv.getSchema("expectations.schema.json")!;
  expect(validate({ expectations: [{ clause, reason: "r" }] })).toBe(good);
});

test("results of a run fit their schema, with findings, incidents, expectations and shards", async () => {
  const catalogue = await openCatalogue();
  const clause = catalogue.clauses.find(({ id }) => id === "images.response.created-type")!;
  const source = "images/generations/one.json";
  const plan: Plan = {
    interfaces: ["images"],
    sections: [],
    clauses: [],
    lacks: ["tools"],
    limit: 5,
    cassettes: [{ source, interface: "images", section: "generations", exchanges: 1 }],
    exchanges: 1,
  };
  const findings: Finding[] = [
    {
      source,
      exchange: 0,
      interface: "images",
      operation: "POST /v1/images/generations",
      side: "response",
      in: "body",
      event: null,
      pointer: "/created",
      clause: clause.id,
      level: "error",
      message: "m",
      expected: "e",
      actual: "a",
      document: clause.document,
    },
  ];
  const outcome: Outcome = {
    source,
    sent: [],
    unsent: [],
    evidence: [
      {
        judged: true,
        exercised: [clause.id],
        undecided: [{ clause: "images.response.data-present", needs: "an answer" }],
        missed: [],
        findings,
        groups: groupsOf(findings),
        unjudged: { source, exchange: 0, operation: null, why: "too much to judge" },
      },
    ],
    unshown: [],
    signs: [],
    incidents: [{ source, exchange: 0, interface: "images", operation: "o", kind: "refused", problem: "p", needs: [] }],
    reproduce: [{ source, exchange: 0, curl: "curl" }],
  };
  const facts = {
    target: { kind: "url" as const, url: "http://127.0.0.1:1", bindings: { "image-multi": ["a*"] } },
    plan,
    shard: { index: 1, of: 2 },
    options: settings,
    versions: { touchstone: "0.1.0", node: "20.19.0" },
    documents: { messages: "0".repeat(64) },
  };
  const given = {
    expectations: [{ clause: clause.id, reason: "known", ticket: "T" }],
    failsAt: "error" as const,
    diverges: [{ clause: clause.id, reason: "It always did.", by: ["official" as const] }],
    today: "2030-01-01",
  };
  const results = resultsOf(facts, [outcome], () => [], catalogue, given, true);
  expect(errorsOf("results", results)).toEqual([]);
  expect(results.clauses.find(({ id }) => id === clause.id)).toMatchObject({
    verdict: "fail",
    expected: { reason: "known" },
    diverges: "differs from the document, as the vendor itself does: It always did.",
  });
  const diverges = "differs from the document, as the vendor itself does: It always did.";
  expect(results.findings).toMatchObject([{ diverges }]);
  expect(results.groups).toMatchObject([{ count: 1, exchanges: 1, first: [0], diverges }]);
  expect(errorsOf("results", { ...results, complete: "yes" })).not.toEqual([]);
});
