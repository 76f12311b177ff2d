/** The page of several targets, in a browser: differences first, filters, links, keys, evidence, every theme and width, hostile names. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { bundleOf } from "../../bundle.ts";
import { interfaces } from "../../interfaces/index.ts";
import { bad, clauses, evil, results } from "../../report/results.test-kit.ts";
import { type Compared, sideBySide } from "../../report/side-by-side/compare.ts";
import { createColumnPacker, sideBySidePage } from "../../report/side-by-side/page.ts";
import { runOf } from "../../report/side-by-side/results.test-kit.ts";
import type { Standing } from "../../verdict/standing.ts";
import { jsonRequest, jsonResponse } from "../../wire/build.ts";
import { open, scrollsSideways, settled, themes, widths, withBrowser } from "../browser.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-compare-"));
afterAll(() => rmSync(folder, { recursive: true }));

const started = "2026-01-02T03:04:05.000Z";
/** The value at the places where the findings of `runOf` stand. */
const answered = {
  exchange: {
    started,
    request: jsonRequest("/v1/messages", [["Host", "a.example"]], { model: "m", marker: "what was asked" }),
    response: jsonResponse({ stop_reason: "what is wrong", id: "msg_1" }),
  },
  asked: { source: "messages/response/text.json", exchange: 2 },
};

function fileOf(name: string, columns: readonly Compared[], isKept = true): string {
  const document = sideBySide(columns, clauses);
  const exchanges = columns.map(({ results: run }, i) => {
    const packer = createColumnPacker(document, i, run, interfaces);
    if (isKept) packer.add(answered as never);
    return packer.finish(isKept ? "all" : "absent");
  });
  const file = join(folder, `${name}.html`);
  writeFileSync(
    file,
    [...sideBySidePage(document, { clauses, readings: {}, exchanges }, bundleOf("compare"))].join(""),
  );
  return file;
}

const id = (name: string): string => `messages.response.${name}`;
const many = Object.fromEntries(
  Array.from({ length: 300 }, (_, i): [string, Standing] => [`images.edits.c${i}`, "pass"]),
);
const plain: Compared[] = [
  {
    name: "old",
    started,
    results: runOf({ ...many, [id("usage")]: "pass", [id("stop-reason")]: "fail", [id("ping")]: "pass" }),
  },
  {
    name: "new",
    started,
    results: runOf(
      {
        ...many,
        [id("usage")]: "expected",
        [id("stop-reason")]: "fail",
        [id("ping")]: "untested",
        [id("cost")]: "unenforced",
      },
      {
        incidents: [
          { ...results.incidents[0]!, problem: "status 400", source: "messages/response/text.json", exchange: 2 },
        ],
        options: { ...results.options, preset: "vendors" },
        features: [
          { name: "messages/text", outcome: "works", faults: [], why: "holds text" },
          {
            name: "messages/tools",
            outcome: "broken",
            why: "1 of 1 exchanges that ask for it fail",
            faults: [id("usage")],
          },
        ],
      },
    ),
  },
];
const file = fileOf("plain", plain);

/** The clauses in the table, as they stand there. */
const shown = (page: Page): Promise<string[]> => page.locator(".clauses .clause button.row").allTextContents();
const cells = (page: Page, name: string): Promise<string[]> =>
  page
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name, exact: true }) })
    .locator("td")
    .allInnerTexts();

test.each(themes.flatMap((theme) => widths.map((width) => ({ theme, width }))))(
  "it says who is compared, in what they are not alike, and where they differ, in $theme at $width pixels",
  async (how) => {
    const page = await open(file, how);
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).textContent())
      .toBe("2 runs of one target side by side");
    await expect
      .poll(() => page.getByRole("heading", { level: 2 }).allTextContents())
      .toEqual([
        "old",
        "new",
        "Not alike in more than the target",
        "What works where",
        "Not answered as recorded",
        "1 clause",
        "Legend",
      ]);
    await expect.poll(() => shown(page)).toEqual(["usage"]);
    await expect
      .poll(() => cells(page, "usage"))
      .toEqual([expect.stringMatching(/^✓ pass\s*$/), expect.stringMatching(/^✗ known failure\s+2 of 3$/)]);
    expect(await scrollsSideways(page)).toBe(false);
  },
);

