/** A run is compared with a baseline: the upstream itself or its results. What fails in both is no fault of the target. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import {
  alone,
  closeStanding,
  comparedIn,
  faultyUpstream,
  gatewayTo,
  inBoth,
  mended,
  standing,
} from "./baseline.test-kit.ts";
import { folder, json, recordings, serve, touchstone, twoLines } from "./run.test-kit.ts";
import { run } from "./run.ts";

const fixed = join(folder, "upstream");
let upstream: string;
let gateway: string;
afterAll(closeStanding);
beforeAll(async () => {
  upstream = await standing(faultyUpstream());
  gateway = await standing(gatewayTo(upstream));
  expect((await touchstone([upstream, "--out", fixed])).code).toBe(1);
});

test("what also fails upstream is told in one line, and what fails here alone decides", async () => {
  const { code, stdout } = await touchstone([gateway, "--baseline", upstream]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/Also fails upstream \(http:\S+\): 1 clause, \d warnings \(--verbose lists them\)\n/);
  expect(stdout).toContain("Fails upstream and not here: ");
  expect(stdout).toMatch(new RegExp(`✗ .*${alone}\\n.*\\n.*\\n  does not fail upstream\\n`));
  expect(stdout).not.toContain(`${inBoth}\n`);
  expect(stdout).toContain("\nDOES NOT CONFORM: 1 clause fails; also fails upstream: 1 clause\n");
});

test("results of the upstream and the upstream itself give the same verdicts", async () => {
  const asked = await run(gateway, { recordings, baseline: upstream });
  const read = await run(gateway, { recordings, baseline: fixed });
  expect(comparedIn(asked).clauses).toMatchObject({ [inBoth]: "fails", [alone]: "passes" });
  expect(comparedIn(read)).toEqual(comparedIn(asked));
  expect(asked.baseline).toMatchObject({ kind: "target", url: upstream, sha256: [] });
  const { started } = JSON.parse(readFileSync(join(fixed, "manifest.json"), "utf8"));
  expect(read.baseline).toMatchObject({ kind: "results", url: upstream, started });
});

test("JUnit, SARIF, the summary and --verbose count what also fails upstream as no failure", async () => {
  const out = join(folder, "reports");
  const { stdout } = await touchstone([gateway, "--baseline", fixed, "--out", out, "--verbose"]);
  expect(stdout).toContain(`\n  ${inBoth}\n`);
  expect(stdout).toContain(`\n  ${mended}\n`);
  const junit = readFileSync(join(out, "junit.xml"), "utf8");
  expect(junit.match(/<failure/g)).toHaveLength(1);
  expect(junit).toContain(`<skipped message="also fails upstream: expected`);
  const all = join(folder, "all-reports");
  const merged = await touchstoneHere(["report", out, "--out", all]);
  expect(merged.code).toBe(1);
  const sarif = JSON.parse(readFileSync(join(all, "results.sarif"), "utf8")).runs[0].results as {
    ruleId: string;
    baselineState?: string;
    suppressions?: unknown[];
  }[];
  const stateOf = (rule: string) => sarif.find(({ ruleId }) => ruleId === rule)!;
  expect(stateOf(alone)).toMatchObject({ baselineState: "new" });
  expect(stateOf(alone).suppressions).toBeUndefined();
  expect(stateOf(inBoth)).toMatchObject({ baselineState: "unchanged", suppressions: [{ kind: "external" }] });
  const gitlab = readFileSync(join(all, "gl-code-quality-report.json"), "utf8");
  expect(gitlab).toContain(alone);
  expect(gitlab).not.toContain(inBoth);
  const summary = readFileSync(join(out, "summary.md"), "utf8");
  expect(summary).toContain("**Does not conform**: 1 clause fails; also fails upstream: 1 clause");
  expect(summary).toContain("## Compared with the baseline");
});

/** A copy of the folder of the upstream whose results were changed. */
function changed(name: string, change: (results: { [member: string]: unknown; options: object }) => void): string {
  const path = join(folder, name);
  mkdirSync(path);
  const results = JSON.parse(readFileSync(join(fixed, "results.json"), "utf8"));
  change(results);
  writeFileSync(join(path, "results.json"), JSON.stringify(results));
  return path;
}

test("a baseline that cannot be compared ends the run with one line, before anything is sent", async () => {
  let requests = 0;
  const url = await serve(() => {
    requests++;
    return json({});
  });
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const text = join(folder, "text.json");
  writeFileSync(text, "no JSON");
  const foreign = join(folder, "foreign.json");
  writeFileSync(foreign, `{"complete": true}`);
  const tampered = changed("tampered", (results) => void (results["shard"] = null));
  writeFileSync(join(tampered, "manifest.json"), readFileSync(join(fixed, "manifest.json")));
  const cases: [baseline: string, says: string][] = [
    [join(folder, "nowhere"), "does not exist"],
    [empty, "holds no results.json"],
    [text, "is not JSON"],
    [foreign, "no results of a run"],
    [changed("unfinished", (results) => void (results["complete"] = false)), "did not finish"],
    [
      changed("level", (results) => void Object.assign(results.options, { level: "warning" })),
      `level "warning", and this run has "error"`,
    ],
    [changed("readings", (results) => void Object.assign(results.options, { readings: ["strict"] })), "readings"],
    [
      changed("version", (results) => void (results["versions"] = { touchstone: "0.0.1", node: "1" })),
      "touchstone 0.0.1",
    ],
    [changed("documents", (results) => void (results["documents"] = {})), "other clauses of the document"],
    [tampered, "is not the file that its manifest names"],
  ];
  for (const [baseline, says] of cases) {
    const { code, stderr } = await touchstone([url, "--baseline", baseline]);
    expect(code, baseline).toBe(2);
    expect(twoLines(stderr), baseline).toHaveLength(2);
    expect(twoLines(stderr)[0]).toContain(says);
  }
  const over = await touchstone([url, "--baseline", fixed, "--out", fixed]);
  expect(over.stderr).toContain("would overwrite");
  expect(requests).toBe(0);
});
