/** The page of a recording session in a browser, beside a real recorder: what it shows while it happens, and what it does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCassette } from "../../cassette/read.ts";
import { home } from "../../home.ts";
import { replaceText } from "../../replace-text.test-kit.ts";
import { open, scrollsSideways, settled, themes, widths, withBrowser } from "../browser.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-live-page-"));
const cli = join(home, "dist", "src", "cli.js");
const secret = "sk-q7Zr2mVx9TkLp4WcB8sNd6Yh";
const ending: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
let ui = "";
let proxy = "";

/** Answers that wait for the test to go on. */
const waiting: ServerResponse[] = [];
const now = (): number => Math.floor(Date.now() / 1000);
const reply = (content: string): string =>
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: now(),
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "chatcmpl-2", object: "chat.completion.chunk", created: now(), model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const hostile = "</script><img src=x onerror=\"document.title='taken'\"><!-- \u202e\u2066\u0007 ";
const answers: Readonly<Record<string, (res: ServerResponse) => void>> = {
  "/stream": (res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    waiting.push(res);
  },
  "/wrong": (res) =>
    void res.writeHead(200, { "content-type": "application/json" }).end(replaceText(reply("x"), "stop", "bored")),
  "/hostile": (res) => {
    const odd = Buffer.concat([
      Buffer.from(`{"id":"`),
      Buffer.from([0xff, 0xfe, 0xc0]),
      Buffer.from(`${replaceText(replaceText(hostile, /"/g, '\\"'), "\u0007", "")}","x":"${"y".repeat(300 << 10)}"}`),
    ]);
    res.writeHead(200, { "content-type": "application/json", "x-request-id": "<b>id</b>" }).end(odd);
  },
  "/deep": (res) =>
    void res.writeHead(200, { "content-type": "application/json" }).end("[".repeat(10_000) + "]".repeat(10_000)),
};

