/** What results say of features and clients follows from what was asked and shown, and names only what there is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../home.ts";
import { loadClauses } from "../interfaces/clause-data.ts";
import { loadFitness } from "../run/fitness-data.ts";
import type { ClauseVerdict } from "./document.ts";
import { asksFor, type Client, type Feature, fittingAny, withFitness } from "./fitness.ts";
import { clientExitCode } from "./outcome.ts";
import type { Incident, PlannedCassette, RunResults } from "./run-results.ts";

const { features, clients } = loadFitness();
const ids = loadClauses().map(({ id }) => id);

const shipped: readonly PlannedCassette[] = readdirSync(join(home, "recordings"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".json") && path.split("/").length === 3)
  .map((source) => {
    const [of = "", section = ""] = source.split("/");
    const { needs = [] } = JSON.parse(readFileSync(join(home, "recordings", source), "utf8"));
    return { source, interface: of, section, exchanges: 1, needs };
  });

test("features name clauses that exist, once each, and sections and needs of recordings", () => {
  expect(new Set(features.map(({ name }) => name)).size).toBe(features.length);
  for (const { name, clauses } of features)
    for (const pattern of clauses)
      expect([name, pattern, ids.some(fittingAny([pattern]))]).toEqual([name, pattern, true]);
  const sections = new Set(shipped.map(({ section }) => section));
  const unknown = features.flatMap(({ scenarios }) => scenarios.flatMap((one) => one.sections ?? []));
  expect(unknown.filter((section) => !sections.has(section) && !["conversation", "content"].includes(section))).toEqual(
    [],
  );
});

test("every interface has text or images, tools or not, and errors that some recording asks for", () => {
  for (const name of [
    "chat-completions/text",
    "chat-completions/tools",
    "images/generations",
    "messages/streamed-tools",
  ])
    expect([name, shipped.some((one) => asksFor(features.find((feature) => feature.name === name)!, one))]).toEqual([
      name,
      true,
    ]);
  for (const feature of features.filter(({ name }) => name.endsWith("/errors")))
    expect(shipped.filter((one) => asksFor(feature, one)).length).toBeGreaterThan(1);
});

test("clients name features and clauses that exist, with what they do and how that was seen", () => {
  for (const { name, features: own, needs } of clients) {
    expect([name, own.filter((one) => !features.some((feature) => feature.name === one))]).toEqual([name, []]);
    expect([name, needs.filter(({ clause }) => !ids.includes(clause))]).toEqual([name, []]);
    for (const { effect, evidence } of needs) {
      expect(["throws", "drops", "waits", "asks again"]).toContain(effect);
      expect(evidence).toMatch(/^[A-Za-z].*\.$/);
    }
  }
});

const feature: Feature = {
  name: "messages/tools",
  says: "Calls tools.",
  scenarios: [{ sections: ["tools"], needs: ["tools"] }],
  clauses: ["messages.response.tool-use-*"],
};
const client: Client = {
  name: "loop",
  says: "A loop.",
  package: "loop",
  version: "1",
  features: ["messages/tools"],
  needs: [{ clause: "messages.streaming.delta-type", effect: "drops", evidence: "Seen." }],
};
const clause = "messages.response.tool-use-stops";
const cassette = (name: string, more: Partial<PlannedCassette> = {}): PlannedCassette => ({
  source: `messages/tools/${name}.json`,
  interface: "messages",
  section: "tools",
  exchanges: 1,
  needs: ["tools"],
  ...more,
});
const verdict = (id: string, is: ClauseVerdict["verdict"]): ClauseVerdict => ({
  id,
  verdict: is,
  exercised: 1,
  failed: 0,
});
const incident = (name: string, kind: Incident["kind"], problem: string, more: Partial<Incident> = {}): Incident => ({
  source: `messages/tools/${name}.json`,
  exchange: 0,
  interface: "messages",
  operation: "POST /v1/messages",
  kind,
  problem,
  needs: ["tools"],
  ...more,
});
const finding = (id: string, level: string): object => ({
  clause: id,
  source: cassette("a").source,
  side: "response",
  level,
});

interface Case {
  readonly cassettes?: readonly PlannedCassette[];
  readonly clauses?: readonly ClauseVerdict[];
  readonly incidents?: readonly Incident[];
  readonly findings?: readonly object[];
}
function fitness({
  cassettes = [cassette("a")],
  clauses = [verdict(clause, "pass")],
  incidents = [],
  findings = [],
}: Case) {
  const results = {
    complete: true,
    plan: { cassettes },
    clauses,
    incidents,
    findings,
    groups: findings,
    expectations: null,
  };
  const told = withFitness(results as unknown as RunResults, { features: [feature], clients: [client] });
  return { feature: told.features![0]!.outcome, client: told.clients![0]!.outcome, exit: clientExitCode(told, "loop") };
}

test.each<[string, Case, string, string, number]>([
  ["a call that was shown", {}, "works", "served", 0],
  [
    "another clause violated there",
    { findings: [finding("messages.response.id-type", "error")] },
    "works, with faults",
    "served, with faults",
    0,
  ],
  ["a note there", { findings: [finding("messages.response.id-type", "note")] }, "works", "served", 0],
  [
    "one of its clauses only warned of",
    { clauses: [verdict(clause, "warning")] },
    "works, with faults",
    "served, with faults",
    0,
  ],
  ["one of its clauses failing", { clauses: [verdict(clause, "fail")] }, "broken", "not served", 1],
  [
    "a note on what the client needs",
    { findings: [finding("messages.streaming.delta-type", "note")] },
    "works",
    "not served",
    1,
  ],
  ["no answer", { incidents: [incident("a", "unanswered", "It was not answered.")] }, "broken", "not served", 1],
  [
    "a refusal of one of two",
    { cassettes: [cassette("a"), cassette("b")], incidents: [incident("b", "refused", "It was answered 400.")] },
    "works, with faults",
    "served, with faults",
    0,
  ],
  [
    "a refusal as not supported",
    { incidents: [incident("a", "refused", "It was answered 400.", { notOffered: true })] },
    "not offered",
    "not served",
    1,
  ],
  [
    "an interface that is not there",
    { cassettes: [cassette("a"), cassette("b")], incidents: [incident("first", "absent", "It was answered 404.")] },
    "not offered",
    "not served",
    1,
  ],
  ["what the target lacks", { cassettes: [cassette("a", { skipped: "tools" })] }, "not offered", "not served", 1],
  ["no recording sent", { cassettes: [] }, "not shown", "not shown", 1],
  ["a model that called nothing", { clauses: [verdict(clause, "no-verdict")] }, "not shown", "not shown", 1],
])("%s", (_what, given, outcome, served, exit) => {
  expect(fitness(given)).toEqual({ feature: outcome, client: served, exit });
});
