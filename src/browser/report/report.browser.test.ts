/** The page about one target, in a browser: every view in both themes and at every width, and that it keeps to itself. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { touchstoneHere } from "../../cli/here.test-kit.ts";
import { serve } from "../../index.ts";
import { through } from "../../run/baseline.test-kit.ts";
import { json } from "../../run/run.test-kit.ts";
import { listen } from "../../wire/listen.ts";
import { open, scrollsSideways, settled, themes, widths, withBrowser } from "../browser.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-report-"));
const broken = "messages.response.stop-reason-values";
const source = "messages/response/text.json";
const page = join(folder, "run", "report.html");
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const server = await serve({ break: [broken] });
  const run = ["run", server.url, "--interface", "messages", "--no-probes", "--name", "A gateway"];
  const { code } = await touchstoneHere([...run, "--out", join(folder, "run")]);
  await server.close();
  expect(code).toBe(1);
});

/** Opens a view of the page, and waits until its heading is there. */
async function view(hash: string, heading: string | RegExp, how: Parameters<typeof open>[1] = {}): Promise<Page> {
  const opened = await open(`${page}${hash}`, how);
  await opened.getByRole("heading", { level: 1, name: heading }).waitFor();
  return opened;
}

const views = [
  ["#/", "A gateway", "What fails"],
  ["#/clauses", "Clauses", "Search clauses"],
  [`#/clause/${broken}`, /stop/i, "Request"],
  ["#/exchanges", "Exchanges", "Search exchanges"],
  [`#/exchange/${encodeURIComponent(source)}/0`, /text\.json/, "Request"],
] as const;

const everywhere = views.flatMap(([hash, heading, shows]) =>
  themes.flatMap((theme) => widths.map((width) => ({ hash, heading, shows, theme, width }))),
);

test.each(everywhere)("$hash is whole in $theme at $width pixels", async ({ hash, heading, shows, ...how }) => {
  const opened = await view(hash, heading, how);
  const shown = opened
    .getByText(shows, { exact: shows === "Request" })
    .or(opened.getByLabel(shows))
    .first();
  await shown.waitFor();
  expect(await scrollsSideways(opened)).toBe(false);
});

test("the beginning says who was judged, when, how, and what it came to, in words and numbers", async () => {
  const opened = await view("#/", "A gateway");
  const text = await opened.locator("main").innerText();
  expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+\s+\d+ \w+ \d{4}, \d\d:\d\d UTC/);
  expect(await opened.locator(".pill").innerText()).toBe("Fails");
  expect(text).toMatch(/This does not do what the documents say: 1 of the \d+ statements tested does not hold\./);
  expect(text).toMatch(/1\s+failing clause\s+0\s+unexpected statuses/);
  expect(text).toMatch(/\d+ %\s+of observable clauses covered/);
  expect(text).toMatch(/✕\s+text/);
  await opened.getByRole("link", { name: "How this was tested" }).click();
  await expect.poll(() => opened.getByText(/^touchstone run http/).isVisible()).toBe(true);
  await expect
    .poll(() =>
      opened
        .getByText(/^sha256 [0-9a-f]{64}$/)
        .first()
        .isVisible(),
    )
    .toBe(true);
});

test.each([1400, 900])("what fails is on the first screen, above what works, at %i pixels", async (width) => {
  // Offers one of the four interfaces, and breaks three clauses of it.
  const chat = ["object-value", "finish-reason-values", "id-type"].map((name) => `chat-completions.response.${name}`);
  const reference = await serve({ break: chat });
  const pass = through(reference.url);
  const server = await listen((request) =>
    request.target.startsWith("/v1/chat/") ? pass(request) : json({ error: { message: "no such path" } }, 404),
  );
  const out = join(folder, `one-of-four-${width}`);
  await touchstoneHere(["run", server.url, "--no-probes", "--name", "One of four", "--out", out]);
  await server.close();
  await reference.close();
  const opened = await open(join(out, "report.html"), { width });
  await opened.getByRole("heading", { level: 1, name: "One of four" }).waitFor();
  const rows = opened.locator("#failing .cause");
  expect(await rows.count()).toBeGreaterThan(2);
  const box = await rows.nth(1).boundingBox();
  expect(box!.y + box!.height).toBeLessThan(900);
  const [fails, works] = await Promise.all(["#failing", "#works"].map((id) => opened.locator(id).boundingBox()));
  expect(fails!.y).toBeLessThan(works!.y);
  expect(await opened.getByText(/^Not offered: Generate content, Images and Messages\.$/).count()).toBe(1);
  expect(await opened.locator("#works").innerText()).not.toMatch(/Images|Messages/);
});

