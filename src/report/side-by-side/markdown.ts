/** Several targets side by side in Markdown, for a README or a comment: what differs first, folded by section, bounded. */
import { standings, standingWords } from "../../verdict/standing.ts";
import { xmlText } from "../clean.ts";
import { code, folded, htmlCode, type Part, plain, cell as tableCode, within } from "../markdown-text.ts";
import { placeOf } from "../outline.ts";
import { plural } from "../plural.ts";
import type { Agreement, Cell, Outcomes, Row, Section, SideBySide } from "./document.ts";
import {
  agreementSays,
  dateOf,
  extentOf,
  grouped,
  isWorthWhy,
  nameOf,
  outcomeSigns,
  unlikeSays,
  unlikeTitle,
} from "./words.ts";

/** Bytes: a comment of GitHub takes 65,536 characters. */
export const maxSideBySide = 60_000;
/** Characters of a value, and clauses of a section whose places are told. */
const [longestValue, maxTold] = [100, 20];

/**
 * The name and conclusion of each column, then rows by how the columns agree.
 * @param maxLength bytes of UTF-8 that it may take
 */
export function formatSideBySideMarkdown(document: SideBySide, maxLength = maxSideBySide): string {
  const { columns, agreement, sections } = document;
  const names = columns.map((column) => tableCode(nameOf(column)));
  const clauses = (one: Agreement): string[] =>
    sections.flatMap((section) => {
      const rows = section.rows.filter((row) => row.agreement === one);
      return rows.length > 0 ? [sectionOf(section, rows, names)] : [];
    });
  const parts: Part[] = [
    { title: `They differ on ${plural(agreement.differs, "clause")}`, items: clauses("differs") },
    {
      title: `Violated by all that have a verdict: ${plural(agreement.violated, "clause")}`,
      items: clauses("violated"),
    },
    { title: "What they are good for", items: outcomes([...document.features, ...document.clients], names) },
    { title: "Not answered as recorded", items: unanswered(document, names) },
    { title: "Sections", items: [folded("Clauses by verdict", sectionCounts(document, names))] },
    {
      title: `Enforced by some only: ${plural(agreement.enforcement, "rule")} on requests`,
      items: clauses("enforcement"),
    },
    { title: `Enforced by none: ${plural(agreement.unenforced, "rule")} on requests`, items: clauses("unenforced") },
  ];
  return within(maxLength, head(document, names), parts, "the page and the JSON of this comparison");
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    row(head),
    `|---|${head
      .slice(1)
      .map(() => ":-:|")
      .join("")}`,
    ...rows.map(row),
  ].join("\n");

function head({ columns, unlike, agreement, sections, touchstone }: SideBySide, names: readonly string[]): string {
  const shown = standings.filter((state) => columns.some(({ counts }) => counts[state] > 0));
  const facts = [
    ["target", ...columns.map(({ url }) => (url === null ? "the reference" : tableCode(url)))],
    ["asked at", ...columns.map((column) => plain(dateOf(column)))],
    [
      "verdict",
      ...columns.map(
        ({ says }) =>
          `**${says.replace(/[:,] .*|(?<=conforms) .*/, "")}**${/(?<=conforms) .*|[:,] .*/.exec(says)?.[0] ?? ""}`,
      ),
    ],
    ["clauses with a verdict", ...columns.map(({ shown: n, clauses }) => `${grouped(n)} of ${grouped(clauses)}`)],
    ...shown.map((state) => [
      `${standingWords[state].sign} ${standingWords[state].word}`,
      ...columns.map(({ counts }) => grouped(counts[state])),
    ]),
  ];
  const odd =
    unlike.length > 0
      ? `\n**${unlikeTitle}:**\n\n${table(
          ["", ...names, "so"],
          unlike.map((one) => [one.what, ...one.values.map((value) => tableCode(value)), unlikeSays(one)]),
        )}\n`
      : "";
  const legend = shown.map((state) => `${standingWords[state].sign} ${standingWords[state].means}`).join("<br/>\n");
  return `# ${plural(columns.length, "target")} side by side

${agreementSays({ agreement, sections })}.

${table(["", ...names], facts)}
${odd}
${folded("Legend", `${legend}\n\ntouchstone ${plain(touchstone)} judges observable conformance to three documents, not quality, safety, price or speed. A clause that no answer showed is untested, not passed.`)}
`;
}

