/** The page of what changed, in a browser: what it shows and finds, in both themes and at every width, whatever was sent. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundleOf } from "../../bundle.ts";
import { namesFrom } from "../../check/names.ts";
import type { Change, VerdictChange } from "../../drift/document.ts";
import { interfaces } from "../../interfaces/index.ts";
import { noExamples, packExamples } from "../../report/drift/examples.ts";
import { driftPage } from "../../report/drift/page.ts";
import { jsonRequest, jsonResponse } from "../../wire/build.ts";
import { open, scrollsSideways, themes, widths, withBrowser } from "../browser.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-drift-"));
afterAll(() => rmSync(folder, { recursive: true }));

const seen = (shown: number, of: number) => {
  const name = { source: "a/session.jsonl", exchange: 3 };
  return { in: shown, of, example: shown > 0 ? name : null, lacking: shown > 0 ? null : name };
};

const change = (of: Partial<Change>): Change => ({
  kind: "removed",
  interface: "messages",
  operation: "POST /v1/messages",
  side: "response",
  in: "body",
  pointer: "/stop_reason",
  where: [],
  before: "string",
  after: null,
  count: 40,
  exchanges: 40,
  seen: { before: seen(40, 40), after: seen(0, 38) },
  chance: 0,
  allowed: false,
  allowedBefore: true,
  clause: "messages.response.stop-reason-required",
  move: "target",
  ...of,
});

const hostile = `</script><img src=x onerror=alert(1)>\u202e${"x".repeat(100_000)}\u0000`;

function pageOf(changes: readonly Change[], examples = noExamples): string {
  const both = { before: 40, after: 38 };
  const none = { before: 0, after: 0 };
  const summary = {
    changes: changes.length,
    forbidden: changes.filter(({ allowed }) => allowed === false).length,
    exchanges: both,
    compared: both,
    alike: 38,
    unmatched: { before: 2, after: 0 },
    unread: none,
    undocumented: none,
  };
  const data = {
    before: "monday.jsonl",
    after: "http://127.0.0.1:4400",
    compared: "2026-11-22T17:00:00.000Z",
    sentences: { "messages.response.stop-reason-required": "`stop_reason` is present." },
  };
  const file = join(folder, "diff.html");
  writeFileSync(
    file,
    [...driftPage({ ...data, document: { changes, summary } }, examples, bundleOf("drift"))].join(""),
  );
  return file;
}

const changes = [
  change({}),
  change({
    kind: "added",
    pointer: "/usage/cost",
    before: null,
    after: "number",
    seen: { before: seen(0, 40), after: seen(3, 38) },
    chance: 0.11,
    allowed: null,
    clause: "messages.response.unknown-members",
    move: "document",
  }),
  change({
    kind: "enum",
    pointer: "/content/*/type",
    where: ["type: text"],
    before: "text, tool_use",
    after: "text, thinking, tool_use",
    allowed: true,
    move: "nobody",
  }),
  change({
    operation: `POST ${hostile}`,
    pointer: hostile,
    where: [hostile],
    before: hostile,
    after: hostile,
    clause: hostile,
  }),
];

test.each(themes.flatMap((theme) => widths.map((width) => ({ theme, width }))))(
  "it shows what changed and how sure that is, in $theme at $width pixels",
  async (how) => {
    const page = await open(pageOf(changes), how);
    await expect.poll(() => page.getByText("4 changes, 2 of them forbidden by the documents.").isVisible()).toBe(true);
    await expect.poll(() => page.getByText("/stop_reason").first().isVisible()).toBe(true);
    await expect.poll(() => page.getByText("0 of 38").first().isVisible()).toBe(true);
    await expect.poll(() => page.getByText("(p = 0.11)").isVisible()).toBe(true);
    expect(await page.locator("img").count()).toBe(0);
    expect(await scrollsSideways(page)).toBe(false);
    const { TOUCHSTONE_SCREENSHOTS: shots } = process.env;
    if (shots) await page.screenshot({ path: join(shots, `drift-${how.theme}-${how.width}.png`) });
  },
);

test.each(themes)("a change opens to the exchanges that show it, with its place marked, in %s", async (theme) => {
  const recording = (end: object) => ({
    entries: () => [
      {
        source: "a/session.jsonl",
        position: 3,
        names: namesFrom(),
        exchange: {
          request: jsonRequest("/v1/messages", [], { model: hostile, messages: [] }),
          response: jsonResponse({ content: [{ type: "text", text: hostile }], ...end }),
        },
      },
    ],
  });
  const examples = await packExamples(
    changes,
    { before: recording({ stop_reason: "end_turn" }), after: recording({}) },
    interfaces,
  );
  const page = await open(pageOf(changes, examples), { theme, width: 1400 });
  await page.getByText("Request and answer").first().click();
  await expect.poll(() => page.locator(".drift-example").count()).toBe(2);
  expect(await page.locator(".drift-example .mark-note").allTextContents()).toEqual([
    "error before string",
    "error now nothing",
  ]);
  expect(await page.locator(".drift-example").last().getByText("is not there").count()).toBe(1);
  expect(await scrollsSideways(page)).toBe(false);
  const { TOUCHSTONE_SCREENSHOTS: shots } = process.env;
  if (shots) await page.screenshot({ path: join(shots, `drift-examples-${theme}.png`) });
});

