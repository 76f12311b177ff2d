/** Holds that rules a target does not enforce are told apart from wrong shapes, once each and by section. */
import { expect, test } from "vitest";
import type { Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { emptyPlan, settings } from "../verdict/settings.test-kit.ts";
import { formatMarkdown } from "./markdown.ts";
import { createPacker } from "./page/pack.ts";
import { pageDataOf } from "./page/page-data.ts";
import { formatText } from "./text.ts";

const finding = (name: string, reading?: string): Finding => ({
  source: "probes/messages/request/top-k-type",
  exchange: 1,
  interface: "messages",
  operation: "POST /v1/messages",
  side: "request",
  in: "body",
  event: null,
  pointer: `/${name}`,
  clause: `messages.request.${name}`,
  level: "warning",
  message: "m",
  expected: "a refusal",
  actual: "status 200: {}",
  document: { name: "messages", section: "Body" },
  ...(reading && { reading }),
});

const findings = [finding("top-k-type", "X-ENFORCE"), finding("top-k-range", "X-ENFORCE"), finding("model-odd")];
const results: RunResults = {
  complete: true,
  summary: { exchanges: 4, errors: 0, warnings: 3, notes: 0, unjudged: 0 },
  target: { kind: "url", url: "http://127.0.0.1:8080", bindings: {} },
  plan: { ...emptyPlan, probes: [{ interface: "messages", requests: 4, paid: 1 }] },
  shard: null,
  options: settings,
  findings,
  groups: groupsOf(findings).map((group, i) => ({ ...group, exchanges: 1, first: [i] })),
  unjudged: [],
  incidents: [],
  clauses: findings.map(({ clause }) => ({ id: clause, verdict: "warning", exercised: 1, failed: 0, warned: 1 })),
  expectations: null,
  reproduce: [],
  versions: { touchstone: "0.0.0", node: "20.0.0" },
  documents: {},
};

test("a text report has them in one paragraph, and other warnings with their evidence", () => {
  const text = formatText(results, { clauses: [] });
  expect(text).toContain("0 requests of 0 recordings, and 4 probes");
  expect(text).toContain(
    "2 rules on requests are not enforced: what breaks them was accepted, not refused\n  messages.request  top-k-type, top-k-range\n",
  );
  expect(text).toContain("warning messages.request.model-odd");
  expect(text).not.toContain("warning messages.request.top-k-type");
});

const noExchanges = createPacker(results).finish("absent").index;

test("a page and a summary have them in a chapter of their own", () => {
  const page = pageDataOf(results, { clauses: [], readings: {}, clients: [], made: null }, noExchanges);
  expect(page.clauses.filter(({ unenforced }) => unenforced).map(({ id }) => id)).toEqual([
    "messages.request.top-k-type",
    "messages.request.top-k-range",
  ]);
  expect(page.scope[0]).toContain("and 4 probes");
  const summary = formatMarkdown(results, { clauses: [] });
  const [, chapter = ""] = summary.split("## Rules on requests that are not enforced\n\n");
  expect(chapter).toMatch(/^<details><summary><code>messages\.request<\/code>: 2<.*\n\n`top-k-type, top-k-range`\n/);
  expect(summary.split("## Only warned about\n\n")[1]!.split("\n")[0]).not.toContain("range");
});
