/** Holds that rules a target does not enforce cost one line in every report, and count in no headline. */

import { expect, test } from "vitest";
import type { Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import { interfaces } from "../interfaces/index.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { emptyPlan, settings } from "../verdict/settings.test-kit.ts";
import { formatAnnotations } from "./annotations.ts";
import { formatGitlab } from "./gitlab.ts";
import { formatJunit } from "./junit.ts";
import { formatMarkdown } from "./markdown.ts";
import { createPacker } from "./page/pack.ts";
import { pageDataOf } from "./page/page-data.ts";
import { formatSarif } from "./sarif.ts";
import { formatText } from "./text.ts";

const finding = (name: string, level: "unenforced" | "warning"): Finding => ({
  source: "probes/messages/request/top-k-type",
  exchange: 1,
  interface: "messages",
  operation: "POST /v1/messages",
  side: "request",
  in: "body",
  event: null,
  pointer: `/${name}`,
  clause: `messages.request.${name}`,
  level,
  message: "m",
  expected: "a refusal",
  actual: "status 200: {}",
  document: { name: "messages", section: "Body" },
  ...(level === "unenforced" && { reading: "X-ENFORCE" }),
});

const findings = [
  finding("top-k-type", "unenforced"),
  finding("top-k-range", "unenforced"),
  finding("model-odd", "warning"),
];
const results: RunResults = {
  complete: true,
  summary: { exchanges: 4, errors: 0, warnings: 1, notes: 0, unjudged: 0 },
  target: { kind: "url", url: "http://127.0.0.1:8080", bindings: {} },
  plan: { ...emptyPlan, probes: [{ interface: "messages", requests: 4, paid: 1 }] },
  shard: null,
  options: settings,
  findings,
  groups: groupsOf(findings).map((group, i) => ({ ...group, exchanges: 1, first: [i] })),
  unjudged: [],
  incidents: [],
  clauses: findings.map(({ clause, level }) =>
    level === "warning"
      ? { id: clause, verdict: "warning", exercised: 1, failed: 0, warned: 1 }
      : { id: clause, verdict: "unenforced", exercised: 1, failed: 0, unenforced: 1 },
  ),
  expectations: null,
  reproduce: [],
  versions: { touchstone: "0.0.0", node: "20.0.0" },
  documents: {},
};

test("a text report has one line on them and counts them nowhere; --verbose lists them by section", () => {
  const text = formatText(results, { clauses: [] });
  expect(text).toContain("2 request rules are unenforced (--verbose lists them)\n");
  expect(text).toContain("1 clause: 1 warning\n");
  expect(text).toMatch(/^! messages\.request\.model-odd +messages\.request\.model-odd$/m);
  expect(text).not.toContain("top-k-range");
  const verbose = formatText(results, { clauses: [], verbose: true });
  expect(verbose).toContain(
    "2 request rules are unenforced: requests that violate them were accepted\n  messages.request  top-k-type, top-k-range\n",
  );
});

test("a summary has one folded line on them", () => {
  const summary = formatMarkdown(results, { clauses: [] });
  const [, chapter = ""] = summary.split("## Unenforced\n\n");
  expect(chapter).toMatch(
    /^<details><summary>2 request rules are unenforced: .*\n\n- `messages.request`: `top-k-type, top-k-range`\n/,
  );
  expect(summary).toContain("1 clause: 1 warning;");
  expect(summary.split("## Only warned about\n\n")[1]!.split("\n")[0]).not.toContain("range");
});

test("JUnit has one skipped case a section", () => {
  const cases = formatJunit(results, { clauses: [] }).match(/<testcase .*/g);
  expect(cases).toHaveLength(2);
  expect(cases![1]).toContain('classname="messages.request.unenforced"');
});

test("code scanning, code quality and annotations leave them out", () => {
  expect(JSON.parse(formatSarif(results, { clauses: [] })).runs[0].results).toHaveLength(1);
  expect(JSON.parse(formatGitlab(results, { clauses: [] }))).toHaveLength(1);
  expect(formatAnnotations(results, { clauses: [] }).trim().split("\n")).toHaveLength(1);
});

const noExchanges = createPacker(results, interfaces).finish("absent").index;
const pageOf = (run: RunResults) =>
  pageDataOf(run, { clauses: [], readings: {}, clients: [], made: null }, noExchanges);

test("a page calls their clauses by that verdict", () => {
  const page = pageOf(results);
  expect(page.clauses.map(({ verdict }) => verdict)).toEqual(["unenforced", "unenforced", "warning"]);
  expect(page.verdict).toMatchObject({ shown: 1, of: 1 });
});

test("with enforcement off no report mentions them", () => {
  const off: RunResults = { ...results, options: { ...settings, enforcement: "off" } };
  const told = [true, false].flatMap((verbose) => [
    ...[formatText, formatMarkdown, formatJunit].map((format) => format(off, { clauses: [], verbose })),
  ]);
  for (const text of told) expect(text).not.toMatch(/unenforced|top-k-range/);
  expect(pageOf(off).clauses.map(({ verdict }) => verdict)).toEqual(["untested", "untested", "warning"]);
});
