/** A table of outcomes for a terminal: of one gateway or client what is amiss with an example each, of several where they differ. */
import { printable, shortened } from "../clean.ts";
import { type Paint, painter } from "../paint.ts";
import { plural } from "../plural.ts";
import { cutTo } from "../terminal/width.ts";
import { table as textTable } from "../text-table.ts";
import {
  concluded,
  countsText,
  extentOf,
  factRows,
  inOrder,
  isAlike,
  isAmiss,
  stateColors,
  toneOf,
  toneSigns,
  verdictText,
  wordOf,
  worstTone,
} from "./outline.ts";
import type { OutcomeCell, OutcomeExample, OutcomeGroup, OutcomeRow, OutcomeTable } from "./table.ts";

export interface OutcomeTextOptions {
  /** ANSI colours; off unless asked for. */
  readonly color?: boolean;
  /** Whether rows that are as they should be are listed, and every example. */
  readonly verbose?: boolean;
}

/** Columns that a line takes, but for commands, which have to be whole. */
const columns = 100;
const [maxNameLength, maxCommandLength] = [40, 5000];

const colors = { bad: "red", warn: "yellow", quiet: "dim", good: "green" } as const;

const cut = (text: string, width = columns): string => cutTo(printable(text), width);

/** What the table says, and one line a column that sums it up. */
export function formatOutcomes(
  table: OutcomeTable,
  { color = false, verbose = false }: OutcomeTextOptions = {},
): string {
  const paint = painter(color);
  const blocks =
    table.columns.length === 1
      ? [heading(table, paint), ...table.groups.map((group) => groupText(table, group, verbose, paint))]
      : sideBySide(table, verbose, paint);
  return `${[...blocks.filter((block) => block !== ""), ...troubles(table, paint), summary(table, paint)].join("\n\n")}\n`;
}

function heading(table: OutcomeTable, paint: Paint): string {
  const [{ name, facts }] = table.columns as [OutcomeTable["columns"][number]];
  const lines = textTable(
    [],
    facts.map(([label, value]) => [`  ${label}`, value]),
  );
  return `${paint(`${printable(table.title)}: ${cut(name)}`, "bold")}\n${paint(lines, "dim")}`;
}

/** What is amiss, one block a row; what is not, a line an outcome. */
function groupText(table: OutcomeTable, group: OutcomeGroup, verbose: boolean, paint: Paint): string {
  const rows = inOrder(table, group).map((row) => [row, row.cells[0]!] as const);
  const isTold = (cell: OutcomeCell): boolean => isAmiss(toneOf(table, cell));
  const width = Math.max(0, ...table.legend.map(({ outcome }) => outcome.length));
  const told = rows.filter(([, cell]) => isTold(cell));
  const others = rows.filter(([, cell]) => !isTold(cell));
  return [
    paint(printable(group.title), "bold"),
    ...told.map(([row, cell]) => rowText(table, row, cell, { width, verbose, paint })),
    ...quietLines(table, group, others, { width, verbose, paint }),
  ].join("\n");
}

interface Look {
  /** Characters of the longest outcome. */
  readonly width: number;
  readonly verbose: boolean;
  readonly paint: Paint;
}

function titleText(table: OutcomeTable, { id }: OutcomeRow, cell: OutcomeCell, { width, paint }: Look): string {
  const tone = toneOf(table, cell);
  const extent = extentOf(cell);
  const known = cell.expected ? `known failure: ${cell.expected.reason}` : "";
  const end = [extent, known].filter(Boolean).join(", ");
  return `${paint(`${toneSigns[tone].mark} ${printable(wordOf(cell.outcome)).padEnd(width)}`, colors[tone])}  ${paint(printable(id), "bold")}${end && `  ${paint(printable(`(${end})`), "dim")}`}`;
}

function rowText(table: OutcomeTable, row: OutcomeRow, cell: OutcomeCell, look: Look): string {
  const examples = look.verbose ? cell.examples : cell.examples.slice(0, 1);
  const own = cell.why ?? "";
  return [
    titleText(table, row, cell, look),
    `    ${cut(row.says, columns - 4)}`,
    ...(own !== "" ? [`    ${cut(own, columns - 4)}`] : []),
    ...examples.flatMap((example) => exampleLines(example, own, look.paint)),
  ].join("\n");
}

