/** Every clause of messages is exercised by a good exchange, and every rule fails the exchange its `spoil` breaks. */
import { describe, expect, test } from "vitest";
import { lenient, type Policy } from "../../check/clause.ts";
import type { Example } from "../../check/example.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { readSubject } from "../../check/subject.ts";
import { openCatalogue } from "../catalogue.ts";
import { examples } from "./examples/index.ts";

const catalogue = await openCatalogue();
const messages = catalogue.interfaces.find(({ name }) => name === "messages")!;
const names = namesFrom();
const strictly: Policy = { strict: "all", openEnums: false };
const own = catalogue.clauses.filter(({ interface: of }) => of === "messages");

type Judged = ReturnType<typeof judge>;
/** The judgement of each example, since every rule asks for all of them. */
const known = new Map<Policy, WeakMap<Example, Judged>>([lenient, strictly].map((policy) => [policy, new WeakMap()]));

function judged(example: Example, policy: Policy = lenient): Judged {
  const { exchange, probe = false } = example;
  const before = known.get(policy)!.get(example);
  if (before) return before;
  const made = judge(exchange, { source: "example", exchange: 0 }, catalogue, { names, policy, probe });
  known.get(policy)!.set(example, made);
  return made;
}

describe("good exchanges", () => {
  test.each(examples.filter(({ probe }) => !probe))(
    "$name: nothing graver than a note, but for what only clients need",
    (example) => {
      const { findings } = judged(example);
      expect(findings.filter(({ level, reading }) => level !== "note" && reading !== "X-CLIENTS")).toEqual([]);
    },
  );

  test.each(examples.filter(({ probe }) => probe))("$name: broken in the request alone", (example) => {
    const { findings } = judged(example);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.filter(({ side }) => side === "response")).toEqual([]);
  });

  test("their names differ", () => {
    expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
  });

  test("together they exercise every decidable clause, those of laws apart", () => {
    const exercised = new Set(messages.laws!.map(({ clause }) => clause));
    for (const example of examples)
      for (const [index, mark] of judged(example).exercised.entries())
        if (mark) exercised.add(catalogue.clauses[index]!.id);
    expect(own.filter(({ kind, id }) => kind !== "unobservable" && !exercised.has(id))).toEqual([]);
  });

  test("every clause of behaviour has one rule or law", () => {
    const ruled = [...messages.rules, ...messages.laws!].map(({ clause }) => clause);
    expect(new Set(ruled).size).toBe(ruled.length);
    const behaviour = own.filter(({ kind }) => kind === "behaviour").map(({ id }) => id);
    expect([...ruled].sort()).toEqual(behaviour);
  });
});

describe("a spoilt exchange breaks its clause alone", () => {
  const operation = messages.operations[0]!;
  test.each(messages.rules.map((rule) => [rule.clause, rule] as const))("%s", (clause, rule) => {
    const onRequest = own.find(({ id }) => id === clause)?.on === "request";
    const also = [...(rule.alsoBreaks ?? []), ...(own.find(({ id }) => id === clause)?.alsoBreaks ?? [])];
    const outcomes = examples.flatMap((example) => {
      const { exchange, probe = false } = example;
      const subject = readSubject(exchange, { interface: messages, operation }, names, probe);
      subject.requestFaults = probe ? judged(example).findings.map((finding) => finding.clause) : [];
      if (!rule.applies(subject)) return [];
      const spoilt = rule.spoil(exchange);
      if (!spoilt) return [];
      const broken = { ...example, exchange: onRequest ? { ...spoilt, response: null } : spoilt };
      return [lenient, strictly].map((policy) => {
        const before = new Set(judged(example, policy).findings.map((finding) => finding.clause));
        const clauses = judged(broken, policy)
          .findings.filter(({ level, clause: of }) => of === clause || level !== "note")
          .map((finding) => finding.clause)
          .filter((of) => of === clause || !(before.has(of) || also.includes(of)));
        return [...new Set(clauses)].join();
      });
    });
    expect(outcomes).toContain(clause);
  });
});
