/** Opens a page in the user's browser, where there is one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Milliseconds for which a browser may take to read the file that leads to the page. */
const maxStart = 60_000;

/** The program that opens an address, with its arguments; undefined where there is no screen. */
function opener({ platform, env }: Pick<NodeJS.Process, "platform" | "env">): readonly string[] | undefined {
  if (env["BROWSER"]) return [env["BROWSER"]];
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["explorer.exe"];
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open"] : undefined;
}

/**
 * Opens a page. An address may hold a token, and every user of a machine sees the arguments of all programs. The browser is
 * therefore given a file that leads there, and only this user can read it.
 * @returns whether a browser was started
 */
export async function openBrowser(url: string): Promise<boolean> {
  const [program, ...args] = opener(process) ?? [];
  if (program === undefined) return false;
  const folder = await mkdtemp(join(tmpdir(), "touchstone-open-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const file = join(folder, "page.html");
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 });
  const child = spawn(program, [...args, pathToFileURL(file).href], { stdio: "ignore", detached: true });
  child.unref();
  const isStarted = await Promise.race([once(child, "spawn").then(() => true), once(child, "error").then(() => false)]);
  if (isStarted) setTimeout(remove, maxStart).unref();
  else remove();
  return isStarted;
}
