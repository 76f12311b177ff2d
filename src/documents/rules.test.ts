/** Rules in code: they judge, are proven and bounded, and what is amiss with their file is told in one line. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CassetteHeader, Recorded } from "../cassette/format.ts";
import { formatCassette } from "../cassette/write.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { check } from "../index.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { openClauses } from "../interfaces/open-clauses.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { nameOfProbes } from "../run/send/kept-probes.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { documentOf, errorsIn, folderOf, ownClauses, proofOf } from "./documents.test-kit.ts";

const clause = (name: string, on: string, more: object = {}) => ({
  ...{ name, at: "Body", says: `It says ${name}.`, on, level: "must" },
  ...more,
});
const count = "things.body.count";
const counts = `export const rules = [{
  clause: "${count}",
  applies: ({ requestJson, replyJson }) => Number.isInteger(requestJson.count) && Array.isArray(replyJson?.items),
  *check({ requestJson, replyJson }) {
    if (replyJson.items.length !== requestJson.count)
      yield { side: "response", in: "body", pointer: "/items", expected: requestJson.count + " items", actual: replyJson.items.length };
  },
  spoil: (exchange, edit) => edit.json(exchange, "response", (body) => void body.items.push("more")),
}];`;
/** A rule whose check has this body. */
const checks = (body: string, more = ""): string =>
  `export const rules = [{ clause: "${count}", applies: () => true, check() { ${body} }, ${more} }];`;

const asked = jsonRequest("/v1/things", [], { count: 2 });
const answered = (...items: string[]) => ({ request: asked, response: jsonResponse({ items }) });
const cassette = (header: CassetteHeader, ...exchanges: Recorded[]): string => formatCassette({ header, exchanges });
const good = cassette({}, { exchange: answered("a", "b") });

const folder = (rules: string, more: Readonly<Record<string, unknown>> = {}): string =>
  folderOf({
    "interface.json": { name: "things", operations: [{ name: "POST /v1/things" }] },
    "body.clauses.json": { document: "Things", clauses: [clause("count", "exchange")] },
    "rules.mjs": rules,
    "recordings/good.json": good,
    ...more,
  });

const gapsOf = async (own: string) =>
  (await proofOf(await openCatalogue([own]))).gaps.map(({ kind, why }) => `${kind}: ${why.replaceAll(own, "DIR")}`);

test("judging an exchange bounds its rules and functions once", async () => {
  const own = folder(`${counts}
    export const streams = () => false;
    export const operations = { "POST /v1/things": { takes: () => true } };`);
  const catalogue = await openCatalogue([own]);
  const bounded = vi.spyOn(Script.prototype, "runInThisContext");
  onTestFinished(() => bounded.mockRestore());
  const options = { names: namesFrom(), policy: lenient };
  const { exercised } = judge(answered("a", "b"), { source: "", exchange: 0 }, catalogue, options);
  expect(exercised[catalogue.indexOf(count)]).toBe(1);
  expect(bounded).toHaveBeenCalledTimes(1);
});

test("a rule judges, and is proven by its spoil on a recording", async () => {
  const own = folder(counts);
  expect(await gapsOf(own)).toEqual([]);
  const inMemory = await check(answered("a"), { documents: [own] });
  expect(inMemory.findings).toMatchObject([{ clause: count, expected: "2 items", actual: "1", pointer: "/items" }]);
});

test.each([
  ["a promise that fails", `Promise.reject(new Error("late"))`, "fails beside its functions: Error: late"],
  ["a timer that fails", `setTimeout(() => { throw new Error("tick"); })`, "fails beside its functions: Error: tick"],
  [
    "a rule that cannot be read",
    `rules.push({ get clause() { throw new Error("no"); } })`,
    "cannot be loaded: Error: no",
  ],
])("%s ends the folder with one line", async (_what, more, says) => {
  const own = folder(`${counts}\n${more};`);
  await expect(openCatalogue([own])).rejects.toThrow(`${own}/rules.mjs ${says}`);
});

