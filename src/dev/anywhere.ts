/**
 * `npm run test:anywhere`: runs the fast tests in places where they could fail: other dates, time zones, locales, versions of
 * Node, orders of tests, and a busy machine. Two runs cover all of them, at the same time: each keeps the machine busy for the
 * other. Names of runs as arguments select some.
 *
 * Needs `faketime` and the locales below (Debian packages `faketime` and `locales`).
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { home } from "../home.ts";

interface Place {
  readonly name: string;
  /** Major version of Node. */
  readonly node: number;
  /** Start time of the tests, in the time zone of the run. */
  readonly date: string;
  readonly zone: string;
  readonly locale: string;
}

const places: readonly Place[] = [
  // The year ends early in the tests, and the next day is a Friday. At UTC+14, the date differs from UTC for most of the day.
  { name: "new-year", node: 22, date: "2026-12-31 23:59:25", zone: "Pacific/Kiritimati", locale: "de_DE.UTF-8" },
  // UTC-3:30. In Turkish, the lower case of I is not i.
  { name: "leap-day", node: 24, date: "2040-02-29 22:15:00", zone: "America/St_Johns", locale: "tr_TR.UTF-8" },
];

const scratch = mkdtempSync(join(tmpdir(), "touchstone-anywhere-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** Runs a command and passes its output through. @throws Error if it fails */
function run(cwd: string, env: NodeJS.ProcessEnv, [program, ...args]: readonly [string, ...string[]]): void {
  console.log(`$ ${[program, ...args].join(" ")}`);
  execFileSync(program, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
}

/** Returns an environment with `node` and `npm` of one major version. */
function environmentOf({ node, zone, locale }: Place): NodeJS.ProcessEnv {
  const folder = join(scratch, `node-${node}`);
  mkdirSync(folder);
  run(folder, process.env, ["npm", "install", "--no-save", "--silent", "--prefix", folder, `node@${node}`]);
  const env = { ...process.env, TZ: zone, LC_ALL: locale, CI: "true" };
  return { ...env, PATH: [join(folder, "node_modules", "node", "bin"), process.env["PATH"]].join(delimiter) };
}

/** Copies the checkout, with changes that are not committed, and installs it as a newcomer does. */
function install(name: string, env: NodeJS.ProcessEnv): string {
  const copy = join(scratch, name);
  execFileSync("git", ["clone", "--quiet", home, copy]);
  const changes = execFileSync("git", ["diff", "--binary", "HEAD"], { cwd: home, maxBuffer: 1 << 28 });
  if (changes.length > 0) execFileSync("git", ["apply", "-"], { cwd: copy, input: changes });
  run(copy, env, ["npm", "ci"]);
  run(copy, env, ["npx", "touchstone", "run"]);
  return copy;
}

/** Runs the tests in a place, and prints their output when they have ended. */
async function test(place: Place, env: NodeJS.ProcessEnv, folder: string): Promise<boolean> {
  // The monotonic clock and the times of files stay those of the machine.
  const clock = { DONT_FAKE_MONOTONIC: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1", NO_FAKE_STAT: "1" };
  // Random tests depend on their seed, and not on the place.
  const draws = { TOUCHSTONE_TIMES: "0.01" };
  const seed = String(Date.now() % 1e6);
  const tests = ["npx", "vitest", "run", "--sequence.shuffle", `--sequence.seed=${seed}`, "--reporter=dot"];
  console.log(`${place.name}: ${JSON.stringify(place)}\n$ faketime ${JSON.stringify(place.date)} ${tests.join(" ")}`);
  const started = performance.now();
  const log = join(scratch, `${place.name}.log`);
  const output = openSync(log, "w");
  const child = spawn("faketime", [place.date, ...tests], {
    cwd: folder,
    env: { ...env, ...clock, ...draws },
    stdio: ["ignore", output, output],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  closeSync(output);
  process.stdout.write(readFileSync(log));
  console.log(`${place.name}: exit code ${code} after ${Math.round((performance.now() - started) / 1000)} s`);
  return code === 0;
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !places.some((place) => place.name === name));
if (unknown.length > 0) {
  console.error(`no such run: ${unknown.join(", ")}\nChoose among ${places.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const installed = places
  .filter(({ name }) => chosen.length === 0 || chosen.includes(name))
  .map((place) => {
    const env = environmentOf(place);
    return [place, env, install(place.name, env)] as const;
  });
const passed = await Promise.all(installed.map((one) => test(...one)));
if (passed.includes(false)) process.exitCode = 1;
