/** A run against a client for a terminal: a block for each reason for which cases went amiss, the worst first, and one line that sums up. */
import { printable } from "../clean.ts";
import { type Paint, painter } from "../paint.ts";
import { plural } from "../plural.ts";
import {
  byReason,
  concluded,
  countsText,
  inOrder,
  isAmiss,
  stateColors,
  toneOf,
  toneSigns,
  verdictText,
  wordOf,
} from "./outline.ts";
import type { OutcomeGroup, OutcomeRow, OutcomeTable, Tone } from "./table.ts";

const colors = { bad: "red", warn: "yellow", quiet: "dim", good: "green" } as const;

/** Columns of a list of ids, and cases of one reason that are told with their sentences. */
const [columns, maxSentences] = [92, 8];

/** What to do about cases that went amiss. */
const advice = "--verbose explains each case, and prints the commands that try it again.";

const isAllWell = (table: OutcomeTable): boolean =>
  table.groups.every(({ rows }) => rows.every(({ cells }) => ["good", "quiet"].includes(toneOf(table, cells[0]!))));

/** Rows of an outcome that need no attention: how many they are. */
function restText(table: OutcomeTable, group: OutcomeGroup, paint: Paint): string[] {
  const counts = new Map<string, { tone: Tone; count: number }>();
  for (const { cells } of inOrder(table, group)) {
    const cell = cells[0]!;
    const tone = toneOf(table, cell);
    if (isAmiss(tone)) continue;
    const word = cell.expected ? "known failure" : wordOf(cell.outcome);
    const known = counts.get(word) ?? { tone, count: 0 };
    counts.set(word, { tone, count: known.count + 1 });
  }
  return [...counts].map(([word, { tone, count }]) =>
    paint(`${toneSigns[tone].mark} ${word.padEnd(12)}  ${plural(count, group.noun)}`, colors[tone]),
  );
}

function groupText(table: OutcomeTable, group: OutcomeGroup, paint: Paint): string {
  const rows = inOrder(table, group).filter(({ cells }) => isAmiss(toneOf(table, cells[0]!)));
  const blocks = byReason(group, rows);
  const nameOf = (block: readonly OutcomeRow[]): string =>
    block.length > 1 ? plural(block.length, group.noun) : block[0]!.id;
  const width = Math.max(0, ...blocks.map((block) => nameOf(block).length));
  const lines = blocks.flatMap((block) => {
    const [{ says, cells }] = block as [OutcomeRow];
    const { outcome, why } = cells[0]!;
    const tone = toneOf(table, cells[0]!);
    const head = paint(`${toneSigns[tone].mark} ${wordOf(outcome).padEnd(12)}`, colors[tone]);
    const line = `${head}  ${nameOf(block).padEnd(width)}  ${printable(why ?? says)}`;
    const fails = tone === "bad";
    if (block.length > 1) return [line, ...blockText(block, fails).map((one) => paint(`    ${one}`, "dim"))];
    // The sentence of what fails, since its id alone does not say what the answer was.
    return fails && why !== undefined ? [line, paint(`    ${printable(says)}`, "dim")] : [line];
  });
  return [paint(group.title, "bold"), ...lines, ...restText(table, group, paint)].join("\n");
}

/** The cases of one reason: with their sentences if they fail and are few, else their ids alone. */
function blockText(block: readonly OutcomeRow[], fails: boolean): string[] {
  if (fails && block.length <= maxSentences) {
    const width = Math.max(...block.map(({ id }) => id.length));
    return block.map(({ id, says }) => `${id.padEnd(width)}  ${printable(says)}`);
  }
  const lines: string[] = [];
  for (const { id } of block) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + id.length < columns) lines[lines.length - 1] = `${last}, ${id}`;
    else lines.push(id);
  }
  return lines;
}

/** @param table with one column */
export function formatClient(table: OutcomeTable, color = false): string {
  const paint = painter(color);
  const [{ name, troubles }] = table.columns as [OutcomeTable["columns"][number]];
  const conclusion = concluded(table, 0);
  const blocks = [
    paint(`Client: ${printable(name)}`, "bold"),
    ...table.groups.map((group) => groupText(table, group, paint)),
    ...(troubles.length > 0 ? [troubles.map((one) => `${toneSigns.bad.mark} ${printable(one)}`).join("\n")] : []),
    `${paint(printable(verdictText(conclusion)), stateColors[conclusion.state])}\n${countsText(table, 0)}${isAllWell(table) ? "" : `\n${advice}`}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}
