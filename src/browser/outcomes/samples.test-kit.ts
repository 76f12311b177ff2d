/** Pages of gateways and clients as tests open them, with the exchanges behind their examples. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleOf } from "../../bundle.ts";
import type { Recorded } from "../../cassette/format.ts";
import { interfaces } from "../../interfaces/index.ts";
import { createOutcomePacker, outcomePage } from "../../report/outcomes/page.ts";
import { trip } from "../../report/outcomes/table.test-kit.ts";
import type { OutcomeCell, OutcomeRow, OutcomeTable } from "../../report/outcomes/table.ts";
import { clauses, finding, results } from "../../report/results.test-kit.ts";
import type { VerdictDocument } from "../../verdict/document.ts";
import { jsonRequest, jsonResponse } from "../../wire/build.ts";

const asked = (source: string, exchange: number, marker: string): Recorded => ({
  exchange: {
    started: Date.parse("2026-01-02T03:04:05.000Z"),
    request: jsonRequest("/v1/messages", [["Host", "a.example"]], { model: "m", marker }),
    response: jsonResponse({ stop_reason: "end_turn", id: "msg_1" }),
  },
  asked: { source, exchange, part: exchange === 0 ? "client" : "upstream" },
});

/** Both ends of one trip, and what stands where the finding of the results does. */
export const evidence: readonly Recorded[] = [
  asked(trip, 0, "what the client asked"),
  asked(trip, 1, "what arrived at the upstream"),
  asked(finding.source, finding.exchange, "what was found"),
];

/** Writes a page into a folder; gives its path. */
export function pageFile(
  folder: string,
  name: string,
  table: OutcomeTable,
  { exchanges = evidence, document = results }: { exchanges?: readonly Recorded[]; document?: VerdictDocument } = {},
): string {
  const file = join(folder, `${name}.html`);
  const packed = table.columns.map((_column, i) => {
    const packer = createOutcomePacker(table, i, document, interfaces);
    for (const recorded of exchanges) packer.add(recorded);
    return packer.finish("all");
  });
  const command = table.columns.length === 1 ? ["touchstone", table.kind, "http://127.0.0.1:8080"] : null;
  const sources = { command, clauses, readings: {}, findings: document.findings, exchanges: packed };
  writeFileSync(file, [...outcomePage(table, sources, bundleOf("outcomes"))].join(""));
  return file;
}

const outcomes = [
  "leaks",
  "silent",
  "loses",
  "garbles",
  "crashes",
  "hangs",
  "asks-wrongly",
  "not-shown",
  "error",
  "works",
];

/** As many clients, with as many cases of each kind; of every seventh case the clients make different things. */
export function clientTable(columns: number, cases: number): OutcomeTable {
  const cellOf = (row: number, column: number): OutcomeCell => {
    const isOdd = row % 7 === 3 && (row + column) % 3 === 0;
    const outcome = isOdd ? outcomes[(row + column) % 8]! : row % 5 === 4 ? "error" : "works";
    const example = {
      title: `messages/case-${row}`,
      excerpts: [
        { label: "sent", text: 'data: {"type":"content_block_delta"}\n\n: a comment\n\n' },
        { label: "expected", text: "brisk amber falcon" },
        { label: "printed", text: "brisk amber", isAmiss: true as const },
      ],
      exchanges: [{ says: "the exchange", source: trip, exchange: 0 }],
      commands: [{ says: "re-run command", command: `touchstone client --case case-${row} -- node agent.js` }],
    };
    return {
      outcome,
      level: isOdd && outcome !== "not-shown" ? (row % 2 === 0 ? "warning" : "error") : isOdd ? "note" : null,
      ...(isOdd && { why: "It hands back a part of the text, and no error." }),
      examples: isOdd ? [example] : [],
    };
  };
  const groups = (["legal", "odd", "fault"] as const).map((kind, at) => ({
    name: `messages.${kind}`,
    title: `messages: ${kind}`,
    noun: "case",
    rows: Array.from(
      { length: cases },
      (_one, i): OutcomeRow => ({
        id: `${kind}-comment-line-beside-data-${i}`,
        says: "A comment line stands beside a data line of the same event.",
        basis: "WHATWG HTML, 9.2.6",
        cells: Array.from({ length: columns }, (_column, column) => cellOf(i + 5 * at, column)),
      }),
    ),
  }));
  return {
    kind: "client",
    title: columns === 1 ? "Client under test" : `${columns} clients side by side`,
    columns: Array.from({ length: columns }, (_one, i) => ({
      name: columns === 1 ? "node agent.js" : `@client/sdk-${i} ${6 - (i % 3)}.${i}.0`,
      started: "2026-01-02T03:04:05.000Z",
      facts: [
        ["client", `node agent-${i}.js`],
        ["interfaces", "messages"],
        ["touchstone", "1.0.0"],
      ],
      complete: true,
      troubles: [],
    })),
    legend: outcomes.map((outcome) => ({
      outcome,
      says: `what ${outcome} means`,
      tone: outcome === "works" || outcome === "error" ? "good" : outcome === "not-shown" ? "quiet" : "bad",
    })),
    groups,
  };
}