test("a file that prints much, and leaves a timer that holds nothing up, is loaded", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  const own = folder(`${counts}\nprocess.stdout.write("x".repeat(1 << 20)); setInterval(() => {}, 1000).unref();`);
  expect(await gapsOf(own)).toEqual([]);
});

test("proof says how a rule fails", async () => {
  const why = `the code of DIR/rules.mjs failed at the rule on ${count}: Error: boo`;
  const spoil = `spoil: (exchange) => exchange`;
  expect(await gapsOf(folder(checks(`throw new Error("boo")`, spoil)))).toEqual([`silent: ${why}`]);
});

test.each([
  ["a schema that is a list", { "body.schema.json": [] }, "body.schema.json is not a JSON object"],
  [
    "a schema of no type",
    { "body.schema.json": { type: "text", clause: { type: count } } },
    "/things/body.schema.json: schema is invalid",
  ],
  [
    "two clauses of one name",
    {
      "body.clauses.json": { document: "Things", clauses: [clause("count", "exchange"), clause("count", "exchange")] },
    },
    `two clauses share the id ${count}`,
  ],
])("%s is named with its place", async (_what, files, says) => {
  await expect(openCatalogue([folder(counts, files)])).rejects.toThrow(says);
});

test.each([
  ["throws", `throw new Error("boo\\nhoo")`, "Error: boo"],
  ["throws what is no error", "throw null", "null"],
  ["ends the process", "process.exit(0)", "Error: it calls process.exit()"],
  ["yields what is no fault", "return [{ side: 'both' }]", "TypeError: it yields a fault whose side is neither"],
  [
    "yields without end",
    "return { *[Symbol.iterator]() { for (;;) yield { needs: 'x' } } }",
    "more than 100000 faults",
  ],
  ["gives a promise", "return Promise.resolve([])", "TypeError: its check gives nothing that lists faults"],
  ["quotes itself", "const a = []; a.push(a); return [{ side: 'response', in: 'body', expected: 'x', actual: a }]", ""],
])("a rule that %s is told by file and clause, and ends nothing", async (_what, body, why) => {
  const own = folder(checks(body));
  const { clauses, summary } = await check(answered("a", "b"), { documents: [own] });
  const found = clauses.find(({ id }) => id === count);
  expect(summary.exchanges).toBe(1);
  if (why === "") return expect(found).toMatchObject({ verdict: "fail" });
  const [reason = ""] = found?.needs ?? [];
  expect(found?.verdict).toBe("broken");
  expect(reason).toContain(`the code of ${own}/rules.mjs failed at the rule on ${count}: `);
  expect(reason).toContain(why);
  expect(reason).not.toContain("\n");
});

test("what a rule throws quotes no credential of an exchange", async () => {
  const own = folder(checks(`throw new Error(arguments[0].request.headers.authorization)`));
  const secret = "Bearer s3cr3t-k3y-0123456789abcdef";
  const exchange = { ...answered("a"), request: jsonRequest("/v1/things", [["authorization", secret]], { count: 1 }) };
  const document = JSON.stringify(await check(exchange, { documents: [own] }));
  expect(document).toContain("failed at the rule");
  expect(document).not.toContain("s3cr3t");
});

test("what a rule prints goes to standard error", async () => {
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = ((text: string) => written.push(text) > 0) as typeof write;
  try {
    await check(answered("a", "b"), { documents: [folder(checks("process.stdout.write('hello')"))] });
  } finally {
    process.stdout.write = write;
  }
  expect(written).toEqual([]);
});

