/** Every formatter says what happened, and survives whatever a target sent. */

import { expect, test } from "vitest";
import type { Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import { interfaces } from "../interfaces/index.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { gathered, growingJson, jsonPieces } from "./json.ts";
import { formatJunit } from "./junit.ts";
import { formatMarkdown } from "./markdown.ts";
import { createPacker } from "./page/pack.ts";
import { reportPage } from "./page/page.ts";
import { bad, clauses, evil, finding, green, options, results } from "./results.test-kit.ts";
import { sideBySide } from "./side-by-side/compare.ts";
import { formatSideBySide } from "./side-by-side/text.ts";
import { formatText } from "./text.ts";

const verbosely = { ...options, verbose: true };

const columns = (...runs: RunResults[]): string =>
  formatSideBySide(
    sideBySide(
      runs.map((run, i) => ({ name: `${i}`, started: "2026-01-01", results: run })),
      clauses,
    ),
  );

test("the text names clause, place, expected, actual and a command; what is open; and sums up in one line", () => {
  const text = formatText(results, verbosely);
  for (const part of [
    "FAIL messages.response.stop-reason",
    "The stop-reason is as documented. (messages, Stop reasons)",
    "messages/response/text.json, exchange 2: response body at /stop_reason",
    `expected  one of "end_turn"`,
    "fails in 1 of 3 exchanges",
    `    curl -sS -i \\\n      -H 'x-api-key: '"$TOUCHSTONE_KEY"''`,
    "REFUSED messages: POST /v1/messages was answered with status 400",
    "--lacks tools or --lacks messages/tools",
    "known failure messages.response.ping: known since spring",
    "STALE messages.response.usage",
    "no verdict without a price list: messages.response.cost",
    "untested, since no answer showed them: messages.streaming.order",
    "DOES NOT CONFORM: 1 clause fails, 1 request not answered as recorded, 1 stale known failure",
    "5 clauses: 1 pass, 1 fail, 1 known failure, 1 no verdict, 1 untested\n3 exchanges judged: 1 error, 0 warnings, 0 notes",
  ])
    expect(text).toContain(part);
  expect(formatText(green, verbosely)).toContain("conforms as far as tested");
  expect(formatText({ ...green, complete: false }, verbosely)).toContain("INCOMPLETE");
});

test("what a recording needs is one word of the advice to lack it", () => {
  const needs = ["$(id)", "-x"];
  const text = formatText({ ...results, incidents: [{ ...results.incidents[0]!, needs }] }, verbosely);
  expect(text).toContain("--lacks '$(id)' or --lacks=-x or --lacks ");
});

test("known failures are told in every conclusion", () => {
  const known: typeof green = {
    ...green,
    clauses: results.clauses.filter(({ verdict, expected }) => expected || verdict === "pass"),
  };
  expect(formatText(known, options)).toContain(
    "conforms but for 1 known failure as far as tested\n2 clauses: 1 pass, 1 known failure\n",
  );
  expect(formatMarkdown(known, options)).toContain("**Conforms but for 1 known failure as far as tested**");
});

test("a missing feature fails nothing and is named in the last line", () => {
  const [incident] = results.incidents;
  const { expected: _expected, ...bare } = incident!;
  const refused = (name: string) => ({ ...bare, source: `${name}.json`, explainedBy: name });
  const told: typeof green = { ...green, incidents: [refused("messages/tools"), refused("messages/several-choices")] };
  expect(formatText(told, options)).toContain("conforms as far as offered; not offered: tools, several choices\n");
  expect(formatMarkdown(told, options)).toMatch(
    /\*\*Conforms as far as offered; not offered\S+ tools, several choices\*\*/,
  );
});

test("an entry whose reason is still to be written is told as one that excuses nothing", () => {
  const told = { ...results, expectations: { ...results.expectations!, unreasoned: ["messages.response.usage"] } };
  for (const format of [formatText, formatMarkdown])
    expect(format(told, options)).toContain(
      "messages.response.usage: its entry excuses nothing until its reason is written",
    );
});

test("clauses that no run asks for are counted apart from those that no answer showed", () => {
  const marked = clauses.map((clause) =>
    clause.id.endsWith(".order") ? { ...clause, unasked: "nobody can" } : clause,
  );
  const text = formatText(results, { clauses: marked, verbose: true });
  expect(text).toContain("untested, since no run asks for them: 1 clause (touchstone clauses --untested");
  expect(text).not.toContain("since no answer showed them");
  const summary = formatMarkdown(results, { clauses: marked });
  expect(summary).toContain("untested, <code>no run asks for them</code>: 1 clause");
  expect(summary).not.toContain("no answer showed them");
});

test("the text says what to do if rules could not be probed, since the request within them was refused", () => {
  const needs = ["acceptance of a request within the rule, which POST /v1/messages refused: status 400"];
  const refused = results.clauses.map((one) => (one.verdict === "no-verdict" ? { ...one, needs } : one));
  const advice = "--clause ID --out DIR sends and keeps that request alone";
  expect(formatText({ ...results, clauses: refused }, verbosely)).toContain(advice);
  expect(formatText(results, verbosely)).not.toContain(advice);
});

test("nothing a target sent reaches the terminal as a control character, and colour comes only when asked for", () => {
  expect(formatText(results, verbosely)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(formatText(results, { ...verbosely, color: true })).toContain("\u001b[31mFAIL\u001b[0m");
});

test("nothing in hostile results is interpreted by a terminal or a browser", () => {
  const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  const [text, markdown, junit] = [formatText, formatMarkdown, formatJunit].map((format) => format(bad, options));
  const sources = { clauses, readings: {}, clients: [], made: null };
  const bundle = { script: "script", style: "style" };
  const page = [...reportPage(bad, sources, createPacker(bad, interfaces).finish("absent"), bundle)].join("");
  for (const made of [text, markdown, page, junit, columns(bad, results)]) {
    expect(made).not.toMatch(steering);
    expect(made!.length).toBeLessThan(2 * evil.length);
  }
  expect(page).not.toContain("<img");
});

test("a document of recordings is reported without what only a run has", () => {
  const { complete, summary, findings, groups, unjudged, clauses: verdicts } = results;
  const bare = { complete, summary, findings, groups, unjudged, clauses: verdicts };
  expect(formatText(bare, verbosely)).toContain("FAIL messages.response.stop-reason");
  expect(formatText(bare, verbosely)).not.toContain("Run against");
  expect(formatJunit(bare, options)).toContain("messages.response.stop-reason");
  expect(formatMarkdown(bare, options)).toMatch(/^# touchstone\n/);
});

test("JSON is written in pieces: the same text as in one, also while its first list grows", () => {
  const odd = {
    list: [1, { a: [], b: "x\ny", c: undefined }, [], "é"],
    none: [],
    gone: undefined,
    rest: { deep: [[1]] },
  };
  expect([...jsonPieces(odd)].join("")).toBe(`${JSON.stringify(odd, null, 2)}\n`);
  const { list, ...rest } = odd;
  for (const items of [list, list.slice(0, 1), []]) {
    const growing = growingJson("list");
    const text = [...items.map(growing.item), ...growing.end(rest)].join("");
    expect(text).toBe(`${JSON.stringify({ list: items, ...rest }, null, 2)}\n`);
  }
  const pieces = Array.from({ length: 5000 }, (_, i) => "x".repeat(i % 60));
  expect([...gathered(pieces)].join("")).toBe(pieces.join(""));
});

const many = (pointers: readonly string[], more: Partial<Finding> = {}): RunResults => {
  const findings = pointers.map((pointer) => ({ ...finding, ...more, pointer }));
  const groups = groupsOf(findings).map((group, i) => ({
    ...group,
    count: 297 + group.count,
    exchanges: 11,
    first: [i],
  }));
  return { ...results, findings, groups };
};

test("the first places of alike findings are shown, and how many there are in how many exchanges", () => {
  const alike = many(["/content/0/type", "/content/1/type", "/content/2/type", "/content/3/type"]);
  const apart = many(["/a", "/b", "/c", "/d", "/e"]);
  for (const format of [formatText, formatJunit]) {
    expect(format(alike, verbosely)).toContain("… and 298 more like it in 11 exchanges");
    expect(format(alike, verbosely)).toContain("/content/2/type");
    expect(format(alike, verbosely)).not.toContain("/content/3/type");
    expect(format(apart, verbosely)).toContain("… and 297 more like it in 11 exchanges");
    expect(format(apart, verbosely)).toContain("and 596 more at 2 other places");
  }
});

test("a warned clause is neither passed nor failed in any report, and no whole verdict is claimed of what was not judged", () => {
  const warned: RunResults = {
    ...many(["/x"], { level: "warning" }),
    summary: { ...results.summary, unjudged: 1 },
    unjudged: [{ source: "a.har", exchange: 7, operation: "POST /v1/messages", why: "too much to judge" }],
    clauses: [{ id: "messages.response.stop-reason", verdict: "warning", exercised: 3, failed: 0, warned: 2 }],
    incidents: [],
    expectations: null,
  };
  const text = formatText(warned, verbosely);
  expect(text).toContain("1 warning");
  expect(text).toContain("conforms as far as tested");
  expect(text).toContain("a.har, exchange 7: too much to judge");
  expect(text.trimEnd().split("\n").at(-1)).toContain("1 exchange too much to judge");
  expect(formatJunit(warned, options)).toContain(`failures="0" errors="0" skipped="1"`);
  expect(formatMarkdown(warned, options)).toContain("1 clause: 1 warning;");
  expect(formatMarkdown(warned, options)).toContain("a.har, exchange 7");
  expect(columns(warned, results)).toMatch(
    /messages\/response +0 pass, 1 warning +1 pass, 1 known failure, 1 FAIL, 1 no verdict/,
  );
});
