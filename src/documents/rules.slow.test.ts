/** Rules in code, in the processes and threads that judge: they are bounded there, and folders of runs say which code judged. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { formatCassette } from "../cassette/write.ts";
import { home } from "../home.ts";
import { check, record, serve } from "../index.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { folderOf } from "./documents.test-kit.ts";

const id = "things.body.count";
const rule = (on: "request" | "response", body: string): string => `export const rules = [{
  clause: "${id}",
  applies: ({ requestJson, replyJson }) => ${on === "request" ? "true" : "Array.isArray(replyJson?.items)"},
  *check({ requestJson, replyJson, request }) { ${body} },
  spoil: (exchange, edit) => edit.json(exchange, "response", (body) => void body.items.push("more")),
}];`;
const counts = `if (replyJson.items.length !== requestJson.count)
  yield { side: "response", in: "body", pointer: "/items", expected: requestJson.count + " items", actual: replyJson.items };`;

const key = "s3cr3t-k3y-0123456789abcdef";
const asked = jsonRequest("/v1/things", [["authorization", `Bearer ${key}`]], { count: 2 });
const answered = (...items: string[]) => ({ request: asked, response: jsonResponse({ items }) });
const cassette = (...items: string[]): string =>
  formatCassette({ header: {}, exchanges: [{ exchange: answered(...items) }] });

const folder = (rules: string, on = "exchange"): string =>
  folderOf({
    "interface.json": { name: "things", operations: [{ name: "POST /v1/things" }] },
    "body.clauses.json": {
      document: "Things",
      clauses: [{ name: "count", at: "Body", says: "As many items as asked for come.", on, level: "must" }],
    },
    "rules.mjs": rules,
    "recordings/good.json": cassette("a", "b"),
  });

function cli(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const verdictIn = async (path: string, own: string) => {
  const document = await check(path, { documents: [own] });
  return { document: JSON.stringify(document), found: document.clauses.find((one) => one.id === id) };
};

test("a rule judges in the process of a judge, and what it throws there quotes no credential", async () => {
  const bad = join(folderOf({ "bad.json": cassette("a") }), "bad.json");
  expect((await verdictIn(bad, folder(rule("response", counts)))).found).toMatchObject({ verdict: "fail" });
  const throwing = await verdictIn(bad, folder(rule("response", "throw new Error(request.headers.authorization)")));
  expect(throwing.found).toMatchObject({ verdict: "broken" });
  expect(throwing.document).not.toContain(key);
});

test("a rule that never ends is told after a while, and the exchange is judged by all others", {
  timeout: 60_000,
}, async () => {
  const own = folder(rule("response", "for (;;);"));
  const { clauses, summary } = await check(answered("a", "b"), { documents: [own] });
  expect(summary.exchanges).toBe(1);
  expect(clauses.find((one) => one.id === id)).toMatchObject({
    verdict: "broken",
    needs: [`the code of ${own}/rules.mjs failed at the rule on ${id}: it does not end within 10 seconds`],
  });
});

test.each([
  ["loops when it is loaded", "for (;;);", "cannot be loaded: Error: it is not there after 10 seconds"],
  [
    "waits for ever when it is loaded",
    "await new Promise(() => {});",
    "cannot be loaded: Error: it is not there after",
  ],
  [
    "loops soon after",
    "Promise.resolve().then(() => { for (;;); });",
    "cannot be loaded: Error: it is not there after",
  ],
  [
    "loops in a function",
    "export const streams = () => { for (;;); };",
    "streams(): it does not end within 10 seconds",
  ],
])("a rules.mjs that %s ends a command with one line", { timeout: 60_000 }, async (_what, body, says) => {
  const own = folder(`${rule("response", counts)}\n${body}`);
  const { status, stderr } = cli("check", join(own, "recordings", "good.json"), "--documents", own);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^touchstone: .*/);
  expect(stderr).toContain(`${own}/rules.mjs`);
  expect(stderr).toContain(says);
});

test("a command prints one document whatever a rule prints, and its exit code is not the rule's", () => {
  const noisy = folder(`console.log("loaded"); ${rule("response", `console.log("judged"); process.exit(0);`)}`);
  const { status, stdout } = cli(
    ...["check", join(noisy, "recordings", "good.json"), "--documents", noisy, "--format", "json"],
  );
  expect(JSON.parse(stdout).summary.exchanges).toBe(1);
  expect(status).toBe(2);
  const proof = cli("prove", "--documents", noisy, "--format", "json");
  expect(JSON.parse(proof.stdout).silent).toEqual([id]);
  expect(proof.stderr).toContain("loaded");
  const text = cli("check", join(noisy, "recordings", "good.json"), "--documents", noisy);
  expect(text.stdout).toContain("BROKEN: a check itself failed");
  expect(text.stdout).toContain(`failed at the rule on ${id}: Error: it calls process.exit()`);
});

test("verify says which code ran, and refuses a folder that other code judged", () => {
  const own = folder(rule("response", counts));
  const results = join(own, "results");
  expect(cli("run", "--documents", own, "--out", results)).toMatchObject({ status: 0 });
  const digest = JSON.parse(readFileSync(join(results, "manifest.json"), "utf8")).documents["things/rules.mjs"];
  const holds = cli("verify", results, "--documents", own);
  expect(holds).toMatchObject({ status: 0, stdout: expect.stringContaining(`Ran things/rules.mjs, sha256 ${digest}`) });
  expect(JSON.parse(cli("verify", results, "--documents", own, "--format", "json").stdout).code).toEqual({
    "things/rules.mjs": digest,
  });
  writeFileSync(join(own, "rules.mjs"), `${rule("response", counts)}\n`);
  const refused = cli("verify", results, "--documents", own);
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^touchstone: this folder was judged by another things\/rules\.mjs \(\w{12}\) than/),
  });
  expect(cli("verify", results).stderr).toContain("Name it as the run did: --documents PATH");
  expect(cli("verify", results, "--documents", own, "--any-version").stdout).toContain("HOLDS");
});

test("the enforcer refuses by a rule, and passes what a failing rule does not decide", async () => {
  const few = `if (!(requestJson.count < 9)) yield { side: "request", in: "body", pointer: "/count", expected: "less than 9", actual: requestJson.count };`;
  for (const [body, status] of [
    [few, 400],
    ["throw new Error()", 200],
  ] as const) {
    const documents = [folder(rule("request", body), "request")];
    const upstream = await serve({ documents });
    const recorder = await record({
      upstream: upstream.url,
      documents,
      enforce: true,
      out: join(documents[0]!, "s.jsonl"),
    });
    onTestFinished(async () => {
      await recorder.close();
      await upstream.close();
    });
    const ask = (count: number) =>
      fetch(`${recorder.url}/v1/things`, { method: "POST", body: JSON.stringify({ count }) }).then((one) => one.status);
    expect(await ask(2)).toBe(200);
    expect(await ask(99)).toBe(status);
  }
});
