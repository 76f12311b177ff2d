/** `touchstone init` finds out what a run needs to know, and leaves a gate that is not green by itself. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { createBreaker } from "../prove/break.ts";
import { serveReference } from "../reference/serve.ts";
import { listen, type Reply } from "../wire/listen.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-init-"));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
const json = (status: number, body: object): Reply => ({
  status,
  headers: [["content-type", "application/json"]],
  pieces: [{ bytes: Buffer.from(JSON.stringify(body)) }],
});

test("a server with one interface, a list of models and a fault becomes a gate that waits for a reason", async () => {
  const catalogue = await loadCatalogue();
  const { names } = judgingFrom({});
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
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(`next: npx touchstone run ${join(folder, "touchstone.json")}`);
    expect(read("touchstone.json")).toMatchObject({
      url: `${server.url}/v1`,
      interfaces: ["images"],
      models: { "*": "small-1" },
      expectations: "expectations.json",
    });
    const { expectations } = read("expectations.json");
    expect(expectations).toEqual([{ clause, reason: expect.stringContaining("say here why") }]);
    const { jobs } = parse(readFileSync(join(folder, ".github", "workflows", "conformance.yml"), "utf8"));
    expect(Object.keys(jobs)).toEqual(["shard", "merge"]);
    const run = () => touchstoneHere(["run", join(folder, "touchstone.json")]);
    expect((await run()).code).toBe(1);
    writeFileSync(
      join(folder, "expectations.json"),
      JSON.stringify({ expectations: [{ clause, reason: "It is old." }] }),
    );
    const green = await run();
    expect([green.code, green.stdout]).toEqual([0, expect.stringContaining("conforms but for 1 expected failure")]);
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

test("an address where nothing listens is told, and no file is written", async () => {
  const out = join(folder, "none");
  const { code, stderr } = await touchstoneHere(["init", "http://127.0.0.1:1", "--out", out]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be reached")]);
  expect(existsSync(out)).toBe(false);
});
