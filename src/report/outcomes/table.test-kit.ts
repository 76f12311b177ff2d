/** Tables as reports are tested with: a gateway, a client, and one of which every text tries to be more. */
import { evil } from "../results.test-kit.ts";
import type { OutcomeCell, OutcomeExample, OutcomeMeaning, OutcomeRow, OutcomeTable } from "./table.ts";

export const gatewayLegend: readonly OutcomeMeaning[] = [
  { outcome: "dropped", says: "gone without a word", tone: "bad" },
  { outcome: "changed", says: "it arrived with another value", tone: "bad" },
  { outcome: "refused", says: "an error names it", tone: "quiet" },
  { outcome: "not-shown", says: "no trip can show it", tone: "quiet" },
  { outcome: "violated", says: "a clause of the document is violated", tone: "bad" },
  { outcome: "kept", says: "it arrived", tone: "good" },
  { outcome: "holds", says: "a clause holds wherever it was seen", tone: "good" },
];

export const trip = "chat-completions/tools/two-calls.json#1+stream";

export const example = (fact: string): OutcomeExample => ({
  title: trip,
  why: `Nothing of ${fact} arrived.`,
  excerpts: [
    { label: "asked", text: `{"${fact}":0.5}` },
    { label: "arrived", text: "nothing", isAmiss: true },
    { label: "answered", text: '{"id":"msg_1"}' },
    { label: "got", text: '{"id":"chatcmpl-1"}' },
  ],
  exchanges: [
    { says: "at the client", source: trip, exchange: 0 },
    { says: "at the upstream", source: trip, exchange: 1 },
  ],
  commands: [
    { says: "curl", command: `curl -sS 'http://127.0.0.1:8080/v1/chat/completions' \\\n  -d '{"${fact}":0.5}'` },
  ],
});

const row = (id: string, ...cells: (OutcomeCell | null)[]): OutcomeRow => ({ id, says: `What ${id} asks for.`, cells });
const kept: OutcomeCell = { outcome: "kept", level: null, count: 12, of: 12, examples: [] };

/** A client of which several cases went amiss for one reason. */
export function clientTable(): OutcomeTable {
  const cell = (outcome: string, level: OutcomeCell["level"], why: string): OutcomeCell => {
    return { outcome, level, why, examples: [example("model")] };
  };
  const asking = (count: number): OutcomeCell =>
    cell("changed", "warning", `it asked 100 times in ${count}.${count} s and did not give up`);
  const swallows = cell("dropped", "error", "it raised no error and handed back nothing");
  return {
    ...gatewayTable(),
    kind: "client",
    groups: [
      {
        name: "messages",
        title: "How it handles answers: messages",
        noun: "case",
        rows: [
          ...Array.from({ length: 24 }, (_one, i) => row(`failure/with-a-long-name-${i}`, asking(i))),
          row("cut/head", swallows),
          row("cut/text", swallows),
          row("failure/401", cell("dropped", "error", "it refused a legal answer")),
        ],
      },
    ],
  };
}

/** @param outcome of temperature, with its level */
export function gatewayTable(
  outcome: readonly [string, OutcomeCell["level"]] = ["dropped", "error"],
  name = "a gateway",
): OutcomeTable {
  return {
    kind: "gateway",
    title: "Gateway, chat-completions to messages",
    columns: [
      {
        name,
        started: "2026-01-02T03:04:05.000Z",
        facts: [
          ["target", "http://127.0.0.1:8080"],
          ["touchstone", "1.0.0"],
        ],
        complete: true,
        troubles: [],
      },
    ],
    legend: gatewayLegend,
    groups: [
      {
        name: "request",
        title: "What was asked",
        noun: "fact",
        rows: [
          row("turns", kept),
          row("sampling.temperature", {
            outcome: outcome[0],
            level: outcome[1],
            count: 3,
            of: 14,
            why: "It is gone without a word.",
            examples: [example("temperature")],
          }),
          row("seed", { outcome: "refused", level: null, count: 2, of: 2, examples: [example("seed")] }),
          row("thinking", { outcome: "changed", level: "warning", count: 1, of: 9, examples: [example("thinking")] }),
        ],
      },
      {
        name: "answer",
        title: "What was answered",
        noun: "fact",
        rows: [
          row("text", kept),
          row("usage", {
            outcome: "changed",
            level: "error",
            expected: { reason: "known since spring" },
            examples: [example("usage")],
          }),
          row("log-probabilities", { outcome: "not-shown", level: null, examples: [] }),
        ],
      },
      {
        name: "upstream",
        title: "Requests at the upstream: messages",
        noun: "clause",
        rows: [
          {
            id: "messages.request.max-tokens-required",
            says: "max_tokens is there.",
            basis: "messages, Body",
            cells: [{ outcome: "holds", level: null, of: 30, examples: [] }],
          },
        ],
      },
    ],
  };
}

/** Of a table, every text replaced. */
export function hostileTable(columns: number): OutcomeTable {
  const hostile: OutcomeExample = {
    title: evil,
    why: evil,
    excerpts: [{ label: evil, text: evil, isAmiss: true }],
    exchanges: [{ says: evil, source: evil, exchange: 0 }],
    commands: [{ says: evil, command: evil.slice(0, 400) }],
  };
  const cell = (level: OutcomeCell["level"], outcome = evil): OutcomeCell => ({
    outcome,
    level,
    why: evil,
    count: 1,
    of: 2,
    examples: [hostile],
  });
  const cells = (own: OutcomeCell, other = own): OutcomeCell[] =>
    Array.from({ length: columns }, (_one, i) => (i === 0 ? own : other));
  const rows: OutcomeRow[] = [
    { id: evil, says: evil, basis: evil, cells: cells(cell("error"), cell("warning")) },
    { id: `${evil}.b`, says: evil, cells: cells(cell("warning")) },
    { id: `${evil}.c`, says: evil, cells: cells({ ...cell("error"), expected: { reason: evil } }) },
    { id: `${evil}.d`, says: evil, cells: cells(cell(null, "kept")) },
  ];
  return {
    kind: "client",
    title: evil,
    columns: Array.from({ length: columns }, (_one, i) => ({
      name: evil,
      started: evil,
      facts: [[evil, i === 0 ? evil : "other"] as const],
      complete: true,
      troubles: [evil],
    })),
    legend: [
      { outcome: evil, says: evil, tone: "bad" },
      { outcome: "kept", says: evil, tone: "good" },
    ],
    groups: [{ name: evil, title: evil, noun: "case", rows }],
  };
}
