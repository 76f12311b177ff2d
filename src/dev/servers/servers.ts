/**
 * `npm run check:servers [-- NAME ...]`: tries the suite on servers of others, which it installs into a temporary folder, and prints a table.
 * Each breaks what its file in `expectations/` says, and what is predicted of clients has to be what the clients themselves do there. Gateways
 * lose what `gateways/outcomes.json` says; the name `gateways` stands for them alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparedLines, isEnough, minRight, toldLines } from "./client-lines.ts";
import { checkRoutes } from "./gateways/check.ts";
import { servers } from "./list.ts";
import { writePage } from "./page.ts";
import { tableOf } from "./table.ts";
import { type Tried, tryServer } from "./try-server.ts";

/** Servers at a time: much of a try is npm, or waiting for a server. */
const atATime = 2;

const options = process.argv.slice(2).filter((arg) => arg.startsWith("--"));
const words = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const isUnexpected = options.includes("--no-expectations");
const temporary = mkdtempSync(join(tmpdir(), "touchstone-servers-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
const how = {
  temporary,
  kept: options.find((one) => one.startsWith("--out="))?.slice("--out=".length),
  isUpdate: options.includes("--update"),
  isUnexpected,
};

const isWrite = options.includes("--write");
const chosen = servers.filter(({ name }) => words.length === 0 || words.includes(name));
try {
  const tried: Tried[] = [];
  const left = chosen.entries();
  const tryAll = async (): Promise<void> => {
    for (const [i, server] of left) {
      const one = await tryServer(server, how);
      tried[i] = one;
      if (one.code !== 0 && !isUnexpected) console.log(`\n${server.name}: exit code ${one.code}\n${one.said}`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, tryAll));
  if (chosen.length > 0) console.log(tableOf(tried));
  if (isWrite && words.length === 0) writePage(tried);
  const lines = tried.map(({ results }) => comparedLines(results));
  for (const [i, { wrong }] of lines.entries())
    for (const { client, predicted, seen, because } of wrong)
      console.log(`${chosen[i]!.name}, ${client}: predicted ${predicted}, seen ${seen}: ${because.join("; ")}`);
  if (chosen.length > 0) console.log(toldLines(lines));
  const unlike = tried.filter(({ code }) => code !== 0).map(({ server }) => server.name);
  if (unlike.length > 0 && !isUnexpected) {
    console.log(`not as expected: ${unlike.join(", ")}`);
    process.exitCode = 1;
  }
  if (!isEnough(lines)) {
    console.log(`fewer than ${minRight} of 100 are right`);
    process.exitCode = 1;
  }
  if (!(await checkRoutes({ words, temporary, kept: how.kept, isWrite }))) process.exitCode = 1;
} catch (error) {
  console.log((error as Error).message);
  process.exitCode = 1;
}