test("a cause is one row with its count, opens to what to do, and leads to its exchange, its clause and back", async () => {
  const opened = await view("#/", "A gateway");
  const row = opened.locator("#failing .cause");
  await expect.poll(() => row.count()).toBe(1);
  await expect.poll(() => row.innerText()).toMatch(/\d+ of \d+/);
  // The first row stands open.
  await row.getByRole("button", { name: "Copy curl" }).waitFor();
  await Promise.all([
    row.getByText("copied").waitFor(),
    row.getByRole("button", { name: "Copy re-run command" }).click(),
  ]);
  await row.getByRole("link", { name: "Open exchange" }).click();
  await expect.poll(() => opened.url()).toContain(`clause=${broken}`);
  await opened.locator("[data-focus]").first().waitFor();
  await opened.goBack();
  await row.getByRole("link", { name: "Open clause" }).click();
  await opened.getByText("Request", { exact: true }).first().waitFor();
  await expect.poll(() => opened.url()).toContain(`#/clause/${broken}`);
  await expect.poll(() => opened.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await opened.goBack();
  await opened.getByRole("heading", { level: 1, name: "A gateway" }).waitFor();
});

test("a clause that passed shows an exchange in which it was kept", async () => {
  const opened = await view("#/clause/messages.response.model-type", /model/);
  await opened.getByText(/\d+ exchanges held what it speaks about; it was kept in each/).waitFor();
  await opened.getByRole("heading", { name: /An exchange that shows it: messages\// }).waitFor();
  await opened.getByText("Request", { exact: true }).first().waitFor();
});

test("a cell of the grid leads to its clauses; words and choices narrow them, and stand in the address", async () => {
  const opened = await view("#/", "A gateway");
  await opened
    .getByRole("cell")
    .getByRole("link", { name: /messages, response/ })
    .click();
  await opened.getByRole("heading", { level: 1, name: "Clauses" }).waitFor();
  const status = opened.getByRole("status");
  const all = await status.innerText();
  await opened.getByLabel("verdict").selectOption("fail");
  await expect.poll(() => status.innerText()).toMatch(/^1 clause of/);
  await opened.getByLabel("verdict").selectOption("");
  await expect.poll(() => status.innerText()).toBe(all);
  await opened.getByLabel(/Search clauses/).fill("stop-reason-VALUES");
  await expect.poll(() => status.innerText()).toMatch(/^1 clause of/);
  await expect.poll(() => opened.url()).toContain("q=stop-reason-VALUES");
  await opened.reload();
  await expect.poll(() => status.innerText()).toMatch(/^1 clause of/);
});

test("a long list is walked by keys, and holds a small part of its rows", async () => {
  const opened = await view("#/clauses", "Clauses");
  const list = opened.getByRole("list", { name: "Clauses" });
  await settled(opened);
  expect(await list.getByRole("listitem").count()).toBeLessThan(60);
  await list.getByRole("link").first().focus();
  await opened.keyboard.press("ArrowDown");
  const focused = () =>
    opened.evaluate(() => document.activeElement?.closest("li")?.getAttribute("aria-posinset") ?? null);
  await expect.poll(focused).toBe("2");
  await opened.keyboard.press("End");
  const size = await list.getByRole("listitem").first().getAttribute("aria-setsize");
  await expect.poll(focused).toBe(size);
  await opened.keyboard.press("Home");
  await expect.poll(focused).toBe("1");
  // The second key goes on from where the first led, however soon it comes.
  await Promise.all([opened.keyboard.press("End"), opened.keyboard.press("ArrowUp")]);
  await expect.poll(focused).toBe(String(Number(size) - 1));
});

test("a figure of the head is a link to what it counts", async () => {
  const opened = await view("#/", "A gateway");
  await opened.getByRole("link", { name: /failing clause/ }).click();
  await opened.getByRole("heading", { level: 1, name: "Clauses" }).waitFor();
  await expect.poll(() => opened.getByRole("status").innerText()).toMatch(/^1 clause of/);
  await opened.goBack();
  await opened.getByRole("link", { name: /observable clauses covered/ }).click();
  await expect.poll(() => opened.url()).toContain("verdict=covered");
  await expect.poll(() => opened.getByRole("list", { name: "Clauses" }).getByText("untested").count()).toBe(0);
});

test("keys search, move between rows and list themselves; a search that nothing fits can be cleared", async () => {
  const opened = await view("#/", "A gateway");
  await opened.keyboard.press("?");
  await opened.getByRole("dialog", { name: "Keys" }).waitFor();
  await opened.keyboard.press("Escape");
  await opened.keyboard.press("j");
  const focused = (): Promise<string> => opened.evaluate(() => document.activeElement?.className ?? "");
  await expect.poll(focused).toBe("line");
  await opened.keyboard.press("/");
  await opened.keyboard.type("stop_reason");
  await opened.keyboard.press("Enter");
  await opened.getByRole("heading", { level: 1, name: "Clauses" }).waitFor();
  await expect.poll(() => opened.locator(".row mark").first().innerText()).toBe("stop_reason");
  await opened.getByLabel(/Search clauses/).fill("no such words");
  await opened.getByRole("link", { name: "Clear the filters" }).click();
  await expect.poll(() => opened.getByRole("status").innerText()).toMatch(/^\d+ clauses$/);
});

test("an address that names nothing says so, and one that nobody wrote is the beginning", async () => {
  await view("#/clause/no.such.clause", "No such clause");
  await view("#/exchange/nowhere/7", "No such exchange");
  await view("#/%ff", "A gateway");
});

test("the printed page has the bars and the evidence, and folds ids", async () => {
  const opened = await view("#/", "A gateway");
  await opened.emulateMedia({ media: "print" });
  await expect.poll(() => opened.getByRole("navigation").isVisible()).toBe(false);
  await expect.poll(() => opened.locator(".interfaces .bar").first().isVisible()).toBe(true);
  await expect.poll(() => opened.locator("#failing .against").first().isVisible()).toBe(true);
  await expect.poll(() => opened.locator("details.ids ul").first().isVisible()).toBe(false);
  const pdf = await opened.pdf({ format: "A4" });
  expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)!.length).toBeLessThan(7);
});

test("results without exchanges make a page that says so", async () => {
  const alone = join(folder, "alone.json");
  const { stdout: results } = await touchstoneHere(["report", join(folder, "run"), "--format", "json"]);
  writeFileSync(alone, results);
  const { stdout } = await touchstoneHere(["report", alone, "--format", "html"]);
  const file = join(folder, "alone.html");
  writeFileSync(file, stdout);
  const opened = await open(`${file}#/clause/${broken}`);
  await opened.getByText("No exchanges lie beside these results").waitFor();
  await opened.getByText("expected").first().waitFor();
});
