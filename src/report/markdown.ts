/** A summary in Markdown, for pull requests and job pages. */
import type { ClauseVerdict } from "../verdict/document.ts";
import { redsOf } from "../verdict/outcome.ts";
import { printable } from "./clean.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import {
  clauseTable,
  countVerdicts,
  groupsByClause,
  openQuestions,
  placeOf,
  placesOf,
  plural,
  sectionsOf,
  standingOf,
  unenforcedRules,
  verdicts,
} from "./outline.ts";

/** Text that Markdown and HTML must not interpret. */
const plain = (text: string): string =>
  printable(text).replace(/[\\`*_{}[\]<>()#+!|~&:@$=^]/g, (c) => `&#${c.charCodeAt(0)};`);

/** A table of sections, then every failure with its first place. */
export function formatMarkdown(results: Results, options: ReportOptions): string {
  const clauses = clauseTable(options.clauses);
  const found = groupsByClause(results);
  const counts = countVerdicts(results.clauses);
  const failure = ({ id, failed, exercised, expected, diverges }: ClauseVerdict): string => {
    const groups = found.get(id);
    const first = groups && placesOf(groups).places[0]?.finding;
    const evidence = first
      ? `\n  at ${plain(placeOf(first))}\n  expected ${plain(first.expected)}, got ${plain(first.actual)}`
      : "";
    const known = diverges === undefined ? "" : `\n  ${plain(diverges)}`;
    const admitted = expected ? `\n  expected: ${plain(expected.reason)}` : "";
    return `- **${plain(id)}** (${failed} of ${plural(exercised, "exchange")}): ${plain(clauses.get(id)?.says ?? "")}${evidence}${known}${admitted}`;
  };
  const rules = unenforcedRules(results);
  const unenforced = new Set([...rules.values()].flat());
  const failing = results.clauses.filter(({ verdict }) => verdict === "fail");
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? [`## ${title}\n\n${lines.join("\n")}`] : [];
  const red = isRun(results) ? redsOf(results) : undefined;
  const target = isRun(results) ? (results.target.url ?? "the embedded reference implementation") : undefined;
  const state = {
    incomplete: "**Incomplete**",
    broken: "**Broken: touchstone itself failed**",
    fails: "**Does not conform**",
    conforms: "**Conforms as far as tested**",
  }[standingOf(results).state];
  return `${[
    `# touchstone${target === undefined ? "" : `: ${plain(target)}`}`,
    `${state}: ${verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(", ")}; ${plural(results.summary.exchanges, "exchange")}.`,
    [
      `| section | ${verdicts.join(" | ")} |`,
      `|---|${verdicts.map(() => "--:|").join("")}`,
      ...sectionsOf(results).map(({ interface: of, section, clauses: own }) => {
        const mine = countVerdicts(own);
        return `| ${plain(`${of}/${section}`)} | ${verdicts.map((verdict) => mine[verdict]).join(" | ")} |`;
      }),
    ].join("\n"),
    ...part("Failing", failing.filter(({ expected }) => !expected).map(failure)),
    ...(red
      ? [
          ...part(
            "Not answered as recorded",
            red.incidents.map(
              ({ source, exchange, problem }) => `- ${plain(`${source}, exchange ${exchange}: ${problem}`)}`,
            ),
          ),
          ...part(
            "Stale expectations",
            red.stale.map((name) => `- ${plain(name)}`),
          ),
        ]
      : []),
    ...part("Expected failures", failing.filter(({ expected }) => expected).map(failure)),
    ...part(
      "Only warned about",
      results.clauses
        .filter(({ id, verdict }) => verdict === "warning" && !unenforced.has(id))
        .map(({ id, warned = 0, exercised }) => `- **${plain(id)}** (${warned} of ${plural(exercised, "exchange")})`),
    ),
    ...part(
      "Rules on requests that are not enforced",
      [...rules].map(
        ([section, ids]) => `- ${plain(section)}: ${plain(ids.map((id) => id.slice(section.length + 1)).join(", "))}`,
      ),
    ),
    ...part(
      "Not judged as a whole",
      results.unjudged.map(({ source, exchange, why }) => `- ${plain(`${source}, exchange ${exchange}: ${why}`)}`),
    ),
    ...part(
      "Without verdict",
      [...openQuestions(results.clauses, "no-verdict")].map(
        ([need, ids]) => `- ${plain(need)}: ${plain(ids.join(", "))}`,
      ),
    ),
  ].join("\n\n")}\n`;
}
