/** SARIF 2.1.0, for code scanning: rules are clauses, results are groups of findings. */

import { runExitCode } from "../verdict/outcome.ts";
import { percentEncoded } from "../wire/percent.ts";
import { printable, shortened } from "./clean.ts";
import { type Issue, issuesOf } from "./issues.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import { clauseTable, conclusionOf, plural } from "./outline.ts";

/** A text in which SARIF sees no link. */
const text = (words: string): string => shortened(printable(words), 2000).replace(/[\\[\]]/g, "\\$&");

/** A path as a URI reference: what is no character of a path stays one. */
export const uriOf = (path: string): string => path.split("/").map(percentEncoded).join("/");

/** The log: results below the level that fails are told with theirs, and admitted failures are suppressed with their reason. */
export function formatSarif(results: Results, options: ReportOptions): string {
  const clauses = clauseTable(options.clauses);
  const { issues, left } = issuesOf(results, options);
  const rules = [...new Map(issues.map(({ rule, says }) => [rule, says]))];
  const positions = new Map(rules.map(([id], i) => [id, i]));
  const { state } = conclusionOf(results);
  const told = [
    ...(state === "incomplete" ? ["it was broken off: what was judged so far does not count"] : []),
    ...(state === "broken" ? ["touchstone itself failed"] : []),
    ...(left > 0 ? [`${plural(left, "result")} more: see report.html and results.json`] : []),
  ];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "touchstone",
            ...(isRun(results) && { semanticVersion: results.versions.touchstone }),
            rules: rules.map(([id, says]) => {
              const clause = clauses.get(id);
              return {
                id: printable(id),
                shortDescription: { text: text(says) },
                ...(clause && {
                  fullDescription: { text: text(`${says} (${clause.document.name}, ${clause.document.section})`) },
                  properties: { tags: [clause.interface, clause.section], level: clause.level },
                }),
              };
            }),
          },
        },
        invocations: [
          {
            executionSuccessful: state === "conforms" || state === "fails",
            ...(isRun(results) && { exitCode: runExitCode(results) }),
            ...(told.length > 0 && {
              toolExecutionNotifications: told.map((words) => ({ level: "error", message: { text: words } })),
            }),
          },
        ],
        columnKind: "utf16CodeUnits",
        results: issues.map((issue) => resultOf(issue, positions.get(issue.rule)!)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf({ rule, level, message, source, operation, count, fingerprint, expected }: Issue, ruleIndex: number) {
  return {
    ruleId: printable(rule),
    ruleIndex,
    level,
    message: { text: text(message) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(source) }, region: { startLine: 1 } },
        ...(operation !== "" && { logicalLocations: [{ fullyQualifiedName: operation }] }),
      },
    ],
    occurrenceCount: count,
    partialFingerprints: { "touchstone/v1": fingerprint },
    ...(expected && { suppressions: [{ kind: "external", justification: text(expected.reason) }] }),
  };
}
