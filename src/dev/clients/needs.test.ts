/** Needs of clients are made of what they did with broken answers. */
import { expect, test } from "vitest";
import type { ClientTrial } from "../../verdict/run-results.ts";
import { type Happened, needsOf } from "./needs.ts";

const happened = (
  kinds: readonly string[],
  outcome: ClientTrial["outcome"],
  more: Partial<Happened> = {},
): Happened => ({
  clause: "messages.response.text-type",
  kinds,
  spread: [],
  isSaid: true,
  trial: { client: "one", scenario: "text", outcome, detail: "no" },
  ...more,
});
const needs = (...all: readonly Happened[]) =>
  needsOf("text", all).map(({ evidence: _, scenario: __, ...need }) => need);
const clause = "messages.response.text-type";

test("content that is not to be seen was dropped; without content, nothing was", () => {
  expect(needs(happened(["number"], "not shown"))).toEqual([{ clause, effect: "drops" }]);
  expect(needs(happened(["null"], "not shown", { isSaid: false }))).toEqual([]);
});

test("a need names the kinds that do harm, and the words that do none", () => {
  const all = [happened(["null"], "fine"), happened(["text:odd"], "throws"), happened(["text:known"], "fine")];
  expect(needs(...all)).toEqual([{ clause, effect: "throws", when: ["text"], unless: ["text:known"] }]);
});

test("each request of a scenario has needs of its own", () => {
  const all = [happened(["null"], "fine", { request: 0 }), happened(["null"], "throws", { request: 1 })];
  expect(needs(...all)).toEqual([{ clause, request: 1, effect: "throws" }]);
});

test("a need names the events of a stream in which it does harm", () => {
  const all = ["all", "between", "first", "last"] as const;
  const first = happened(["nothing"], "throws", { spread: ["first"] });
  const last = happened(["nothing"], "fine", { spread: ["last"] });
  expect(needs(first, last)).toEqual([{ clause, effect: "throws", spread: ["first"] }]);
  expect(needs(last, happened(["nothing"], "drops", { spread: all }))).toEqual([
    { clause, effect: "drops", spread: ["all"] },
  ]);
  expect(needs(first)).toEqual([{ clause, effect: "throws" }]);
});