/** A section, folded: its rows, and below them where each violation was seen first. */
function sectionOf({ interface: of, section }: Section, rows: readonly Row[], names: readonly string[]): string {
  const lead = `${of}.${section}.`;
  const lines = rows.map(({ clause, says, cells }) => [
    `${tableCode(clause.startsWith(lead) ? clause.slice(lead.length) : clause)}${says === null ? "" : `<br/>${xmlText(says)}`}`,
    ...cells.map(cellText),
  ]);
  const told = rows.slice(0, maxTold).flatMap((one) => placesIn(one, names));
  const more = rows.length > maxTold ? [`- and ${rows.length - maxTold} more clauses`] : [];
  const evidence = told.length > 0 ? `\n\n${folded("Where it was seen first", [...told, ...more].join("\n"))}` : "";
  return folded(
    `${htmlCode(`${of}/${section}`)}: ${plural(rows.length, "clause")}`,
    `${table(["clause", ...names], lines)}${evidence}`,
  );
}

const cellText = (cell: Cell): string => [standingWords[cell.state].sign, extentOf(cell)].filter(Boolean).join(" ");

/** A line for each column that violates the clause. */
function placesIn({ clause, cells }: Row, names: readonly string[]): string[] {
  const lines = cells.flatMap(({ state, places: [first] = [], why = [] }, column) =>
    first && state !== "pass"
      ? [
          `  - ${names[column]}: ${code(placeOf(first), longestValue)}: expected ${code(first.expected, longestValue)}, got ${code(first.actual, longestValue)}${state === "expected" && why.length > 0 ? ` (${plain(why.join(", "))})` : ""}`,
        ]
      : [],
  );
  return lines.length > 0 ? [`- ${code(clause)}`, ...lines] : [];
}

/** Features by interface and clients, folded: those in which the columns differ first. */
function outcomes(all: readonly Outcomes[], names: readonly string[]): string[] {
  const groups = new Map<string, Outcomes[]>();
  for (const one of all) {
    const of = one.name.includes("/") ? one.name.slice(0, one.name.indexOf("/")) : "clients";
    groups.set(of, [...(groups.get(of) ?? []), one]);
  }
  return [...groups].map(([of, own]) => {
    const ordered = [...own.filter(({ differs }) => differs), ...own.filter(({ differs }) => !differs)];
    const lines = ordered.map(({ name, cells }) => [
      tableCode(name.startsWith(`${of}/`) ? name.slice(of.length + 1) : name),
      ...cells.map((one) =>
        one === null
          ? standingWords.unasked.sign
          : `${outcomeSigns[one.outcome] ?? ""} ${plain(isWorthWhy(one) ? `${one.outcome}: ${one.why}` : one.outcome)}`.trim(),
      ),
    ]);
    return folded(
      `${htmlCode(of)}: ${plural(ordered.filter(({ differs }) => differs).length, "difference")} of ${own.length}`,
      table([of === "clients" ? "client" : "feature", ...names], lines),
    );
  });
}

function unanswered({ unanswered: rows }: SideBySide, names: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ operation, cells }) => [
    tableCode(operation),
    ...cells.map((one) =>
      one === null
        ? standingWords.pass.sign
        : `${standingWords[one.expected ? "expected" : "fail"].sign} ${plural(one.requests, "request")}`,
    ),
  ]);
  const firsts = rows.flatMap(({ cells }) =>
    cells.flatMap((one, column) => (one ? [`- ${names[column]}: ${code(one.first, 2 * longestValue)}`] : [])),
  );
  return [`${table(["operation", ...names], lines)}\n\n${folded("The first of each", firsts.join("\n"))}`];
}

const sectionCounts = ({ sections }: SideBySide, names: readonly string[]): string =>
  table(
    ["section", ...names],
    sections.map(({ interface: of, section, counts }) => [
      tableCode(`${of}/${section}`),
      ...counts.map(
        (own) =>
          standings
            .filter((state) => state !== "unasked" && own[state] > 0)
            .map((state) => `${standingWords[state].sign}&nbsp;${own[state]}`)
            .join(" ") || standingWords.unasked.sign,
      ),
    ]),
  );
