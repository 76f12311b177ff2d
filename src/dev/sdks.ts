/**
 * `npm run check:sdks`: runs the sessions of `recordings/` with the newest of each official SDK and with the oldest supported
 * one. It runs them straight at the reference, and through a recorder before it. Red where an SDK throws in a session it should
 * not, or where its traffic has an error that the session does not intend.
 */
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { home } from "../home.ts";
import { check, record, serve } from "../index.ts";

const { peerDependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
  peerDependencies: Record<string, string>;
};

/** The official SDKs, and the interfaces each speaks. */
const sdks = [
  { name: "openai", interfaces: ["chat-completions", "images"] },
  { name: "@anthropic-ai/sdk", interfaces: ["messages"] },
  { name: "@google/genai", interfaces: ["generate-content"] },
] as const;

/** The output of `recordings/drive.mjs` for a session. */
interface Driven {
  readonly path: string;
  readonly violates: readonly string[];
  readonly problem: string | null;
}

/** The oldest version that `>=4.2` allows: 4.2.0. */
const oldest = (range: string): string => {
  const numbers = range.replace(/^>=/, "").split(".");
  return [0, 1, 2].map((at) => numbers[at] ?? "0").join(".");
};

const versionOf = (folder: string, name: string): string =>
  (JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;

/** A folder with the sessions, and each SDK in the version that is asked for. */
async function install(ofSdk: (name: string) => string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-sdks-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  cpSync(join(home, "recordings"), join(folder, "recordings"), { recursive: true });
  const packages = sdks.map(({ name }) => `${name}@${ofSdk(name)}`);
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], {
    cwd: folder,
    timeout: 300_000,
  });
  return folder;
}

/** Runs all sessions in a process that has the folder's SDKs. */
async function drive(folder: string, url: string): Promise<Driven[]> {
  const child = spawn(process.execPath, [join(folder, "recordings", "drive.mjs"), url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const driven: Driven[] = [];
  for await (const line of createInterface({ input: child.stdout })) driven.push(JSON.parse(line) as Driven);
  return driven;
}

/** Tries one set of SDKs; gives what went wrong, as sentences. */
async function trySet(label: string, ofSdk: (name: string) => string): Promise<string[]> {
  const folder = await install(ofSdk);
  const reference = await serve();
  const tape = join(folder, "session.jsonl");
  const recorder = await record({ upstream: reference.url, out: tape, preset: "vendors" });
  const straight = await drive(folder, reference.url);
  const driven = await drive(folder, recorder.url);
  await recorder.close();
  await reference.close();
  const { findings } = await check(tape, { preset: "vendors" });
  const intended = new Set(driven.flatMap(({ violates }) => violates));
  const problems: string[] = [];
  for (const { name, interfaces } of sdks) {
    const speaks = (of: string): boolean => interfaces.some((one) => one === of);
    const own = driven.filter(({ path }) => speaks(path.split("/")[0]!));
    const threw = own.filter(({ problem }) => problem !== null);
    const alone = straight.filter(({ path }) => speaks(path.split("/")[0]!));
    const threwAlone = alone.filter(({ problem }) => problem !== null);
    const errors = findings.filter(
      (finding) => finding.level === "error" && speaks(finding.interface) && !intended.has(finding.clause),
    );
    const version = versionOf(folder, name);
    const through = own.length - threw.length;
    console.log(
      `${label} ${name} ${version}: ${alone.length - threwAlone.length} of ${alone.length} sessions went through at the reference, ${through} of ${own.length} through a recorder, ${errors.length} unintended errors`,
    );
    if (own.length === 0 || alone.length !== own.length) problems.push(`${label} ${name}: not every session was run`);
    for (const { path, problem } of threwAlone)
      problems.push(`${name} ${version} threw in ${path} at the reference: ${problem}`);
    for (const { path, problem } of threw) problems.push(`${name} ${version} threw in ${path}: ${problem}`);
    for (const { clause, message } of errors.slice(0, 5)) problems.push(`${name} ${version}: ${clause}: ${message}`);
  }
  rmSync(folder, { recursive: true, force: true });
  return problems;
}

const problems = [
  ...(await trySet("newest", () => "latest")),
  ...(await trySet("oldest", (name) => oldest(peerDependencies[name]!))),
];
for (const problem of problems) console.log(`✗ ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
