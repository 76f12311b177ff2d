/** Holds the ready files to what their engines read, whatever a target is called. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Job } from "kubernetes-models/batch/v1";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { home } from "../home.ts";
import { type Engine, engines, fillTemplate, type TemplateValues } from "./templates.ts";
import { workflowFor } from "./workflow.ts";

const hostile = `https://h/$(touch made) \`x\`; '"${"$"}{{ secrets.KEY }}#: \\`;
const values: TemplateValues = { target: hostile, shards: 3, arguments: ["--header", "X: a b"] };

test("the Jobs of Kubernetes are valid by the schemas of its API, the shards indexed", () => {
  const jobs = parseAllDocuments(fillTemplate("kubernetes", values)).map((document) => document.toJS());
  for (const job of jobs) new Job(job).validate();
  const [shards, merge] = jobs;
  expect(shards.spec).toMatchObject({ completionMode: "Indexed", completions: 3, parallelism: 3 });
  expect(merge.spec.podFailurePolicy.rules[0].onExitCodes.values).toEqual([1]);
  const odd = { ...shards, spec: { ...shards.spec, completions: "3" } };
  expect(() => new Job(odd).validate()).toThrow();
});

test("the workflow of GitHub is a matrix of shards with a job that needs them all", () => {
  const { jobs } = parse(fillTemplate("github", values));
  expect(jobs.shard.strategy.matrix.shard).toEqual([1, 2, 3]);
  expect(jobs.merge).toMatchObject({ needs: "shard", if: "always()" });
  const script = jobs.shard.steps.map(({ run = "" }) => run).join("\n");
  expect(script).not.toContain("${{");
});

/** What a shell makes of the arguments of touchstone in a file. */
function wordsIn(engine: Engine): string[] {
  const text = fillTemplate(engine, { ...values, touchstone: ["printf", "%s\\n"] });
  const line = text.split("\n").find((one) => one.includes("printf"))!;
  const command = /printf.*?(?= \|\| )/.exec(line)![0];
  return execFileSync("sh", ["-c", command], { encoding: "utf8" }).trimEnd().split("\n");
}

test("in every file a shell reads target and arguments as they are, and nothing is left to fill in", () => {
  for (const engine of Object.keys(engines) as Engine[]) {
    expect(wordsIn(engine).slice(0, 4)).toEqual(["run", hostile, "--header", "X: a b"]);
    expect(fillTemplate(engine, values)).not.toMatch(/@[a-z]+@/);
  }
});

test("values that a file cannot hold are refused", () => {
  for (const odd of [
    { target: "a\nb" },
    { shards: 0 },
    { name: "A b" },
    { folder: "a b" },
    { image: "x\ny" },
    { claim: "$x" },
  ])
    expect(() => fillTemplate("slurm", { ...values, ...odd })).toThrow();
});

test("no command that people run, or a workflow runs, takes a package of our name from a registry", () => {
  const pages = ["README.md", "action.yml", ...readdirSync(join(home, "docs")).map((name) => `docs/${name}`)];
  const texts = pages.map((name) => readFileSync(join(home, name), "utf8"));
  texts.push(...(Object.keys(engines) as Engine[]).map((engine) => fillTemplate(engine, values)));
  texts.push(workflowFor({ target: "touchstone.json", folder: "", arguments: [], secrets: [] }));
  const found = texts.flatMap(
    (text) => text.match(/^.*\b(?:npx|npm exec|npm i|npm install)\b.*\btouchstone(?![-\w]).*$/gm) ?? [],
  );
  // In a checkout npx runs the package that is there.
  const own =
    "npm ci && npx touchstone run     # judges the embedded reference implementation, prints a report, exits 0";
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((line) => line !== own && !line.includes("npx --no-install touchstone"))).toEqual([]);
});

test("the keys of a workflow reach the steps that judge alone, and its actions are pinned", () => {
  const secrets = ["TOUCHSTONE_KEY", "TOUCHSTONE_KEY_IMAGES"];
  const start = { command: "npm start", folder: "" };
  for (const text of [
    fillTemplate("github", values),
    workflowFor({ target: "touchstone.json", folder: "", start, arguments: [], secrets }),
  ]) {
    const { jobs, env } = parse(text);
    const steps = Object.values<{ env?: object; steps: readonly Record<string, string>[] }>(jobs).flatMap((job) => {
      expect([env, job.env]).toEqual([undefined, undefined]);
      return job.steps;
    });
    const withKey = steps.filter((step) => JSON.stringify(step).includes("secrets."));
    expect(withKey.map(({ run = "" }) => / run /.test(run))).toEqual([true]);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[\da-f]{40}$/);
  }
});