test.each([
  ["throws", `throw new Error("boom")`, "cannot be loaded: Error: boom"],
  ["ends the process", "process.exit(0)", "cannot be loaded: Error: it calls process.exit()"],
  ["is no JavaScript", "this is none", "cannot be loaded: "],
  ["replaces a function of the language", "JSON.parse = () => 1; export const rules = []", "changes JSON.parse"],
  ["adds to all objects", "Object.prototype.own = 1; export const rules = []", "changes Object.prototype.own"],
  ["replaces what lists are made with", "Array.prototype.map = () => []; export {}", "changes Array.prototype.map"],
  ["exports nothing", "const rules = []", "it exports nothing"],
  ["misspells an export", "export const rulez = []", "nothing reads its export rulez"],
  ["exports no list", "export const rules = 5", "its export rules is no list"],
  ["lists what is no rule", "export const rules = [5]", "rules[0] is no object"],
  ["has a rule on no clause", `export const rules = [{ clause: "x" }]`, "rules[0].clause is no id"],
  ["has a rule without a check", `export const rules = [{ clause: "${count}", applies() {} }]`, "rules[0].check is no"],
  ["has a rule that waits", checks("", "async spoil() {}"), "rules[0].spoil is asynchronous"],
  [
    "has a rule on an unknown clause",
    replaceText(counts, new RegExp(count, "g"), "things.body.cuont"),
    "is on things.body.cuont, which",
  ],
  [
    "imports from elsewhere",
    `import "../x.mjs"; export const rules = []`,
    "imports ../x.mjs, which is no .mjs file of",
  ],
  ["imports an unknown package", `import "no-such-package-here"; export const rules = []`, "Cannot find package"],
  ["speaks of an unknown operation", "export const operations = { 'GET /x': {} }", "has GET /x, which is no operation"],
])("a rules.mjs that %s is one clear line", async (_what, rules, says) => {
  const own = folder(rules);
  const complaint = await openCatalogue([own]).catch((error: unknown) => error);
  expect(complaint).toMatchObject({ name: "UserError", message: expect.stringContaining(says) });
  expect((complaint as Error).message).not.toContain("\n");
  expect(JSON.parse("[1]")).toEqual([1]);
  expect({}).not.toHaveProperty("own");
});

test("a link, and a file that is too large, are refused before anything runs", async () => {
  const elsewhere = join(folderOf({ "rules.mjs": counts }), "rules.mjs");
  const linked = folderOf({ "interface.json": { name: "things", operations: [{ name: "POST /v1/things" }] } });
  symlinkSync(elsewhere, join(linked, "rules.mjs"));
  await expect(openCatalogue([linked])).rejects.toThrow(/rules\.mjs is a symbolic link, and only plain files are read/);
  const large = folder(`throw 1;${" ".repeat(18 << 20)}`);
  await expect(openCatalogue([large])).rejects.toThrow(/rules\.mjs has \d+ MiB, and at most 16 MiB are read/);
});

test("every clause may be decided by code of too many words that is not run", async () => {
  const files = {
    "body.schema.json": { properties: { count: { type: "integer", clause: { type: "things.body.whole" } } } },
  };
  const clauses = { document: "Things", clauses: [clause("whole", "request")] };
  const schemas = { request: "body.schema.json" };
  const missing = async (rules: string) => {
    const own = folder(rules, {
      ...files,
      "body.clauses.json": clauses,
      "interface.json": { name: "things", operations: [{ name: "POST /v1/things", schemas }] },
    });
    return ownClauses(await openCatalogue([own], false)).map(({ missingCode }) => missingCode !== undefined);
  };
  expect(await missing("other words")).toEqual([false]);
  expect(await missing(Array.from({ length: 200_001 }, (_, i) => `w${i}`).join(" "))).toEqual([true]);
});

test("code runs only where something is judged, and its digest is told of all of it", async () => {
  const own = folder(`throw new Error("boom")`, { "helper.mjs": "export const a = 1;" });
  const { clauses, digests } = await openClauses([own]);
  expect(clauses.some(({ id }) => id === count)).toBe(true);
  expect(Object.keys(digests())).toEqual(expect.arrayContaining(["things", "things/rules.mjs", "things/helper.mjs"]));
  const other = folder(counts);
  const before = (await openClauses([other])).digests();
  writeFileSync(join(other, "rules.mjs"), `${counts}\n`);
  const after = (await openClauses([other])).digests();
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(["things/rules.mjs"]);
  expect((await openCatalogue([other])).interfaces[0]!.rules.map((one) => one.clause)).toEqual([count]);
});

