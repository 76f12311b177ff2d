/**
 * `npm run picture [-- FOLDER]`: sets the runs against servers of others side by side, and makes the picture of the page that the README
 * shows. FOLDER holds these runs, as `npm run check:servers -- --out=FOLDER` leaves them; without it they are made anew.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { home } from "../../home.ts";
import { servers } from "./list.ts";

/** Pixels. */
const size = { width: 1280, height: 1000 };

const temporary = mkdtempSync(join(tmpdir(), "touchstone-picture-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));

/** Runs one of our programs; whatever its verdict, it must leave what is read next. */
function node(script: string, args: readonly string[]): void {
  spawnSync(process.execPath, [join(home, "dist", "src", script), ...args], { stdio: ["ignore", "ignore", "inherit"] });
}

const given = process.argv[2];
const runs = given ?? join(temporary, "runs");
if (given === undefined) node("dev/servers/servers.js", [`--out=${runs}`]);
const out = join(temporary, "page");
node("cli.js", ["report", ...servers.map(({ name }) => `${name}=${join(runs, name)}`), "--out", out]);
const page = join(out, "side-by-side.html");
if (!existsSync(page)) throw new Error(`${page} was not made: see above`);

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const tab = await browser.newPage({ viewport: size });
await tab.goto(pathToFileURL(page).href);
await tab.getByRole("heading", { level: 1 }).waitFor();
const picture = join(home, "src", "report", "side-by-side.png");
await tab.screenshot({ path: picture });
await browser.close();
console.log(picture);
