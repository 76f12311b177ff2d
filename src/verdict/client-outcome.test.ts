/** A client is served or not by what it did itself, or by what answers to requests like its own lack. */
import { expect, test } from "vitest";
import type { Client } from "./client.ts";
import { offendingKind } from "./client.ts";
import type { Feature } from "./feature-outcome.ts";
import { withFitness } from "./fitness.ts";
import { clientExitCode } from "./outcome.ts";
import type { AnswerSigns, ClientTrial, Incident, PlannedCassette, RunResults } from "./run-results.ts";
import type { Spread } from "./stream-spread.ts";

const feature = (name: string, sections: readonly string[]): Feature => ({
  name: `messages/${name}`,
  says: "",
  scenarios: [{ sections }],
  clauses: [`messages.${name}.*`],
  shownBy: name === "errors" ? ["refusal"] : ["text"],
});
const features = [feature("text", ["response"]), feature("streaming", ["streaming"]), feature("errors", ["errors"])];
const client: Client = {
  name: "one",
  says: "",
  package: "@one/sdk",
  version: "1.2.3",
  scenarios: {
    text: { features: ["messages/text"], like: ["messages/response/text.json"] },
    events: {
      features: ["messages/streaming"],
      like: ["messages/streaming/text.json"],
      laws: ["messages.laws.stream-text"],
    },
    error: { features: ["messages/errors"], like: ["messages/errors/bad.json"] },
  },
  needs: [
    { clause: "messages.response.content-required", scenario: "text", effect: "throws", evidence: "-" },
    { clause: "messages.response.block-object", scenario: "text", effect: "throws", when: ["null"], evidence: "-" },
    {
      clause: "messages.response.block-type-values",
      scenario: "text",
      effect: "throws",
      unless: ["text:known"],
      evidence: "-",
    },
    {
      clause: "messages.streaming.delta-required",
      scenario: "events",
      effect: "drops",
      spread: ["all"],
      evidence: "-",
    },
    { clause: "messages.errors.status-range", scenario: "error", effect: "throws", evidence: "-" },
  ],
};

const sources = ["response/text", "response/odd", "streaming/text", "errors/bad"];
const path = (name: string): string => `messages/${name}.json`;
const cassette = (name: string): PlannedCassette => ({
  source: path(name),
  interface: "messages",
  section: name.split("/")[0]!,
  exchanges: 1,
});
const answer = (name: string, more: Partial<AnswerSigns> = {}): AnswerSigns => ({
  source: path(name),
  exchange: 0,
  interface: "messages",
  status: name === "errors/bad" ? 400 : 200,
  asks: [],
  holds: ["text"],
  ...more,
});

/** Answers, of which a stream lacks the delta of some events. */
const withoutDelta = (...spread: readonly Spread[]): readonly AnswerSigns[] => [
  ...sources.filter((one) => one !== "streaming/text").map((one) => answer(one)),
  answer("streaming/text", {
    violates: [{ clause: "messages.streaming.delta-required", isNote: false, kinds: ["nothing"], spread }],
  }),
];

interface Case {
  readonly sent?: readonly string[];
  readonly found?: readonly (readonly [clause: string, source: string, actual?: string, exchange?: number])[];
  readonly failed?: readonly (readonly [source: string, kind: Incident["kind"]])[];
  readonly answers?: readonly AnswerSigns[];
  readonly trials?: readonly (readonly [scenario: string, outcome: ClientTrial["outcome"], detail?: string])[];
  readonly clauses?: readonly string[];
  /** Clauses that fail. */
  readonly failing?: readonly string[];
  readonly of?: Client;
}

function outcomeOf({
  sent = sources,
  found = [],
  failed = [],
  answers,
  trials,
  clauses = [],
  failing = [],
  of = client,
}: Case) {
  const findings = found.map(([clause, source, actual = "nothing", exchange = 0]) => ({
    clause: `messages.${clause}`,
    source: path(source),
    exchange,
    side: "response",
    level: failing.includes(clause) ? "error" : clause.startsWith("laws.") ? "warning" : "note",
    actual,
  }));
  const incidents = failed.map(([source, kind]) => ({
    source: path(source),
    exchange: 0,
    interface: "messages",
    operation: "POST /v1/messages",
    kind,
    problem: "It was answered otherwise.",
    needs: [],
  }));
  const results = {
    complete: true,
    plan: { cassettes: sent.map(cassette), clauses },
    clauses: failing.map((id) => ({ id: `messages.${id}`, verdict: "fail", exercised: 1, failed: 1 })),
    findings,
    groups: findings,
    incidents,
    answers: answers ?? sent.filter((one) => !failed.some(([source]) => source === one)).map((one) => answer(one)),
    expectations: null,
    ...(trials && {
      trials: trials.map(([scenario, outcome, detail = ""]) => ({
        client: "one",
        scenario,
        outcome,
        detail,
        version: "2.0.0",
      })),
    }),
  } as unknown as RunResults;
  const told = withFitness(results, { features, clients: [of] });
  return { ...told.clients![0]!, exit: clientExitCode(told, "one") };
}

