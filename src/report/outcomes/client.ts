/** Makes the table that reports of a client are made of. */

import type { CaseResult, ClientDocument } from "../../cases/document.ts";
import type { Clause } from "../../check/clause.ts";
import { isPlainCommand, shellOperand, shellWord, singleQuoted } from "../../wire/shell.ts";
import { clauseGroups, clauseOutcomes } from "./clauses.ts";
import type { OutcomeGroup, OutcomeMeaning, OutcomeRow, OutcomeTable } from "./table.ts";

/** What outcomes mean, the worst first. */
const meanings: readonly OutcomeMeaning[] = [
  { outcome: "leaks", says: "its key went to another origin", tone: "bad" },
  { outcome: "silent", says: "it took a failure or a cut for success", tone: "bad" },
  { outcome: "loses", says: "a part of the answer is missing, and no error tells", tone: "bad" },
  { outcome: "garbles", says: "the answer came out altered, doubled or out of order", tone: "bad" },
  { outcome: "crashes", says: "it broke, or refused a legal answer", tone: "bad" },
  { outcome: "hangs", says: "it had not ended within its time", tone: "bad" },
  { outcome: "asks-wrongly", says: "it asked again too soon, too often or for nothing", tone: "bad" },
  ...clauseOutcomes.slice(0, -1),
  { outcome: "not-shown", says: "nothing can be said from outside", tone: "quiet" },
  { outcome: "error", says: "it raised an error where one is due", tone: "good" },
  { outcome: "works", says: "it handed back the whole answer", tone: "good" },
  ...clauseOutcomes.slice(-1),
];

/** @param started when the run began, ISO 8601, where that is known */
export function clientTable(
  document: ClientDocument,
  clauses: readonly Clause[],
  started: string | null = null,
): OutcomeTable {
  const { client, complete, options, versions, expectations, cases } = document;
  const stale = expectations?.stale ?? [];
  const rows = (name: string): OutcomeRow[] =>
    cases.filter((one) => one.interface === name).map((one) => rowOf(one, document));
  return {
    kind: "client",
    title: "Client",
    columns: [
      {
        name: client,
        started,
        facts: [
          ["client", client],
          ["interfaces", options.interfaces.join(", ")],
          ["cases", options.cases.length > 0 ? options.cases.join(", ") : "all"],
          ...Object.entries(versions),
        ],
        complete,
        troubles: stale.map((name) => `the known failure ${name} did not happen`),
      },
    ],
    legend: meanings,
    groups: [
      ...options.interfaces.map(
        (name): OutcomeGroup => ({ name, title: `How it handles answers: ${name}`, noun: "case", rows: rows(name) }),
      ),
      ...clauseGroups(document, clauses, [
        { name: "requests", title: "What it asks", takes: ({ on }) => on === "request" },
      ]),
    ].filter((group) => group.rows.length > 0),
  };
}

function rowOf(
  { case: id, says, restsOn, printed, ...result }: CaseResult,
  { client, options }: ClientDocument,
): OutcomeRow {
  const { interface: of, outcome, level, why, expected, exchanges } = result;
  // Results of others may call a client anything.
  const command = isPlainCommand(client) ? client : "COMMAND";
  const own = options.isCommand ? `-- ${command}` : shellOperand(client);
  return {
    id,
    says,
    basis: restsOn.join("; "),
    cells: [
      {
        outcome,
        level: level === "note" ? null : level,
        why,
        ...(expected && { expected }),
        examples: [
          {
            title: `${of}/${id}`,
            excerpts:
              printed === undefined
                ? []
                : [{ label: options.isCommand ? "printed" : "handed back", text: printed, isAmiss: true as const }],
            exchanges: exchanges.map((place, i) => ({ says: `request ${i + 1}`, ...place })),
            commands: [
              {
                says: "re-run",
                command: `touchstone client --interface ${shellWord(of)} --case ${singleQuoted(id)} ${own}`,
              },
              { says: "serve", command: `touchstone serve --case ${singleQuoted(id)}` },
            ],
          },
        ],
      },
    ],
  };
}
