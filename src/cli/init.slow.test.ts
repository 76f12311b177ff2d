/** `touchstone init` finds out what a run needs to know, and leaves a gate that is not green by itself. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { documentOf } from "../documents/documents.test-kit.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { createBreaker } from "../prove/break.ts";
import { serveReference } from "../reference/serve.ts";
import { listen, type Reply } from "../wire/listen.ts";
import { reservePort } from "../wire/reserve-port.test-kit.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-init-"));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
const json = (status: number, body: object): Reply => ({
  status,
  headers: [["content-type", "application/json"]],
  pieces: [{ bytes: Buffer.from(JSON.stringify(body)) }],
});

test("a server with one interface, a list of models and a fault becomes a green gate, which says until when the fault is excused", async () => {
  const catalogue = await openCatalogue();
  const { names } = judgingFrom({}, catalogue);
  const clause = "images.response.created-type";
  const change = createBreaker(catalogue, [clause], names);
  const reference = await serveReference(catalogue, { names, change });
  const server = await listen(async ({ method, target, headers, body }) => {
    if (target === "/v1/models") return json(200, { data: [{ id: "embed-1" }, { id: "small-1" }] });
    if (!target.startsWith("/v1/images/")) return json(404, { error: { message: "no such route" } });
    const kept = headers.filter(([name]) => /^(content-type|authorization)$/i.test(name));
    const answer = await fetch(reference.url + target, { method, headers: kept as [string, string][], body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: [...answer.headers], pieces: [{ bytes }] };
  });
  const args = ["init", `${server.url}/v1`, "--out", folder];
  try {
    const { code, stdout, stderr } = await touchstoneHere(args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("messages: not offered");
    expect(stdout).toContain("1 known failure of today in");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(
      `next: npx --no-install touchstone run ${join(folder, "touchstone.json")}`,
    );
    expect(read("touchstone.json")).toMatchObject({
      url: `${server.url}/v1`,
      interfaces: ["images"],
      models: { "*": "small-1" },
      expectations: "expectations.json",
    });
    const { expectations } = read("expectations.json");
    expect(expectations).toEqual([
      {
        clause,
        reason: expect.stringMatching(
          /^[A-Z][^:]+: failed when touchstone init looked on .*; nobody has looked into it/,
        ),
        expires: expect.stringMatching(/^\d{4}-/),
      },
    ]);
    const { jobs } = parse(readFileSync(join(folder, ".github", "workflows", "conformance.yml"), "utf8"));
    expect(Object.keys(jobs)).toEqual(["conformance"]);
    const green = await touchstoneHere(["run", join(folder, "touchstone.json")]);
    expect([green.code, green.stdout]).toEqual([0, expect.stringContaining("conforms but for 1 known failure")]);
    expect(existsSync(join(folder, "touchstone-results", "manifest.json"))).toBe(true);
    const again = await touchstoneHere(args);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("is there already")]);
    // Without an address nothing is looked at.
    expect((await touchstoneHere(["init", "--out", folder, "--force"])).code).toBe(0);
  } finally {
    await server.close();
    await reference.close();
  }
});

test("a server that answers requests without a key is written down as lacking keys, and passes with that", async () => {
  const reference = await serveReference(await openCatalogue(), {});
  const server = await listen(async ({ method, target, headers, body }) => {
    if (!target.startsWith("/v1/images/")) return json(404, { error: { message: "no such route" } });
    const kept = headers.filter(([name]) => /^(content-type|authorization)$/i.test(name)) as [string, string][];
    const sent = { authorization: "Bearer added", ...Object.fromEntries(kept) };
    const answer = await fetch(reference.url + target, { method, headers: sent, body });
    return {
      status: answer.status,
      headers: [...answer.headers],
      pieces: [{ bytes: Buffer.from(await answer.arrayBuffer()) }],
    };
  });
  const out = join(folder, "keyless");
  mkdirSync(out);
  writeFileSync(join(out, "package.json"), JSON.stringify({ devDependencies: { touchstone: "file:../packed.tgz" } }));
  try {
    const { code, stdout } = await touchstoneHere(["init", server.url, "--out", out]);
    expect(stdout).toMatch(
      /\S*package\.json installs touchstone from \.\.\/packed\.tgz, which CI may not have: commit/,
    );
    expect(readFileSync(join(out, ".github", "workflows", "conformance.yml"), "utf8")).not.toMatch(/secrets|env:/);
    expect([code, stdout]).toEqual([0, expect.stringContaining("it answers requests without a key")]);
    expect(JSON.parse(readFileSync(join(out, "touchstone.json"), "utf8"))).toMatchObject({ lacks: ["keys"] });
    expect((await touchstoneHere(["run", join(out, "touchstone.json")])).code).toBe(0);
  } finally {
    await server.close();
    await reference.close();
  }
});

test("an address where nothing listens is told, and no file is written", async () => {
  const out = join(folder, "none");
  const { code, stderr } = await touchstoneHere(["init", "http://127.0.0.1:1", "--out", out]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be reached")]);
  expect(existsSync(out)).toBe(false);
});

/** A port that is free now. */
/** Does what the workflow's steps say, as a runner does, and gives their exit codes. */
function stepsOf(root: string): number[] {
  const { jobs } = parse(readFileSync(join(root, ".github", "workflows", "conformance.yml"), "utf8"));
  const { steps, defaults, ...job } = jobs.conformance;
  expect(job["timeout-minutes"]).toBeGreaterThan(0);
  return steps
    .filter((step: { run?: string; if?: string }) => step.run !== undefined && step.if === undefined)
    .map((step: { run: string; "working-directory"?: string }) => {
      const cwd = join(root, step["working-directory"] ?? defaults.run["working-directory"]);
      const env = { ...process.env, RUNNER_TEMP: root, TOUCHSTONE_KEY: "", npm_config_offline: "true" };
      const { status } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", step.run], { cwd, env, stdio: "ignore" });
      return status;
    });
}

