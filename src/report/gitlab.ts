/** A code quality report of GitLab: what merge requests show as new and as gone, by fingerprint. */
import { isInherited } from "../verdict/outcome.ts";
import { printable } from "./clean.ts";
import { issuesOf } from "./issues.ts";
import type { ReportOptions, Results } from "./options.ts";

const severities = { error: "major", warning: "minor", note: "info" } as const;

/** A list of issues without those the target admits to and those that also fail upstream; paths are relative, as GitLab wants them. */
export function formatGitlab(results: Results, options: ReportOptions): string {
  const list = issuesOf(results, options)
    .issues.filter((issue) => !issue.expected && !isInherited(issue))
    .map(({ rule, says, level, message, source, fingerprint }) => ({
      description: `${printable(says)} ${message}`,
      check_name: printable(rule),
      fingerprint,
      severity: severities[level],
      location: { path: source.replace(/^(?:\.?\/)+/, ""), lines: { begin: 1 } },
    }));
  return `${JSON.stringify(list, null, 2)}\n`;
}
