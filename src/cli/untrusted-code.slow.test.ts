/** Code in folders of documents that only a target file names: it does not run unasked, and nothing passes without it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { formatCassette } from "../cassette/write.ts";
import { folderOf } from "../documents/documents.test-kit.ts";
import { namedUpstream, openRelay, upstreamByHeader } from "../gateway/relay.test-kit.ts";
import { check, play, run, type Server, serve } from "../index.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const decided = "things.response.items-count";
const clause = (name: string, on: string) => ({ name, at: "Body", says: `It says ${name}.`, on, level: "must" });
const typed = (name: string, type: string, section: string) => ({
  properties: { [name]: { type, clause: { type: `things.${section}.${name}-type` } } },
});
const recording = (...items: string[]): string =>
  formatCassette({
    header: {},
    exchanges: [
      { exchange: { request: jsonRequest("/v1/things", [], { count: 2 }), response: jsonResponse({ items }) } },
    ],
  });

const schemas = { request: "request.schema.json", response: "response.schema.json" };
const data = {
  "interface.json": { name: "things", operations: [{ name: "POST /v1/things", schemas }] },
  "request.schema.json": typed("count", "integer", "request"),
  "request.clauses.json": { document: "Things", clauses: [clause("count-type", "request")] },
  "response.schema.json": typed("items", "array", "response"),
  "response.clauses.json": {
    document: "Things",
    clauses: [clause("items-type", "response"), clause("items-count", "exchange")],
  },
  "recordings/two.json": recording("a", "b"),
};

/** The same without schemas: the code alone decides. */
const bare = {
  "interface.json": { name: "things", operations: [{ name: "POST /v1/things" }] },
  "response.clauses.json": { document: "Things", clauses: [clause("items-count", "exchange")] },
  "recordings/two.json": recording("a", "b"),
};

/** A rule, in a file that leaves a trace when it runs. */
const code = (marker: string): string => `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(marker)}, "it ran");
export const rules = [{
  clause: "${decided}",
  applies: ({ requestJson, replyJson }) => Array.isArray(replyJson?.items),
  *check({ requestJson, replyJson }) {
    if (replyJson.items.length !== requestJson.count)
      yield { side: "response", in: "body", pointer: "/items", expected: requestJson.count + " items", actual: replyJson.items.length };
  },
  spoil: (exchange, edit) => edit.json(exchange, "response", (body) => void body.items.push("more")),
}];`;

let server: Server;
beforeAll(async () => {
  server = await serve({ documents: [folderOf(data)] });
  return () => server.close();
});

/** What a stranger sends: a target file, and the folder that it names. */
function strange(target: object = { url: server.url }, api: object = data) {
  const files = { ...api, "rules.mjs": "" };
  const below = folderOf({
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`api/${name}`, content])),
    "target.json": { documents: ["api"], ...target },
  });
  const marker = join(below, "marker");
  const rules = join(below, "api", "rules.mjs");
  writeFileSync(rules, code(marker));
  /** Whether the code ran since the last look. */
  const hasRun = (): boolean => {
    const isThere = existsSync(marker);
    rmSync(marker, { force: true });
    return isThere;
  };
  const at = (name: string): string => join(below, name);
  return { target: at("target.json"), api: at("api"), rules, at, hasRun };
}

const note = ({ rules, target }: ReturnType<typeof strange>): string =>
  `${rules} was not run: only ${target} names its folder. The clauses that it decides have no verdict. --allow-code runs it.\n`;

const verdictOn = ({ clauses }: Pick<RunResults, "clauses">, id: string) => clauses.find((one) => one.id === id);

const relayed = ["--from", "messages", "--to", "messages", ...upstreamByHeader];
const few = ["--lacks", "tools,images,streaming,structured-output,json-mode,logprobs,n,audio,documents,image-input"];

type Strange = ReturnType<typeof strange>;

