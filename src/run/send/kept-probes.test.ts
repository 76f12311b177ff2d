/** Probes of users' own documents are made once for the same files, and give the same requests afterwards. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Probes, writeProbes } from "../../check/probe.ts";
import { documentOf, folderOf } from "../../documents/documents.test-kit.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { groundOf } from "../../prove/ground.ts";
import { probesOf } from "../../prove/probes.ts";
import { replaceText } from "../../replace-text.test-kit.ts";
import { openUserCache } from "../../user-cache.ts";
import { keptProbes } from "./kept-probes.ts";

const parent = mkdtempSync(join(tmpdir(), "touchstone-probes-"));
afterAll(() => rmSync(parent, { recursive: true }));

const openapi = (most: number) => documentOf({ type: "object", properties: { n: { type: "integer", maximum: most } } });
const described = { name: "things", openapi: "openapi.json" };

/** The probes of a folder, and whether they had to be made. */
async function probesIn(folder: string, cache: string): Promise<{ readonly probes: Probes; readonly isMade: boolean }> {
  const catalogue = await openCatalogue([folder]);
  let isMade = false;
  const make = async (): Promise<Probes> => {
    isMade = true;
    return probesOf(catalogue, await groundOf(catalogue), catalogue.own);
  };
  const probes = await keptProbes(catalogue, make, openUserCache(join(parent, cache)));
  return { probes, isMade };
}

test("the same files give the same probes without making them, a changed file gives others", async () => {
  const files = { "interface.json": described, "openapi.json": openapi(9) };
  const first = await probesIn(folderOf(files), "same");
  const again = await probesIn(folderOf(files), "same");
  expect([first.isMade, again.isMade]).toEqual([true, false]);
  expect(writeProbes(again.probes)).toBe(writeProbes(first.probes));
  expect(again.probes.probes.length).toBeGreaterThan(0);
  expect((await probesIn(folderOf({ ...files, "openapi.json": openapi(8) }), "same")).isMade).toBe(true);
  const renamed = { ...described, name: "others" };
  expect((await probesIn(folderOf({ ...files, "interface.json": renamed }), "same")).isMade).toBe(true);
});

test("a spoilt file is made anew", async () => {
  const files = { "interface.json": described, "openapi.json": openapi(9) };
  await probesIn(folderOf(files), "spoilt");
  const [name] = readdirSync(join(parent, "spoilt"));
  const file = join(parent, "spoilt", name!);
  const before = readFileSync(file, "utf8");
  writeFileSync(file, replaceText(before, "beyond", "within"));
  expect((await probesIn(folderOf(files), "spoilt")).isMade).toBe(true);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("nothing is kept of a folder with code or recordings", async () => {
  const exchange = {
    request: { method: "POST", target: "/v1/things", headers: [], body: { json: { n: 1 } } },
    response: null,
  };
  const files = { "interface.json": described, "openapi.json": openapi(9) };
  for (const more of [
    { "rules.mjs": "export const rules = [];" },
    { "recordings/one.json": { touchstone: 1, exchanges: [exchange] } },
  ]) {
    const folder = folderOf({ ...files, ...more });
    expect([(await probesIn(folder, "none")).isMade, (await probesIn(folder, "none")).isMade]).toEqual([true, true]);
  }
});