test("a search and a choice narrow the list", async () => {
  const page = await open(pageOf(changes));
  await page.getByRole("searchbox").fill("usage COST");
  await expect.poll(() => page.locator(".drift-change").count()).toBe(1);
  await page.getByRole("searchbox").fill("");
  await page.getByLabel("the document").selectOption("forbidden");
  await expect.poll(() => page.locator(".drift-change").count()).toBe(2);
  await page.getByRole("link", { name: "1 not documented" }).click();
  await expect.poll(() => page.locator(".drift-change").count()).toBe(1);
  await page.getByRole("link", { name: "4 changes in all" }).click();
  await page.getByRole("searchbox").fill("stop_reason is present");
  await expect.poll(() => page.locator(".drift-change").count()).toBe(2);
});

test("a change names the clause that speaks of it by its sentence", async () => {
  const page = await open(pageOf(changes.slice(0, 1)));
  await expect.poll(() => page.getByText("`stop_reason` is present.").isVisible()).toBe(true);
  expect(await page.locator(".pill").textContent()).toBe("Forbidden changes");
});

test("the first of very many changes are shown, and more on demand", async () => {
  const many = Array.from({ length: 50_000 }, (_, i) => change({ pointer: `/m${i}` }));
  const page = await open(pageOf(many));
  await expect.poll(() => page.locator(".drift-change").count()).toBe(200);
  await page.getByRole("button", { name: "Show 200 more" }).click();
  await expect.poll(() => page.locator(".drift-change").count()).toBe(400);
});

type Verdicts = readonly VerdictChange[];

function verdictsPage(verdicts: Verdicts): string {
  const file = join(folder, "verdicts.html");
  const data = {
    before: "may",
    after: "june",
    compared: "2026-11-22T17:00:00.000Z",
    document: { verdicts },
    sentences: { "messages.response.id-required": "`id` is present." },
  };
  writeFileSync(file, [...driftPage(data, noExamples, bundleOf("drift"))].join(""));
  return file;
}

test.each(themes.flatMap((theme) => widths.map((width) => ({ theme, width }))))(
  "verdicts that changed alike are one sentence that opens, and a search opens it, in $theme at $width pixels",
  async (how) => {
    const verdicts: Verdicts = [
      { clause: "messages.response.id-required", before: "pass", after: "fail" },
      ...Array.from({ length: 478 }, (_, i) => ({
        clause: `messages.request.rule-${i}`,
        before: "unenforced" as const,
        after: "pass" as const,
      })),
    ];
    const page = await open(verdictsPage(verdicts), how);
    await expect.poll(() => page.getByText("478 rules are now enforced").isVisible()).toBe(true);
    expect(await page.getByText("1 clause now fails (before: pass)").isVisible()).toBe(true);
    expect(await page.locator(".drift-verdict").count()).toBe(1);
    expect(await scrollsSideways(page)).toBe(false);
    const { TOUCHSTONE_SCREENSHOTS: shots } = process.env;
    if (shots) await page.screenshot({ path: join(shots, `drift-alike-${how.theme}-${how.width}.png`) });
    await page.getByText("478 rules are now enforced").click();
    await expect.poll(() => page.locator(".drift-verdict").count()).toBe(479);
    await page.getByText("478 rules are now enforced").click();
    await page.getByRole("searchbox").fill("rule-47 ENFORCED");
    await expect.poll(() => page.locator(".drift-verdict").allTextContents()).toContain("messages.request.rule-477");
    await expect.poll(() => page.locator(".drift-verdict mark").first().textContent()).toBe("rule-47");
    expect(await page.getByRole("status").textContent()).toBe("9 of 479");
  },
);

test("verdicts that got worse come before those that got better", async () => {
  const verdicts = [
    { clause: "messages.response.id-required", before: "pass", after: "fail" },
    { clause: "messages.response.type-required", before: "warning", after: "pass" },
  ] as const;
  const page = await open(verdictsPage(verdicts));
  await expect
    .poll(() => page.getByRole("heading", { level: 2 }).allTextContents())
    .toEqual(["Got worse 1", "Got better 1"]);
  expect(await page.locator(".drift-verdict").first().textContent()).toContain("id is present.");
  await page.getByRole("link", { name: "1 got better" }).click();
  await expect.poll(() => page.getByRole("heading", { level: 2 }).allTextContents()).toEqual(["Got better 1"]);
  const { TOUCHSTONE_SCREENSHOTS: shots } = process.env;
  if (shots) await page.screenshot({ path: join(shots, "drift-verdicts.png") });
});
