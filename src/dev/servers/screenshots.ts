/**
 * `npm run screenshots [-- --views=FOLDER]`: tries servers of others, and makes the pictures of the README: the page of one, and several
 * side by side. Into `--views` come pictures of each view of the page, in both themes at three widths, to be looked at.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { home } from "../../home.ts";

/** The server whose page the README shows. */
const shown = "aimock";

/** The servers that stand side by side: as many as a picture holds. */
const beside: readonly string[] = ["aimock", "portkey", "portkey-newer-server", "mock-llm", "openai-api-mock"];

/** The views of its page, by the address after the file's. */
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

const folder = process.argv.find((arg) => arg.startsWith("--views="))?.slice("--views=".length);

const temporary = mkdtempSync(join(tmpdir(), "touchstone-screenshots-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));

/** Runs one of our programs; whatever its verdict, it must leave what is read next. */
function node(script: string, args: readonly string[]): void {
  spawnSync(process.execPath, [join(home, "dist", "src", script), ...args], { stdio: ["ignore", "ignore", "inherit"] });
}

const [alone, runs, compared] = ["alone", "runs", "compared"].map((name) => join(temporary, name)) as [
  string,
  string,
  string,
];
node("dev/servers/servers.js", [shown, "--no-expectations", `--out=${alone}`]);
node("dev/servers/servers.js", [...beside, `--out=${runs}`]);
node("cli.js", ["report", ...beside.map((name) => `${name}=${join(runs, name)}`), "--out", compared]);
const pages = { one: join(alone, shown, "report.html"), all: join(compared, "side-by-side.html") };
for (const page of Object.values(pages)) if (!existsSync(page)) throw new Error(`${page} was not made: see above`);

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

interface Look {
  readonly hash?: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly theme?: "light" | "dark";
}

async function shoot(page: string, path: string, { hash = "", width, height, theme = "light" }: Look): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  const tab = await context.newPage();
  await tab.goto(`${pathToFileURL(page).href}${hash}`);
  await tab.getByRole("heading", { level: 1 }).waitFor();
  // The exchange behind the heading is read within a moment.
  await tab.waitForTimeout(1_000);
  await tab.screenshot({ path });
  await context.close();
  console.log(path);
}

const pictures = join(home, "src", "report");
await shoot(pages.one, join(pictures, "report.png"), { width: 1080, height: 1040 });
await shoot(pages.all, join(pictures, "side-by-side.png"), { width: 1280, height: 1000 });
if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  for (const [name, hash] of Object.entries(views))
    for (const theme of ["light", "dark"] as const)
      for (const width of [360, 800, 1400])
        await shoot(pages.one, join(folder, `${name}-${theme}-${width}.png`), { hash, width, height: 1000, theme });
}
await browser.close();
