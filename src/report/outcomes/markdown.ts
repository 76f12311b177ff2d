/** A table of outcomes in Markdown, for pull requests, job pages and READMEs: what is amiss first, the rest folded, bounded. */
import { printable, shortened } from "../clean.ts";
import { maxSummary } from "../markdown.ts";
import { code, codeBlock, folded, htmlCode, type Part, plain, cell as tableCode, within } from "../markdown-text.ts";
import { plural } from "../plural.ts";
import {
  byReason,
  concluded,
  countsText,
  extentOf,
  factRows,
  inOrder,
  isAlike,
  isAmiss,
  toneOf,
  toneSigns,
  wordOf,
  worstTone,
} from "./outline.ts";
import type { OutcomeCell, OutcomeExample, OutcomeGroup, OutcomeRow, OutcomeTable } from "./table.ts";

const [longestName, longestValue, longestCommand, longestList] = [40, 400, 5000, 4000];
const elsewhere = "report.html and results.json";

const nameOf = ({ name }: { readonly name: string }): string => tableCode(shortened(name, longestName));

/** @param most bytes of UTF-8 that it may take */
export function formatOutcomesMarkdown(table: OutcomeTable, most = maxSummary): string {
  const parts = table.columns.length === 1 ? table.groups.flatMap((group) => single(table, group)) : several(table);
  const troubles: Part = {
    title: "Stale known failures",
    items: table.columns.flatMap((column) => column.troubles.map((says) => `- ${plain(says)}`)),
  };
  return within(most, head(table), [...parts, troubles], elsewhere);
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const markdownTable = (first: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(first), row(first.map(() => "---")), ...rows.map(row)].join("\n");

function verdictOf(table: OutcomeTable, column: number): string {
  const { headline, says } = concluded(table, column);
  return `**${headline}**: ${plain(says)}`;
}

function head(table: OutcomeTable): string {
  const { columns, title, legend } = table;
  const names = columns.map(nameOf);
  const meanings = legend.map(({ outcome, says }) => `${plain(wordOf(outcome))}: ${plain(says)}`).join("<br/>\n");
  if (columns.length === 1) {
    const [{ facts }] = columns as [OutcomeTable["columns"][number]];
    const own = facts.map(([label, value]) => `- ${plain(label)}: ${code(value)}`).join("\n");
    return `# ${plain(title)}: ${names[0]}\n\n${verdictOf(table, 0)}\n\n${plain(countsText(table, 0))}\n\n${folded("How it was tested", `${own}\n\n${meanings}`)}\n`;
  }
  const facts = factRows(table).map(({ label, values, differs }) => [
    differs ? `**${plain(label)}**` : plain(label),
    ...values.map((value) => tableCode(value)),
  ]);
  const results = [
    ["verdict", ...columns.map((_column, i) => verdictOf(table, i))],
    ["outcomes", ...columns.map((_column, i) => plain(countsText(table, i)))],
  ];
  return `# ${plain(title)}\n\n${markdownTable(["", ...names], [...results, ...facts])}\n\n${folded("Legend", meanings)}\n`;
}

/** One sentence; those that ship with touchstone are short. */
const sentence = (says: string): string => plain(shortened(printable(says), longestValue));

/** What is amiss in a group, a fold for each reason; then all others by their outcome. */
function single(table: OutcomeTable, group: OutcomeGroup): Part[] {
  const rows = inOrder(table, group).map((one) => [one, one.cells[0]!] as const);
  const amiss = rows.flatMap(([one, cell]) => (isAmiss(toneOf(table, cell)) ? [one] : []));
  const byOutcome = new Map<string, string[]>();
  for (const [{ id }, cell] of rows.filter(([, one]) => !isAmiss(toneOf(table, one)))) {
    const key = `${toneSigns[toneOf(table, cell)].sign} ${cell.expected ? "known failure" : wordOf(cell.outcome)}`;
    const own = byOutcome.get(key);
    if (own) own.push(id);
    else byOutcome.set(key, [id]);
  }
  return [
    {
      title: plain(group.title),
      items: [
        ...byReason(group, amiss).map((block) =>
          block.length > 1 ? foldedBlock(table, group, block) : foldedRow(table, block[0]!, block[0]!.cells[0]!),
        ),
        ...[...byOutcome].map(([outcome, ids]) =>
          folded(`${plain(outcome)}: ${plural(ids.length, group.noun)}`, code(ids.join(", "), longestList)),
        ),
      ],
    },
  ];
}

function foldedRow(table: OutcomeTable, { id, says }: OutcomeRow, cell: OutcomeCell): string {
  const extent = extentOf(cell);
  const summary = `${toneSigns[toneOf(table, cell)].sign} ${plain(wordOf(cell.outcome))} ${htmlCode(id)}${extent && ` (${extent})`}: ${sentence(says)}`;
  const why = cell.why === undefined ? [] : [plain(cell.why)];
  return folded(summary, [...why, ...cell.examples.slice(0, 1).map(exampleText)].join("\n\n"));
}

/** The cases that went amiss for one reason, with an example of the first. */
function foldedBlock(table: OutcomeTable, { noun }: OutcomeGroup, block: readonly OutcomeRow[]): string {
  const { outcome, why = "", examples } = block[0]!.cells[0]!;
  const { sign } = toneSigns[toneOf(table, block[0]!.cells[0]!)];
  const summary = `${sign} ${plain(wordOf(outcome))} (${plural(block.length, noun)}): ${sentence(why)}`;
  const list = block.map(({ id, says }) => `- ${code(id)}: ${sentence(says)}`).join("\n");
  return folded(summary, [list, ...examples.slice(0, 1).map(exampleText)].join("\n\n"));
}

function exampleText({ title, why, excerpts, commands }: OutcomeExample): string {
  return [
    [
      `- ${code(title)}${why === undefined ? "" : `: ${plain(why)}`}`,
      ...excerpts.map(({ label, text }) => `  - ${plain(label)}: ${code(text, longestValue)}`),
    ].join("\n"),
    ...commands
      .filter(({ command }) => command.length <= longestCommand)
      .map(({ says, command }) => `${plain(says)}:\n\n${codeBlock(command)}`),
  ].join("\n\n");
}

/** The rows in which columns differ, those that are amiss in all of them, and all others, folded. */
function several(table: OutcomeTable): Part[] {
  const names = table.columns.map(nameOf);
  const part = (title: string, isTaken: (row: OutcomeRow) => boolean, isFolded: boolean): Part => ({
    title,
    items: table.groups.flatMap((group) => {
      const rows = inOrder(table, group).filter(isTaken);
      if (rows.length === 0) return [];
      const lines = rows.map(({ id, says, cells }) => [
        `${tableCode(id)}<br/>${sentence(says)}`,
        ...cells.map((cell) => (cell === null ? "" : cellText(table, cell))),
      ]);
      const own = markdownTable([plain(group.noun), ...names], lines);
      const title = `${plain(group.title)}: ${plural(rows.length, group.noun)}`;
      return [isFolded ? folded(title, own) : `### ${title}\n\n${own}`];
    }),
  });
  const amiss = (one: OutcomeRow): boolean => isAmiss(worstTone(table, one));
  return [
    part("Where they differ", (one) => !isAlike(one), false),
    part("Amiss in all of them", (one) => isAlike(one) && amiss(one), true),
    part("Alike, and nothing amiss", (one) => isAlike(one) && !amiss(one), true),
  ];
}

function cellText(table: OutcomeTable, cell: OutcomeCell): string {
  const tone = toneOf(table, cell);
  const extent = tone === "good" ? "" : extentOf(cell);
  return `${toneSigns[tone].sign} ${plain(wordOf(cell.outcome))}${extent && ` (${extent})`}${cell.expected ? ", known" : ""}`;
}