test("a spoil that fails, or cannot break what the rule sees, is a gap by its name", async () => {
  const spoils = (body: string) => gapsOf(folder(replaceText(counts, /spoil: .*/, `spoil: (exchange) => ${body},`)));
  expect(await spoils("exchange.response.gone.x")).toEqual([
    expect.stringMatching(/^silent: the code of DIR\/rules\.mjs failed at the spoil of things\.body\.count: TypeError/),
  ]);
  expect(await spoils("({ request: 1 })")).toEqual([expect.stringContaining("it gives something that is no exchange")]);
  expect(await spoils("undefined")).toEqual(["silent: no counterexample could be made"]);
  expect(await spoils("exchange")).toEqual(["silent: the rule's spoil"]);
});

test("a recording that says what it violates proves a rule without a spoil, and is named where it does not", async () => {
  const unspoilt = replaceText(counts, /spoil: .*/, "");
  const bad = (...items: string[]) => cassette({ violates: [count] }, { exchange: answered(...items) });
  expect(await gapsOf(folder(unspoilt))).toEqual(["silent: no counterexample could be made"]);
  expect(await gapsOf(folder(unspoilt, { "recordings/bad.json": bad("a") }))).toEqual([]);
  expect(await gapsOf(folder(counts, { "recordings/bad.json": bad("a", "b") }))).toEqual([
    "silent: DIR/recordings/bad.json says that it violates this, and no check notices",
  ]);
  const own = folder(counts, { "recordings/bad.json": cassette({ violates: ["things.body.cuont"] }) });
  const { wrong } = await (await openCatalogue([own])).examples();
  expect(wrong).toEqual([
    expect.stringMatching(/violates things\.body\.cuont, which is no clause\. Did you mean things/),
  ]);
});

test("a recording that violates more than it says is told so", async () => {
  const second = "things.body.first";
  const both = `${counts.slice(0, -2)}, { clause: "${second}", applies: ({ replyJson }) => replyJson !== undefined,
    *check({ replyJson }) { if (replyJson.items[0] !== "a") yield { side: "response", in: "body", expected: "a", actual: replyJson.items[0] }; },
    spoil: (exchange, edit) => edit.json(exchange, "response", (body) => ({ items: ["x", ...body.items.slice(1)] })),
  }];`;
  const clauses = { document: "Things", clauses: [clause("count", "exchange"), clause("first", "response")] };
  const recordings = { "recordings/bad.json": cassette({ violates: [count] }, { exchange: answered("x") }) };
  const catalogue = await openCatalogue([folder(both, { "body.clauses.json": clauses, ...recordings })]);
  const { gaps, unnamed } = await proofOf(catalogue);
  expect(gaps).toEqual([]);
  expect(unnamed).toEqual([
    expect.stringMatching(/bad\.json violates things\.body\.first as well, and does not say so/),
  ]);
});

test("a law of one's own is proven on a recording of several exchanges", async () => {
  const law = `export const laws = [{
    clause: "${count}",
    applies: (members) => members.length > 1,
    *check([first, ...others]) {
      for (const of of others)
        if (of.subject.replyJson.items[0] === first.subject.replyJson.items[0])
          yield { of, side: "response", in: "body", pointer: "/items/0", expected: "another item", actual: "the same" };
    },
    spoil: ([first, ...others]) => [first, ...others.map((one) => ({ ...one, response: first.response }))],
  }];`;
  const session = cassette({}, { exchange: answered("a", "b") }, { exchange: answered("c", "d") });
  const own = folder(law, { "recordings/session.json": session });
  expect(await gapsOf(own)).toEqual([]);
  expect(await gapsOf(folder(law))).toEqual(["dead: no example exercises it"]);
  expect(ownClauses(await openCatalogue([own])).map(({ kind }) => kind)).toEqual(["behaviour"]);
});

