/** Evidence in a browser: what it shows, that it can be used, and that nothing a target sent is more than data. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { axeFindings, open, scrollsSideways, settled, themes, widths, withBrowser } from "../browser.test-kit.ts";
import { evidencePage } from "./evidence-page.test-kit.ts";
import { samples } from "./evidence-samples.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-evidence-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Name = keyof typeof samples;
const names = Object.keys(samples) as Name[];

async function show(
  name: Name,
  how: Parameters<typeof open>[1] = {},
  more: Partial<(typeof samples)[Name]> = {},
): Promise<Page> {
  const page = await open(await evidencePage(folder, name, { ...samples[name], ...more }), how);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const text = (page: Page): Promise<string> => page.locator("main").innerText();

test.each(names)("%s is shown whole in both themes and at every width", async (name) => {
  const page = await show(name);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect(await scrollsSideways(page), `${width} ${theme}`).toBe(false);
    }
    // The test that opened the page also checks with axe what is shown last.
    if (theme === "light") expect(await axeFindings(page)).toEqual([]);
  }
});

test("a finding shows its sentence, its document, what was expected and what came, and the place in sight", async () => {
  const page = await show("wholeReply", { height: 500 });
  await expect
    .poll(() => text(page))
    .toContain("The finish reason is stop, length, content_filter, tool_calls or function_call.");
  await expect.poll(() => page.getByText("Choice object").isVisible()).toBe(true);
  await expect
    .poll(() => page.locator(".compared dd").allInnerTexts())
    .toEqual([
      'one of "stop", "length", "content_filter", "tool_calls", "function_call"',
      '"done"',
      "response body, at /choices/0/finish_reason",
    ]);
  const place = page.locator("[data-focus]");
  await expect.poll(() => place.innerText()).toContain('"finish_reason": "done"');
  await expect.poll(() => place.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThan(0);
  await expect.poll(() => place.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(500);
});

test("another finding of the exchange is one click away, and its place comes in sight", async () => {
  const page = await show("wholeReply", { height: 500 });
  await page.getByRole("button", { name: "total-tokens-sum" }).click();
  await expect.poll(() => page.locator("[data-focus]").innerText()).toContain('"total_tokens": 22');
  await expect
    .poll(() => page.locator("[data-focus]").evaluate((one) => one.getBoundingClientRect().bottom))
    .toBeLessThan(500);
});

test("below its clause nothing is repeated, and only what scrolls within the page moves to the place", async () => {
  const under = "chat-completions.streaming.delta-tool-call-index-required";
  const page = await show("streamedCalls", { height: 500 }, { under, isReached: false });
  await expect.poll(() => page.locator(".pane:has(.events)").evaluate((pane) => pane.scrollTop)).toBeGreaterThan(100);
  await settled(page);
  expect(await text(page)).not.toContain("A piece of a tool call says by index");
  expect(await text(page)).not.toContain("Why it matters");
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("a failure that comes and goes says so, and so does one that is expected", async () => {
  const page = await show("wholeReply");
  await expect.poll(() => page.locator(".tags").innerText()).toMatch(/error\s*known failure\s*flaky/);
  await expect.poll(() => text(page)).toContain("Asked 3 times, it failed 2 times.");
  await expect.poll(() => text(page)).toContain("Expected: their model ends so (BUG-7), until 2030-01-01");
});

test.each([
  ["with the clipboard", false],
  ["without it, by a selection", true],
])("a command is copied %s", async (_, isOff) => {
  const page = await show("wholeReply", { context: { permissions: ["clipboard-read", "clipboard-write"] } });
  if (isOff)
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
  // It says so for some seconds only: whoever waits must wait before.
  await Promise.all([
    page.getByText("copied").waitFor(),
    page.getByRole("button", { name: "copy The request as curl" }).click(),
  ]);
  await page.evaluate(() => document.body.append(document.createElement("textarea")));
  const area = page.locator("textarea");
  await area.focus();
  await page.keyboard.press("Control+V");
  await expect.poll(() => area.inputValue()).toBe(samples.wholeReply.evidence.curl);
  await area.evaluate((one) => one.remove());
});

test("JSON folds and is walked through by keys alone", async () => {
  const page = await show("wholeReply");
  const tree = page.getByRole("tree", { name: "answer body" });
  await tree.locator('[tabindex="0"]').focus();
  const current = () => page.evaluate(() => document.activeElement?.textContent);
  for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await expect.poll(current).toBe('"object": "chat.completion",');
  await page.keyboard.press("End");
  await expect.poll(current).toContain('"total_tokens"');
  await page.keyboard.press("ArrowLeft");
  await expect.poll(current).toBe('"usage": {');
  await page.keyboard.press("ArrowLeft");
  await expect.poll(current).toBe('"usage": { … } 3 members');
  await expect.poll(() => tree.getByText('"total_tokens"').count()).toBe(0);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => tree.getByText('"total_tokens"').count()).toBe(1);
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect.poll(() => tree.getByRole("treeitem").count()).toBe(1);
});

test("a stream is a line of events in time, with what they say beside them", async () => {
  const page = await show("streamedCalls");
  const said = page.locator(".said");
  await expect.poll(() => said.innerText()).toContain("Let me look that up for you: first the weather, then the time.");
  await expect.poll(() => said.innerText()).toMatch(/call get_weather call_1\s*\{"city":"Paris"\}/);
  await expect.poll(() => said.innerText()).toContain("ended: tool_calls");
  await expect
    .poll(() => page.getByRole("img", { name: "20 events from 212 ms to 761 ms; longest pause 292 ms" }).count())
    .toBe(1);
  const events = page.getByRole("list", { name: "events" }).getByRole("listitem");
  await expect.poll(() => events.count()).toBe(20);
  await expect.poll(() => events.nth(14).innerText()).toContain("+292 ms");
  // Only what is new since the event before stands in the line.
  await expect
    .poll(() => events.nth(18).innerText())
    .toContain('{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}');
});

test("the event of a finding is open at its place; others open on demand, and light up what they say", async () => {
  const page = await show("streamedCalls", { height: 700 });
  const place = page.locator("[data-focus]");
  await expect
    .poll(() => place.innerText())
    .toMatch(/"index": is not there\s*warning expected this member to be present/);
  await expect.poll(() => place.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(700);
  const line = page.locator('[data-event="3"] > button');
  await line.focus();
  await expect.poll(() => page.locator(".piece.lit").innerText()).toBe("look ");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => page.getByRole("tree", { name: "data of event 3" }).innerText())
    .toContain('"content": "look "');
  await page.locator(".piece", { hasText: "weather," }).click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("li")?.getAttribute("data-event")))
    .toBe("10");
});

test("the document holds a bounded part of nine thousand events, the wrong one among them", async () => {
  const page = await show("manyEvents", { height: 700 });
  await expect.poll(() => page.locator("[data-focus]").innerText()).toContain('"finish_reason": "wrong"');
  await settled(page);
  expect(await page.locator(".event").count()).toBeLessThanOrEqual(100);
  await expect.poll(() => text(page)).toContain("2,990 events not in this page");
  await page.getByRole("button", { name: "show 100 of 421 more events" }).click();
  await expect.poll(() => page.locator('[data-event="8600"]').count()).toBe(1);
});

test("a stream that breaks off says so, and shows what had come", async () => {
  const page = await show("brokenOff");
  await expect.poll(() => text(page)).toContain("Broken off by the server.");
  await expect.poll(() => text(page)).toContain("the last event lacks its closing blank line");
  await expect.poll(() => page.locator(".p-thinking .words").innerText()).toBe("They greet me.");
});

test("a probe stands beside the good request it was made from, the difference marked in both", async () => {
  const page = await show("acceptedProbe");
  await expect.poll(() => page.locator(".changes tbody tr").allInnerTexts()).toEqual(["body /temperature\t1\t3"]);
  await expect
    .poll(() => text(page))
    .toContain("The same request but for 1 place was answered 200; this one was answered 200.");
  await page.getByText("The good request and its answer, whole").click();
  const marked = page.locator(".m-difference");
  const texts = async (): Promise<string[]> => [
    await page.locator(".marked").first().innerText(),
    ...(await marked.allInnerTexts()),
  ];
  await expect
    .poll(async () => (await texts()).map((one) => one.replaceAll("\n", " ")))
    .toEqual([
      expect.stringMatching(/"temperature": 3.*expected a refusal.*differs its twin has 1/),
      expect.stringMatching(/"temperature": 1.*differs the probe has 3/),
    ]);
});

test("readings that would change a verdict, and clients that it matters to, stand beside it", async () => {
  const page = await show("acceptedProbe");
  await expect.poll(() => text(page)).toContain("--reading strict:X-ENFORCE");
  // An option with the same effect changes nothing.
  expect(await text(page)).not.toContain("X-INCLUSIVE");
  const streamed = await show("streamedCalls");
  await expect.poll(() => streamed.locator(".clients").innerText()).toMatch(/openai-stream drops: arguments/);
});

test("a form shows its fields and files, and images are drawn with their facts from what was sent alone", async () => {
  const page = await show("form");
  await expect.poll(() => page.locator(".message.request .pairs").last().innerText()).toContain("00 ff 01 02 03");
  const images = page.getByRole("img", { name: "image: PNG, 64 × 48 pixels" });
  await expect
    .poll(() => images.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)))
    .toEqual([64, 64]);
  await expect
    .poll(() => images.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src.slice(0, 22))))
    .toEqual(Array(2).fill("data:image/png;base64,"));
  await expect.poll(() => text(page)).toContain("https://example.com/never-fetched.png");
});

test("headers that should be there are shown as missing, and a wrong status is marked", async () => {
  const page = await show("withoutHeaders");
  const rows = await page.locator(".message.request .marked").allInnerTexts();
  expect(rows.map((row) => row.replace(/\s+/g, " "))).toEqual([
    "partner-version is not there error expected this header to be present",
    "x-api-key is not there error expected this header to be present",
  ]);
  await expect.poll(() => page.locator(".first-line.marked").innerText()).toMatch(/400\s*error expected 401/);
});

test("markup and characters that turn the direction of reading are text, and bytes that are none are shown", async () => {
  const page = await show("hostile");
  const all = await page.evaluate(() => document.querySelector("main")!.textContent);
  expect(all).toContain("</script><script>alert(1)</script><img src=x onerror=alert(1)>");
  expect(all).not.toMatch(/[\u202a-\u202e\u0000]/);
  expect(all).toContain("\\u202eevil\\u202c");
  expect(all).toContain('"broken": "\\xff\\xfe\\x80"');
  await settled(page);
  expect(await page.locator("main img, main script").count()).toBe(0);
});

test("a little of a string of ten megabytes is shown, and more on demand", async () => {
  const page = await show("hostile");
  const shown = () => page.evaluate(() => document.querySelector("main")!.textContent!.length);
  const before = await shown();
  expect(before).toBeLessThan(10_000);
  await page.getByRole("button", { name: "show 20,000 of" }).click();
  await expect.poll(shown).toBeGreaterThan(before + 19_000);
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "more characters" }).click();
  await expect.poll(() => text(page)).toMatch(/9,9\d\d,\d\d\d characters not in this page/);
});

test("a bounded part of JSON that nests ten thousand deep is shown, at its marked place", async () => {
  const page = await show("deep", { height: 700 });
  const place = page.locator("[data-focus]");
  await expect.poll(() => place.innerText()).toMatch(/"a": 1\s*warning/);
  await expect.poll(() => place.getAttribute("aria-level")).toBe("10001");
  await expect.poll(() => place.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(700);
  await settled(page);
  expect(await page.locator(".json-row").count()).toBeLessThan(500);
  await page.getByRole("button", { name: "lines before" }).click();
  await expect.poll(() => page.locator(".json-row").count()).toBeGreaterThan(300);
});

test("on paper nothing stands that is only for hands", async () => {
  const page = await show("wholeReply");
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("button", { name: "copy" }).first().isVisible()).toBe(false);
  await expect.poll(() => page.locator("[data-focus]").isVisible()).toBe(true);
  await page.emulateMedia({ media: "screen" });
});
