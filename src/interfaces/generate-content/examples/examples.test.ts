/** Holds the examples: they judge clean, reach every decidable clause, and every rule tells its own spoilt exchange. */
import { expect, test } from "vitest";
import { lenient, type Policy } from "../../../check/clause.ts";
import { judge } from "../../../check/judge.ts";
import { namesFrom } from "../../../check/names.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { openCatalogue } from "../../catalogue.ts";
import { generateContent } from "../index.ts";
import { examples } from "./index.ts";

const catalogue = await openCatalogue();
const names = namesFrom();
const strictly: Policy = { strict: "all", openEnums: false };

type Judged = ReturnType<typeof judge>;
/** The judgement of each exchange, since every rule asks for all examples. */
const known = new Map<Policy, WeakMap<Exchange, Judged>>([lenient, strictly].map((policy) => [policy, new WeakMap()]));

function judged(exchange: Exchange, probe = false, policy: Policy = lenient): Judged {
  const before = known.get(policy)!.get(exchange);
  if (before) return before;
  const made = judge(exchange, { source: "", exchange: 0 }, catalogue, { names, policy, probe });
  known.get(policy)!.set(exchange, made);
  return made;
}

/** Examples that speak of what the document discourages or refuses, with the clause they break on purpose. */
const onPurpose: Readonly<Record<string, string>> = {
  "request with a referenced image": "generate-content.content.file-data-unsupported",
  "an invalid request that is refused": "generate-content.generation-config.temperature-range",
  "a request without a key": "generate-content.auth.key",
  "a stream asked for without alt": "generate-content.streaming.alt-sse",
};

test.each(examples)("example judges clean: $name", ({ name, exchange, probe }) => {
  const grave = judged(exchange, probe).findings.filter(({ level }) => level !== "note");
  expect(grave.map(({ clause }) => clause)).toEqual([onPurpose[name]].flatMap((clause) => clause ?? []));
});

test("every decidable clause is exercised by some example, those of laws apart", () => {
  const together = new Set(generateContent.laws!.map(({ clause }) => clause));
  const exercised = new Set<number>();
  for (const { exchange, probe } of examples)
    judged(exchange, probe).exercised.forEach((mark, i) => void (mark && exercised.add(i)));
  const dead = catalogue.clauses.filter(
    ({ interface: of, kind, id }, i) =>
      of === "generate-content" && kind !== "unobservable" && !together.has(id) && !exercised.has(i),
  );
  expect(dead.map(({ id }) => id)).toEqual([]);
});

test.each(generateContent.rules)("rule finds what its spoil breaks, and nothing else: $clause", (rule) => {
  const outcomes = examples.flatMap(({ exchange, probe = false }) => {
    if (!judged(exchange, probe).exercised[catalogue.indexOf(rule.clause)]) return [];
    const broken = rule.spoil(exchange);
    if (!broken) return [];
    return [lenient, strictly].map((policy) => {
      const before = new Set(judged(exchange, probe, policy).findings.map(({ clause }) => clause));
      return judged(broken, probe, policy)
        .findings.filter(({ clause, level }) => clause === rule.clause || (level !== "note" && !before.has(clause)))
        .map(({ clause }) => clause);
    });
  });
  const exact = outcomes.filter((found) => found.length > 0 && found.every((clause) => clause === rule.clause));
  expect(exact.length, JSON.stringify(outcomes)).toBeGreaterThan(0);
});
