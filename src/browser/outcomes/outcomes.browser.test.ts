/** The page of gateways and clients, in a browser: verdict, rows that open, filters, links, keys, exchanges, the matrix, every theme and width, hostile names. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { clauseGroups, clauseOutcomes } from "../../report/outcomes/clauses.ts";
import { besideOneAnother } from "../../report/outcomes/side-by-side.ts";
import { gatewayTable, hostileTable, clientTable as reasonsTable, trip } from "../../report/outcomes/table.test-kit.ts";
import { bad, clauses, results } from "../../report/results.test-kit.ts";
import { open, scrollsSideways, settled, themes, widths, withBrowser } from "../browser.test-kit.ts";
import { clientTable, pageFile } from "./samples.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-outcomes-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A gateway with the clauses that were judged beside its facts. */
const table = gatewayTable();
const judged = {
  ...table,
  legend: [...table.legend, ...clauseOutcomes],
  groups: [
    ...table.groups,
    ...clauseGroups(results, clauses, [{ name: "client", title: "What the client got", takes: () => true }]),
  ],
};
const one = pageFile(folder, "one", judged);
const several = pageFile(
  folder,
  "several",
  besideOneAnother([gatewayTable(), gatewayTable(["kept", null])], "2 gateways side by side", ["old", "new"]),
);
const many = pageFile(folder, "many", clientTable(14, 30));

const everywhere = [one, several, many].flatMap((file) =>
  themes.flatMap((theme) => widths.map((width) => ({ file, theme, width }))),
);

test.each(everywhere)("$file is whole in $theme at $width pixels", async ({ file, ...how }) => {
  const page = await open(file, how);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await scrollsSideways(page)).toBe(false);
});

/** The ids of the rows that stand in the list, open or not. */
const ids = (page: Page): Promise<string[]> => page.locator(".cause > summary .id").allTextContents();

const choice = (page: Page, name: string) =>
  page.locator("label.choice", { has: page.getByText(name, { exact: true }) }).locator("select");

test("it says who was tested, what it came to, and how many rows came to what", async () => {
  const page = await open(one);
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("a gateway");
  expect(await page.locator(".pill").innerText()).toBe("Does not conform");
  expect(await page.locator(".sentence").innerText()).toBe("1 fact fails, 1 clause fails.");
  const figures = await page.locator(".counts a").allInnerTexts();
  expect(figures.map((figure) => figure.replace("\n", " "))).toEqual([
    "2 failures",
    "1 warning",
    "2 known failures",
    "2 refused, not shown",
    "4 kept, holds",
  ]);
  const asked = page.locator("dl.outcomes > div").first();
  expect(await asked.locator("a").allInnerTexts()).toEqual(["✗ 1 dropped", "! 1 changed", "– 1 refused", "✓ 1 kept"]);
});

test("a gateway that loses facts says how many, in amber, where nothing fails", async () => {
  const page = await open(pageFile(folder, "lossy", gatewayTable(["dropped", "warning"])));
  const pill = page.locator(".pill");
  await expect.poll(() => pill.innerText()).toBe("Loses 2 of 6");
  const [lossy, warned] = await pill.evaluate((one) => [
    getComputedStyle(one).color,
    getComputedStyle(document.querySelector(".t-warning")!).color,
  ]);
  expect(lossy).toBe(warned);
  expect(await page.locator(".sentence").innerText()).toBe(
    "Facts: 1 dropped, 1 changed; nothing fails; 1 known failure.",
  );
});

test("rows that are amiss stand there, the first open with all four messages; others are folded by outcome", async () => {
  const page = await open(one);
  await expect.poll(() => ids(page)).toEqual(["sampling.temperature", "thinking", "messages.response.stop-reason"]);
  const first = page.locator(".cause[open]");
  expect(await first.count()).toBe(1);
  expect(await first.locator("dt").allInnerTexts()).toEqual(["asked", "arrived", "answered", "got"]);
  expect(await first.locator(".came").innerText()).toBe("nothing");
  await expect.poll(() => first.getByRole("button", { name: "Copy curl" }).count()).toBe(1);
  await page.locator(".rest > summary").first().click();
  await expect
    .poll(() => ids(page))
    .toEqual(["sampling.temperature", "thinking", "seed", "turns", "messages.response.stop-reason"]);
});

