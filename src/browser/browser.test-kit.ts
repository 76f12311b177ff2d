/**
 * Opens pages in Chromium, and holds each to what every page must keep: no console error, nothing fetched, no axe finding. The
 * effect of an action comes with a later rendering. Tests read it with `expect.poll`, and check that something stays away once
 * the page is `settled`.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const widths = [360, 800, 1400] as const;
export const themes = ["light", "dark"] as const;

/** Milliseconds; only against hangs. */
const timeout = 170_000;
/** How many times slower pages run: what a busy machine would show. */
const slowdown = Number(process.env["TOUCHSTONE_SLOWDOWN"] ?? 1);

let browser: Browser | undefined;
const debuggers = new WeakMap<Page, CDPSession>();

/** Gives a page a part of the processor; nothing happens unless that is asked for. */
async function slow(page: Page, rate: number): Promise<void> {
  if (slowdown === 1) return;
  const session = debuggers.get(page) ?? (await page.context().newCDPSession(page));
  debuggers.set(page, session);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/** Starts one browser for the tests of a file, which calls this at its top. */
export function withBrowser(): void {
  beforeAll(async () => {
    if (!existsSync(executablePath))
      throw new Error(`${executablePath} is missing: install chromium, or name it in CHROMIUM`);
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout });
  });
  afterAll(async () => {
    await browser?.close();
    browser = undefined;
  });
}

interface Opening {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: (typeof themes)[number];
  /** Requests that the page may send; none but for itself unless told. */
  readonly mayFetch?: (url: string) => boolean;
  readonly context?: BrowserContextOptions;
}

/**
 * Opens a file or an address. When the test ends, it fails for console errors and warnings, exceptions, requests to anywhere
 * else, and for axe findings in what is shown then.
 */
export async function open(
  place: string,
  { width = 1400, height = 900, theme = "light", mayFetch = () => false, context = {} }: Opening = {},
): Promise<Page> {
  const [path = "", ...hash] = place.split("#");
  const url = /^https?:/.test(place) ? place : [pathToFileURL(path).href, ...hash].join("#");
  const opened = await browser!.newContext({ viewport: { width, height }, colorScheme: theme, ...context });
  opened.setDefaultTimeout(timeout);
  const page = await opened.newPage();
  await slow(page, slowdown);
  const noises: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") noises.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => noises.push(`exception: ${error.stack ?? error.message}`));
  page.on("request", (request) => {
    const [asked = ""] = request.url().split("#");
    if (asked !== url.split("#")[0] && !/^(?:data|blob):/.test(asked) && !mayFetch(asked))
      noises.push(`request: ${asked}`);
  });
  onTestFinished(async () => {
    const found = page.isClosed() ? [] : await axeFindings(page);
    await opened.close();
    if (noises.length + found.length > 0) throw new Error([...noises, ...found].join("\n"));
  });
  await page.goto(url);
  return page;
}

/** Waits until what was done is rendered, and what that led to as well: effects run behind a frame, and may render anew. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let i = 0; i < 2; i++) await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  });

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The axe findings in what is shown now: a line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await settled(page);
  // The page's policy lets no script element in; what the debugger evaluates is none.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  // The time that axe takes is no matter of the page.
  await slow(page, 1);
  const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
  await slow(page, slowdown);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 300)}: ${failureSummary}`),
  );
}

/** Whether something is wider than the window, so that the page would scroll sideways. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  await settled(page);
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
