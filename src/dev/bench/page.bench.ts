/** How long a page of many exchanges takes to open in Chromium, from its file to what it says, and to show one of them. */

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { bundleOf } from "../../bundle.ts";
import type { Finding } from "../../check/clause.ts";
import { shippedClauses } from "../../interfaces/clause-data.ts";
import { interfaces } from "../../interfaces/index.ts";
import { createPacker } from "../../report/page/pack.ts";
import { reportPage } from "../../report/page/page.ts";
import type { VerdictDocument } from "../../verdict/document.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../../wire/build.ts";
import { streamedReply } from "../../wire/typical.test-kit.ts";
import type { Bench, Contender } from "./table.ts";

const source = "session.jsonl";
const clause = "chat-completions.response.created-type";
/** Every tenth exchange has a finding, every seventh is a stream. */
const hasFinding = (i: number): boolean => i % 10 === 0;

const findingAt = (exchange: number): Finding => ({
  ...{ source, exchange, interface: "chat-completions", operation: "POST /v1/chat/completions", side: "response" },
  ...{ in: "body", event: null, pointer: "/created", clause, level: "error", expected: "an integer" },
  message: "The creation time is an integer. In the body at /created: expected an integer, got a string.",
  actual: `"${exchange}"`,
  document: { name: "chat-completions-and-images", section: "Chat completion object" },
});

function resultsOf(count: number): VerdictDocument {
  const findings = Array.from({ length: count }, (_, i) => i)
    .filter(hasFinding)
    .map(findingAt);
  const { side, in: place, pointer, level } = findings[0]!;
  const counts = { count: findings.length, exchanges: findings.length };
  return {
    complete: true,
    summary: { exchanges: count, errors: findings.length, warnings: 0, notes: 0, unjudged: 0 },
    findings,
    groups: [{ clause, level, side, in: place, pointer, ...counts, first: [0, 1, 2] }],
    unjudged: [],
    clauses: shippedClauses.clauses.map(({ id }) =>
      id === clause
        ? { id, verdict: "fail", exercised: count, failed: findings.length }
        : { id, verdict: "pass", exercised: count, failed: 0 },
    ),
  };
}

/** Replies of their own each: ids, words and counts differ. */
function exchangeAt(i: number) {
  if (i % 7 === 0) return streamedReply();
  const words = Array.from({ length: 40 }, (_, k) => ((i * 2_654_435_761 + k * 40_503) % 99_991).toString(36)).join(
    " ",
  );
  return exchangeOf(
    jsonRequest("/v1/chat/completions", [], { model: "m", messages: [{ role: "user", content: `${i}: ${words}` }] }),
    jsonResponse({
      ...{ id: `chatcmpl-${i}`, object: "chat.completion", created: hasFinding(i) ? String(i) : i, model: "m" },
      choices: [{ index: 0, message: { role: "assistant", content: words }, finish_reason: "stop" }],
      usage: { prompt_tokens: i % 97, completion_tokens: 40, total_tokens: 40 + (i % 97) },
    }),
  );
}

function writePage(file: string, count: number): void {
  const results = resultsOf(count);
  const packer = createPacker(results, interfaces);
  for (let i = 0; i < count; i++)
    packer.add({ exchange: exchangeAt(i), asked: { source, exchange: i, part: "recording" } });
  const sources = { clauses: shippedClauses.clauses, readings: {}, clients: [], made: null };
  const page = reportPage(results, sources, packer.finish("all"), bundleOf("report"));
  writeFileSync(file, [...page].join(""));
}

export const bench: Bench = async () => [
  {
    title: "Opening a page of exchanges",
    async open() {
      const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-page-"));
      const browser = await chromium.launch({
        executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
        args: ["--no-sandbox"],
      });
      const contenders = [1_000, 20_000].map((count): Contender => {
        const file = join(folder, `${count}.html`);
        const made = performance.now();
        writePage(file, count);
        const took = performance.now() - made;
        return {
          name: `${count.toLocaleString("en")} exchanges`,
          note: () => `${(statSync(file).size / 1e6).toFixed(1)} MB, made in ${(took / 1e3).toFixed(1)} s`,
          async run() {
            const page = await browser.newPage();
            const start = performance.now();
            await page.goto(pathToFileURL(file).href, { waitUntil: "commit" });
            await page.locator("h1").waitFor();
            const opened = performance.now() - start;
            await page.waitForLoadState();
            const read = performance.now();
            await page.evaluate(`location.hash = "#/exchange/${source}/${count / 2}"`);
            await page.locator(".evidence").waitFor();
            const shown = performance.now() - read;
            const listed = performance.now();
            await page.evaluate(`location.hash = "#/exchanges"`);
            await page.getByRole("list", { name: "Exchanges" }).waitFor();
            const list = performance.now() - listed;
            await page.close();
            return [opened, shown, list];
          },
        };
      });
      return {
        method:
          "From navigating to the file until its heading is there; then until one exchange, and the list, are shown.",
        rounds: 5,
        columns: ["ms until it says what it came to", "ms until an exchange is shown", "ms until all are listed"],
        contenders,
        async close() {
          await browser.close();
          rmSync(folder, { recursive: true });
        },
      };
    },
  },
];
