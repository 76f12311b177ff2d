/** Known differences are told of failures only, name who shows them, and excuse nothing that only clients do. */
import { expect, test } from "vitest";
import type { Finding } from "../check/clause.ts";
import { groupsOf } from "../check/groups.test-kit.ts";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { readPreset } from "../interfaces/judging.ts";
import { exchangeText } from "../report/exchanges.ts";
import { differencesOf, explainedDocument } from "./divergence.ts";

const differences = differencesOf([
  { clause: "a", reason: "It does.", by: ["official", "compatible"] },
  { clause: "b", reason: "Some do.", by: ["compatible"] },
  { clause: "c", reason: "Clients did.", by: ["clients"] },
  { clause: "d", reason: "They do.", by: ["clients", "gateways"], source: "https://host/docs" },
  { clause: "e", reason: "All do.", by: ["libraries"] },
]);

test("the vendor's own differences and those of others are told apart; what clients did wrong is none", () => {
  expect([...differences]).toEqual([
    ["a", "differs from the document, as the vendor itself does: It does."],
    ["b", "differs from the document, as other services do: Some do."],
    ["d", "differs from the document, as gateways do: They do."],
    ["e", "differs from the document, as client libraries do: All do."],
  ]);
});

const finding = (clause: string, level: Finding["level"]): Finding => ({
  source: "s",
  exchange: 0,
  interface: "messages",
  operation: "o",
  side: "response",
  in: "body",
  event: null,
  pointer: "",
  clause,
  level,
  message: "m",
  expected: "e",
  actual: "x",
  document: { name: "messages", section: "Errors" },
});

test("clauses that fail and the errors of such clauses are marked, and their verdict stays", () => {
  const counted = { exercised: 1, failed: 0 };
  const clauses = [
    { id: "a", verdict: "fail" as const, exercised: 1, failed: 1 },
    { id: "b", verdict: "pass" as const, ...counted },
    { id: "c", verdict: "fail" as const, exercised: 1, failed: 1 },
  ];
  const findings = [finding("a", "error"), finding("a", "warning"), finding("c", "error")];
  const groups = groupsOf(findings).map((group) => ({ ...group, exchanges: 1, first: [0] }));
  const summary = { exchanges: 1, errors: 2, warnings: 1, notes: 0, unjudged: 0 };
  const document = { complete: true, summary, findings, groups, unjudged: [], clauses };
  const diverges = differences.get("a");
  expect(explainedDocument(document, differences)).toEqual({
    ...document,
    findings: [{ ...findings[0], diverges }, findings[1], findings[2]],
    groups: [{ ...groups[0], diverges }, groups[1], groups[2]],
    clauses: [{ ...clauses[0], diverges }, clauses[1], clauses[2]],
  });
});

test("the report of an exchange tells a difference once a clause, and of errors only", () => {
  const findings = [finding("b", "warning"), finding("a", "warning"), finding("a", "error"), finding("a", "error")];
  const line = {
    exchange: 0,
    operation: "o",
    known: true,
    status: 200,
    findings,
    groups: groupsOf(findings),
    asked: "POST /v1/chat/completions",
  };
  const told = exchangeText(line, differences, false)
    .split("\n")
    .filter((text) => text.includes("differs"));
  expect(told.map((text) => text.trim())).toEqual([differences.get("a")]);
});

test("the vendors preset explains clauses that exist, each once, in one sentence with an example or its documentation", () => {
  const known = new Set(shippedClauses.clauses.map(({ id }) => id));
  const { diverges = [] } = readPreset("vendors");
  expect(diverges.length).toBeGreaterThan(0);
  expect(diverges.filter(({ clause }) => !known.has(clause))).toEqual([]);
  expect(new Set(diverges.map(({ clause }) => clause)).size).toBe(diverges.length);
  for (const { clause, reason, by, example, count, source } of diverges) {
    expect(reason).toMatch(/^[A-Z][^.]*\.$/);
    expect(by.length).toBeGreaterThan(0);
    if (source !== undefined) expect(source).toMatch(/^https:\/\/[^\s?]+$/);
    expect([clause, example !== undefined || source !== undefined]).toEqual([clause, true]);
    if (example === undefined) continue;
    expect(example).toMatch(/^[0-9a-f]{20}$/);
    expect(count).toBeGreaterThan(0);
  }
});
