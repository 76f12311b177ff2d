/** A summary in Markdown, for pull requests and job pages of GitHub and what renders like it. */
import type { ClauseVerdict } from "../verdict/document.ts";
import { countedClauses } from "../verdict/offered.ts";
import { isInherited, redsOf } from "../verdict/outcome.ts";
import { standingWords } from "../verdict/standing.ts";
import { baselineLines, upstreamText } from "./baseline.ts";
import { xmlText } from "./clean.ts";
import { uselessEntries } from "./expectations.ts";
import { clientsMissing, fieldTitle, fitnessOf, isOfField, outcomesText, trialLines } from "./fitness.ts";
import { cell, code, codeBlock, folded, htmlCode, type Part, plain, within } from "./markdown-text.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import {
  type Clauses,
  clausesText,
  clauseTable,
  conclusionOf,
  countVerdicts,
  exceptionsOf,
  extentText,
  filtersText,
  groupsByClause,
  inheritedText,
  openReasons,
  placeOf,
  placesOf,
  sectionsOf,
  undecidedText,
  unenforcedRules,
  unenforcedText,
  verdicts,
} from "./outline.ts";
import { plural } from "./plural.ts";
import { ranked } from "./ranking.ts";
import { commandsFor, flakyText } from "./reproduce.ts";
import { unansweredGroups } from "./unanswered.ts";
import { causesOf, unexpected } from "./unexpected.ts";

/** Bytes of a summary: GitHub shows none of more than a MiB. */
export const maxSummary = 1_000_000;
const [longestList, longestCommand, maxRows] = [4000, 5000, 200];

/**
 * The conclusion, every failure folded with its evidence, then what is open, folded.
 * @param maxLength bytes of UTF-8 that it may take
 */
export function formatMarkdown(results: Results, options: ReportOptions, maxLength = maxSummary): string {
  const clauses = clauseTable(options.clauses);
  const found = groupsByClause(results);
  const failure = (verdict: ClauseVerdict): string => failureOf(verdict, found, clauses, results);
  const unenforced = unenforcedText(results);
  const inOrder = ranked(results);
  const failing = inOrder.filter(({ verdict }) => verdict === "fail");
  const red = isRun(results) ? redsOf(results) : undefined;
  const parts: Part[] = [
    {
      title: "Failing",
      items: failing.filter((one) => !one.expected && !isInherited(one)).map(failure),
    },
    {
      title: "Not answered as recorded",
      items: causesOf(isRun(results) ? unexpected(results.incidents) : []).map(
        ({ says, incidents: [first, ...others] }) =>
          `- ${code(says)}: ${code(`${first.source}, exchange ${first.exchange}`)}${others.length > 0 ? ` and ${others.length} more` : ""}`,
      ),
    },
    {
      title: "Never answered",
      items: isRun(results)
        ? unansweredGroups(results).map(({ operation, says, places }) =>
            folded(`${htmlCode(operation)}: ${says}`, places.map((place) => `- ${code(place)}`).join("\n")),
          )
        : [],
    },
    { title: "Stale known failures", items: (red?.stale ?? []).map((name) => `- ${code(name)}`) },
    {
      title: "Known failures that excuse nothing",
      items: uselessEntries(results).map(({ says }) => `- ${code(says)}`),
    },
    { title: "Known failures", items: failing.filter(({ expected }) => expected).map(failure) },
    {
      title: "Compared with the baseline",
      items: baselineLines(results).map(({ says, names: own }) =>
        own.length > 0 ? folded(htmlCode(says), names(own)) : `- ${code(says)}`,
      ),
    },
    {
      title: "Only warned about",
      items: inOrder
        .filter((one) => one.verdict === "warning" && !isOfField(one.id, clauses) && !isInherited(one))
        .map(({ id, warned = 0, exercised }) => `- ${code(id)} (${warned} of ${plural(exercised, "exchange")})`),
    },
    {
      title: fieldTitle,
      items: inOrder
        .filter(({ id }) => found.has(id) && isOfField(id, clauses))
        .filter(({ verdict }) => verdict !== "fail" && verdict !== "unenforced")
        .map(({ id, warned = 0, exercised }) => {
          const missing = isRun(results) ? clientsMissing(results, id) : "";
          return `- ${code(id)} (${warned} of ${plural(exercised, "exchange")})${missing && `: ${code(missing)}`}`;
        }),
    },
    {
      title: "Unenforced",
      items:
        unenforced === ""
          ? []
          : [folded(`${unenforced}: requests that violate them were accepted`, rulesList(results))],
    },
    {
      title: "Not judged as a whole",
      items: results.unjudged.map(
        ({ source, exchange, why }) => `- ${code(`${source}, exchange ${exchange}`)}: ${code(why)}`,
      ),
    },
    {
      title: "Without verdict",
      items: openReasons(results.clauses, clauses).map(({ verdict, reason, ids }) =>
        folded(`${verdict}, ${htmlCode(reason)}: ${plural(ids.length, "clause")}`, names(ids)),
      ),
    },
  ];
  const fitness = isRun(results) ? fitnessOf(results) : undefined;
  const good: Part = {
    title: "Features and SDKs",
    items: fitness
      ? [
          ...fitness.features.map(
            (one) => `- ${code(one.interface)}: ${code(outcomesText(one.outcomes), longestList)}`,
          ),
          ...(fitness.clients.size > 0 ? [`- clients: ${code(outcomesText(fitness.clients), longestList)}`] : []),
        ]
      : [],
  };
  const used: Part = {
    title: "SDK test runs",
    items: isRun(results) ? trialLines(results).map((line) => `- ${code(line, longestList)}`) : [],
  };
  return within(maxLength, head(results), [...parts, good, used], "report.html and results.json");
}