const needed = "response.content-required";

test.each<[string, Case, string, readonly string[], number]>([
  ["answers as its own requests get them", {}, "served", [], 0],
  [
    "what it throws at, where it asks",
    { found: [[needed, "response/text"]] },
    "not served",
    [`messages.${needed}: throws`],
    1,
  ],
  [
    "the same in a request that is not like its own",
    { found: [[needed, "response/odd"]] },
    "served, with faults",
    [`messages.${needed}: throws, in messages/response/odd.json`],
    0,
  ],
  [
    "the same where its answer says so, and findings list other places",
    {
      found: [[needed, "response/odd"]],
      answers: sources.map((name) =>
        answer(name, {
          ...(name.startsWith("response/") && {
            violates: [{ clause: `messages.${needed}`, isNote: true, kinds: ["nothing"] }],
          }),
        }),
      ),
    },
    "not served",
    [`messages.${needed}: throws`],
    1,
  ],
  ["the same where it does something else", { found: [[needed, "streaming/text"]] }, "served", [], 0],
  ["the same in a probe", { found: [[needed, "../probes/messages/request/top-k-type"]] }, "served", [], 0],
  [
    "the same in what follows",
    { found: [[needed, "response/text", "nothing", 1]] },
    "served, with faults",
    [`messages.${needed}: throws, in messages/response/text.json`],
    0,
  ],
  [
    "a law without which its answer is of no use, wherever it was asked",
    { found: [["laws.stream-text", "laws/same", "nothing", 1]] },
    "not served",
    ["messages.laws.stream-text: its answers are not what the model said"],
    1,
  ],
  ["a word that it takes", { found: [["response.block-type-values", "response/text", '"known"']] }, "served", [], 0],
  [
    "another word",
    { found: [["response.block-type-values", "response/text", '"unknown"']] },
    "not served",
    ["messages.response.block-type-values: throws"],
    1,
  ],
  ["a value that it takes", { found: [["response.block-object", "response/text", '"x"']] }, "served", [], 0],
  [
    "what it drops where all events lack it",
    { answers: withoutDelta("all", "between", "first", "last") },
    "not served",
    ["messages.streaming.delta-required: drops"],
    1,
  ],
  [
    "the same where the last event alone lacks it",
    { answers: withoutDelta("last") },
    "served, with faults",
    ["messages/streaming: works, with faults"],
    0,
  ],
  [
    "a value that it throws at",
    { found: [["response.block-object", "response/text", "null"]] },
    "not served",
    ["messages.response.block-object: throws"],
    1,
  ],
  [
    "an error that it throws at when it asked for something wrong",
    { found: [["errors.status-range", "errors/bad"]] },
    "served, with faults",
    ["messages.errors.status-range: throws"],
    0,
  ],
  ["no stream asked for", { sent: ["response/text", "errors/bad"] }, "not shown", ["messages/streaming: not asked"], 2],
  ["no bad request asked", { sent: ["response/text", "streaming/text"] }, "served", [], 0],
  [
    "some clauses judged alone",
    { clauses: [`messages.${needed}`] },
    "not shown",
    ["messages/text: not asked", "messages/streaming: not asked"],
    2,
  ],
  [
    "a feature that is broken, and whose answers lack what it is about",
    {
      failing: ["streaming.any"],
      found: [["streaming.any", "streaming/text"]],
      answers: sources.map((name) => answer(name, name.startsWith("streaming/") ? { holds: [] } : {})),
    },
    "not shown",
    ["messages/streaming: broken, and no answer shows it"],
    2,
  ],
  [
    "a feature that is broken in what the client does without",
    { failing: ["streaming.any"], found: [["streaming.any", "streaming/text"]] },
    "served, with faults",
    ["messages/streaming: broken"],
    0,
  ],
  [
    "a server that fails",
    { failed: [["streaming/text", "server-error"]] },
    "not served",
    ["messages/streaming/text.json: a server error"],
    1,
  ],
  [
    "a server that says later",
    { failed: [["streaming/text", "rate-limited"]] },
    "not shown",
    ["messages/streaming/text.json: rate limited"],
    2,
  ],
  [
    "a stream that ends in an error",
    {
      answers: [
        ...sources.filter((one) => one !== "streaming/text").map((one) => answer(one)),
        answer("streaming/text", { isError: true }),
      ],
    },
    "not served",
    ["messages/streaming/text.json: the answer ends in an error"],
    1,
  ],
])("%s", (_what, given, outcome, because, exit) => {
  expect(outcomeOf(given)).toMatchObject({ by: "predicted", version: "1.2.3", outcome, because, exit });
});

