/** Tries the suite on servers of others: installs them into a temporary folder, runs the suite against each, prints a table. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { home } from "../../home.ts";
import { unenforcedRules } from "../../report/outline.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import { type Server, servers } from "./list.ts";

const here = join(home, "src", "dev", "servers");
const cli = join(home, "dist", "src", "cli.js");
const installTime = 180_000;
const runTime = 300_000;

const options = process.argv.slice(2).filter((arg) => arg.startsWith("--"));
const words = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const isUpdate = options.includes("--update");
const isWrite = options.includes("--write");
/** As somebody runs it who admits to nothing yet. */
const isUnexpected = options.includes("--no-expectations");
/** Where the folders of the runs are left, one a server; undefined where they go. */
const kept = options.find((one) => one.startsWith("--out="))?.slice("--out=".length);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

/** Installs what a server needs, and nothing that its packages would run. */
function install(folder: string, { name, packages }: Server): void {
  mkdirSync(folder);
  const description = { private: true, dependencies: packages, overrides: packages };
  writeFileSync(join(folder, "package.json"), JSON.stringify(description));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
  const { status, stderr, error } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", timeout: installTime });
  if (status !== 0)
    throw new Error(
      `${name} cannot be installed, and without a registry of npm packages nothing here can be tried: ${(error?.message ?? stderr).trim().split("\n")[0]}`,
    );
}

/** Starts a process that listens; it ends with this one. */
function start(args: readonly string[], cwd: string, port: number): () => void {
  const child = spawn(process.execPath, [...args], {
    cwd,
    env: { ...process.env, PORT: String(port), HOST: "127.0.0.1" },
    stdio: "ignore",
  });
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  return end;
}

interface Tried {
  readonly server: Server;
  readonly code: number | null;
  readonly results: RunResults;
}

async function tryOne(server: Server, temporary: string): Promise<Tried> {
  const folder = join(temporary, server.name);
  install(folder, server);
  const ends: (() => void)[] = [];
  try {
    const upstream = await freePort();
    if (server.inFront) ends.push(start([cli, "serve", "--listen", `127.0.0.1:${upstream}`], folder, upstream));
    const port = await freePort();
    ends.push(start(server.start({ port, here }), folder, port));
    const out = kept === undefined ? join(folder, "out") : join(kept, server.name);
    const args = [
      ...["run", `http://127.0.0.1:${port}`, "--wait", "30", "--out", out],
      ...["--name", `${server.name} ${Object.values(server.packages)[0]}`],
      ...(isUnexpected ? [] : ["--expectations", join(here, "expectations", `${server.name}.json`)]),
      ...(isUpdate ? ["--update-expectations"] : []),
      ...server.run({ upstream: `http://127.0.0.1:${upstream}` }),
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
      encoding: "utf8",
      env: { ...process.env, TOUCHSTONE_KEY: "any-key", NO_COLOR: "1" },
      maxBuffer: 1 << 28,
      timeout: runTime,
    });
    if (status !== 0 && !isUnexpected)
      process.stdout.write(`\n${server.name}: exit code ${status}\n${stdout}${stderr}\n`);
    return { server, code: status, results: JSON.parse(readFileSync(join(out, "results.json"), "utf8")) };
  } finally {
    for (const end of ends) end();
  }
}

/** What a server keeps, breaks and does not enforce. */
function rowOf({ server: { packages, byChance = {} }, results }: Tried): string {
  const lucky = ({ id, verdict }: { readonly id: string; readonly verdict: string }): boolean =>
    verdict === "pass" && id in byChance;
  const verdicts = results.clauses.map((one) => (lucky(one) ? "warning" : one.verdict));
  const count = (verdict: string): number => verdicts.filter((one) => one === verdict).length;
  const unenforced = [...unenforcedRules(results).values()].flat().length;
  const unanswered = new Set(results.incidents.map(({ source }) => source)).size;
  const name = Object.entries(packages)
    .map(([id, version]) => `${id} ${version}`)
    .join(", ");
  const cells = [count("pass"), count("fail"), unanswered, unenforced, count("warning") - unenforced];
  return `| ${name} | ${cells.join(" | ")} |`;
}

const head = `| server | keeps | breaks | requests not answered | does not enforce | warned about otherwise |
|---|--:|--:|--:|--:|--:|`;

/** Puts the table between its marks in the README. */
function writeTable(table: string): void {
  const file = join(home, "README.md");
  const [from, to] = ["<!-- servers -->\n", "<!-- /servers -->"];
  const text = readFileSync(file, "utf8");
  const [before, rest] = text.split(from);
  const after = rest?.split(to)[1];
  if (before === undefined || after === undefined) throw new Error("README.md has no place for the table");
  writeFileSync(file, `${before}${from}${table}\n${to}${after}`);
}

const temporary = mkdtempSync(join(tmpdir(), "touchstone-servers-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
const chosen = servers.filter(({ name }) => words.length === 0 || words.includes(name));
try {
  const tried: Tried[] = [];
  for (const server of chosen) tried.push(await tryOne(server, temporary));
  const table = [head, ...tried.map(rowOf)].join("\n");
  console.log(table);
  if (isWrite) writeTable(table);
  const wrong = tried.filter(({ code }) => code !== 0).map(({ server }) => server.name);
  if (wrong.length > 0 && !isUnexpected) {
    console.log(`not as expected: ${wrong.join(", ")}`);
    process.exitCode = 1;
  }
} catch (error) {
  console.log((error as Error).message);
  process.exitCode = 1;
}
