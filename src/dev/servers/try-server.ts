/** Installs one server of others into a folder, starts it, and runs the suite and the official clients against it. */
import { spawn } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../home.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import { reservePort } from "../../wire/reserve-port.test-kit.ts";
import { ended, installPackages } from "../install-packages.ts";
import type { Server } from "./list.ts";

const here = join(home, "src", "dev", "servers");
const cli = join(home, "dist", "src", "cli.js");
const runTime = 300_000;

export interface TryOptions {
  /** The folder in which servers are installed; the folder of a run is there, too, unless it is kept. */
  readonly temporary: string;
  /** The folder in which the runs are left, one a server; undefined if they go. */
  readonly kept: string | undefined;
  readonly isUpdate: boolean;
  /** As somebody runs it who admits to nothing yet. */
  readonly isUnexpected: boolean;
}

export interface Tried {
  readonly server: Server;
  /** The exit code of the run: 0 if all is as expected. */
  readonly code: number | null;
  readonly results: RunResults;
  /** When the run began, in ISO 8601. */
  readonly started: string;
  /** The page of its source, as its package names it. */
  readonly repository: string | undefined;
  readonly said: string;
}

/** The address of a package's source; undefined where its description names none that a browser opens. */
function repositoryOf(folder: string, { packages }: Server): string | undefined {
  const file = join(folder, "node_modules", Object.keys(packages)[0]!, "package.json");
  const { repository, homepage } = JSON.parse(readFileSync(file, "utf8"));
  const named: string = repository?.url ?? (typeof repository === "string" ? repository : undefined) ?? homepage ?? "";
  const address = named
    .replace(/^git\+/, "")
    .replace(/^(?:ssh|git):\/\/(?:git@)?/, "https://")
    .replace(/^github:/, "https://github.com/")
    .replace(/^(?=[\w.-]+\/[\w.-]+$)/, "https://github.com/")
    .replace(/\.git$/, "");
  return /^https:\/\/[\w./#-]+$/.test(address) ? address : undefined;
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
  return () => {
    process.off("exit", end);
    end();
  };
}

/** Tries one server. */
export async function tryServer(server: Server, options: TryOptions): Promise<Tried> {
  const folder = join(options.temporary, server.name);
  await installPackages(folder, server.name, server.packages);
  copyFileSync(join(here, "gateways.mjs"), join(folder, "gateways.mjs"));
  const ends: (() => void)[] = [];
  try {
    const upstreamPort = await reservePort();
    const upstream = `http://127.0.0.1:${upstreamPort}`;
    if (server.inFront) ends.push(start([cli, "serve", "--listen", `127.0.0.1:${upstreamPort}`], folder, upstreamPort));
    const port = await reservePort();
    ends.push(start(server.start({ port, here, upstream }), folder, port));
    const out = options.kept === undefined ? join(folder, "out") : join(options.kept, server.name);
    const args = [
      ...["run", `http://127.0.0.1:${port}${server.base ?? ""}`, "--wait", "30", "--out", out],
      ...["--name", `${server.name} ${Object.values(server.packages)[0]}`],
      // Rechecks are of no use to a table.
      ...["--clients", "--shrink", "0"],
      ...(options.isUnexpected ? [] : ["--expectations", join(here, "expectations", `${server.name}.json`)]),
      ...(options.isUpdate ? ["--update-expectations"] : []),
      ...server.run({ upstream }),
    ];
    const env = { ...process.env, TOUCHSTONE_KEY: "any-key", NO_COLOR: "1" };
    const { code, stdout, stderr } = await ended(process.execPath, [cli, ...args], {
      cwd: home,
      env,
      timeout: runTime,
    });
    const results: RunResults = JSON.parse(readFileSync(join(out, "results.json"), "utf8"));
    const { started } = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"));
    return { server, code, results, started, repository: repositoryOf(folder, server), said: stdout + stderr };
  } finally {
    for (const end of ends) end();
  }
}
