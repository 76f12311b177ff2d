/** The matrix of clients: what is known of them, how a run differs from it, and its table. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { casesOf } from "../../cases/all-cases.ts";
import { type CaseResult, caseOutcomes } from "../../cases/document.ts";
import { drivers } from "../../cases/drivers/list.ts";
import { home } from "../../home.ts";
import { replaceText } from "../../replace-text.test-kit.ts";
import { differences, type KnownOutcome, readKnown, strays } from "./expected.ts";
import { clients, nameOf, quickAmount } from "./list.ts";
import { between, matrixText, tableOf } from "./page.ts";
import type { TriedClient } from "./try-client.ts";

const client = { driver: "fetch", packages: {} };

const result = (id: string, outcome: CaseResult["outcome"], level: CaseResult["level"]): CaseResult => ({
  ...{ case: id, interface: "chat-completions", kind: "legal", says: "", restsOn: [], why: "why", exchanges: [] },
  ...{ outcome, level },
});

const tried = (...results: CaseResult[]): TriedClient[] => [
  { client, interface: "chat-completions", results, evidence: [], seconds: 1 },
];

const known = (more: Partial<KnownOutcome> = {}): KnownOutcome[] => [
  { outcome: "loses", reason: "It knows no CR.", clients: ["fetch"], cases: ["stream/cr"], ...more },
];

test("an outcome that is known with its reason is no difference", () => {
  expect(differences(known(), tried(result("stream/cr", "loses", "warning")))).toEqual([]);
});

test.each<[string, CaseResult, KnownOutcome[], object]>([
  ["nobody expects", result("stream/crlf", "hangs", "error"), known(), { seen: "hangs", expected: undefined }],
  ["is another one", result("stream/cr", "crashes", "warning"), known(), { seen: "crashes", expected: "loses" }],
  ["no longer comes", result("stream/cr", "works", null), known(), { seen: "works", expected: "loses" }],
])("an outcome that %s is a difference", (_title, one, all, difference) => {
  expect(differences(all, tried(one))).toMatchObject([difference]);
});

test("an outcome by chance may come or not", () => {
  expect(differences(known({ byChance: true }), tried(result("stream/cr", "works", null)))).toEqual([]);
  expect(differences(known({ byChance: true }), tried(result("stream/cr", "loses", "warning")))).toEqual([]);
});

test("an entry for a case that is none is a stray", () => {
  expect(strays(known({ cases: ["stream/none"] }), tried(result("stream/cr", "loses", "warning")))).toEqual([
    "fetch stream/none",
  ]);
});

test("a row counts what went amiss of what was shown, and leads to the reasons", () => {
  const results = [
    result("stream/cr", "loses", "warning"),
    result("stream/crlf", "works", null),
    result("stream/lf", "not-shown", "note"),
    result("transfer/gzip", "works", null),
  ];
  expect(tableOf(tried(...results)).split("\n")[2]).toBe("| fetch | [1/2](#fetch) | 0/1 |  |  |  |  |  | 0 | 1 |");
  const page = matrixText(tried(...results), known(), { day: "2026-01-01", touchstone: "1.0.0" });
  expect(page).toContain("| loses | warning | It knows no CR. | `stream/cr` |");
});

test("a page keeps what stands around its markers", () => {
  const page = "before\n<!-- clients matrix -->\nold\n<!-- end of clients matrix -->\nafter\n";
  expect(between(page, "new")).toBe(replaceText(page, "old", "new"));
  expect(() => between("nothing", "new")).toThrow("the page has no <!-- clients matrix -->");
});

test("what is known speaks of clients and cases that there are, once of each", () => {
  const interfaceOf = new Map(
    clients.map((one) => [nameOf(one), drivers.find(({ name }) => name === one.driver)!.interface]),
  );
  const seen = new Set<string>();
  for (const { outcome, reason, clients: names, cases } of readKnown()) {
    expect(caseOutcomes).toContain(outcome);
    expect(reason).toMatch(/^[A-Z@[].*\.$/);
    for (const name of names) {
      const own = casesOf(interfaceOf.get(name)!).map(({ id }) => id);
      for (const id of cases) {
        expect(own, name).toContain(id);
        expect([...seen]).not.toContain(`${name} ${id} ${outcome}`);
        seen.add(`${name} ${id} ${outcome}`);
      }
    }
  }
});

test("a quick run tries the newest of each official SDK, of the Vercel AI SDK and of LangChain JS", () => {
  const quick = clients.slice(0, quickAmount);
  for (const { driver } of clients.filter(({ packages }) => Object.keys(packages).length > 0)) {
    if (/^(?:openai-images|google-generative-ai|eventsource-parser|eventsource|undici-eventsource)$/.test(driver))
      continue;
    expect(quick.filter((one) => one.driver === driver)).toEqual([clients.find((one) => one.driver === driver)]);
  }
});

test("the page has every client of the list", () => {
  const page = readFileSync(join(home, "docs", "clients-matrix.md"), "utf8");
  for (const one of clients) expect(page).toContain(`### ${nameOf(one)}\n`);
});