beforeAll(async () => {
  const upstream = http.createServer(async (req, res) => {
    let asked = "";
    for await (const piece of req) asked += piece;
    const wanted = Object.keys(answers).find((path) => asked.includes(`"${path}"`));
    if (wanted) answers[wanted]!(res);
    else if (req.url!.startsWith("/metrics")) res.end("ok");
    else res.writeHead(200, { "content-type": "application/json" }).end(reply("hello"));
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const out = join(folder, "session.jsonl");
  const recorder = spawn(process.execPath, [cli, "record", base, "--out", out, "--ui"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  ending.push(
    () => upstream.close(),
    () => upstream.closeAllConnections(),
    async () => {
      if (recorder.exitCode === null) recorder.kill("SIGINT");
      if (recorder.exitCode === null) await once(recorder, "close");
    },
  );
  let said = "";
  recorder.stdout.on("data", (bytes) => (said += bytes));
  while (!/\nlive page: \S+\n/.test(said)) await once(recorder.stdout, "data");
  [, proxy = "", ui = ""] = /^listening on (\S+)\nlive page: (\S+)\n/.exec(said)!;
});
afterAll(async () => {
  for (const end of ending.reverse()) await end();
});

const visit = (place = "", options: Parameters<typeof open>[1] = {}): Promise<Page> =>
  open(ui + place, { mayFetch: (asked) => new URL(asked).origin === new URL(ui).origin, ...options });

/** Exchanges that were begun. */
let sent = 0;
const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
  sent++;
  return fetch(proxy + path, init);
};

/** Sends a request whose `user` says how it is answered. */
const chat = (user: string, more: object = {}, headers: Record<string, string> = {}): Promise<string> =>
  ask("/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], user, ...more }),
  }).then((response) => response.text());

const rows = (page: Page) => page.locator(".judged .row > a");
const latest = async (page: Page): Promise<number> => Number(await rows(page).first().locator(".number").textContent());

/** Waits until all that was sent is listed; gives the position of the last. */
async function listed(page: Page): Promise<number> {
  await expect.poll(() => rows(page).count()).toBeGreaterThan(0);
  await expect.poll(() => latest(page)).toBe(sent - 1);
  return sent - 1;
}

/** Goes to an exchange, and waits until it is the one that is shown. */
async function choose(page: Page, exchange: number): Promise<void> {
  await page.goto(`${ui}#/exchange/${exchange}`);
  await page.getByRole("heading", { name: new RegExp(`^Exchange ${exchange}\\b`) }).waitFor();
}

test("before anything was sent the page says how clients are pointed at the recorder", async () => {
  const page = await visit();
  await page.getByText(`export OPENAI_BASE_URL=${proxy}/v1`).waitFor();
  await page.getByRole("button", { name: "copy ANTHROPIC_BASE_URL" }).waitFor();
});

test("a stream is seen event by event before it ends, and a finding beside its event once it is judged", async () => {
  const page = await visit();
  const answered = chat("/stream", { stream: true }, { authorization: `Bearer ${secret}` });
  const flight = page.locator(".in-flight a");
  await flight.click();
  await expect.poll(() => waiting.length).toBe(1);
  const [stream] = waiting.splice(0);
  stream!.write(chunk({ role: "assistant", content: "" }));
  const words = "one two three four five six seven".split(" ");
  for (const [i, word] of words.entries()) {
    stream!.write(chunk({ content: ` ${word}` }));
    await expect.poll(() => page.locator(".chosen-head").textContent()).toContain(`${i + 2} events so far`);
  }
  // The last word may go on; where it might be a key, that would show only then.
  const shown = page.locator(".chosen");
  await expect.poll(() => shown.textContent()).toContain("one two three four five six");
  expect(await shown.textContent()).not.toContain("seven");
  await expect
    .poll(() => page.locator(".held").textContent())
    .toMatch(/One event more came.* once it is certain that no key/);
  expect(await flight.count()).toBe(1);
  stream!.write(chunk({}, "bored"));
  stream!.end("data: [DONE]\n\n");
  await answered;
  await expect.poll(() => page.url()).toMatch(/#\/exchange\/\d+$/);
  await expect.poll(() => page.locator(".marked, [class*=m-error]").allTextContents()).not.toEqual([]);
  const marked = await page.locator(".chosen").textContent();
  expect(marked).toContain("chat-completions.streaming.finish-reason-values");
  expect(marked).toContain("seven");
  expect(marked).toMatch(/event 8 of the stream/);
  await settled(page);
  expect(await page.content()).not.toContain(secret);
});

test("the list is narrowed by interface, status, what was found, and words", async () => {
  await chat("plain");
  await chat("/wrong");
  await ask("/metrics");
  const page = await visit();
  await expect.poll(() => rows(page).count()).toBeGreaterThan(2);
  const asked = (): Promise<string[]> => rows(page).locator(".asked").allTextContents();
  await page.getByLabel("interface").selectOption({ label: "no document" });
  await expect.poll(asked).toEqual([expect.stringContaining("GET /metrics")]);
  await page.getByLabel("interface").selectOption("");
  await page.getByLabel("result").selectOption({ label: "errors" });
  await page.getByRole("searchbox").fill("response.finish-reason");
  const ids = (): Promise<(string | null)[]> =>
    rows(page)
      .locator(".why")
      .evaluateAll((all) => all.map((one) => one.getAttribute("title")));
  await expect.poll(ids).toEqual([expect.stringContaining("chat-completions.response.finish-reason-values")]);
  expect(await asked()).toEqual([expect.stringMatching(/ [A-Z][^.]+\. chat-completions\.\S+ and \d+ more$/)]);
  await page.getByLabel("status").selectOption({ label: "5xx" });
  await expect.poll(asked).toEqual([]);
  await page.getByRole("button", { name: "show all" }).click();
  await expect.poll(() => rows(page).count()).toBeGreaterThan(2);
});

test("a request is sent again through the recorder or to another service, and one whose key is gone is refused plainly", async () => {
  await chat("again");
  const page = await visit();
  const before = await listed(page);
  await choose(page, before);
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => page.locator(".again [role=status]").textContent()).toContain("Answered with 200");
  sent++;
  expect(await listed(page)).toBe(before + 1);

  await page.getByText("curl -sS").first().waitFor();
  await page.getByRole("button", { name: "Edit the body" }).click();
  const edited = JSON.stringify({ model: "m", messages: [{ role: "user", content: "edited" }], user: "edited" });
  await page.getByLabel("Body", { exact: true }).fill(edited);
  await page.getByRole("button", { name: "Send" }).click();
  sent++;
  expect(await listed(page)).toBe(before + 2);
  await choose(page, before + 2);
  await expect.poll(() => page.locator(".chosen .evidence").textContent()).toContain('"user":"edited"');

  await page.getByLabel("to another service").check();
  await page.getByLabel("Base URL").fill("http://127.0.0.1:9");
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => page.locator(".again [role=status]").textContent()).toContain("no answer came");
  const other = http.createServer((_, res) =>
    res.writeHead(200, { "content-type": "application/json" }).end(reply("elsewhere")),
  );
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  ending.push(() => other.close());
  await page.getByLabel("Base URL").fill(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => page.locator(".answer-again").textContent()).toContain("elsewhere");
  expect(await latest(page)).toBe(before + 2);

  await chat("again", {}, { authorization: `Bearer ${secret}` });
  expect(await listed(page)).toBe(before + 3);
  await choose(page, before + 3);
  await page.getByRole("button", { name: "Send" }).click();
  await expect
    .poll(() => page.locator(".again [role=status]").textContent())
    .toMatch(/carried a credential.*TOUCHSTONE_KEY/s);
});

test("the tab counts errors, and what is cleared from the list comes back", async () => {
  await chat("/wrong");
  const page = await visit();
  const last = await listed(page);
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) touchstone record$/);
  await page.getByRole("button", { name: "Clear list" }).click();
  await expect.poll(() => rows(page).count()).toBe(0);
  await page.getByRole("button", { name: /Show the \d+ cleared/ }).click();
  await expect.poll(() => latest(page)).toBe(last);
});