test("cases that went amiss for one reason are one row, which opens to them", async () => {
  const file = pageFile(folder, "reasons", reasonsTable());
  const page = await open(file);
  const reasons = page.locator(".reason > summary");
  await expect
    .poll(() => reasons.locator(".says").allTextContents())
    .toEqual(["it raised no error and handed back nothing", "it asked 100 times in 0.0 s and did not give up"]);
  expect(await reasons.locator(".extent").allTextContents()).toEqual(["2 cases", "24 cases"]);
  expect(await ids(page)).toEqual(["cut/head", "cut/text", "failure/401"]);
  expect(await page.locator(".cause[open]").count()).toBe(1);
  await reasons.nth(1).click();
  await expect.poll(async () => (await ids(page)).length).toBe(27);
  const linked = await open(`${file}#/row/messages/failure%2Fwith-a-long-name-5`);
  await expect.poll(() => linked.locator(".cause[open] .id").allTextContents()).toEqual(["failure/with-a-long-name-5"]);
});

test("figures, chips, choices and words narrow the rows, and stand in the address", async () => {
  const page = await open(one);
  await page.getByRole("link", { name: "warning", exact: false }).first().click();
  await expect.poll(() => ids(page)).toEqual(["thinking"]);
  await page.getByRole("link", { name: "1 refused" }).click();
  await expect.poll(() => ids(page)).toEqual(["seed"]);
  expect(page.url()).toContain("outcome=refused");
  await page.reload();
  await expect.poll(() => ids(page)).toEqual(["seed"]);
  await choice(page, "outcome").selectOption("");
  await choice(page, "show").selectOption("good");
  await choice(page, "group").selectOption("answer");
  await expect.poll(() => ids(page)).toEqual(["text"]);
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("");
  await page.getByRole("searchbox").fill("TEMPERATURE what");
  await expect.poll(() => ids(page)).toEqual(["sampling.temperature"]);
});

test("a row has an address, wherever it is folded", async () => {
  const page = await open(`${one}#/row/answer/text`);
  await expect.poll(() => page.locator(".cause[open]").count()).toBe(1);
  await expect.poll(() => page.locator(".cause[open] .basis").innerText()).toBe("text");
});

test("an example leads to its exchanges at both ends, and back", async () => {
  const page = await open(one);
  await page.getByRole("link", { name: "at the client" }).click();
  await expect.poll(() => page.getByText("what the client asked").isVisible()).toBe(true);
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(`${trip} #0`);
  await page.getByRole("link", { name: "#1 at the upstream" }).click();
  await expect.poll(() => page.getByText("what arrived at the upstream").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  await expect.poll(() => page.locator(".pill").count()).toBe(1);
});

test("the exchange of a clause shows its finding", async () => {
  const page = await open(`${one}#/row/client/messages.response.stop-reason`);
  await page.getByRole("link", { name: "the exchange" }).click();
  await expect.poll(() => page.getByText("what was found").isVisible()).toBe(true);
  await expect.poll(() => page.locator(".finding blockquote").innerText()).toBe("The stop-reason is as documented.");
});

test("an exchange that is none of the page is told", async () => {
  const page = await open(`${one}#/exchange/0/nowhere/3`);
  await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("No such exchange");
});

test("keys move from row to row, open one, and go to the search", async () => {
  const page = await open(one);
  await page.locator(".cause").first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect.poll(focused).toContain("thinking");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".cause[open]").count()).toBe(2);
  await page.keyboard.press("/");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
});

/** Names of the rows of the matrix, and what stands in their cells. */
const rowNames = (page: Page): Promise<string[]> => page.locator(".of-outcomes .row-name").allTextContents();
const cellsOf = (page: Page, name: string): Promise<string[]> =>
  page
    .locator(".of-outcomes tr")
    .filter({ has: page.getByRole("button", { name, exact: true }) })
    .locator("td")
    .allInnerTexts();

