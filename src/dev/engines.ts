/**
 * `npm run check:engines`: runs the commands of the ready files as their engines run them, shards side by side. The merged
 * result must be the whole run byte for byte. The file of Slurm is submitted where a Slurm is at hand (`.ci/slurm npm run
 * check:engines`), the second time with a task that is killed half-way and requeued.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse, parseAllDocuments } from "yaml";
import { fillTemplate, type TemplateValues } from "../ci/templates.ts";
import { home } from "../home.ts";

const cli = join(home, "dist", "src", "cli.js");
const shards = 3;
const folder = mkdtempSync(join(tmpdir(), "touchstone-engines-"));

const server = spawn(process.execPath, [cli, "serve", "--listen", "127.0.0.1:0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [first] = (await once(server.stdout, "data")) as [Buffer];
const target = /http:\S+/.exec(first.toString())![0];
// Slow enough that a task can be killed half-way.
const chosen = ["--interface", "images,generate-content", "--rate", "40"];

const values = (at: string, name = "touchstone"): TemplateValues => ({
  ...{ target, shards, name, folder: at, arguments: chosen, touchstone: [process.execPath, cli] },
});

/** Runs a script as a step of its own, and gives its exit code. */
async function step(script: string, cwd: string, env: Record<string, string> = {}): Promise<number> {
  const child = spawn("sh", ["-ec", script], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number];
  return code;
}

const expected = join(folder, "whole");
execFileSync(process.execPath, [cli, "run", target, ...chosen, "--out", expected], { stdio: "ignore" });

/** Complains unless what an engine put together is the whole run, and follows from the exchanges beside it. */
function compare(engine: string, results: string): void {
  const [got, whole] = [results, expected].map((at) => readFileSync(join(at, "results.json"), "utf8"));
  if (got !== whole) {
    process.exitCode = 1;
    console.error(`${engine}: the shards put together are not the whole run: compare ${results} with ${expected}`);
  } else console.log(`${engine}: ${shards} shards put together are the whole run, byte for byte`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "verify", results], { encoding: "utf8" });
  if (status !== 0) process.exitCode = 1;
  console.log(`${engine}: ${stdout.trim() || stderr.trim()}`);
}

function workspace(name: string): string {
  const at = join(folder, name);
  mkdirSync(at);
  return at;
}

async function github(): Promise<void> {
  const at = workspace("github");
  const { jobs } = parse(fillTemplate("github", values(at)));
  const scriptOf = (job: string): string =>
    jobs[job].steps.flatMap(({ run }: { run?: string }) => (run && !run.startsWith("npm ci") ? [run] : []))[0];
  const all = jobs.shard.strategy.matrix.shard.map((shard: number) =>
    step(scriptOf("shard"), at, { SHARD: String(shard) }),
  );
  console.log(
    `github: exit codes of the shards ${(await Promise.all(all)).join(", ")}; ${await step(scriptOf("merge"), at)}`,
  );
  compare("github", join(at, "results"));
}

async function kubernetes(): Promise<void> {
  const at = workspace("kubernetes");
  const [job, merge] = parseAllDocuments(fillTemplate("kubernetes", values(at))).map((one) => one.toJS());
  const scriptOf = ({ spec }: typeof job): string => spec.template.spec.containers[0].command[2];
  // The merging Job is tried before the shards are there, and again after them.
  const early = await step(scriptOf(merge), at);
  const all = Array.from({ length: job.spec.completions }, (_, i) =>
    step(scriptOf(job), at, { JOB_COMPLETION_INDEX: String(i) }),
  );
  console.log(
    `kubernetes: exit codes ${early} early, then ${(await Promise.all(all)).join(", ")}; ${await step(scriptOf(merge), at)}`,
  );
  compare("kubernetes", join(at, "results"));
}

/** @param kills whether the second task is requeued once it has begun to send */
async function slurm(name: string, kills: boolean): Promise<void> {
  const at = workspace(name);
  const script = join(at, "submit.sh");
  writeFileSync(script, fillTemplate("slurm", values(at, name)));
  const said = execFileSync("sh", [script], { encoding: "utf8" });
  const [, array, merge] = /shards: (\d+), merging: (\d+)/.exec(said)!;
  const task = join(at, "shards", "2", "results.json");
  for (let done = false; kills && !done; await sleep(50)) {
    if (!existsSync(task)) continue;
    await sleep(700);
    if (JSON.parse(readFileSync(task, "utf8")).complete) throw new Error("the task ended before it could be killed");
    execFileSync("scontrol", ["requeue", `${array}_2`]);
    console.log(`${name}: task 2 was killed half-way and requeued`);
    done = true;
  }
  while (spawnSync("squeue", ["-h", "-j", merge!], { encoding: "utf8" }).stdout.trim() !== "") await sleep(300);
  const restarts = execFileSync("scontrol", ["show", "job", `${array}_2`], { encoding: "utf8" });
  console.log(`${name}: task 2 was started ${1 + Number(/Restarts=(\d+)/.exec(restarts)?.[1])} times`);
  compare(name, join(at, "results"));
}

try {
  await github();
  await kubernetes();
  if (spawnSync("sinfo").status === 0) {
    await slurm("slurm", false);
    await slurm("slurm-requeued", true);
  } else console.log("slurm: there is none here; .ci/slurm starts one");
} finally {
  server.kill();
  if (!process.exitCode) rmSync(folder, { recursive: true });
}
