/** Every formatter says what happened, and survives whatever a target sent. */
import { expect, test } from "vitest";
import type { Clause, Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import type { RunResults } from "../verdict/document.ts";
import { formatHtml } from "./html.ts";
import { gathered, growingJson, jsonPieces } from "./json.ts";
import { formatJunit } from "./junit.ts";
import { formatMarkdown } from "./markdown.ts";
import { formatSideBySide } from "./side-by-side.ts";
import { formatText } from "./text.ts";

const document = { name: "messages", section: "Stop reasons" };
const hostile = `<b>"x" & ]]> \u001b[31m \u0000 \ud800 \uffff | \`*_ \r\n é 😀 \u202e`;

const clauses: Clause[] = ["stop-reason", "usage", "order", "ping", "cost"].map((name) => ({
  id: `messages.${name === "order" ? "streaming" : "response"}.${name}`,
  interface: "messages",
  section: name === "order" ? "streaming" : "response",
  says: `The ${name} is as documented.`,
  on: "response",
  kind: "behaviour",
  level: "must",
  basis: "document",
  document,
  readings: [],
}));

const finding: Finding = {
  source: "messages/response/text.json",
  exchange: 2,
  interface: "messages",
  operation: "POST /v1/messages",
  side: "response",
  in: "body",
  event: null,
  pointer: "/stop_reason",
  clause: "messages.response.stop-reason",
  level: "error",
  message: "m",
  expected: `one of "end_turn"`,
  actual: hostile,
  document,
};

const results: RunResults = {
  complete: true,
  summary: { exchanges: 3, errors: 1, warnings: 0, notes: 0, unjudged: 0 },
  target: { kind: "url", url: "http://127.0.0.1:8080", bindings: {} },
  plan: { interfaces: [], sections: [], clauses: [], lacks: [], limit: null, cassettes: [], exchanges: 3 },
  shard: null,
  findings: [finding],
  groups: groupsOf([finding]).map((group) => ({ ...group, exchanges: 1, first: [0] })),
  unjudged: [],
  incidents: [
    {
      source: "messages/tools/call.json",
      exchange: 0,
      interface: "messages",
      operation: "POST /v1/messages",
      kind: "refused",
      problem: `POST /v1/messages was answered with status 400: ${hostile}`,
      needs: ["tools"],
    },
  ],
  clauses: [
    { id: "messages.response.cost", verdict: "no-verdict", exercised: 0, failed: 0, needs: ["a price list"] },
    {
      id: "messages.response.ping",
      verdict: "fail",
      exercised: 1,
      failed: 1,
      expected: { reason: "known since spring" },
    },
    { id: "messages.response.stop-reason", verdict: "fail", exercised: 3, failed: 1 },
    { id: "messages.response.usage", verdict: "pass", exercised: 3, failed: 0 },
    { id: "messages.streaming.order", verdict: "untested", exercised: 0, failed: 0 },
  ],
  expectations: { entries: [], stale: ["messages.response.usage"], expired: [] },
  reproduce: [{ source: finding.source, exchange: 2, curl: "curl -sS -i \\\n  -H 'x-api-key: '\"$TOUCHSTONE_KEY\"''" }],
  versions: { touchstone: "0.1.0", node: "20.19.0" },
  documents: {},
};
const green: RunResults = {
  ...results,
  findings: [],
  groups: [],
  incidents: [],
  clauses: results.clauses.slice(3),
  expectations: null,
};
const options = { clauses };

test("the text names clause, place, expected, actual and a command; what is open; and sums up in one line", () => {
  const text = formatText(results, options);
  for (const part of [
    "FAIL messages.response.stop-reason",
    "The stop-reason is as documented. (messages, Stop reasons)",
    "messages/response/text.json, exchange 2: response body at /stop_reason",
    `expected  one of "end_turn"`,
    "fails in 1 of 3 exchanges",
    `    curl -sS -i \\\n      -H 'x-api-key: '"$TOUCHSTONE_KEY"''`,
    "REFUSED messages: POST /v1/messages was answered with status 400",
    "--lacks tools or --lacks messages",
    "expected messages.response.ping fails: known since spring",
    "STALE messages.response.usage",
    "no verdict without a price list: messages.response.cost",
    "untested, since no answer showed them: messages.streaming.order",
    "DOES NOT CONFORM: 1 clause fails, 1 request not answered as recorded, 1 stale expectation",
    "5 clauses: 1 pass, 2 fail, 1 untested, 1 no-verdict; 3 exchanges judged, 1 error, 0 warnings, 0 notes",
  ])
    expect(text).toContain(part);
  expect(formatText(green, options)).toContain("conforms as far as tested");
  expect(formatText({ ...green, complete: false }, options)).toContain("INCOMPLETE");
});

test("what no run asks for is counted apart from what no answer showed", () => {
  const marked = clauses.map((clause) =>
    clause.id.endsWith(".order") ? { ...clause, unasked: "nobody can" } : clause,
  );
  const text = formatText(results, { clauses: marked });
  expect(text).toContain("untested, since no run asks for them: 1 clause (touchstone clauses --untested");
  expect(text).not.toContain("since no answer showed them");
});

test("nothing a target sent reaches the terminal as a control character, and colour comes only when asked for", () => {
  expect(formatText(results, options)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(formatText(results, { ...options, color: true })).toContain("\u001b[31mFAIL\u001b[0m");
});

/** Checks that a text is well-formed XML, as far as JUnit uses it; returns the names of its elements. */
function elementsOf(xml: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "");
  expect(body).not.toBe(xml);
  const rest = body.replace(
    /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g,
    (_all, closing: string, name: string, _attributes, empty: string) => {
      if (closing) expect(open.pop()).toBe(name);
      else {
        seen.push(name);
        if (!empty) open.push(name);
      }
      return "";
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]/);
  expect(xml.replace(/&(?:#\d+|amp|lt|gt|quot);/g, "")).not.toContain("&");
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  expect(xml).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  return seen;
}

test("JUnit is well-formed XML with one case a clause, whatever the target sent", () => {
  const xml = formatJunit(results, options);
  const elements = elementsOf(xml);
  const count = (name: string): number => elements.filter((element) => element === name).length;
  // Five clauses, one incident, one stale expectation.
  expect(count("testcase")).toBe(7);
  expect(xml).toContain(`<testsuites name="touchstone" tests="7" failures="3" errors="0" skipped="3">`);
  expect(count("failure")).toBe(3);
  expect(count("skipped")).toBe(3);
  expect(xml).toContain(`<testcase classname="messages.response" name="messages.response.usage"/>`);
  expect(xml).toContain("😀");
  expect(formatJunit({ ...green, complete: false }, options)).toContain(`errors="1"`);
});

test("Markdown does not interpret what a target sent", () => {
  const text = formatMarkdown(results, options);
  expect(text).toContain(
    "**Does not conform**: 1 pass, 0 warning, 2 fail, 1 untested, 0 skipped, 1 no-verdict, 0 broken; 3 exchanges.",
  );
  expect(text).toContain("| messages/response | 1 | 0 | 2 | 0 | 0 | 1 | 0 |");
  expect(text).toContain("- **messages.response.stop-reason** (1 of 3 exchanges)");
  expect(text).not.toContain("<b>");
  expect(text).not.toContain("\u0000");
  expect(formatMarkdown(green, options)).toContain("**Conforms as far as tested**");
});

test("nothing in hostile results is interpreted by a terminal, a browser or a reader of Markdown", () => {
  const evil = `\u001b]52;c;eA==\u0007 \u009b31m \u202e <img src=x onerror=a> [x](javascript:a) https://evil.example @all | \n# h ${"w".repeat(1e6)}`;
  const bad: RunResults = {
    ...results,
    target: { kind: "url", url: evil, bindings: { [evil]: evil } },
    findings: [
      { ...finding, source: evil, pointer: `/${evil}`, expected: evil, actual: evil, clause: evil, message: evil },
    ],
    groups: groupsOf([{ ...finding, pointer: `/${evil}`, clause: evil }]).map((group) => ({
      ...group,
      exchanges: 1,
      first: [0],
    })),
    incidents: [
      { ...results.incidents[0]!, source: evil, interface: evil, operation: evil, problem: evil, needs: [evil] },
    ],
    clauses: [
      { id: evil, verdict: "fail", exercised: 1, failed: 1, diverges: evil },
      { id: `${evil}.b`, verdict: "no-verdict", exercised: 0, failed: 0, needs: [evil] },
      { id: `${evil}.c`, verdict: "fail", exercised: 1, failed: 1, expected: { reason: evil } },
      { id: `${evil}.d`, verdict: "warning", exercised: 1, failed: 0, warned: 1 },
    ],
    unjudged: [{ source: evil, exchange: 0, operation: evil, why: evil }],
    expectations: { entries: [], stale: [evil], expired: [evil] },
    reproduce: [{ source: evil, exchange: 2, curl: evil }],
  };
  const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  const [text, markdown, page, junit] = [formatText, formatMarkdown, formatHtml, formatJunit].map((format) =>
    format(bad, options),
  );
  for (const made of [text, markdown, page, junit, formatSideBySide([bad, results])]) {
    expect(made).not.toMatch(steering);
    expect(made!.length).toBeLessThan(2e6);
  }
  elementsOf(junit!);
  expect(page).not.toContain("<img");
  expect(markdown).not.toMatch(/<img|\]\(|https:|@all|^# h/m);
});

test("a document of recordings is reported without what only a run has", () => {
  const { complete, summary, findings, groups, unjudged, clauses: verdicts } = results;
  const bare = { complete, summary, findings, groups, unjudged, clauses: verdicts };
  expect(formatText(bare, options)).toContain("FAIL messages.response.stop-reason");
  expect(formatText(bare, options)).not.toContain("Run against");
  elementsOf(formatJunit(bare, options));
  expect(formatMarkdown(bare, options)).toMatch(/^# touchstone\n/);
});

test("the page shows failures with their evidence, and interprets nothing of what was sent", () => {
  const page = formatHtml(results, options);
  expect(page).toContain("Does not conform: 1 clause fails, 1 request not answered as recorded, 1 stale expectation");
  expect(page).toContain("The stop-reason is as documented.");
  expect(page).toContain("messages/response/text.json, exchange 2: response body at /stop_reason");
  expect(page).toContain("curl -sS -i");
  expect(page).toContain("known since spring");
  expect(page).toContain("a price list");
  expect(page).not.toContain("<b>");
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e\uffff]|<script|[\ud800-\udbff](?![\udc00-\udfff])/);
  expect(page.match(/<(?:article|details|section|table)\b/g)?.length).toBe(
    page.match(/<\/(?:article|details|section|table)>/g)?.length,
  );
  expect(formatHtml(green, options)).toContain("Conforms as far as tested");
  expect(formatHtml({ ...green, complete: false }, options)).toContain("Incomplete");
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

test("of what is alike the first places are shown, and how many there are in how many exchanges", () => {
  const alike = many(["/content/0/type", "/content/1/type", "/content/2/type", "/content/3/type"]);
  const apart = many(["/a", "/b", "/c", "/d", "/e"]);
  for (const format of [formatText, formatHtml, formatJunit]) {
    expect(format(alike, options)).toContain("… and 298 more like it in 11 exchanges");
    expect(format(alike, options)).toContain("/content/2/type");
    expect(format(alike, options)).not.toContain("/content/3/type");
    expect(format(apart, options)).toContain("… and 297 more like it in 11 exchanges");
    expect(format(apart, options)).toContain("and 596 more at 2 other places");
  }
});

test("what is only warned about is neither passed nor failed in any report, and a whole verdict is not claimed of what was not judged", () => {
  const warned: RunResults = {
    ...many(["/x"], { level: "warning" }),
    summary: { ...results.summary, unjudged: 1 },
    unjudged: [{ source: "a.har", exchange: 7, operation: "POST /v1/messages", why: "too much to judge" }],
    clauses: [{ id: "messages.response.stop-reason", verdict: "warning", exercised: 3, failed: 0, warned: 2 }],
    incidents: [],
    expectations: null,
  };
  const text = formatText(warned, options);
  expect(text).toContain("1 warning");
  expect(text).toContain("conforms as far as tested");
  expect(text).toContain("a.har, exchange 7: too much to judge");
  expect(text.trimEnd().split("\n").at(-1)).toContain("1 exchange too much to judge");
  expect(formatJunit(warned, options)).toContain(`failures="0" errors="0" skipped="1"`);
  expect(formatMarkdown(warned, options)).toContain("0 pass, 1 warning, 0 fail");
  expect(formatMarkdown(warned, options)).toContain("a.har, exchange 7");
  expect(formatHtml(warned, options)).toContain(`<strong class="warning">1</strong> warning`);
  expect(formatHtml(warned, options)).toContain("a.har, exchange 7");
  expect(formatSideBySide([warned, results])).toMatch(/messages\/response +0 pass, 1 warning +1 pass, 2 FAIL/);
});
