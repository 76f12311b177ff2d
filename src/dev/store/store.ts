/**
 * `npm run check:store [-- WORD]`: records on disks that fail, with processes that are killed and with several writers. Every
 * exchange that a client saw whole must be in the cassette, exactly once and byte for byte, or be marked there as missing.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { childrenOf } from "../../record/processes.test-kit.ts";
import { compare, type Started, start, traffic, withService } from "./session.ts";

type Traffic = ReturnType<typeof traffic>;

interface Scenario {
  readonly name: string;
  /** Exit code of the recorder; undefined if it is killed. */
  readonly code?: number;
  readonly pauseMs?: number;
  /** Exchanges that may be missing if the cassette says so. */
  readonly hasGap?: true;
  /** Whether exchanges that were not written may be missing. */
  readonly mayLose?: true;
  readonly kinds?: readonly string[];
  readonly during: (recorder: Started, load: Traffic) => Promise<void>;
}

const rounds = 8;
const kinds = ["/small", "/small", "/small", "/stream", "/stream"];

const folder = mkdtempSync(join(tmpdir(), "touchstone-store-"));
const base = join(folder, "s");
let failed = 0;
const report = (name: string, problems: readonly string[], fine: string): void => {
  if (problems.length > 0) failed++;
  process.stdout.write(
    `${problems.length > 0 ? "FAILED" : "ok"}  ${name}: ${problems.slice(0, 5).join("; ") || fine}\n`,
  );
};

async function until(holds: () => boolean, seconds = 120): Promise<void> {
  for (const end = performance.now() + seconds * 1_000; !holds(); await after(10))
    if (performance.now() > end) throw new Error(`waited ${seconds} s`);
}

const childOf = (recorder: Started, program: string): number | undefined => childrenOf(recorder.child.pid!, program)[0];

/** Waits until so many more exchanges have ended. */
async function more(load: Traffic, count: number): Promise<void> {
  const end = load.seen.size + count;
  await until(() => load.seen.size >= end);
}

const failing = (code: string): Scenario => ({
  name: `${code} for two seconds`,
  code: 2,
  pauseMs: 80,
  async during(recorder, load) {
    recorder.setPlan(code);
    await after(2_000);
    recorder.setPlan("none");
    await until(() => recorder.printed().includes("written again"));
    await more(load, 20);
  },
});

const scenarios: readonly Scenario[] = [
  failing("ENOSPC"),
  failing("EIO"),
  failing("EROFS"),
  {
    name: "ENOSPC for longer than exchanges can wait",
    code: 2,
    pauseMs: 0,
    hasGap: true,
    async during(recorder, load) {
      recorder.setPlan("ENOSPC");
      await more(load, 3_000);
      recorder.setPlan("none");
      await until(() => recorder.printed().includes("written again"));
      await more(load, 20);
    },
  },
  {
    name: "a keeper killed while the disk is full and exchanges are dropped",
    code: 2,
    pauseMs: 0,
    hasGap: true,
    async during(recorder, load) {
      recorder.setPlan("ENOSPC");
      await more(load, 2_500);
      process.kill(childOf(recorder, "keeper.js")!, "SIGKILL");
      await until(() => recorder.printed().includes("another one goes on"));
      await more(load, 200);
      recorder.setPlan("none");
      await until(() => recorder.printed().includes("written again"));
      await more(load, 20);
    },
  },
  {
    name: "short writes",
    code: 0,
    async during(recorder, load) {
      recorder.setPlan("short");
      await more(load, 300);
    },
  },
  {
    name: "a clock that jumps",
    code: 0,
    async during(recorder, load) {
      recorder.setPlan("clock");
      await more(load, 300);
    },
  },
  {
    name: "a keeper killed at each of its first writes, before, within and after it",
    code: 2,
    async during(recorder, load) {
      for (const write of [1, 2, 3, 4])
        for (const share of [0, 0.5, 1]) {
          const died = recorder.printed().split("another one goes on").length;
          recorder.setPlan(`kill ${write} ${share}`);
          await until(() => recorder.printed().split("another one goes on").length > died);
          await more(load, 20);
        }
    },
  },
  {
    name: `keeper killed ${rounds} times`,
    code: 2,
    async during(recorder, load) {
      for (let round = 0; round < rounds; round++) {
        await more(load, 20 + 10 * round);
        const died = recorder.printed().split("another one goes on").length;
        process.kill(childOf(recorder, "keeper.js")!, "SIGKILL");
        await until(() => recorder.printed().split("another one goes on").length > died);
      }
    },
  },
  {
    name: `keeper killed ${rounds} times, with large responses`,
    code: 2,
    kinds: ["/small", "/large", "/large"],
    async during(recorder, load) {
      for (let round = 0; round < rounds; round++) {
        await more(load, 5);
        await after(50 * round);
        const died = recorder.printed().split("another one goes on").length;
        process.kill(childOf(recorder, "keeper.js")!, "SIGKILL");
        await until(() => recorder.printed().split("another one goes on").length > died);
      }
    },
  },
  {
    name: `judge killed ${rounds} times`,
    async during(recorder, load) {
      for (let round = 0; round < rounds; round++) {
        await more(load, 20);
        const judge = childOf(recorder, "judge-process.js");
        if (judge !== undefined) process.kill(judge, "SIGKILL");
      }
    },
  },
  ...["recorder", "group", "recorder and keeper"].flatMap((victim) =>
    Array.from(
      { length: rounds },
      (_, round): Scenario => ({
        name: `${victim} killed, round ${round + 1}`,
        ...(victim === "recorder and keeper" && { mayLose: true }),
        async during(recorder, load) {
          await more(load, 20 + 15 * round);
          const keeper = childOf(recorder, "keeper.js")!;
          process.kill(victim === "group" ? -recorder.child.pid! : recorder.child.pid!, "SIGKILL");
          if (victim === "recorder and keeper") process.kill(keeper, "SIGKILL");
        },
      }),
    ),
  ),
];