test.each<[string, object, (one: Strange) => string[]]>([
  ["run", data, ({ target }) => ["run", target]],
  ["run of a named model", data, ({ target }) => ["run", target, "--model", "things=ours"]],
  ["diff --against", bare, ({ target, api }) => ["diff", join(api, "recordings", "two.json"), "--against", target]],
])("%s runs the code of a target file's documents only if it may", async (_command, api, argumentsFor) => {
  const one = strange(undefined, api);
  const without = await touchstoneHere(argumentsFor(one));
  expect([without.code, one.hasRun(), without.stderr]).toEqual([0, false, note(one)]);
  const allowed = await touchstoneHere([...argumentsFor(one), "--allow-code"]);
  expect([allowed.code, one.hasRun(), allowed.stderr]).toEqual([0, true, ""]);
  const other = strange(undefined, api);
  const named = await touchstoneHere([...argumentsFor(other), "--documents", other.api]);
  expect([named.code, other.hasRun(), named.stderr]).toEqual([0, true, ""]);
});

test("gateway runs the code of a target file's documents only if it may", async () => {
  const relay = await openRelay(namedUpstream, {});
  onTestFinished(() => relay.close());
  const one = strange({ url: relay.url });
  const args = ["gateway", one.target, ...relayed, ...few];
  const without = await touchstoneHere(args);
  expect([without.code, one.hasRun(), without.stderr]).toEqual([0, false, note(one)]);
  const allowed = await touchstoneHere([...args, "--allow-code"]);
  expect([allowed.code, one.hasRun(), allowed.stderr]).toEqual([0, true, ""]);
});

test("gateway runs gateway.start of a target file only if it may", async () => {
  const below = folderOf({ "target.json": "" });
  const [target, marker] = [join(below, "target.json"), join(below, "marker")];
  const route = { from: "messages", to: "messages" };
  // Prints nothing of a command of 10,000 characters but its beginning.
  const start = `echo ran > '${marker}'; exit 3 # ${"x".repeat(10_000)}`;
  writeFileSync(target, JSON.stringify({ url: "http://127.0.0.1:9", gateway: { ...route, start } }));
  const refused = await touchstoneHere(["gateway", target]);
  expect(refused).toEqual({
    code: 2,
    stdout: "",
    stderr: `touchstone: ${target} names a command that starts the gateway, which needs --allow-code: ${start.slice(0, 399)}…\nRead the command. Then add --allow-code, or give a command of your own by --start.\n`,
  });
  const dry = await touchstoneHere(["run", target, "--dry-run", "--allow-code"]);
  expect([dry.code, existsSync(marker)]).toEqual([0, false]);
  const own = await touchstoneHere(["gateway", target, "--start", "exit 4"]);
  expect([own.stderr, existsSync(marker)]).toEqual([expect.stringContaining("ended with exit code 4"), false]);
  const allowed = await touchstoneHere(["gateway", target, "--allow-code"]);
  expect([allowed.stderr, existsSync(marker)]).toEqual([expect.stringContaining("ended with exit code 3"), true]);
});

test("run --dry-run never runs code, and says what the plan may lack", async () => {
  const one = strange();
  const dry = ["run", one.target, "--dry-run"];
  const first = await touchstoneHere(dry);
  expect([first.code, one.hasRun(), first.stderr]).toEqual([0, false, note(one)]);
  expect(first.stdout).toContain("things");
  for (const more of [["--allow-code"], ["--documents", one.api]])
    expect([await touchstoneHere([...dry, ...more]), one.hasRun()]).toEqual([
      {
        code: 0,
        stdout: expect.stringContaining("things"),
        stderr: `${one.rules} was not run: --dry-run runs no code, and a run may send more requests than this plan.\n`,
      },
      false,
    ]);
});

test("the code of a target file's documents does not run for a baseline", async () => {
  const one = strange();
  const { code: exit } = await touchstoneHere([
    "run",
    server.url,
    "--scenario",
    "messages/response/text",
    "--baseline",
    one.target,
  ]);
  expect([exit, one.hasRun()]).toEqual([0, false]);
});