test("bodies are searched for words, also for one that a stream splits", async () => {
  await chat("/wrong", { metadata: { note: "a pelican flew by" } });
  const page = await visit();
  const pelican = await listed(page);
  const streamed = chat("/stream", { stream: true });
  await expect.poll(() => waiting.length).toBe(1);
  const [stream] = waiting.splice(0);
  for (const piece of ["flam", "ingo"]) stream!.write(chunk({ content: piece }));
  stream!.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
  await streamed;
  const flamingo = await listed(page);
  const found = (): Promise<string[]> => rows(page).locator(".number").allTextContents();
  await page.getByRole("searchbox").fill("pelican");
  await expect.poll(found).toEqual([]);
  await page.getByLabel("in bodies").check();
  await expect.poll(found).toEqual([String(pelican)]);
  await page.getByRole("searchbox").fill("flamingo");
  await expect.poll(found).toEqual([String(flamingo)]);
  await chat("later", { metadata: { note: "another flamingo" } });
  await expect.poll(found).toEqual([String(flamingo + 1), String(flamingo)]);
});

test("the page follows the newest exchange until another one is chosen", async () => {
  await chat("before");
  const page = await visit();
  const last = await listed(page);
  await page.getByLabel("follow newest").check();
  await expect.poll(() => page.url()).toContain(`#/exchange/${last}`);
  await chat("followed");
  await page.getByRole("heading", { name: new RegExp(`^Exchange ${last + 1}\\b`) }).waitFor();
  await choose(page, last);
  await expect.poll(() => page.getByLabel("follow newest").isChecked()).toBe(false);
  await chat("not followed");
  await listed(page);
  expect(page.url()).toContain(`#/exchange/${last}`);
});

test("a selection is saved, and a run sends it as it is", async () => {
  await chat("saved", { stream: false }, { authorization: `Bearer ${secret}` });
  const page = await visit();
  await listed(page);
  await page.locator(".pick input").first().check();
  const form = page.locator(".save");
  await form.getByLabel("name").fill("from-the-page");
  const downloading = page.waitForEvent("download");
  await form.getByRole("button", { name: "Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("from-the-page.json");
  await form.getByRole("button", { name: "Save for run" }).click();
  await expect.poll(() => form.textContent()).toContain("--recordings");
  const path = join(folder, "recordings", "chat-completions", "response", "from-the-page.json");
  const cassette = await readCassette(path);
  expect(cassette.exchanges).toHaveLength(1);
  expect(await readCassette((await download.path())!)).toEqual(cassette);
  const run = spawn(process.execPath, [cli, "run", "--recordings", join(folder, "recordings"), "--format", "json"]);
  let said = "";
  run.stdout.on("data", (bytes) => (said += bytes));
  const [code] = await once(run, "close");
  const { summary, plan } = JSON.parse(said);
  expect([code, summary.exchanges, summary.errors, plan.recordings?.length ?? plan.exchanges]).toEqual([0, 1, 0, 1]);
});

test("hostile text stays data", async () => {
  const page = await visit();
  await chat("/hostile", { messages: [{ role: "user", content: hostile }] }, { "user-agent": "<i>agent</i>" });
  await ask("/v1/%3Cscript%3Ealert(1)%3C%2Fscript%3E?x=<b>");
  const at = (await listed(page)) - 1;
  for (const exchange of [at, at + 1]) {
    await choose(page, exchange);
    await expect.poll(() => page.locator(".chosen .message").count()).toBe(2);
  }
  await choose(page, at);
  await expect.poll(() => page.locator(".chosen").textContent()).toContain("onerror=");
  await settled(page);
  expect(await page.title()).toMatch(/^\(\d+\) touchstone record$/);
  expect(await page.locator("img, i, #page script").count()).toBe(0);
  await chat("/deep");
  expect(await listed(page)).toBe(at + 2);
  await choose(page, at + 2);
  await expect.poll(() => page.locator(".chosen .message").count()).toBe(2);
});

test("the keyboard goes through the list, opens an exchange, and comes back", async () => {
  for (let i = 0; i < 40; i++) await chat("many");
  const page = await visit();
  const first = await listed(page);
  await rows(page).first().focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain(`#/exchange/${first - 30}`);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(`Exchange ${first - 30}`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toMatch(/#\/$/);
});

test("while somebody reads further down the list stands still, and says how many are new", async () => {
  const page = await visit("", { height: 400 });
  await listed(page);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  const row = page.locator('.judged li[aria-posinset="16"] .number');
  const seen = await row.textContent();
  await chat("new");
  await page.getByRole("button", { name: "1 new" }).waitFor();
  await settled(page);
  expect(await row.textContent()).toBe(seen);
  await page.getByRole("button", { name: "1 new" }).click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test.each(widths.flatMap((width) => themes.map((theme) => [width, theme] as const)))(
  "at %i pixels in %s nothing scrolls sideways",
  async (width, theme) => {
    const page = await visit("", { width, theme });
    await expect.poll(() => rows(page).count()).toBeGreaterThan(5);
    expect(await scrollsSideways(page)).toBe(false);
    await page.locator(".pick input").first().check();
    expect(await scrollsSideways(page)).toBe(false);
    await rows(page).nth(2).click();
    await page.locator(".chosen .message").first().waitFor();
    expect(await scrollsSideways(page)).toBe(false);
  },
);