test("a written clause takes the place of a derived one, and a rule may decide instead", async () => {
  const schema = { type: "object", properties: { count: { type: "integer", maximum: 9 } } };
  const paths = {
    "/v1/things": { post: { requestBody: { content: { "application/json": { schema } } }, responses: {} } },
  };
  const at = "/paths/~1v1~1things/post/requestBody/content/application~1json/schema/properties/count/maximum";
  const few = { name: "count-few", at, says: "`count` is at most 9.", on: "request", level: "must" };
  const allowed = { ...few, name: "count-allowed", at: "Limits", says: "`count` is at most 9, or 100." };
  const rule = `export const rules = [{
    clause: "things.request.count-allowed",
    applies: ({ requestJson }) => requestJson?.count !== undefined,
    *check({ requestJson: { count } }) {
      if (count > 9 && count !== 100) yield { side: "request", in: "body", pointer: "/count", expected: "9 or less", actual: count };
    },
    spoil: (exchange, edit) => edit.json(exchange, "request", (body) => void (body.count = 10)),
  }];`;
  const written = (...clauses: object[]): string =>
    folderOf({
      "interface.json": { name: "things", openapi: "api.json" },
      "api.json": { openapi: "3.1.0", info: { title: "T", version: "1" }, paths },
      "request.clauses.json": { document: "Things", clauses },
      ...(clauses.length > 1 && { "rules.mjs": rule }),
    });
  const own = written({ ...few, opaque: "a rule decides it" }, allowed);
  const ids = ownClauses(await openCatalogue([own])).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["things.request.count-few", "things.request.count-allowed"]));
  expect(ids).not.toContain("things.request.count-maximum");
  const judged = async (folder: string, count: number) => {
    const exchange = { ...answered("a"), request: jsonRequest("/v1/things", [], { count }) };
    return (await check(exchange, { documents: [folder] })).findings.map((one) => one.clause);
  };
  expect(await judged(own, 100)).toEqual([]);
  expect(await judged(own, 10)).toEqual(["things.request.count-allowed"]);
  expect(await gapsOf(own)).toEqual([]);
  expect(await judged(written(few), 100)).toEqual(["things.request.count-few"]);
});

test("a written clause that code decides stands in place of the keyword, and any other keeps it", async () => {
  const properties = { count: { type: "integer", maximum: 5 }, size: { type: "integer", maximum: 5 } };
  const at = (name: string) =>
    `/paths/~1things/post/requestBody/content/application~1json/schema/properties/${name}/maximum`;
  const own = folderOf({
    "interface.json": { name: "things", openapi: "api.json" },
    "api.json": documentOf({ type: "object", properties }),
    "body.clauses.json": {
      document: "Things",
      clauses: [clause("count", "request", { at: at("count") }), clause("size", "request", { at: at("size") })],
    },
    "rules.mjs": `export const rules = [{
      clause: "${count}",
      applies: ({ requestJson }) => Number.isInteger(requestJson.count),
      *check({ requestJson }) {
        if (requestJson.count > 9)
          yield { side: "request", in: "body", pointer: "/count", expected: "9 at most", actual: requestJson.count };
      },
      spoil: (exchange, edit) => edit.json(exchange, "request", (body) => void (body.count = 10)),
    }];`,
  });
  const catalogue = await openCatalogue([own]);
  expect(errorsIn(catalogue, { count: 9, size: 5 })).toEqual([]);
  expect(errorsIn(catalogue, { count: 10, size: 6 })).toEqual([count, "things.body.size"]);
  expect(ownClauses(catalogue).filter(({ id }) => id.endsWith("maximum"))).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
  // No keyword judges in place of code that is not run.
  const alone = await openCatalogue([own], false);
  expect(errorsIn(alone, { count: 6, size: 6 })).toEqual(["things.body.size"]);
  expect(ownClauses(alone).flatMap(({ id, missingCode }) => (missingCode === undefined ? [] : [id]))).toEqual([count]);
  expect(await nameOfProbes(alone)).toBeUndefined();
});
