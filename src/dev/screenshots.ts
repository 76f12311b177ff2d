/** `npm run screenshots [-- FOLDER]`: runs against a mock server of others, and takes a picture of each view of its page. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { home } from "../home.ts";

const [folder] = process.argv.slice(2);
const server = join(home, "node_modules", "@copilotkit", "aimock");
const { version } = JSON.parse(readFileSync(join(server, "package.json"), "utf8")) as { version: string };
const fixtures = join(home, "src", "dev", "servers", "aimock-fixtures.json");
const port = 20_000 + Math.floor(Math.random() * 20_000);
const temporary = mkdtempSync(join(tmpdir(), "touchstone-screenshots-"));

/** The report of a run against the server, which ends with it. */
function reportOfRun(): string {
  const listening = ["--port", String(port), "--fixtures", fixtures, "--log-level", "warn"];
  const mock = spawn(process.execPath, [join(server, "dist", "cli.js"), ...listening], { stdio: "ignore" });
  const out = join(temporary, "run");
  try {
    const run = ["run", `http://127.0.0.1:${port}`, "--name", `aimock ${version}`, "--wait", "30", "--out", out];
    const { stderr } = spawnSync(
      process.execPath,
      [join(home, "dist", "src", "cli.js"), ...run, "--preset", "vendors", "--lacks", "images/variations"],
      { env: { ...process.env, TOUCHSTONE_KEY: "any-key" }, encoding: "utf8", maxBuffer: 1 << 28 },
    );
    process.stderr.write(stderr);
  } finally {
    mock.kill("SIGKILL");
  }
  return pathToFileURL(join(out, "report.html")).href;
}

/** The picture of the README, and in a folder every view, on wide and narrow screens, in light and dark. */
const views: Readonly<Record<string, string>> = {
  overview: "",
  grid: "#/overview/grid",
  laws: "#/overview/laws",
  clients: "#/overview/clients",
  clauses: "#/clauses?verdict=fail",
  clause: "#/clause/messages.response.input-tokens-range",
  probe: "#/clause/chat-completions.request.n-type",
  exchanges: "#/exchanges",
  stream: "#/exchange/chat-completions%2Fstreaming%2Ftext.json/0",
};

try {
  const url = reportOfRun();
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  async function shoot(hash: string, path: string, width: number, height: number, colorScheme: "light" | "dark") {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    await page.goto(`${url}${hash}`);
    await page.locator("main h1").waitFor();
    // What is read behind the heading, the exchange, comes within a moment.
    await page.waitForTimeout(1_000);
    await page.screenshot({ path });
    await context.close();
  }
  await shoot("", join(home, "src", "report", "report.png"), 1080, 1040, "light");
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    for (const [name, hash] of Object.entries(views))
      for (const theme of ["light", "dark"] as const)
        for (const width of [360, 800, 1400])
          await shoot(hash, join(folder, `${name}-${theme}-${width}.png`), width, 1000, theme);
  }
  await browser.close();
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
