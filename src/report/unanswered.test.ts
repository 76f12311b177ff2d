/** A probe that is never answered stands in every report, as a warning that fails nothing. */
import { expect, test } from "vitest";
import { runExitCode } from "../verdict/outcome.ts";
import type { RunResults, UnansweredRequest } from "../verdict/run-results.ts";
import { formatAnnotations } from "./annotations.ts";
import { formatJunit } from "./junit.ts";
import { formatMarkdown } from "./markdown.ts";
import { green } from "./results.test-kit.ts";
import { formatSarif } from "./sarif.ts";
import { formatText } from "./text.ts";

const one: UnansweredRequest = {
  source: "probes/messages/request/top-k-type",
  exchange: 2,
  interface: "messages",
  operation: "POST /v1/messages",
  problem: "the connection was reset",
  tries: 4,
};
const results: RunResults = { ...green, unanswered: [one, { ...one, exchange: 3 }] };
const place = "probes/messages/request/top-k-type #2 (4 times: the connection was reset)";
const says = "2 requests were never answered";

test.each([
  ["text", formatText(results, { clauses: [] }), [says, place]],
  ["JUnit", formatJunit(results, { clauses: [] }), [`<skipped message="warning: ${says}">`, place]],
  ["SARIF", formatSarif(results, { clauses: [] }), ['"ruleId": "run.unanswered"', '"level": "warning"', says]],
  ["annotations", formatAnnotations(results, { clauses: [] }), [`::warning title=run.unanswered::`, says]],
  ["Markdown", formatMarkdown(results, { clauses: [] }), ["Never answered", says, place]],
])("%s tells of it", (_format, text, words) => {
  for (const word of words) expect(text).toContain(word);
});

test("it fails nothing", () => {
  expect(runExitCode(results)).toBe(runExitCode(green));
});

test("a terminal names three, and counts the others", () => {
  const many = { ...green, unanswered: [1, 2, 3, 4, 5].map((exchange) => ({ ...one, exchange })) };
  expect(formatText(many, { clauses: [] })).toContain("; and 2 more (--verbose lists them)");
  expect(formatText(many, { clauses: [], verbose: true })).toContain("top-k-type #5 (4 times");
});
