/** `touchstone gateway` against gateways of few lines: what it says of good ones, of lossy ones, and of those that cannot be asked. */

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayDocument } from "../gateway/document.ts";
import { namedUpstream, openRelay, type RelayFaults, upstreamByHeader } from "../gateway/relay.test-kit.ts";
import { type Ended, touchstoneHere } from "./here.test-kit.ts";

/** Arguments that keep a test short. */
const few = ["--lacks", "tools,images,streaming,structured-output,json-mode,logprobs,n,audio,documents,image-input"];

/** Measures a relay. @param args further ones */
async function gateway(
  faults: RelayFaults,
  args: readonly string[] = [],
  interfaces = "messages",
  env: Record<string, string> = {},
): Promise<Ended> {
  const relay = await openRelay(namedUpstream, faults);
  onTestFinished(() => relay.close());
  const route = ["--from", interfaces, "--to", interfaces, ...upstreamByHeader];
  return touchstoneHere(["gateway", relay.url, ...route, ...few, ...args], env);
}

test("a gateway that passes everything on keeps every fact, and what that comes to stands last", async () => {
  const { code, stdout, stderr } = await gateway({});
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trimEnd().split("\n").length).toBeLessThan(30);
  expect(stdout).toMatch(/^conforms: nothing fails\n/m);
});

test("one JSON document with route, facts, findings and summary", async () => {
  const { code, stdout } = await gateway({}, ["--format", "json"]);
  const document = JSON.parse(stdout) as GatewayDocument;
  expect(code).toBe(0);
  expect(document).toMatchObject({
    complete: true,
    kind: "gateway",
    route: { from: "messages", to: "messages" },
    findings: expect.any(Array),
    summary: { errors: 0 },
  });
  expect(document.trips).toBe(document.planned);
});

const lossy: RelayFaults = {
  change(body) {
    const { temperature: _, ...rest } = JSON.parse(body) as { temperature?: number };
    return JSON.stringify(rest);
  },
};

test("a command that sends a request again shows literal headers, and variables for secret ones", async () => {
  const headers = ["--header", "x-provider: anthropic", "--header", "x-pass: $MY_PASS", "--header", "x-secret: open"];
  const { stdout } = await gateway(lossy, headers, "messages", { MY_PASS: "pass-that-nobody-sees" });
  expect(stdout).toContain("-H 'x-provider: anthropic'");
  expect(stdout).toContain(`-H 'x-pass: '"$X_PASS"''`);
  expect(stdout).toContain(`-H 'x-secret: '"$X_SECRET"''`);
  expect(stdout).not.toContain("pass-that-nobody-sees");
});

test("GitHub is told of a lost fact beside the code, and in the summary of the job", async () => {
  const summary = join(mkdtempSync(join(tmpdir(), "touchstone-gateway-")), "summary.md");
  onTestFinished(() => rmSync(dirname(summary), { recursive: true }));
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const { code, stderr } = await gateway(lossy, ["--keep", "sampling.temperature"], "messages", env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^::error title=gateway\.request\.sampling\.temperature::/m);
  expect(readFileSync(summary, "utf8")).toContain("sampling.temperature");
});

test("a fact that is dropped is told with four messages and a curl line, and warns", async () => {
  const { code, stdout } = await gateway(lossy);
  expect(code).toBe(0);
  const [, told = ""] = stdout.split("What was asked\n");
  const lines = told.split("\n").map((line) => line.trim());
  expect(lines[0]).toMatch(/^! dropped +sampling\.temperature {2}\(\d+ of \d+\)$/);
  for (const label of ["client sent", "upstream received", "upstream answered", "client received", "curl:"])
    expect(told).toMatch(new RegExp(`^ +${label}`, "m"));
  expect(told).toMatch(/^ +curl -sS .*\/v1\/messages/m);
  expect(stdout).toMatch(/^LOSES 1 OF \d+: facts: 1 dropped; nothing fails$/m);
});

test.each([
  ["--gate fidelity", ["--gate", "fidelity"], 1],
  ["--keep of this fact", ["--keep", "sampling.temperature"], 1],
  ["--keep of another fact", ["--keep", "text"], 0],
])("with %s a dropped fact decides the exit code", async (_, args, exit) => {
  const { code, stdout } = await gateway(lossy, args);
  expect(code).toBe(exit);
  expect(stdout).toMatch(exit === 1 ? /^. dropped +sampling\.temperature/m : /^! dropped/m);
});

test("a gateway that never calls the upstream is told in one line", async () => {
  const { code, stdout, stderr } = await gateway({ answers: '{"type":"message","content":[]}' });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(
    /^touchstone: http:\S+ answered, and nothing arrived at the upstream: it listens on http:\S+\n.+\n$/,
  );
});

test("an interface that the gateway does not have is one line, and no wall of failures", async () => {
  const { code, stdout, stderr } = await gateway({ change: () => undefined });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(
    /knows no operation: it answered POST \/v1\/messages with 404\n.* Nothing arrived at the upstream/,
  );
});

test("an upstream address that is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const route = ["--from", "messages", "--to", "messages", "--upstream", `127.0.0.1:${port}`];
  const { code, stderr } = await touchstoneHere(["gateway", "http://127.0.0.1:9", ...route]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^touchstone: the upstream cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*\nGive another --upstream/,
  );
});

test.each([
  [["--to", "messages"], "--from names no interface"],
  [["--from", "message", "--to", "messages"], "--from message: there is no such interface"],
  [["--from", "messages", "--to", "mesages"], "--to mesages: there is no such interface"],
  [["--from", "images", "--to", "messages"], "--from images --to messages: no gateway translates between these"],
  [["--from", "messages", "--to", "messages"], "no --upstream says where the gateway finds its upstream"],
  [
    ["--from", "messages", "--to", "messages", "--upstream", "127.0.0.1:0", "--keep", "sampling.temprature"],
    "--keep sampling.temprature: there is no such fact",
  ],
  [
    ["--from", "messages", "--to", "messages", "--start", "echo failed >&2; exit 3"],
    "--start echo failed >&2; exit 3: it ended with exit code 3: failed",
  ],
])("two lines for %j", async (args, complaint) => {
  const { code, stdout, stderr } = await touchstoneHere(["gateway", "http://127.0.0.1:9", ...args]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr.split("\n")[0]).toBe(`touchstone: ${complaint}`);
  expect(stderr.split("\n")).toHaveLength(3);
});

test.each([10, 40])("a gateway that ends at request %i leaves the run without a verdict", async (last) => {
  let asked = 0;
  const relay = await openRelay(namedUpstream, {
    change(body) {
      if (++asked === last) void relay.close();
      return body;
    },
  });
  const route = ["--from", "messages", "--to", "messages", ...upstreamByHeader, "--retries", "0"];
  const { code, stderr } = await touchstoneHere(["gateway", relay.url, ...route, ...few]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^touchstone: http:\S+ cannot be reached any more \(in flight: /);
});

test.each([
  [[], "nothing says which gateway to ask"],
  [["--client", "aj", "--to", "messages"], "--client aj: there is no such library"],
  [["--client", "ai", "--to", "images"], "--to images: there is no such interface of a provider"],
  [["--client", "ai", "--to", "messages", "http://127.0.0.1:9"], "there is a gateway beside it, http://127.0.0.1:9"],
  [["--client", "ai", "--to", "messages", "--start", "any"], "there is a gateway beside it, any"],
])("%j names no gateway or library that can be asked", async (args, problem) => {
  const { code, stdout, stderr } = await touchstoneHere(["gateway", ...args]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr.split("\n")[0]).toContain(problem);
});
