/** The outcomes of features and clients follow from what was sent and shown, and name only what exists. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { home } from "../home.ts";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { loadFitness } from "../run/plan/fitness-data.ts";
import type { Client } from "./client.ts";
import type { ClauseVerdict } from "./document.ts";
import { asksFor, type Feature, fittingAny } from "./feature-outcome.ts";
import { withFitness } from "./fitness.ts";
import { clientExitCode } from "./outcome.ts";
import type { AnswerSigns, Incident, PlannedCassette, RunResults } from "./run-results.ts";

const { features, clients } = loadFitness();
const ids = shippedClauses.clauses.map(({ id }) => id);

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

test("clients name features, recordings and clauses that exist, with what they do and how that was seen", () => {
  for (const { name, scenarios, needs } of clients) {
    const all = Object.values(scenarios);
    const own = all.flatMap((one) => one.features);
    const like = all.flatMap((one) => one.like);
    const laws = all.flatMap((one) => one.laws ?? []);
    expect([name, laws.filter((one) => !ids.includes(one) || !one.includes(".laws."))]).toEqual([name, []]);
    expect([name, own.filter((one) => !features.some((feature) => feature.name === one))]).toEqual([name, []]);
    expect([name, like.filter((one) => !shipped.some(({ source }) => source === one))]).toEqual([name, []]);
    expect([name, needs.filter(({ clause }) => !ids.includes(clause))]).toEqual([name, []]);
    for (const { effect, evidence, scenario } of needs) {
      expect(Object.keys(scenarios)).toContain(scenario);
      expect(["throws", "drops", "mixes", "waits", "asks again"]).toContain(effect);
      expect(evidence).not.toBe("");
    }
  }
});

const feature: Feature = {
  name: "messages/tools",
  says: "Calls tools.",
  scenarios: [{ sections: ["tools"], needs: ["tools"] }],
  clauses: ["messages.response.tool-use-*"],
  shownBy: ["call"],
};
const client: Client = {
  name: "loop",
  says: "A loop.",
  package: "loop",
  version: "1",
  scenarios: { tools: { features: ["messages/tools"], like: ["messages/tools/a.json"] } },
  needs: [{ clause: "messages.streaming.delta-type", scenario: "tools", effect: "drops", evidence: "Seen." }],
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
const answer = (name: string, more: Partial<AnswerSigns> = {}): AnswerSigns => ({
  source: `messages/tools/${name}.json`,
  exchange: 0,
  interface: "messages",
  status: 200,
  asks: ["tools"],
  holds: ["call"],
  ...more,
});
const plain = answer("", { source: "messages/response/text.json", asks: [], holds: ["text"] });
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
  exchange: 0,
  actual: "nothing",
});

interface Case {
  readonly cassettes?: readonly PlannedCassette[];
  readonly clauses?: readonly ClauseVerdict[];
  readonly incidents?: readonly Incident[];
  readonly findings?: readonly object[];
  readonly answers?: readonly AnswerSigns[];
  readonly features?: readonly Feature[];
}
function fitness({
  cassettes = [cassette("a")],
  clauses = [verdict(clause, "pass")],
  incidents = [],
  findings = [],
  answers = [answer("a"), plain].filter((one) => !incidents.some(({ source }) => source === one.source)),
  features: told = [feature],
}: Case) {
  const results = {
    complete: true,
    plan: { cassettes, clauses: [] },
    clauses,
    incidents,
    findings,
    answers,
    groups: findings,
    expectations: null,
  };
  const shown = withFitness(results as unknown as RunResults, { features: told, clients: [client] });
  return {
    feature: shown.features![0]!.outcome,
    client: shown.clients![0]!.outcome,
    exit: clientExitCode(shown, "loop"),
    shown,
  };
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
  [
    "one of its clauses failing in most answers",
    { clauses: [verdict(clause, "fail")], findings: [finding(clause, "error")] },
    "broken",
    "served, with faults",
    0,
  ],
  [
    "one of its clauses failing in one odd answer of two",
    {
      cassettes: [cassette("a"), cassette("b")],
      answers: [answer("a"), answer("b"), plain],
      clauses: [verdict(clause, "fail")],
      findings: [finding(clause, "error")],
    },
    "works, with faults",
    "served, with faults",
    0,
  ],
  ["a stream that ends in an error", { answers: [answer("a", { isError: true }), plain] }, "broken", "not served", 1],
  [
    "a note on what the client needs",
    { findings: [finding("messages.streaming.delta-type", "note")] },
    "works",
    "not served",
    1,
  ],
  [
    "one of its clauses failing in more answers than findings list",
    {
      cassettes: [cassette("a"), cassette("b")],
      answers: ["a", "b"].map((name) => answer(name, { violates: [{ clause, isNote: false, kinds: ["nothing"] }] })),
      clauses: [verdict(clause, "fail")],
      findings: [finding(clause, "error")],
    },
    "broken",
    "served, with faults",
    0,
  ],
  [
    "answers that come in another form than asked",
    {
      features: [{ ...feature, form: ["messages.streaming.stream-when-asked"] }],
      clauses: [verdict(clause, "pass"), verdict("messages.streaming.stream-when-asked", "fail")],
      findings: [finding("messages.streaming.stream-when-asked", "error")],
    },
    "broken",
    "served, with faults",
    0,
  ],
  [
    "the form of answers alone",
    {
      features: [
        { ...feature, shownBy: undefined as never, clauses: [], form: ["messages.streaming.stream-when-asked"] },
      ],
      clauses: [verdict("messages.streaming.stream-when-asked", "pass")],
    },
    "not shown",
    "not shown",
    2,
  ],
  [
    "one of three answers without what each holds",
    {
      cassettes: ["a", "b", "c"].map((name) => cassette(name)),
      features: [{ ...feature, everyReply: "call" }],
      answers: [answer("a"), answer("b"), answer("c", { holds: [] })],
    },
    "works, with faults",
    "served, with faults",
    0,
  ],
  [
    "most answers without what each holds",
    {
      cassettes: ["a", "b", "c"].map((name) => cassette(name)),
      features: [{ ...feature, everyReply: "call" }],
      answers: [answer("a"), answer("b", { holds: [] }), answer("c", { holds: [] })],
    },
    "broken",
    "served, with faults",
    0,
  ],
  [
    "the answer that its client asks for without what each holds",
    { features: [{ ...feature, everyReply: "call" }], answers: [answer("a", { holds: [] }), plain] },
    "broken",
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
    "not shown",
    2,
  ],
  [
    "an interface that is not there",
    { cassettes: [cassette("a"), cassette("b")], incidents: [incident("first", "absent", "It was answered 404.")] },
    "not offered",
    "not shown",
    2,
  ],
  ["what the target lacks", { cassettes: [cassette("a", { skipped: "tools" })] }, "not offered", "not shown", 2],
  ["no recording sent", { cassettes: [] }, "not shown", "not shown", 2],
  ["a model that called nothing", { answers: [answer("a", { holds: ["text"] }), plain] }, "not shown", "not shown", 2],
  [
    "a refusal of all that is asked of the interface",
    { answers: [], incidents: [incident("a", "refused", "It was answered 400.")] },
    "not shown",
    "not shown",
    2,
  ],
])("%s", (_what, given, outcome, served, exit) => {
  expect(fitness(given)).toMatchObject({ feature: outcome, client: served, exit });
});

test.each([
  // Without it, with a small one, with a large one.
  ["grows with its size", [10, 14, 60], "works", "14 and 60 input tokens with it, 10 without", 2],
  ["costs a fixed price", [10, 95, 95], "works", "95 input tokens with it, 10 without", 0],
  ["is all that is compared, and costs much", [10, 95], "works", "95 input tokens with it, 10 without", 0],
  ["a placeholder stands for it", [10, 15, 15], "not shown"],
  ["a placeholder of a sentence stands for it", [10, 40, 40], "not shown"],
  ["a placeholder that names its size stands for it", [10, 30, 34], "not shown"],
  ["nothing stands for it", [10, 10, 10], "not shown"],
  ["its bytes are counted as text", [10, 700, 300], "not shown"],
  ["a cache knew the request without it", [1, 40, 1], "not shown"],
] as const)("a document that %s", (_what, [without, ...withIt], outcome, why?: string, exchange?: number) => {
  const documents: Feature = {
    name: "messages/documents",
    says: "Accepts documents.",
    scenarios: [{ needs: ["documents"] }],
    clauses: [],
    shownBy: ["input-tokens"],
  };
  const { shown } = fitness({
    cassettes: [cassette("a", { needs: ["documents"], exchanges: 3 })],
    features: [documents, feature],
    answers: [
      answer("a", { exchange: 1, asks: [], holds: ["text"], inputTokens: without }),
      ...withIt.map((inputTokens, i) =>
        answer("a", { exchange: 2 * i, asks: ["documents"], holds: ["text"], inputTokens }),
      ),
    ],
  });
  expect(shown.features![0]).toMatchObject({
    outcome,
    ...(why !== undefined && { why, decidedBy: { source: "messages/tools/a.json", exchange } }),
  });
});

test("refusals of a feature whose every request is refused are explained by it, and others are not", () => {
  const refused = (name: string): Incident => incident(name, "refused", "It was answered 400.");
  const explanations = (given: Case) => fitness(given).shown.incidents.map(({ explainedBy }) => explainedBy);
  expect(explanations({ incidents: [refused("a")] })).toEqual(["messages/tools"]);
  expect(explanations({ cassettes: [cassette("a"), cassette("b")], incidents: [refused("b")] })).toEqual([undefined]);
  expect(explanations({ incidents: [incident("a", "server-error", "It was answered 500.")] })).toEqual([undefined]);
  const rare = incident("x", "refused", "It was answered 400.", { needs: ["top-k"] });
  expect(explanations({ cassettes: [cassette("a"), cassette("x", { needs: ["top-k"] })], incidents: [rare] })).toEqual([
    "messages/top-k",
  ]);
  const bare = incident("y", "refused", "It was answered 400.", { needs: [] });
  expect(explanations({ cassettes: [cassette("a"), cassette("y", { needs: [] })], incidents: [bare] })).toEqual([
    undefined,
  ]);
});

test("a refusal that names a member is explained where no request with that member was answered, and no fault of its feature", () => {
  const cassettes = [cassette("a"), cassette("b")];
  const incidents = [incident("b", "refused", "tool_choice is unknown", { names: ["tool_choice"] })];
  const { shown, feature: outcome } = fitness({ cassettes, incidents });
  expect([shown.incidents[0]!.explainedBy, outcome]).toEqual(["messages/tool_choice", "works"]);
  const worded = { ...finding("messages.errors.type-values", "error"), source: "messages/tools/b.json" };
  expect(fitness({ cassettes, incidents, findings: [worded] }).feature).toBe("works");
  const answers = [answer("a", { members: ["tool_choice"] }), plain];
  const other = fitness({ cassettes, incidents, answers });
  expect([other.shown.incidents[0]!.explainedBy, other.feature]).toEqual([undefined, "works, with faults"]);
});

describe("refusals are explained by what is missing as a whole", () => {
  const at = (source: string, more: Partial<AnswerSigns>): AnswerSigns =>
    answer("", { source, asks: [], holds: ["text"], operation: "POST /v1/messages", ...more });
  const refusal = (source: string, needs: readonly string[], more: Partial<Incident> = {}): Incident =>
    incident("", "refused", "It was answered 400.", { source, needs, ...more });
  const explanations = (incidents: readonly Incident[], answers: readonly AnswerSigns[]) =>
    fitness({ incidents, answers, cassettes: [] }).shown.incidents.map(({ explainedBy }) => explainedBy);

  test("two needs that are answered alone, and never together", () => {
    const incidents = [refusal("laws", ["streaming", "tools"]), refusal("streams", ["tools", "streaming", "x"])];
    const alone = [at("a", { asks: ["tools"] }), at("b", { asks: ["streaming"] }), at("c", { asks: ["x"] })];
    expect(explanations(incidents, alone)).toEqual(["messages/streamed-tools", "messages/streamed-tools"]);
    expect(explanations(incidents, [...alone, at("d", { asks: ["streaming", "tools"] })])).toEqual([
      undefined,
      "messages/streamed-x",
    ]);
    const failing = incident("", "server-error", "It was answered 500.", { needs: ["streaming", "tools"] });
    expect(explanations([incidents[0]!, failing], alone)).toEqual([undefined, undefined]);
  });

  test("the wider of two needs", () => {
    const incidents = [refusal("a", ["tools", "top-k"]), refusal("b", ["tools"])];
    expect(explanations(incidents, [plain])).toEqual(["messages/tools", "messages/tools"]);
    expect(explanations([refusal("a", ["top-k", "tools"]), incidents[1]!], [plain])[0]).toBe("messages/tools");
  });

  test("a path of which nothing was answered, before the needs of what was asked there", () => {
    const operation = "POST /v1/messages/batches";
    const away = refusal("a", ["tools"], { operation, notOffered: true, status: 404 });
    const locked = refusal("b", [], { operation, status: 403 });
    const answers = [at("c", {})];
    expect(explanations([away, locked], answers)).toEqual(["messages/batches", "messages/batches"]);
    const bad = refusal("d", [], { operation, status: 400 });
    expect(explanations([locked, bad], answers)).toEqual([undefined, undefined]);
    expect(explanations([locked], [...answers, at("e", { operation })])).toEqual([undefined]);
    const streamed = refusal("f", ["streaming"], { operation, status: 400 });
    expect(explanations([streamed], answers)).toEqual(["messages/streaming"]);
  });
});
