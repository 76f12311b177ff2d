/** Holds judging in memory to the document that the same exchanges in a recording get, whatever their source can show. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exchangeLine, headerLine } from "../cassette/write.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { examples } from "../interfaces/examples.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import type { Exchange, WireResponse } from "../wire/exchange.ts";
import { judgeExchanges } from "./check-exchanges.ts";
import { checkSources } from "./check-sources.ts";

const good = Object.values(examples)
  .flat()
  .map(({ exchange }) => exchange);
const key = "sk-proj-4f8a0c2b9d7e6f5a4b3c2d1e";
const faulty = exchangeOf(
  jsonRequest("/v1/chat/completions", [["Authorization", `Bearer ${key}`]], {
    model: "m",
    messages: [],
    temperature: key,
  }),
  jsonResponse({ error: { message: `no such key: ${key}` } }, 401),
);
const nobodys = exchangeOf({ method: "GET", target: "/health?key=1", headers: [], body: new Uint8Array() }, null);

test("exchanges in memory get the document of a recording that holds them, without their credentials", async () => {
  const exchanges = [...good.filter((_, i) => i % 7 === 0), faulty, nobodys];
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "session.jsonl");
  writeFileSync(path, [headerLine({}), ...exchanges.map((one) => exchangeLine(one))].join("\n"));
  const options = { preset: "vendors", level: "warning" } as const;
  const document = await judgeExchanges(exchanges, options);
  expect(JSON.stringify(document)).not.toContain(key);
  const named = replaceText(JSON.stringify(document), /"memory"/g, JSON.stringify(path));
  expect(named).toBe(JSON.stringify(await checkSources([path], options)));
});

/** An exchange as it looks behind `fetch`: headers in lower case and in order, no reason, no pieces. */
function behindFetch({ request, response, ...rest }: Exchange): Exchange {
  const fetched = <M extends { readonly headers: Exchange["request"]["headers"] }>(message: M): M => ({
    ...message,
    headers: [...new Headers(message.headers.map(([name, value]): [string, string] => [name, value]))],
  });
  const { chunks: _chunks, reason: _reason, ...shown } = response ?? ({} as WireResponse);
  return { ...rest, request: fetched(request), response: response && fetched(shown) };
}

test("no verdict rests on what cannot be seen behind fetch", async () => {
  const catalogue = await openCatalogue();
  const options = { names: namesFrom(), policy: lenient };
  const judged = (exchange: Exchange): string => {
    const { findings, undecided, exercised } = judge(exchange, { source: "s", exchange: 0 }, catalogue, options);
    return JSON.stringify({ findings, undecided, exercised: Buffer.from(exercised).toString("latin1") });
  };
  for (const { name, rules } of catalogue.interfaces) {
    const unbroken = new Set(rules);
    for (const { exchange } of examples[name]!) {
      expect(judged(behindFetch(exchange))).toBe(judged(exchange));
      const { method, target } = exchange.request;
      const route = routeOf(catalogue.interfaces, method, target)!;
      const subject = readSubject(exchange, route, options.names);
      for (const rule of unbroken) {
        if (rule.operations?.has(route.operation.name) === false || !rule.applies(subject)) continue;
        const spoilt = rule.spoil(exchange);
        if (!spoilt) continue;
        expect(judged(behindFetch(spoilt))).toBe(judged(spoilt));
        unbroken.delete(rule);
      }
    }
    expect(unbroken.size).toBeLessThan(rules.length / 4);
  }
});

test("names that messages bind by themselves are the document's, whatever their order and wherever they are judged", async () => {
  const asked = (version: string): Exchange =>
    exchangeOf(
      jsonRequest(
        "/v1/messages",
        [
          ["x-api-key", key],
          [version, "2023-06-01"],
        ],
        {},
      ),
      null,
    );
  const exchanges = [asked("partner-version"), asked("anthropic-version"), nobodys];
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "session.jsonl");
  writeFileSync(path, [headerLine({}), ...exchanges.map((one) => exchangeLine(one))].join("\n"));
  const inferred = { "partner-version": ["anthropic-version"] };
  expect(await checkSources([path])).toMatchObject({ inferred });
  expect(await judgeExchanges([...exchanges].reverse())).toMatchObject({ inferred });
  expect(await judgeExchanges(exchanges, { preset: "none" })).not.toHaveProperty("inferred");
});