/** Rules that are unenforced, by section. */
const rulesList = (results: Results): string =>
  [...unenforcedRules(results)]
    .map(([section, ids]) => `- ${code(section)}: ${names(ids.map((id) => id.slice(section.length + 1)))}`)
    .join("\n");

/** A sentence of a document as HTML: what stands between backticks is code. */
const sentenceHtml = (says: string): string => xmlText(says).replace(/`([^`]+)`/g, "<code>$1</code>");

const names = (ids: readonly string[]): string => code(ids.join(", "), longestList);

function head(results: Results): string {
  const counts = countVerdicts(countedClauses(results));
  const shown = verdicts.filter((verdict) => counts[verdict] > 0);
  const name = isRun(results)
    ? `: ${results.target.url === null ? "the embedded reference implementation" : code(results.target.url)}${results.shard ? ` (shard ${results.shard.index} of ${results.shard.of})` : ""}`
    : "";
  const only = isRun(results) && filtersText(results) !== "" ? `; ${code(filtersText(results).slice(2))}` : "";
  const conclusion = conclusionOf(results);
  const { state, reasons, limited } = conclusion;
  const but = exceptionsOf(conclusion).join(" and ");
  const shared = inheritedText(results);
  const words = {
    incomplete: `**Incomplete**: ${results.complete ? undecidedText(limited) : "it was broken off"}`,
    broken: "**Broken: a check itself failed**",
    fails: `**Does not conform**: ${reasons.join(", ")}${shared && `; also fails upstream: ${shared}`}`,
    conforms: `**Conforms ${but && `but for ${but} `}${plain(extentText(results))}**`,
  }[state];
  const rows = sectionsOf(countedClauses(results))
    .slice(0, maxRows)
    .map(({ interface: of, section, clauses: own }) => {
      const mine = countVerdicts(own);
      return `| ${cell(`${of}/${section}`)} | ${shown.map((verdict) => mine[verdict]).join(" | ")} |`;
    });
  const table = [
    `| section | ${shown.map((verdict) => standingWords[verdict].word).join(" | ")} |`,
    `|---|${shown.map(() => "--:|").join("")}`,
    ...rows,
  ].join("\n");
  const sections = rows.length > 0 ? `\n${folded(plural(rows.length, "section"), table)}\n` : "";
  return `# touchstone${name}\n\n${words}\n\n${clausesText(results)}; ${plural(results.summary.exchanges, "exchange")} judged${only}\n${sections}`;
}

function failureOf(
  { id, failed, exercised, expected, diverges, upstream }: ClauseVerdict,
  found: ReturnType<typeof groupsByClause>,
  clauses: Clauses,
  results: Results,
): string {
  const groups = found.get(id);
  const { places, others } = groups ? placesOf(groups) : { places: [], others: "" };
  const first = places[0]?.finding;
  const commands = isRun(results) && first ? commandsFor(results, first, longestCommand, id) : [];
  const lines = [
    ...(expected ? [`known failure: ${plain(expected.reason)}`] : []),
    ...(upstream ? [plain(upstreamText(upstream))] : []),
    ...(diverges === undefined ? [] : [plain(diverges)]),
    ...(isRun(results) && first ? [flakyText(results, first, id)] : []),
    places
      .flatMap(({ finding, more }) => [
        `- ${code(placeOf(finding))}`,
        `  - expected ${code(finding.expected)}`,
        `  - got ${code(finding.actual)}`,
        ...(more === undefined ? [] : [`  - ${more}`]),
      ])
      .join("\n"),
    ...(others === "" ? [] : [others]),
    ...commands.flatMap(({ says, command, note }) => [
      `${says}:\n\n${codeBlock(command)}`,
      ...(note === undefined ? [] : [`(${plain(note)})`]),
    ]),
  ];
  const says = clauses.get(id)?.says;
  return folded(
    `${htmlCode(id)} (${failed} of ${plural(exercised, "exchange")})${says === undefined ? "" : `: ${sentenceHtml(says)}`}`,
    lines.filter((line) => line !== "").join("\n\n"),
  );
}