test.each<[string, Case, string, readonly string[], ("seen" | "predicted")?]>([
  [
    "it works where a fault was predicted",
    {
      found: [[needed, "response/text"]],
      trials: [
        ["text", "fine"],
        ["events", "fine"],
      ],
    },
    "served",
    [],
  ],
  [
    "it works, and what it gives is not what the model said",
    {
      found: [["laws.stream-text", "laws/same", '"aab"', 1]],
      trials: [
        ["text", "fine"],
        ["events", "fine"],
      ],
    },
    "not served",
    ["messages.laws.stream-text: its answers are not what the model said"],
    "predicted",
  ],
  [
    "it throws where nothing was predicted",
    {
      trials: [
        ["text", "fine"],
        ["events", "throws", "Error: no"],
      ],
    },
    "not served",
    ["events: throws: Error: no"],
  ],
  [
    "it throws where there is nothing for it",
    {
      failed: [["response/text", "absent"]],
      trials: [
        ["text", "throws", "Error: 500 messages is not supported"],
        ["events", "asks again", "3 requests"],
      ],
    },
    "not shown",
    ["messages/text: not offered", "messages/streaming: not offered"],
    "predicted",
  ],
  [
    "it asks again",
    {
      trials: [
        ["text", "asks again", "3 requests"],
        ["events", "fine"],
      ],
    },
    "served, with faults",
    ["text: asks again: 3 requests"],
  ],
  [
    "it drops an error",
    {
      trials: [
        ["text", "fine"],
        ["events", "fine"],
        ["error", "drops", "no error"],
      ],
    },
    "served, with faults",
    ["error: drops: no error"],
  ],
  [
    "its requests are refused",
    {
      trials: [
        ["text", "refused", "401"],
        ["events", "refused", "401"],
      ],
    },
    "not shown",
    ["text: refused: 401", "events: refused: 401"],
  ],
  [
    "the model did not what it was asked",
    {
      trials: [
        ["text", "fine"],
        ["events", "not shown", "-"],
      ],
    },
    "served",
    [],
    "predicted",
  ],
  [
    "it fails in one scenario, and shows nothing in another",
    {
      trials: [
        ["text", "throws", "Error: no"],
        ["events", "not shown", "-"],
      ],
    },
    "not served",
    ["text: throws: Error: no"],
  ],
])("seen: %s", (_what, given, outcome, because, by = "seen") => {
  expect(outcomeOf(given)).toMatchObject({ by, version: "2.0.0", outcome, because });
});

test("each answer to a client that asks twice has to be as it needs it", () => {
  const need = { clause: `messages.${needed}`, scenario: "text", effect: "throws", evidence: "-" } as const;
  const later = (request: number) => {
    const found: Case["found"] = [[needed, "response/text", "nothing", 1]];
    return outcomeOf({ found, of: { ...client, needs: [{ ...need, request }] } }).outcome;
  };
  expect([later(0), later(1)]).toEqual(["served, with faults", "not served"]);
});

test("a law that only notes speak of keeps nobody from using an answer", () => {
  const violates = [{ clause: "messages.laws.stream-text", isNote: true, kinds: ["text"] }];
  const answers = sources.map((name) => answer(name, name === "streaming/text" ? { violates } : {}));
  expect(outcomeOf({ answers }).outcome).toBe("served");
});

test("the prediction stands beside the observation", () => {
  const trials = [
    ["text", "fine"],
    ["events", "fine"],
  ] as const;
  const given: Case = { found: [[needed, "response/text"]], trials };
  expect(outcomeOf(given)).toMatchObject({ by: "seen", outcome: "served", predicted: "not served" });
});

test("a blamed value is told by its kind", () => {
  const kinds = [
    "nothing",
    "null",
    "true",
    '"a"',
    "-0.5",
    "{}",
    "[1]",
    "several",
    "0 choices",
    '"{\\"a\\":1}"',
    "0",
    '""',
    '"a_b"',
  ].map((actual) => offendingKind({ actual }));
  expect(kinds.join(" ")).toBe(
    "nothing null boolean text:a number object list other zero JSON text zero empty text text:a_b",
  );
});
