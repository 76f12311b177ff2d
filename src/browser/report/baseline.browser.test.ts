/** The page of a run that was compared with a baseline: what also fails upstream stands in a chapter and under a choice of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { touchstoneHere } from "../../cli/here.test-kit.ts";
import { serve } from "../../index.ts";
import { open, scrollsSideways, widths, withBrowser } from "../browser.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-baseline-page-"));
const page = join(folder, "run", "report.html");
const inBoth = "messages.response.stop-reason-values";
const alone = "messages.response.id-required";
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const upstream = await serve({ break: [inBoth] });
  const gateway = await serve({ break: [inBoth, alone] });
  const run = ["run", gateway.url, "--baseline", upstream.url, "--interface", "messages", "--no-probes"];
  const { code } = await touchstoneHere([...run, "--name", "A gateway", "--out", join(folder, "run")]);
  await upstream.close();
  await gateway.close();
  expect(code).toBe(1);
});

test.each(widths)("the beginning tells both apart at %i pixels", async (width) => {
  const opened = await open(page, { width });
  const rowsOf = (chapter: string) => opened.locator(`#${chapter} .cause .id`).allInnerTexts();
  await opened.locator("#inherited .cause").first().waitFor();
  expect(await rowsOf("inherited")).toEqual([inBoth]);
  expect(await rowsOf("failing")).toEqual([alone]);
  expect(await opened.locator("#failing").innerText()).toContain("does not fail upstream");
  expect(await opened.locator("#upstream").innerText()).toContain("Also fails upstream (http://127.0.0.1:");
  expect(await opened.locator(".top .sentence").innerText()).toContain("Also fails upstream: 1 clause.");
  expect(await scrollsSideways(opened)).toBe(false);
});

test("the list of clauses has a choice for what also fails upstream", async () => {
  const opened = await open(`${page}#/clauses`);
  await opened.getByLabel("verdict").selectOption("inherited");
  await expect.poll(() => opened.locator("main").innerText()).toContain("1 clause of ");
  expect(await opened.locator("main").innerText()).toContain(inBoth);
});