test("without its code a clause has no verdict, and those that data decides are judged", async () => {
  const one = strange();
  const judged = JSON.parse((await touchstoneHere(["run", one.target, "--format", "json"])).stdout) as RunResults;
  const needs = ["its rules.mjs, which was not run (--allow-code runs it)"];
  expect(verdictOn(judged, decided)).toMatchObject({ verdict: "no-verdict", needs });
  expect(verdictOn(judged, "things.response.items-type")).toMatchObject({ verdict: "pass" });
  expect(Object.keys(judged.documents)).toContain("things/rules.mjs (not run)");
  const text = (await touchstoneHere(["run", one.target, "--verbose"])).stdout;
  expect(text).toContain(`no verdict without ${needs[0]}: ${decided}`);
  const whole = await touchstoneHere(["run", one.target, "--format", "json", "--allow-code"]);
  const allowed = JSON.parse(whole.stdout) as RunResults;
  expect(verdictOn(allowed, decided)).toMatchObject({ verdict: "pass" });
  expect(allowed.options.started).toMatchObject({ targetFile: one.target, allowCode: true });
  expect(one.hasRun()).toBe(true);
});

test("verify judges by the code that judged, and runs none from the folder", async () => {
  const one = strange();
  const [without, whole] = [one.at("without"), one.at("whole")];
  await touchstoneHere(["run", one.target, "--out", without]);
  const verified = await touchstoneHere(["verify", without, "--documents", one.api]);
  expect([verified.code, one.hasRun(), verified.stderr]).toEqual([0, false, ""]);
  expect(verified.stdout).toContain("HOLDS");
  expect(verified.stdout).not.toContain("Ran ");
  await touchstoneHere(["run", one.target, "--out", whole, "--allow-code"]);
  for (const [name, content] of Object.entries({ ...data, "rules.mjs": readFileSync(one.rules, "utf8") }))
    if (!name.includes("/"))
      writeFileSync(join(whole, name), typeof content === "string" ? content : JSON.stringify(content));
  expect(one.hasRun()).toBe(true);
  const undocumented = await touchstoneHere(["verify", whole]);
  expect([undocumented.code, one.hasRun()]).toEqual([2, false]);
  const again = await touchstoneHere(["verify", whole, "--documents", one.api]);
  expect(again.stdout).toMatch(/HOLDS[\s\S]*Ran things\/rules\.mjs, sha256/);
});

test("verify refuses code for results that were judged without the folder's code", async () => {
  const one = strange();
  const out = one.at("out");
  const source = readFileSync(one.rules, "utf8");
  rmSync(one.rules);
  await touchstoneHere(["run", one.target, "--out", out]);
  writeFileSync(one.rules, source);
  const { code: exit, stderr } = await touchstoneHere(["verify", out, "--documents", one.api]);
  expect([exit, stderr]).toEqual([
    2,
    expect.stringMatching(/^touchstone: this folder was judged by another things\/rules\.mjs \(none\) than is here/),
  ]);
});

test("recordings beside code are read without it", async () => {
  const one = strange();
  expect((await check(one.at("api/recordings"))).summary.exchanges).toBe(1);
  const player = await play(one.at("api/recordings"));
  await player.close();
  expect(one.hasRun()).toBe(false);
});

test("init runs the code that the command line names, and its commands allow it", async () => {
  const one = strange();
  const out = one.at("gate");
  const { code: exit, stdout } = await touchstoneHere(["init", server.url, "--documents", one.api, "--out", out]);
  expect([exit, one.hasRun()]).toEqual([0, true]);
  expect(stdout).toMatch(/^next: .*touchstone run .*touchstone\.json --allow-code$/m);
  const workflow = readFileSync(join(out, ".github", "workflows", "conformance.yml"), "utf8");
  expect(workflow).toMatch(/touchstone run touchstone\.json .*--allow-code$/m);
});

test("the library runs the code of a target file's documents only if it may, and warns", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const one = strange();
  const verdict = async (options = {}) => verdictOn(await run(one.target, options), decided)?.verdict;
  expect([await verdict(), one.hasRun()]).toEqual(["no-verdict", false]);
  expect(warned.mock.calls).toEqual([[note(one).trimEnd()]]);
  expect([await verdict({ allowCode: true }), one.hasRun()]).toEqual(["pass", true]);
  expect(await verdict({ documents: [strange().api] })).toBe("pass");
  expect(warned).toHaveBeenCalledTimes(1);
});