test("several columns stand in a table: rows that differ first, rows that agree folded", async () => {
  const page = await open(several);
  await expect.poll(() => rowNames(page)).toEqual(["sampling.temperature"]);
  expect(await cellsOf(page, "sampling.temperature")).toEqual([
    expect.stringMatching(/^✗ dropped\s+3 of 14$/),
    "✓ kept",
  ]);
  expect(await page.locator(".columns-compared h2").allInnerTexts()).toEqual([
    expect.stringContaining("old"),
    expect.stringContaining("new"),
  ]);
  await page.getByRole("button", { name: "show 3 alike in all columns" }).first().click();
  await expect.poll(() => rowNames(page)).toEqual(["sampling.temperature", "thinking", "seed", "turns"]);
  await page.getByRole("button", { name: "Amiss somewhere 2" }).click();
  await expect.poll(() => rowNames(page)).toEqual(["sampling.temperature", "thinking"]);
  await page.getByRole("button", { name: "All rows 8" }).click();
  await expect.poll(async () => (await rowNames(page)).length).toBe(8);
});

test("a row opens to what each column shows of it, a cell to its own, and Escape closes it", async () => {
  const page = await open(several);
  await page.getByRole("button", { name: "sampling.temperature" }).click();
  const cards = page.locator(".cards > article");
  await expect.poll(() => cards.locator("h3").allInnerTexts()).toEqual([expect.stringMatching(/^old\s+✗ dropped/)]);
  await expect.poll(() => cards.locator("dt").allInnerTexts()).toEqual(["asked", "arrived", "answered", "got"]);
  const url = page.url();
  await page.keyboard.press("Escape");
  await expect.poll(() => cards.count()).toBe(0);
  await page.goto("about:blank");
  await page.goto(url);
  await expect.poll(() => cards.count()).toBe(1);
  await page.getByRole("link", { name: "at the upstream" }).click();
  await expect.poll(() => page.getByText("what arrived at the upstream").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Amiss somewhere 2" }).click();
  await page.locator(".of-outcomes td a").last().click();
  await expect.poll(() => cards.locator("h3").allInnerTexts()).toEqual([expect.stringMatching(/^new\s+! changed/)]);
});

test.each(widths)(
  "at %s pixels the first column and the head of many stay, and the page does not scroll",
  async (width) => {
    const page = await open(many, { width });
    const matrix = page.locator(".of-outcomes");
    await matrix.waitFor();
    const place = (selector: string) =>
      matrix
        .locator(selector)
        .first()
        .evaluate((cell) => {
          const { left, top } = cell.getBoundingClientRect();
          const around = cell.closest("section")!.getBoundingClientRect();
          return { left: Math.round(left - around.left), top: Math.round(top - around.top) };
        });
    const before = { name: await place("tbody th[scope=row]"), head: await place("thead th") };
    await matrix.evaluate((one) => one.scrollTo(60, 300));
    await settled(page);
    expect((await place("tbody th[scope=row]")).left).toBe(before.name.left);
    expect((await place("thead th")).top).toBe(before.head.top);
    expect(await scrollsSideways(page)).toBe(false);
  },
);

test.each([1, 2].flatMap((columns) => [360, 1400].map((width) => [columns, width] as const)))(
  "hostile results in %s columns stay text, at %s pixels",
  async (columns, width) => {
    const file = pageFile(folder, `hostile-${columns}-${width}`, hostileTable(columns), { document: bad });
    const page = await open(file, { width });
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (columns > 1) await page.getByRole("button", { name: /^All rows/ }).click();
    for (const row of await page.locator(columns > 1 ? ".row-name" : ".rest > summary").all()) await row.click();
    for (const row of await page.locator(".cause").all())
      if ((await row.getAttribute("open")) === null) await row.locator("> summary").click();
    await settled(page);
    expect(await page.locator("img, iframe").count()).toBe(0);
    expect(await page.locator("script:not([type])").count()).toBe(1);
    expect(await page.locator("body").innerText()).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
    );
    expect(await scrollsSideways(page)).toBe(false);
  },
);

test("on paper rows and table stand without what can only be clicked", async () => {
  const page = await open(several);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("searchbox").isVisible()).toBe(false);
  await expect.poll(() => page.locator(".of-outcomes .row-name").first().isVisible()).toBe(true);
});
