/** Holds the action of GitHub to its form, and its script to passing inputs as they are. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { action, runAction } from "../dev/action.ts";
import { withoutProgress } from "./here.test-kit.ts";

const { inputs, outputs, runs } = action;

test("it is a composite action whose inputs reach its script through the environment alone", () => {
  expect(runs.using).toBe("composite");
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(["url", "target", "expectations", "args"]));
  for (const [name, input] of Object.entries(inputs)) {
    expect(input.description, name).toBeTruthy();
    expect(typeof input.default, name).toBe("string");
  }
  const used = [JSON.stringify(runs), JSON.stringify(outputs)].join().matchAll(/inputs\.([\w-]+)/g);
  expect([...new Set([...used].map(([, name]) => name))].sort()).toEqual(Object.keys(inputs).sort());
  for (const step of runs.steps) {
    expect(Number("run" in step) + Number("uses" in step)).toBe(1);
    if (step.run === undefined) continue;
    expect(step.shell).toBe("bash");
    expect(step.run).not.toMatch(/\$\{\{/);
  }
  const [, upload] = runs.steps;
  expect(upload).toMatchObject({
    uses: expect.stringMatching(/^actions\/upload-artifact@v\d+$/),
    with: { path: expect.stringMatching(/inputs\.out/) },
  });
  expect(upload!.if).toContain("always()");
});

/** Runs the script in a folder of its own. */
function act(given: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(tmpdir(), "touchstone-action-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const { status, stdout, stderr } = runAction(given, cwd);
  return { cwd, status, stdout, stderr };
}

test("arguments are passed one a line, none of them read by a shell, and the exit code is that of the run", () => {
  const hostile = '$(touch made) `touch made`; touch made "';
  const asked = act({ args: `--interface\nimages\n--no-probes\n--header\nX-Odd: ${hostile}\n`, out: "kept here" });
  expect({ status: asked.status, stderr: withoutProgress(asked.stderr) }).toEqual({ status: 0, stderr: "" });
  expect(asked.stdout).toContain("conforms as far as tested");
  expect(readdirSync(asked.cwd)).toEqual(["kept here"]);
  expect(readdirSync(join(asked.cwd, "kept here"))).toContain("results.json");
  const planned = act({ url: `http://127.0.0.1:1/${hostile}`, args: `--dry-run\n--interface\n${hostile}` });
  expect(planned).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("$(touch made) `touch made`; touch made"),
  });
  expect(readdirSync(planned.cwd)).toEqual([]);
  expect(act({ url: "http://127.0.0.1:1", target: "touchstone.json" })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("both url and target"),
  });
});
