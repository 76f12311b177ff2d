/** Holds the reports that CI systems track over time to their schemas, and their fingerprints to what is wrong alone. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { expect, test } from "vitest";
import { formatGitlab } from "./gitlab.ts";
import { maxIssues } from "./issues.ts";
import type { Results } from "./options.ts";
import { bad, evil, finding, green, options, results } from "./results.test-kit.ts";
import { formatSarif } from "./sarif.ts";

const schema = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const ajv = new Ajv({ strict: false, unicodeRegExp: false });
formats.default(ajv);
// Written for draft 4, of which it uses nothing that later drafts read otherwise but the name of its id.
const { $schema: _dialect, id: _id, ...published } = JSON.parse(readFileSync(schema, "utf8"));
const isSarif = ajv.compile(published);

function sarif(of: Results) {
  const log = JSON.parse(formatSarif(of, options));
  isSarif(log);
  expect(isSarif.errors).toBe(null);
  return log.runs[0];
}

const gitlab = (of: Results): Record<string, unknown>[] => JSON.parse(formatGitlab(of, options));

const admitted = { ...finding, clause: "messages.response.ping" };
const withAdmitted: Results = {
  ...results,
  findings: [admitted, finding],
  groups: [admitted, finding].map(({ clause }, i) => ({ ...results.groups[0]!, clause, first: [i] })),
};

test("SARIF has a rule for each clause that was violated, and says what fails, where, and what is admitted", () => {
  const run = sarif(withAdmitted);
  expect(run.invocations).toEqual([{ executionSuccessful: true, exitCode: 1 }]);
  expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
    "messages.response.stop-reason",
    "run.answered",
    "run.expectation",
    "messages.response.ping",
  ]);
  expect(run.tool.driver.rules[0].fullDescription.text).toBe(
    "The stop-reason is as documented. (messages, Stop reasons)",
  );
  const [first] = run.results;
  expect(first).toMatchObject({ ruleId: "messages.response.stop-reason", ruleIndex: 0, level: "error" });
  expect(first.locations[0].physicalLocation.artifactLocation.uri).toBe("messages/response/text.json");
  expect(first.message.text).toContain("(messages/response/text.json, exchange 2: response body at /stop_reason)");
  expect(run.results.map((one: Record<string, unknown>) => one["suppressions"])).toEqual([
    undefined,
    undefined,
    undefined,
    [{ kind: "external", justification: "known since spring" }],
  ]);
  expect(sarif({ ...green, complete: false }).invocations[0].executionSuccessful).toBe(false);
});

test("GitLab gets what is not admitted, with a path, a severity and a fingerprint of its own each", () => {
  const list = gitlab(withAdmitted);
  expect(list.map((one) => [one["check_name"], one["severity"], one["location"]])).toEqual([
    ["messages.response.stop-reason", "major", { path: "messages/response/text.json", lines: { begin: 1 } }],
    ["run.answered", "major", { path: "messages/tools/call.json", lines: { begin: 1 } }],
    ["run.expectation", "major", { path: "expectations.json", lines: { begin: 1 } }],
  ]);
  expect(gitlab(green)).toEqual([]);
  const [of] = gitlab({ ...results, findings: [{ ...finding, source: "./a/b.har" }] });
  expect(of!["location"]).toEqual({ path: "a/b.har", lines: { begin: 1 } });
});

const prints = (of: Results): string[] => {
  const all = sarif(of).results.map(
    (one: { partialFingerprints: object }) => Object.values(one.partialFingerprints)[0],
  );
  expect(gitlab(of).map((one) => one["fingerprint"])).toEqual(all);
  expect(new Set(all).size).toBe(all.length);
  return all;
};

test("a fingerprint names what is wrong at which place, not the exchange, the position or the value", () => {
  const of = (more: Partial<typeof finding>): string => {
    const one = { ...finding, pointer: "/choices/3/delta", ...more };
    const pointer = one.pointer.replace(/\d+/, "*");
    const { clause, level, side, in: place } = one;
    return prints({
      ...green,
      clauses: [{ id: clause, verdict: "fail", exercised: 1, failed: 1 }],
      findings: [one],
      groups: [{ clause, level, side, in: place, pointer, count: 1, exchanges: 1, first: [0] }],
    })[0]!;
  };
  const first = of({});
  for (const same of [{ exchange: 9 }, { source: "x.json" }, { actual: "7" }, { pointer: "/choices/0/delta" }])
    expect(of(same)).toBe(first);
  for (const other of [
    { pointer: "/choices/3/index" },
    { side: "request" },
    { in: "stream", event: 1 },
    { level: "note" },
  ])
    expect(of(other as Partial<typeof finding>)).not.toBe(first);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
});

test("nothing a target sent is interpreted, and what is too much is counted", () => {
  const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  for (const format of [formatSarif, formatGitlab]) {
    const made = format(bad, options);
    expect(made).not.toMatch(steering);
    expect(made.length).toBeLessThan(100_000);
  }
  const run = sarif({
    ...bad,
    findings: [{ ...bad.findings[0]!, expected: "x", actual: "see [here](https://evil.example)" }],
  });
  expect(JSON.stringify(run)).not.toContain(evil.slice(0, 9));
  expect(run.results[0].message.text).toContain("got see \\[here\\](");
  const ids = Array.from({ length: maxIssues + 7 }, (_, i) => `messages.response.c${i}`);
  const wall: Results = {
    ...green,
    clauses: ids.map((id) => ({ id, verdict: "fail", exercised: 1, failed: 1 })),
    findings: ids.map((clause) => ({ ...finding, clause })),
    groups: ids.map((clause, i) => ({ ...results.groups[0]!, clause, first: [i] })),
  };
  const large = sarif(wall);
  expect(large.results).toHaveLength(maxIssues);
  expect(large.invocations[0].toolExecutionNotifications[0].message.text).toContain("7 results more");
});
