/** Whatever a target sends stays data: nothing of it runs, loads, steers or breaks the page, or the program that makes it. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundleOf } from "../../bundle.ts";
import { groupsOf } from "../../check/groups.test-kit.ts";
import { interfaces } from "../../interfaces/index.ts";
import { createPacker } from "../../report/page/pack.ts";
import { reportPage } from "../../report/page/page.ts";
import { clauses, finding, results } from "../../report/results.test-kit.ts";
import type { HeaderPairs } from "../../wire/exchange.ts";
import { open, scrollsSideways, settled, withBrowser } from "../browser.test-kit.ts";

withBrowser();

const folder = mkdtempSync(join(tmpdir(), "touchstone-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));

const script = `</script><script>document.title="taken"</script><img src=x onerror="document.title='taken'"><!--`;
const json: HeaderPairs = [["content-type", "application/json"]];
const text = (value: string): Uint8Array => Buffer.from(value, "utf8");
const nested = `${"[".repeat(10_000)}"in"${"]".repeat(10_000)}`;
const nestedObjects = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;

const bodies: readonly (readonly [name: string, body: Uint8Array, headers?: HeaderPairs])[] = [
  ["markup", text(JSON.stringify({ [script]: script }))],
  ["direction marks", text(JSON.stringify({ "\u202egnp.exe": "\u2066left\u2069 \u200fright \u0000\u001b[31m" }))],
  ["a huge string", text(JSON.stringify({ text: "x".repeat(3_000_000) }))],
  ["a huge name", text(JSON.stringify({ ["y".repeat(300_000)]: 1 }))],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0xc3, 0x28, 0x7d])],
  ["nested lists", text(nested)],
  ["nested objects", text(nestedObjects)],
  ["names of prototypes", text(`{"__proto__":{"polluted":1},"constructor":{"prototype":1},"toString":"no"}`)],
  ["many members", text(JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`m${i}`, i]))))],
  [
    "a stream",
    text(`event: ${script}\ndata: ${script}\n\ndata: ${nested}\n\n`),
    [["content-type", "text/event-stream"]],
  ],
  [
    "zeros",
    new Uint8Array(50_000),
    [
      ["content-type", script],
      ["content-encoding", "gzip"],
    ],
  ],
];

/** A page whose exchanges, findings, names and sources are all hostile. */
function hostilePage(): string {
  const sources = bodies.map(([name]) => `messages/${name}/\u202e${script}.json`);
  const findings = bodies.map((_, i) => ({
    ...finding,
    source: sources[i]!,
    exchange: 0,
    pointer: i % 2 === 0 ? "/__proto__/a" : "/a/a/a/a",
    message: script,
    expected: script,
    actual: `${script} \u202e ${"z".repeat(100_000)}`,
  }));
  const all = {
    ...results,
    target: { ...results.target, name: `${script}\u202e` },
    findings,
    groups: groupsOf(findings).map((group) => ({ ...group, exchanges: bodies.length, first: [0] })),
  };
  const packer = createPacker(all, interfaces);
  for (const [i, [, body, headers = json]] of bodies.entries())
    packer.add({
      asked: { source: sources[i]!, exchange: 0, part: "scenario" },
      exchange: {
        origin: "javascript:alert(1)",
        request: { method: "POST", target: `/v1/messages?${script}`, headers: [["x-\u202e", script], ...json], body },
        response: { status: 200, reason: script, headers, body },
      },
    });
  const made = { command: ["touchstone", script], started: script };
  const page = reportPage(all, { clauses, readings: {}, clients: [], made }, packer.finish("all"), bundleOf("report"));
  const file = join(folder, "hostile.html");
  writeFileSync(file, [...page].join(""));
  return file;
}

const file = hostilePage();

test("the beginning of a hostile page shows what was sent as text", async () => {
  const page = await open(file, { width: 360 });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.locator("h1").innerText()).toContain("</script>");
  await settled(page);
  expect(await page.title()).not.toBe("taken");
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.locator("body").innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000\u001b]/);
  expect(await scrollsSideways(page)).toBe(false);
});

test("backticks in the sentence of a document mark code, and nothing in it becomes markup", async () => {
  const told = clauses.map((clause) =>
    clause.id === finding.clause ? { ...clause, says: `Has \`<b>${script}\` and one \` alone.` } : clause,
  );
  const packed = createPacker(results, interfaces).finish("none");
  const page = [
    ...reportPage(results, { clauses: told, readings: {}, clients: [], made: null }, packed, bundleOf("report")),
  ];
  const written = join(folder, "sentences.html");
  writeFileSync(written, page.join(""));
  const opened = await open(`${written}#/clause/${finding.clause}`);
  const heading = opened.getByRole("heading", { level: 1 });
  await heading.waitFor();
  expect(await heading.locator("code").allInnerTexts()).toEqual([`<b>${script}`]);
  expect(await heading.innerText()).toContain("and one ` alone.");
  expect(await opened.locator("h1 b, img").count()).toBe(0);
  expect(await opened.title()).not.toBe("taken");
});

test.each(bodies.map(([name], i) => [name, i] as const))(
  "%s: its evidence is shown, and does nothing",
  async (_, i) => {
    const page = await open(`${file}#/exchanges`, { width: 800 });
    await page.getByRole("list", { name: "Exchanges" }).getByRole("link").nth(0).waitFor();
    const link = page.getByRole("link", { name: `messages/${bodies[i]![0]}/` });
    await link.click();
    await page.getByText("Request", { exact: true }).first().waitFor();
    await settled(page);
    expect(await page.title()).not.toBe("taken");
    expect(await page.locator("body").innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000\u001b]/);
    expect(await page.locator("*").count()).toBeLessThan(6000);
    expect(await scrollsSideways(page)).toBe(false);
    expect(await page.evaluate(() => "polluted" in {})).toBe(false);
  },
);
