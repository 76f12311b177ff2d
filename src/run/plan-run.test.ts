/** A planned run knows what a command that repeats it needs to name. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { planRun } from "./plan-run.ts";
import { recordings } from "./run.test-kit.ts";
import { termsOf } from "./terms.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-plan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const url = "http://127.0.0.1:1";

test("settings tell the target file, what was given beside it, and no default", async () => {
  const file = join(folder, "touchstone.json");
  writeFileSync(file, JSON.stringify({ url, lacks: ["tools"], models: { messages: "m" } }));
  const started = async (target: string, options: object) =>
    termsOf(await planRun(target, { recordings, ...options })).facts.options.started;
  expect(await started(file, { lacks: ["messages"], timeout: 5 })).toEqual({
    targetFile: file,
    beside: ["lacks"],
    recordings,
    timeout: 5,
  });
  expect(await started(url, { insecure: false, reading: ["open-enums"] })).toEqual({ recordings });
});

test("lacks takes the names of features that reports print, and says where a strange name was read", async () => {
  const file = join(folder, "lacks.json");
  const planned = async (lacks: string[], beside: string[] = []) => {
    writeFileSync(file, JSON.stringify({ url, lacks }));
    return planRun(file, { lacks: beside });
  };
  const { plan } = await planned(["log-probabilities", "several choices"], ["vision", "tools"]);
  expect(plan.lacks).toEqual(["image-input", "logprobs", "n", "tools"]);
  await expect(planned(["log-probabilitis"])).rejects.toMatchObject({
    message: `${file}: lacks: log-probabilitis: there is no such feature, interface or section`,
    remedy: expect.stringMatching(/^Did you mean log-probabilities\? /),
  });
  await expect(planned([], ["visoin"])).rejects.toMatchObject({
    message: expect.stringMatching(/^--lacks visoin: /),
    remedy: expect.stringMatching(/^Did you mean vision\? .{0,200}$/),
  });
});