async function walk(
  { name, code, pauseMs, hasGap, mayLose, during, ...scenario }: Scenario,
  url: string,
): Promise<void> {
  const place = `${base}${scenarios.findIndex((one) => one.name === name)}`;
  const out = join(place, "session.jsonl");
  const recorder = await start(place, "disk", ["record", url, "--out", out, "--quiet"]);
  const load = traffic(recorder.port, scenario.kinds ?? kinds, pauseMs);
  const problems: string[] = [];
  await during(recorder, load).catch((error: Error) => problems.push(error.message));
  recorder.setPlan("none");
  await load.stop();
  const exit = await recorder.stop();
  const { problems: found, kept, gaps, lost } = await compare(out, load.seen, { mayLose: mayLose ?? false });
  problems.push(...found);
  if (code !== undefined && exit !== code)
    problems.push(`exit code ${exit}, not ${code}: ${recorder.printed().slice(-300)}`);
  if (hasGap ? gaps === 0 : gaps > 0) problems.push(`${gaps} exchanges are marked as missing`);
  const missing = [gaps > 0 ? `, ${gaps} marked as missing` : "", lost > 0 ? `, ${lost} not written` : ""].join("");
  report(name, problems, `${load.seen.size} seen, ${kept} kept${missing}`);
}

/** Players that record to one cassette at the same time; the first may find a torn last line. */
async function walkPlayers(mode: "once" | "always", torn: boolean, url: string): Promise<void> {
  const place = `${base}-${mode}-${torn}`;
  const cassette = join(place, "chat.jsonl");
  const first = await start(place, "first", ["play", cassette, "--record", url, "--mode", "once"]);
  const before = traffic(first.port, ["/before"]);
  await more(before, 5);
  await before.stop();
  await first.stop();
  if (torn) writeFileSync(cassette, `${readFileSync(cassette, "utf8")}{"request":{"meth`);
  const players = await Promise.all(
    ["a", "b", "c"].map((name) => start(place, name, ["play", cassette, "--record", url, "--mode", mode])),
  );
  const loads = players.map(({ port }, i) => traffic(port, [`/${"abc"[i]}`, "/same"]));
  await Promise.all(loads.map((load) => more(load, 60)));
  await Promise.all(loads.map((load) => load.stop()));
  const codes = await Promise.all(players.map((player) => player.stop()));
  const seen = new Map([before, ...loads].flatMap((load) => [...load.seen]));
  const { problems, kept } = await compare(cassette, seen, { mayRepeat: true });
  const ending = codes.some((code) => code !== 0)
    ? [`exit codes ${codes}: ${players.map((one) => one.printed()).join("")}`]
    : [];
  if (existsSync(`${cassette}.lock`)) ending.push("a lock file stays");
  report(
    `three players, ${mode}${torn ? ", behind a torn line" : ""}`,
    [...problems, ...ending],
    `${seen.size} seen, ${kept} kept`,
  );
}

/** A player that is killed, also while it puts recordings in place. What it leaves must not be in the way of the next one. */
async function walkKilledPlayer(mode: "once" | "always", round: number, url: string): Promise<void> {
  const place = `${base}-killed-${mode}-${round}`;
  const cassette = join(place, "chat.jsonl");
  const open = (name: string) => start(place, name, ["play", cassette, "--record", url, "--mode", mode]);
  const seen = new Map<string, string>();
  const problems: string[] = [];
  for (const name of ["before", "killed", "after"]) {
    const player = await open(name);
    const load = traffic(player.port, [`/${name}`, `/${name}-stream`]);
    await more(load, 10 + 5 * round);
    if (name === "killed" && mode === "always" && round % 2 === 1) {
      await load.stop();
      player.child.kill("SIGTERM");
      await after(2 * round);
    }
    if (name === "killed") player.child.kill("SIGKILL");
    await load.stop();
    const code = await player.stop();
    if (name !== "killed" && code !== 0) problems.push(`exit code ${code}: ${player.printed()}`);
    for (const [path, digest] of load.seen) seen.set(path, digest);
  }
  const beside = readdirSync(place)
    .filter((name) => name.endsWith(".new"))
    .map((name) => join(place, name));
  const { problems: found, kept } = await compare(cassette, seen, { mayRepeat: true, beside });
  if (existsSync(`${cassette}.lock`)) problems.push("a lock file stays");
  report(`player killed, ${mode}, round ${round + 1}`, [...problems, ...found], `${seen.size} seen, ${kept} kept`);
}

const word = process.argv[2] ?? "";
const started = performance.now();
await withService(async (url) => {
  for (const scenario of scenarios) if (scenario.name.includes(word)) await walk(scenario, url);
  for (const mode of ["once", "always"] as const)
    for (const torn of [false, true]) if (`players ${mode}`.includes(word)) await walkPlayers(mode, torn, url);
  for (const mode of ["once", "always"] as const)
    for (let round = 0; round < rounds; round++)
      if (`player killed ${mode}`.includes(word)) await walkKilledPlayer(mode, round, url);
});
rmSync(folder, { recursive: true });
process.stdout.write(`${failed} failed, ${Math.round((performance.now() - started) / 1_000)} s\n`);
process.exitCode = failed > 0 ? 1 : 0;
