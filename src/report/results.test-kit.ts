/** Results as reports are tested with: a failure, a refusal, an expectation, and a target that sends whatever hurts. */
import type { Clause, Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { emptyPlan, settings } from "../verdict/settings.test-kit.ts";

const document = { name: "messages", section: "Stop reasons" };
const hostile = `<b>"x" & ]]> \u001b[31m \u0000 \ud800 \uffff | \`*_ \r\n é 😀 \u202e`;

export const clauses: Clause[] = ["stop-reason", "usage", "order", "ping", "cost"].map((name) => ({
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

export const finding: Finding = {
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

export const results: RunResults = {
  complete: true,
  summary: { exchanges: 3, errors: 1, warnings: 0, notes: 0, unjudged: 0 },
  target: { kind: "url", url: "http://127.0.0.1:8080", bindings: {} },
  plan: { ...emptyPlan, exchanges: 3 },
  shard: null,
  options: settings,
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
      notOffered: true,
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
  expectations: {
    entries: [],
    stale: ["messages.response.usage"],
    expired: [],
    unreasoned: [],
    unobserved: [],
    seen: [],
  },
  reproduce: [{ source: finding.source, exchange: 2, curl: "curl -sS -i \\\n  -H 'x-api-key: '\"$TOUCHSTONE_KEY\"''" }],
  versions: { touchstone: "0.1.0", node: "20.19.0" },
  documents: {},
};
export const green: RunResults = {
  ...results,
  findings: [],
  groups: [],
  incidents: [],
  clauses: results.clauses.slice(3),
  expectations: null,
};
export const options = { clauses };

/** Every text of these results tries to be more than a text. */
export const evil = `\u001b]52;c;eA==\u0007 \u009b31m \u202e <img src=x onerror=a> [x](javascript:a) https://evil.example @all a@b.example www.evil.example \`\`x\` --> ]]> &amp; | \n# h \r\n::error::x\n<!-- ${"w".repeat(2e5)}`;
export const bad: RunResults = {
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
  expectations: { entries: [], stale: [evil], expired: [evil], unreasoned: [evil], unobserved: [evil], seen: [] },
  reproduce: [{ source: evil, exchange: 2, curl: evil }],
};