test("a server that accepts connections and sends nothing is refused in one line, after --timeout", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const out = join(folder, "silent");
  const { code, stdout, stderr } = await touchstoneHere(["init", url, "--out", out, "--timeout", "1"]);
  expect([code, stdout, stderr]).toEqual([
    2,
    "",
    `touchstone: ${url} accepts connections, and sends no response within 1 s\nLook whether it is the right address, or wait longer: --timeout SECONDS.\n`,
  ]);
  expect(existsSync(out)).toBe(false);
  expect((await touchstoneHere(["init", url, "--out", out, "--timeout", "-1"])).stderr).toContain("--timeout must be");
});

test("--documents looks for the interfaces of an own document, and the target file names it from its folder", async () => {
  const at = join(folder, "own");
  const document = documentOf({ type: "object", required: ["name"], properties: { name: { type: "string" } } });
  const file = join(folder, "own-api.json");
  writeFileSync(file, JSON.stringify(document));
  const catalogue = await openCatalogue([file]);
  const server = await serveReference(catalogue, { names: judgingFrom({}, catalogue).names });
  try {
    const { code, stdout, stderr } = await touchstoneHere(["init", server.url, "--documents", file, "--out", at]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^things: answers$/m);
    expect(stdout).not.toContain("chat-completions");
    expect(read("own/touchstone.json")).toMatchObject({ interfaces: ["things"], documents: ["../own-api.json"] });
    expect(await touchstoneHere(["run", join(at, "touchstone.json"), "--out", join(at, "out")])).toMatchObject({
      code: 0,
    });
  } finally {
    await server.close();
  }
});

test.skipIf(process.platform !== "linux")(
  "from a subfolder of a repository, the workflow is written at its root, starts the server as it was started, and goes green",
  async () => {
    const root = join(folder, "repository");
    const project = join(root, "services", "gate way");
    mkdirSync(project, { recursive: true });
    execFileSync("git", ["init", "-q", root]);
    mkdirSync(join(project, "node_modules", ".bin"), { recursive: true });
    symlinkSync(home, join(project, "node_modules", "touchstone"));
    symlinkSync(join(home, "dist", "src", "cli.js"), join(project, "node_modules", ".bin", "touchstone"));
    const port = await reservePort();
    writeFileSync(
      join(project, "server.mjs"),
      `import { writeFileSync } from "node:fs";
      import { runLine } from ${JSON.stringify(join(home, "dist", "src", "cli", "main.js"))};
      writeFileSync("server.pid", String(process.pid));
      await runLine(["serve", "--listen", process.argv[2]]);`,
    );
    const server = spawn(process.execPath, [join(project, "server.mjs"), `127.0.0.1:${port}`], { cwd: project });
    await once(server.stdout, "data");
    const ran = spawnSync(process.execPath, [join(home, "dist", "src", "cli.js"), "init", `http://127.0.0.1:${port}`], {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, TOUCHSTONE_KEY: "" },
    });
    server.kill();
    await once(server, "exit");
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toContain(`in CI the server is started with: node server.mjs 127.0.0.1:${port}`);
    expect(existsSync(join(project, "touchstone.json"))).toBe(true);
    const codes = stepsOf(root);
    const log = join(root, "server.log");
    process.kill(Number(readFileSync(join(project, "server.pid"), "utf8")));
    expect(codes, readFileSync(log, "utf8")).toEqual([0, 0, 0]);
  },
);
