/** Installs a gateway of others once, and has touchstone measure what it keeps on one route. */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GatewayDocument } from "../../../gateway/document.ts";
import { home } from "../../../home.ts";
import { reservePort } from "../../../wire/reserve-port.test-kit.ts";
import { ended, installPackages } from "../../install-packages.ts";
import type { GatewayRoute } from "./list.ts";

const cli = join(home, "dist", "src", "cli.js");
const runTime = 240_000;

/** Seconds for an answer: some gateways never end a stream whose upstream fails. */
const patience = "8";

export interface TriedRoute {
  readonly route: GatewayRoute;
  readonly document: GatewayDocument;
  /** When it began, in ISO 8601. */
  readonly started: string;
}

const folders = new Map<string, Promise<string>>();

/** The folder of a gateway's packages. */
function installed(temporary: string, { name, packages }: GatewayRoute): Promise<string> {
  const key = JSON.stringify(packages);
  const folder = join(temporary, `gateway-${folders.size}`);
  const found =
    folders.get(key) ??
    installPackages(folder, name, packages).then(() => {
      copyFileSync(join(home, "src", "dev", "servers", "gateways.mjs"), join(folder, "gateways.mjs"));
      return folder;
    });
  folders.set(key, found);
  return found;
}

/** @param kept the folder in which the results are left; undefined if they go. @throws Error for a route that cannot be measured */
export async function tryRoute(route: GatewayRoute, temporary: string, kept: string | undefined): Promise<TriedRoute> {
  const { name, packages, from, to, base = "", args } = route;
  const folder = await installed(temporary, route);
  const port = await reservePort();
  const out = join(kept ?? join(temporary, "routes"), name.replace(/\W+/g, "-"));
  const started = new Date().toISOString();
  const { code, stdout, stderr } = await ended(
    process.execPath,
    [
      ...[cli, "gateway", `http://127.0.0.1:${port}${base}`, "--from", from, "--to", to, "--timeout", patience],
      ...["--name", `${name}, ${Object.values(packages)[0]}`, "--out", out],
      ...["--start", `cd ${JSON.stringify(folder)} && exec ${route.command(port)}`, ...args],
    ],
    { cwd: home, env: { ...process.env, TOUCHSTONE_KEY: "any-key", NO_COLOR: "1" }, timeout: runTime },
  );
  if (code !== 0 && code !== 1) throw new Error(`${name}: exit code ${code}: ${stderr.trim() || stdout.slice(-500)}`);
  return { route, document: JSON.parse(readFileSync(join(out, "results.json"), "utf8")), started };
}
