/** A SARIF 2.1.0 log: rules, results and sentences on the whole, in a form in which a viewer sees no markup and no link of a target. */
import type { Upstream } from "../verdict/document.ts";
import { type ExitCode, isInherited } from "../verdict/outcome.ts";
import { percentEncoded } from "../wire/percent.ts";
import { printable, shortened } from "./clean.ts";
import type { Issue } from "./issues.ts";

/** The subject of results. */
export interface SarifRule {
  readonly id: string;
  readonly says: string;
  /** Its place, in one phrase. */
  readonly from?: string | undefined;
  readonly properties?: { readonly tags: readonly string[]; readonly level?: string };
}

export interface SarifLog {
  readonly rules: readonly SarifRule[];
  readonly issues: readonly Issue[];
  /** Whether it came to its end, and touchstone did not fail. */
  readonly isWhole: boolean;
  /** Sentences about the whole: that it was broken off, what is left out. */
  readonly told: readonly string[];
  readonly version?: string | undefined;
  readonly exitCode?: ExitCode | undefined;
}

/** A text in which SARIF sees no link. */
const text = (words: string): string => shortened(printable(words), 2000).replace(/[\\[\]]/g, "\\$&");

/** A path as a URI reference: what is no character of a path stays one. */
export const uriOf = (path: string): string => path.split("/").map(percentEncoded).join("/");

/** The log: results below the level that fails are told with theirs, and admitted failures and those of the baseline are suppressed with their reason. */
export function sarifLog({ rules, issues, isWhole, told, version, exitCode }: SarifLog): string {
  const positions = new Map(rules.map(({ id }, i) => [id, i]));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "touchstone",
            ...(version !== undefined && { semanticVersion: version }),
            rules: rules.map(({ id, says, from, properties }) => ({
              id: printable(id),
              shortDescription: { text: text(says) },
              ...(from !== undefined && { fullDescription: { text: text(`${says} (${from})`) } }),
              ...(properties && { properties }),
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: isWhole,
            ...(exitCode !== undefined && { exitCode }),
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

/** How SARIF calls the state of a result beside that of a baseline. What nothing shows there has none. */
const baselineStates: Readonly<Record<Upstream["outcome"], string | undefined>> = {
  fails: "unchanged",
  differs: "updated",
  passes: "new",
  "not-shown": undefined,
};

function resultOf(issue: Issue, ruleIndex: number) {
  const { rule, level, message, source, operation, count, fingerprint, expected, upstream } = issue;
  const state = upstream && baselineStates[upstream.outcome];
  const reasons = [
    ...(expected ? [expected.reason] : []),
    ...(isInherited(issue) ? ["It also fails upstream, in the baseline."] : []),
  ];
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
    ...(state !== undefined && { baselineState: state }),
    ...(reasons.length > 0 && {
      suppressions: reasons.map((reason) => ({ kind: "external", justification: text(reason) })),
    }),
  };
}
