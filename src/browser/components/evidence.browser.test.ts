/** Evidence in a browser: what it shows, that it can be used, and that nothing a target sent is more than data. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { axeFindings, open, scrollsSideways, themes, widths, withBrowser } from "../browser.test-kit.ts";
import { evidencePage } from "./evidence-page.test-kit.ts";
import { samples } from "./evidence-samples.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-evidence-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Name = keyof typeof samples;
const names = Object.keys(samples) as Name[];

async function show(name: Name, how: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open(await evidencePage(folder, name, samples[name]), how);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

test.each(names)("%s is shown whole in both themes and at every width", async (name) => {
  const page = await show(name);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      if (process.env["SHOTS"])
        await page.screenshot({ path: join(process.env["SHOTS"], `${name}-${width}-${theme}.png`), fullPage: true });
      expect(await scrollsSideways(page), `${width} ${theme}`).toBe(false);
    }
    expect(await axeFindings(page), theme).toEqual([]);
  }
});
