/** Every readable report ends with what a target is good for, and tells apart what clients need and the documents leave open. */
import { expect, test } from "vitest";
import type { Clause, Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import { clientLine, trialLines } from "./fitness.ts";
import { formatMarkdown } from "./markdown.ts";
import { results as base, finding, clauses as others } from "./results.test-kit.ts";
import { formatText } from "./text.ts";

const open: Clause = { ...others[0]!, id: "messages.streaming.delta-type", section: "streaming", basis: "field" };
const warned: Finding = { ...finding, clause: open.id, level: "warning", reading: "X-CLIENTS", actual: "nothing" };
const results = {
  ...base,
  findings: [...base.findings, warned],
  groups: groupsOf([...base.findings, warned]).map((group, i) => ({ ...group, exchanges: 1, first: [i] })),
  clauses: [...base.clauses, { id: open.id, verdict: "warning", exercised: 1, failed: 0, warned: 1 }],
  features: [
    { name: "messages/text", outcome: "works", faults: [] },
    { name: "messages/tools", outcome: "not offered", faults: [] },
    { name: "images/edits", outcome: "not shown", faults: [] },
  ],
  clients: [
    { name: "plain", version: "1.0", by: "seen", outcome: "served", because: [] },
    { name: "stream", version: "2.0", by: "predicted", outcome: "not served", because: [`${open.id}: drops`] },
    { name: "other", version: "3.0", by: "predicted", outcome: "not shown", because: ["images/edits: not shown"] },
  ],
} as unknown as typeof base;
const options = { clauses: [...others, open] };
const verbosely = { ...options, verbose: true };
const title = "Would the official clients work? What the documents leave open";

test("a text report says what it is good for before its last words, and which clients miss what", () => {
  const text = formatText(results, verbosely);
  const [, chapter = ""] = text.split(`${title}\n\n`);
  expect(chapter).toMatch(/^warning messages\.streaming\.delta-type\n/);
  expect(chapter).toContain("\n  clients   stream drops\n");
  expect(text).toContain(
    "Features and SDKs\n  messages  works: text\n            not offered: tools\n  clients   served (seen): plain 1.0\n            not served (predicted): stream 2.0 (messages.streaming.delta-type: drops)\n\nDOES NOT CONFORM",
  );
  expect(text).not.toContain("edits");
});

test("a summary says the same", () => {
  const summary = formatMarkdown(results, options);
  expect(summary.split(`## ${title}\n`)[1]).toContain(
    "- `messages.streaming.delta-type` (1 of 1 exchange): `stream drops`",
  );
  expect(summary.split("## Features and SDKs\n")[1]).toContain("- `messages`: `works: text; not offered: tools`");
  expect(summary).toContain("- clients: `served (seen): plain 1.0; not served (predicted): stream 2.0 (");
});

test("a report on one screen wraps what a server is good for, and cuts it", () => {
  const why = `text: throws: ${"word ".repeat(20)}`;
  const clients = [..."abcdefgh"].map((name) => ({
    ...results.clients![0]!,
    name,
    outcome: "not served" as const,
    because: [why + name],
  }));
  const lines = formatText({ ...results, clients }, options).split("\n");
  const at = lines.findIndex((line) => line.startsWith("  clients   not served (seen): a 1.0"));
  expect(lines[at + 1]).toMatch(/^ {12}\S/);
  expect(lines[at + 2]).toMatch(/^ {12}\S.*…$/);
  expect(lines[at + 3]).toBe("");
  for (const line of lines.slice(at, at + 3)) expect(line.length).toBeLessThanOrEqual(100);
});

test("a list of clients gives one reason each, cut where it is long; the line of one client gives them all", () => {
  const because = [`text: throws: ${"x".repeat(300)}`, "messages/text: broken"];
  const [client] = results.clients!;
  const told = { ...results, clients: [{ ...client!, outcome: "not served" as const, because }] };
  expect(formatText(told, verbosely)).toContain(`plain 1.0 (text: throws: ${"x".repeat(106)}…; 1 more)\n`);
  expect(clientLine(told, "plain")).toBe(
    `plain 1.0: not served (seen): text: throws: ${"x".repeat(106)}…; messages/text: broken`,
  );
});

test("features that share a reason stand together in the text, with the reason once", () => {
  const faulty = (name: string) => ({
    name: `messages/${name}`,
    outcome: "works, with faults",
    faults: [],
    why: "a.b.c",
  });
  const told = { ...results, features: ["text", "tools"].map(faulty) } as unknown as typeof base;
  expect(formatText(told, options)).toContain("works, with faults: text, tools (a.b.c)\n");
});

test("each feature names the answer that decided it, and why where it does not just work", () => {
  const decidedBy = { source: "messages/response/text.json", exchange: 2 };
  const told = {
    ...results,
    features: [
      { name: "messages/text", outcome: "works", faults: [], why: "holds text", decidedBy },
      { name: "messages/vision", outcome: "not shown", faults: [], why: "no answer counts tokens" },
    ],
  } as unknown as typeof base;
  const line = "works: text (response/text.json #2)";
  expect(formatText(told, { ...options, verbose: true })).toContain(line);
  expect(formatText(told, options)).toContain("not shown: vision (no answer counts tokens)");
  expect(formatMarkdown(told, options)).toContain(line);
});

test("clients that are not installed stand in one line, and count for nothing", () => {
  const missing = { scenario: "", outcome: "not installed" } as const;
  const trials = [
    { client: "openai", scenario: "text", outcome: "fine", detail: "" },
    { ...missing, client: "anthropic", detail: "npm install @anthropic-ai/sdk" },
    { ...missing, client: "ai-openai", detail: "npm install @ai-sdk/openai ai" },
    { client: "openai", scenario: "error", outcome: "drops", detail: "no error" },
  ] as const;
  expect(trialLines({ trials })).toEqual([
    "openai, error: drops: no error",
    "1 of 2 scenarios passed: openai (text)",
    "not installed: anthropic (npm install @anthropic-ai/sdk); ai-openai (npm install @ai-sdk/openai ai)",
  ]);
  expect(trialLines({ trials: trials.slice(0, 1) })).toEqual(["1 of 1 scenario passed"]);
});

test("results without features say nothing of them", () => {
  expect(formatText(base, verbosely)).not.toContain("good for");
  expect(formatMarkdown(base, options)).not.toContain("good for");
});