/** @param said what stands above already */
function exampleLines({ title, why = "", excerpts, commands }: OutcomeExample, said: string, paint: Paint): string[] {
  const width = Math.max(0, ...excerpts.map(({ label }) => label.length));
  return [
    `    ${paint(cut(title, columns - 4), "dim")}`,
    ...(why !== "" && why !== said ? [`      ${cut(why, columns - 6)}`] : []),
    ...excerpts.map(({ label, text }) => `      ${printable(label).padEnd(width)}  ${cut(text, columns - 8 - width)}`),
    ...commands.flatMap(({ says, command }) => [
      paint(`      ${printable(says)}:`, "dim"),
      ...shortened(command, maxCommandLength)
        .split("\n")
        .map((line) => `        ${printable(line)}`),
    ]),
  ];
}

/** What nothing is held against: ids by outcome, or how many there are of each. */
function quietLines(
  table: OutcomeTable,
  { noun }: OutcomeGroup,
  rows: readonly (readonly [OutcomeRow, OutcomeCell])[],
  look: Look,
): string[] {
  if (look.verbose) return rows.map(([row, cell]) => titleText(table, row, cell, look));
  const byOutcome = new Map<string, (readonly [OutcomeRow, OutcomeCell])[]>();
  for (const pair of rows) {
    const key = pair[1].expected ? "known failure" : pair[1].outcome;
    const own = byOutcome.get(key);
    if (own) own.push(pair);
    else byOutcome.set(key, [pair]);
  }
  return [...byOutcome].map(([outcome, own]) => {
    const tone = toneOf(table, own[0]![1]);
    const lead = `${toneSigns[tone].mark} ${printable(wordOf(outcome)).padEnd(look.width)}`;
    const ids = own.map(([{ id }]) => id).join(", ");
    const count = plural(own.length, noun);
    return `${look.paint(lead, colors[tone])}  ${count}: ${cut(ids, columns - look.width - count.length - 6)}`;
  });
}

const troubles = ({ columns: own }: OutcomeTable, paint: Paint): string[] => {
  const lines = own.flatMap(({ name, troubles: sentences }) =>
    sentences.map(
      (sentence) =>
        `${paint("STALE", "red")} ${own.length > 1 ? `${cut(name, maxNameLength)}: ` : ""}${printable(sentence)}`,
    ),
  );
  return lines.length > 0 ? [lines.join("\n")] : [];
};

function summary(table: OutcomeTable, paint: Paint): string {
  const several = table.columns.length > 1;
  return table.columns
    .map(({ name }, i) => {
      const conclusion = concluded(table, i);
      return `${several ? `${cut(name, maxNameLength)}: ` : ""}${paint(printable(verdictText(conclusion)), stateColors[conclusion.state])}\n${several ? "  " : ""}${printable(countsText(table, i))}`;
    })
    .join("\n");
}

/** An outcome in a table of text, where what is bad stands out by capitals. */
function cellText(table: OutcomeTable, cell: OutcomeCell | null): string {
  if (cell === null) return "";
  const word = wordOf(cell.outcome);
  const tone = toneOf(table, cell);
  const extent = tone === "good" ? "" : extentOf(cell);
  return [tone === "bad" ? word.toUpperCase() : word, extent && `(${extent})`, cell.expected ? "known" : ""]
    .filter(Boolean)
    .join(" ");
}

/** What the columns are, the rows in which they differ, those that are amiss in all of them alike, and how many others there are. */
function sideBySide(table: OutcomeTable, verbose: boolean, paint: Paint): string[] {
  const names = table.columns.map(({ name }) => shortened(name, maxNameLength));
  const facts = factRows(table).map(({ label, values, differs }) => [differs ? `${label} *` : label, ...values]);
  const groups = table.groups.flatMap((group) => {
    const shown = inOrder(table, group).filter((row) => verbose || !isAlike(row) || isAmiss(worstTone(table, row)));
    const left = group.rows.length - shown.length;
    const lines = shown.map((row) => [row.id, ...row.cells.map((cell) => cellText(table, cell))]);
    return [
      [
        ...(lines.length > 0 ? [textTable([group.title, ...names], lines)] : [printable(group.title)]),
        ...(left > 0 ? [paint(`  ${plural(left, group.noun)} alike in all columns, and nothing amiss`, "dim")] : []),
      ].join("\n"),
    ];
  });
  const seen = new Set(
    table.groups.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.outcome ?? []))),
  );
  const legend = table.legend
    .filter(({ outcome }) => seen.has(outcome))
    .map(({ outcome, says }) => [wordOf(outcome), says]);
  return [paint(printable(table.title), "bold"), textTable(["", ...names], facts), ...groups, textTable([], legend)];
}
