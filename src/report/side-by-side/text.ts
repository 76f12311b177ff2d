/** Several targets side by side, for a terminal: what each is and comes to, sections, the clauses on which they differ, evidence. */
import { isShown, type Standing, type StandingCounts, standings, standingWords } from "../../verdict/standing.ts";
import { printable } from "../clean.ts";
import { placeOf } from "../outline.ts";
import { plural } from "../plural.ts";
import { table } from "../text-table.ts";
import { aheadOf } from "./ahead.ts";
import type { Outcomes, Row, SideBySide } from "./document.ts";
import { agreementSays, dateOf, extentOf, grouped, isWorthWhy, nameOf, unlikeTitle } from "./words.ts";

/** A standing in a table of text, where what is bad stands out by capitals. */
const wordOf = (standing: Standing): string =>
  standing === "unasked"
    ? "-"
    : standing === "fail" || standing === "broken"
      ? standing.toUpperCase()
      : standingWords[standing].word;

/** Advice on rows that only a longer report lists. */
const elsewhere = "--format markdown, html and json list them";

export function formatSideBySide(document: SideBySide): string {
  const { columns, unlike, agreement } = document;
  const names = columns.map(nameOf);
  const rows = document.sections.flatMap((section) => section.rows);
  const differing = rows.filter(({ agreement: own }) => own === "differs");
  const violated = rows.filter(({ agreement: own }) => own === "violated");
  const outcomes = [...document.features, ...document.clients].filter(({ differs }) => differs);
  const blocks = [
    table(["", ...names], factsOf(document)),
    ...(unlike.length > 0
      ? [
          `${unlikeTitle}:\n${table(
            ["", ...names],
            unlike.map(({ what, values }) => [what, ...values]),
          )}`,
        ]
      : []),
    ...(outcomes.length > 0
      ? [
          table(
            ["feature or client", ...names],
            outcomes.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.outcome ?? "-")]),
          ),
        ]
      : []),
    ...(differing.length > 0
      ? [`They differ on ${plural(differing.length, "clause")}:\n${clauseTable(differing, names)}`]
      : []),
    ...differing.map((row) => evidence(row, names)),
    ...(document.unanswered.length > 0
      ? [
          table(
            ["not answered as recorded", ...names],
            document.unanswered.map(({ operation, cells }) => [
              operation,
              ...cells.map((one) =>
                one ? `${plural(one.requests, "request")}${one.expected ? ", known failure" : ""}` : "-",
              ),
            ]),
          ),
        ]
      : []),
    ...(violated.length > 0
      ? [`Violated by all that have a verdict, ${plural(violated.length, "clause")}:\n${clauseTable(violated, names)}`]
      : []),
    ...(agreement.enforcement + agreement.unenforced > 0
      ? [
          `Rules on requests: ${agreement.enforcement} enforced by some only, ${agreement.unenforced} by none that was asked (${elsewhere})`,
        ]
      : []),
    ...outcomes.flatMap((one) => reasons(one, names)),
    ...sectionsTable(document, names),
    legend(document),
    agreementSays(document),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The sections that come to something else in some column, and how many do not. */
function sectionsTable({ sections }: SideBySide, names: readonly string[]): string[] {
  const rows = sections.map(({ interface: of, section, counts }) => [`${of}/${section}`, ...counts.map(countsText)]);
  const differing = rows.filter(([, first, ...others]) => others.some((other) => other !== first));
  const alike = rows.length - differing.length;
  return [
    ...(differing.length > 0 ? [table(["section", ...names], differing)] : []),
    ...(alike > 0 ? [`${plural(alike, "section")} with the same counts in all columns: hidden (${elsewhere})`] : []),
  ];
}

/** Why a feature or a client does not just work, a line a column. */
function reasons({ name, cells }: Outcomes, names: readonly string[]): string[] {
  const lines = cells.flatMap((cell, column) =>
    cell && isWorthWhy(cell) ? [`  ${names[column]}: ${printable(cell.outcome)}: ${printable(cell.why)}`] : [],
  );
  return lines.length > 0 ? [[printable(name), ...lines].join("\n")] : [];
}

function factsOf(document: SideBySide): string[][] {
  const { columns } = document;
  const ahead = aheadOf(document);
  const each = (of: (column: SideBySide["columns"][number]) => string): string[] => columns.map(of);
  const shown = standings.filter((state) => state !== "unasked" && columns.some(({ counts }) => counts[state] > 0));
  return [
    ["target", ...each(({ url }) => url ?? "reference")],
    ["asked at", ...each(dateOf)],
    [
      "verdict",
      ...each(({ standing: { state }, admitted }) =>
        state === "conforms" && admitted > 0 ? "conforms, with known failures" : state,
      ),
    ],
    ["clauses with a verdict", ...each(({ shown: n, clauses }) => `${grouped(n)} of ${grouped(clauses)}`)],
    ...shown.map((state) => [`  ${wordOf(state)}`, ...each(({ counts }) => grouped(counts[state]))]),
    ...(ahead.length > 0 ? [["better than another on", ...columns.map(() => "")]] : []),
    ...ahead.map(({ what, counts }) => [`  ${what}`, ...counts.map(grouped)]),
  ];
}

/** `85 pass, 1 FAIL`: what a section comes to. */
function countsText(counts: StandingCounts): string {
  const told = standings.filter((state) => state !== "unasked" && (state === "pass" || counts[state] > 0));
  if (told.length === 1 && counts.pass === 0) return wordOf("unasked");
  const judged = standings.filter((state) => isShown(state) && counts[state] > 0).length > 0;
  return told
    .filter((state) => judged || state !== "pass")
    .map((state) => `${counts[state]} ${wordOf(state)}`)
    .join(", ");
}

const clauseTable = (rows: readonly Row[], names: readonly string[]): string =>
  table(
    ["clause", ...names],
    rows.map(({ clause, cells }) => [
      clause,
      ...cells.map((cell) => [wordOf(cell.state), extentOf(cell)].filter(Boolean).join(" ")),
    ]),
  );

/** The sentence, and where each column that violates it does so first. */
function evidence({ clause, says, cells }: Row, names: readonly string[]): string {
  const lines = cells.flatMap(({ places = [], state }, column) => {
    const [first] = places;
    if (!first || state === "pass") return [];
    return [
      `  ${names[column]}: ${printable(placeOf(first))}`,
      `    expected  ${printable(first.expected)}`,
      `    actual    ${printable(first.actual)}`,
    ];
  });
  return [printable(clause), ...(says === null ? [] : [`  ${says}`]), ...lines].join("\n");
}

function legend({ sections }: SideBySide): string {
  const seen = new Set(sections.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.map(({ state }) => state))));
  return table(
    [],
    standings.filter((state) => seen.has(state)).map((state) => [wordOf(state), standingWords[state].means]),
  );
}
