/** What a gateway keeps as a table of outcomes: facts of requests and answers, and the clauses at both of its ends. */
import type { Clause } from "../../check/clause.ts";
import type { FactExample, FactResult, GatewayDocument } from "../../gateway/document.ts";
import type { FactSide, Json } from "../../gateway/trip.ts";
import { isCurlRequest } from "../../wire/shell.ts";
import { plural } from "../plural.ts";
import { clauseGroups, clauseOutcomes } from "./clauses.ts";
import type { OutcomeCell, OutcomeExample, OutcomeGroup, OutcomeMeaning, OutcomeTable } from "./table.ts";

/** What becomes of facts, the worst first. */
const factMeanings: readonly OutcomeMeaning[] = [
  { outcome: "dropped", says: "gone without a word", tone: "bad" },
  { outcome: "changed", says: "it arrived with another value", tone: "bad" },
  { outcome: "invented", says: "it arrived, and nobody had said it", tone: "bad" },
  { outcome: "no-counterpart", says: "gone: the other interface has no word for it", tone: "quiet" },
  { outcome: "refused", says: "an error names it", tone: "quiet" },
  { outcome: "not-shown", says: "no request could show it", tone: "quiet" },
  { outcome: "kept", says: "it arrived", tone: "good" },
];

const titles: Readonly<Record<FactSide, string>> = { request: "What was asked", answer: "What was answered" };

const shown = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function exampleOf(side: FactSide, example: FactExample): OutcomeExample {
  const { trip, asked, arrived, answered, got, conversion, why, curl } = example;
  const place = side === "request" ? "upstream received" : "client received";
  const texts = {
    "client sent": asked,
    "upstream received": arrived,
    "upstream answered": answered,
    "client received": got,
  };
  return {
    title: trip,
    ...((why ?? conversion) !== undefined && { why: why ?? conversion! }),
    excerpts: Object.entries(texts).map(([label, value]) => ({
      label,
      text: shown(value),
      ...(label === place && example.outcome !== "kept" && { isAmiss: true as const }),
    })),
    exchanges: [
      { says: "at the client", source: trip, exchange: 0 },
      { says: "at the upstream", source: trip, exchange: 1 },
    ],
    commands: curl === undefined || !isCurlRequest(curl) ? [] : [{ says: "curl", command: curl }],
  };
}

function cellOf({ side, outcome, level, count, outcomes, examples }: FactResult): OutcomeCell {
  const all = Object.values(outcomes).reduce((sum, one) => sum + one, 0);
  const [first] = examples;
  const why = outcome === "kept" ? undefined : (first?.why ?? first?.conversion);
  return {
    outcome,
    level: level === "note" ? null : level,
    ...(why !== undefined && { why }),
    ...(outcome !== "not-shown" && { count, of: all - outcomes["not-shown"] }),
    examples: examples.map((example) => exampleOf(side, example)),
  };
}

function groupOf(document: GatewayDocument, side: FactSide): OutcomeGroup {
  const own = document.facts.filter((fact) => fact.side === side);
  return {
    name: side,
    title: titles[side],
    noun: "fact",
    rows: own.map((fact) => ({ id: fact.fact, says: fact.says, cells: [cellOf(fact)] })),
  };
}

/** @param started when the gateway was asked, ISO 8601; null where nobody knows */
export function gatewayTable(
  document: GatewayDocument,
  clauses: readonly Clause[],
  started: string | null = null,
): OutcomeTable {
  const { route, target, options, versions, notOffered, trips, planned } = document;
  const { from, to } = route;
  const { client } = options;
  const absent = notOffered.map(({ operation, status }) => `${operation} (${status})`).join(", ");
  return {
    kind: "gateway",
    title: client === undefined ? `Gateway, ${from} to ${to}` : `Client library to ${to}`,
    columns: [
      {
        name: target.name ?? target.url ?? "a gateway",
        started,
        facts: [
          client === undefined ? ["target", target.url ?? ""] : ["library", target.name ?? client],
          ["route", `${from} to ${to}`],
          ["asked", `${plural(trips, "request")}${trips < planned ? ` of ${planned}` : ""}`],
          ...(absent === "" ? [] : [["not offered", absent] as const]),
          ...(options.strict ? [["conversions", "count as changes"] as const] : []),
          ["touchstone", versions.touchstone],
        ],
        complete: document.complete,
        troubles: document.ended.map(
          ({ trip, how }) =>
            `${client === undefined ? "The gateway" : "The process of the library"} ${how}. It was answering ${trip}.`,
        ),
      },
    ],
    legend: [...factMeanings, ...clauseOutcomes],
    groups: [
      groupOf(document, "request"),
      groupOf(document, "answer"),
      ...clauseGroups(document, clauses, [
        {
          name: "upstream",
          title: `Requests at the upstream, by the document of ${to}`,
          takes: ({ interface: of, on }) => of === to && on === "request",
        },
        {
          name: "client",
          title: `Answers to the client, by the document of ${from}`,
          takes: ({ interface: of, on }) => of === from && on !== "request",
        },
      ]),
    ],
  };
}
