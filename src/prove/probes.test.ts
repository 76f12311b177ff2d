/** Holds that every probe breaks exactly its clause, or none, and that no twin breaks any. */
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { loadProbes } from "../run/probes.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { shrink } from "./shrink.ts";

const catalogue = await loadCatalogue();
const { twins, probes } = loadProbes();

const errorsOf = (request: WireRequest): string[] =>
  judge({ request, response: null } as never, { source: "probe", exchange: 0 }, catalogue, {
    names: namesFrom(),
    policy: lenient,
    side: "request",
  })
    .findings.filter(({ level }) => level === "error")
    .map(({ clause }) => clause);

test("twins and what stays within the rule break nothing", () => {
  for (const { request } of twins) expect(errorsOf(request)).toEqual([]);
  for (const { clause, how, request, kind } of probes)
    if (kind === "within") expect([clause, how, errorsOf(request)]).toEqual([clause, how, []]);
});

test("what goes beyond a rule breaks its clause, and others only where they necessarily break along", () => {
  for (const { clause, how, request, kind } of probes) {
    if (kind !== "beyond") continue;
    const also = catalogue.clauses[catalogue.indexOf(clause)]?.alsoBreaks ?? [];
    const broken = new Set(errorsOf(request));
    expect([clause, how, broken.delete(clause)]).toEqual([clause, how, true]);
    expect([clause, how, [...broken].filter((id) => !also.includes(id))]).toEqual([clause, how, []]);
  }
});

test("four of five rules on requests have a probe beyond them", () => {
  const asked = catalogue.clauses.filter(({ on, kind }) => on === "request" && kind !== "unobservable");
  const beyond = new Set(probes.filter(({ kind }) => kind === "beyond").map(({ clause }) => clause));
  expect(asked.filter(({ id }) => beyond.has(id)).length / asked.length).toBeGreaterThan(0.8);
});

test("a request is made smaller as long as it serves, the outermost members first, and conversations stay whole", () => {
  const asked: unknown[] = [];
  const value = {
    messages: [
      { role: "user", content: "a" },
      { role: "user", content: "b" },
    ],
    n: 1,
    stop: ["x", "y"],
    max_tokens: 5,
  };
  const small = shrink(value, (smaller) => {
    asked.push(smaller);
    return /"b".*"y"/.test(JSON.stringify(smaller));
  });
  expect(small).toEqual({ messages: [{ role: "user" }, { content: "b" }], stop: ["y"], max_tokens: 5 });
  expect(asked[0]).not.toHaveProperty("stop");
});
