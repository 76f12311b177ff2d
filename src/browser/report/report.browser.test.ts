/** The page about one target, in a browser: what it shows, in both themes and at every width, and that it keeps to itself. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundleOf } from "../../bundle.ts";
import { createPacker } from "../../report/page/pack.ts";
import { reportPage } from "../../report/page/page.ts";
import { clauses, results } from "../../report/results.test-kit.ts";
import { open, scrollsSideways, themes, widths, withBrowser } from "../browser.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-report-"));
afterAll(() => rmSync(folder, { recursive: true }));

function pageOf(): string {
  const file = join(folder, "report.html");
  const sources = { clauses, readings: {}, clients: [], made: null };
  const page = reportPage(results, sources, createPacker(results).finish("absent"), bundleOf("report"));
  writeFileSync(file, [...page].join(""));
  return file;
}

test.each(themes.flatMap((theme) => widths.map((width) => ({ theme, width }))))(
  "its top says who was judged and what it came to, in $theme at $width pixels",
  async (how) => {
    const page = await open(pageOf(), how);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("127.0.0.1:8080");
    expect(await page.getByText("This does not do what the documents say").isVisible()).toBe(true);
    expect(await scrollsSideways(page)).toBe(false);
  },
);