test("choices, sections and words narrow the table, and stand in the address", async () => {
  const page = await open(file);
  await page.getByRole("button", { name: "Violated somewhere 2" }).click();
  await expect.poll(() => shown(page)).toEqual(["usage", "stop-reason"]);
  await page.getByRole("searchbox").fill("STOP documented");
  await expect.poll(() => shown(page)).toEqual(["stop-reason"]);
  await expect.poll(() => page.url()).toMatch(/show=violated&search=STOP\+documented$/);
  await page.reload();
  await expect.poll(() => shown(page)).toEqual(["stop-reason"]);
  await page.getByRole("searchbox").fill("nothing like it");
  await expect.poll(() => page.getByText("No clause is as asked for.").isVisible()).toBe(true);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "All clauses 304" }).click();
  await expect.poll(() => shown(page)).toEqual([]);
  await page.getByLabel("Section").selectOption("messages");
  await expect.poll(() => shown(page)).toEqual(["usage", "stop-reason", "cost", "ping"]);
  await expect
    .poll(() => cells(page, "ping"))
    .toEqual([expect.stringContaining("pass"), expect.stringContaining("untested")]);
  await expect
    .poll(() => cells(page, "cost"))
    .toEqual([expect.stringContaining("not part of it"), expect.stringContaining("unenforced")]);
});

test("a clause opens to what each column shows of it, and a place to its exchange; both have addresses", async () => {
  const page = await open(file);
  await page.getByRole("button", { name: "usage", exact: true }).click();
  await expect.poll(() => page.url()).toContain("#/clause/messages.response.usage?show=differing");
  const card = page.locator(".cell-card");
  await expect
    .poll(() => card.allInnerTexts())
    .toEqual([
      expect.stringMatching(
        /new\s+✗ known failure fails in 2 of 3 exchanges, 1 finding\s+Known failure: known since spring/,
      ),
    ]);
  await page.getByRole("button", { name: "show the exchange" }).click();
  await expect.poll(() => page.getByText("what was asked").isVisible()).toBe(true);
  const again = await open(file);
  const url = page.url();
  await again.goto(url);
  await expect.poll(() => again.getByText("what was asked").isVisible()).toBe(true);
  await again.getByText("what was asked").click();
  await again.keyboard.press("Escape");
  await expect.poll(() => again.locator(".shown-exchange").count()).toBe(0);
  await again.keyboard.press("Escape");
  await expect.poll(() => again.locator(".clause-evidence").count()).toBe(0);
  await again.goto(url);
  await expect.poll(() => again.getByText("what was asked").isVisible()).toBe(true);
  // The second key meets what the first left, however soon it comes.
  await Promise.all([again.keyboard.press("Escape"), again.keyboard.press("Escape")]);
  await expect.poll(() => again.locator(".clause-evidence").count()).toBe(0);
});

test("an address opens a clause that is no difference, wherever it stands", async () => {
  const page = await open(file);
  const url = page.url();
  await page.goto("about:blank");
  await page.goto(`${url}#/clause/images.edits.c250`);
  const row = page.locator('[id="clause-images.edits.c250"]');
  await expect.poll(() => row.isVisible()).toBe(true);
  await expect.poll(() => row.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
});

test("keys move from row to row, and slash goes to the search", async () => {
  const page = await open(file);
  await page.getByRole("button", { name: "Violated somewhere 2" }).click();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole("button", { name: /^messages\/response/ }).focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("usage");
  await page.keyboard.press("End");
  await expect.poll(focused).toBe("stop-reason");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".cell-card").count()).toBe(2);
  await page.keyboard.press("/");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
});

test("a request that was not answered opens to its exchange", async () => {
  const page = await open(file);
  await page.getByRole("button", { name: "the first" }).click();
  await expect.poll(() => page.getByText("what was asked").isVisible()).toBe(true);
});

test("without exchanges a place shows what was found", async () => {
  const page = await open(fileOf("bare", plain, false));
  await page.getByRole("link", { name: "known failure" }).click();
  await expect.poll(() => page.getByText("No exchange lies beside these results").isVisible()).toBe(true);
  await expect.poll(() => page.locator(".shown-exchange").innerText()).toContain("what is right");
});

test.each(widths)("hostile results and names stay text, at %s pixels", async (width) => {
  const columns = [evil, "</script><script>alert(1)</script>", "漢".repeat(80)].map((name, i) => ({
    name,
    started: i === 0 ? evil : started,
    results: i === 2 ? results : bad,
  }));
  const page = await open(fileOf(`hostile-${width}`, columns), { width });
  await expect.poll(() => page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
  await page.getByRole("button", { name: /^All clauses/ }).click();
  await page.getByRole("button", { name: /^All clauses/, pressed: true }).waitFor();
  for (const row of await page.locator(".clause button.row").all()) {
    await row.click();
    await expect.poll(() => row.getAttribute("aria-expanded")).toBe("true");
    const place = page.getByRole("button", { name: "show the exchange" });
    if ((await place.count()) > 0) await place.first().click();
  }
  await settled(page);
  expect(await page.locator("img, iframe").count()).toBe(0);
  expect(await page.locator("script:not([type])").count()).toBe(1);
  expect(await page.locator("body").innerText()).not.toMatch(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
  );
  expect(await scrollsSideways(page)).toBe(false);
});

test("on paper the table stands without what can only be clicked", async () => {
  const page = await open(file);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("searchbox").isVisible()).toBe(false);
  await expect.poll(() => page.locator(".clauses .clause").isVisible()).toBe(true);
});
