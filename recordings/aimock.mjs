/** Drives the same SDK sessions against aimock, a mock server of others, through `touchstone record`; then judges it directly. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cli, start } from "./commands.mjs";
import { sessions } from "./sessions.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const mock = join(folder, "..", "node_modules", "@copilotkit", "aimock", "dist", "cli.js");
const port = 4000 + Math.floor(Math.random() * 20_000);
const url = `http://127.0.0.1:${port}`;
const temporary = mkdtempSync(join(tmpdir(), "touchstone-"));
/** What aimock is told to answer: a tool call where tools are declared, text otherwise, an image's address. */
const fixtures = join(folder, "..", "src", "dev", "servers", "aimock-fixtures.json");

const server = spawn(process.execPath, [mock, "--port", String(port), "--fixtures", fixtures, "--log-level", "warn"], {
  stdio: ["ignore", "inherit", "inherit"],
});
process.on("exit", () => server.kill());
for (let tries = 0; ; tries++) {
  if (await fetch(url).then(Boolean, () => false)) break;
  if (tries > 100) throw new Error("aimock does not answer");
  await new Promise((resolve) => setTimeout(resolve, 100));
}

const tape = join(temporary, "aimock.jsonl");
const recorder = await start("record", url, "--out", tape, "--preset", "vendors", "--quiet");
let failed = 0;
for (const session of sessions)
  await session.run(recorder.url).catch((error) => {
    failed++;
    const path = `${session.interface}/${session.section}/${session.name}`;
    console.log(`the SDK gave up on ${path}: ${String(error.message).split("\n")[0].slice(0, 120)}`);
  });
await recorder.stop();
console.log(`${sessions.length - failed} of ${sessions.length} sessions went through\n`);

const touchstone = (...args) => {
  const quiet = args.includes("json");
  spawnSync(process.execPath, [cli, ...args], { stdio: ["ignore", quiet ? "ignore" : "inherit", "inherit"] });
};
console.log("$ touchstone check aimock.jsonl --preset vendors --side response --quiet");
touchstone("check", tape, "--preset", "vendors", "--side", "response", "--quiet");
console.log(`\n$ touchstone run ${url} --preset vendors`);
process.env.TOUCHSTONE_KEY ??= "any-key";
touchstone("run", url, "--preset", "vendors", "--out", join(temporary, "aimock"));
touchstone("run", "--out", join(temporary, "reference"), "--format", "json");
console.log("\n$ touchstone report reference/results.json aimock/results.json");
touchstone("report", join(temporary, "reference", "results.json"), join(temporary, "aimock", "results.json"));
rmSync(temporary, { recursive: true });
server.kill();
