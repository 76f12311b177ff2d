/** A run against a client for a terminal: one line for each case that went amiss, the worst first, and one that sums up. */
import { printable } from "../clean.ts";
import { type Paint, painter } from "../paint.ts";
import { plural } from "../plural.ts";
import { concluded, countsText, inOrder, stateColors, toneOf, toneSigns, verdictText, wordOf } from "./outline.ts";
import type { OutcomeGroup, OutcomeTable, Tone } from "./table.ts";

const colors = { bad: "red", warn: "yellow", quiet: "dim", good: "green" } as const;

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
    if (tone === "bad" || tone === "warn") continue;
    const word = cell.expected ? "known failure" : wordOf(cell.outcome);
    const known = counts.get(word) ?? { tone, count: 0 };
    counts.set(word, { tone, count: known.count + 1 });
  }
  return [...counts].map(([word, { tone, count }]) =>
    paint(`${toneSigns[tone].mark} ${word.padEnd(12)}  ${plural(count, group.noun)}`, colors[tone]),
  );
}

function groupText(table: OutcomeTable, group: OutcomeGroup, paint: Paint): string {
  const rows = inOrder(table, group).filter(({ cells }) => {
    const tone = toneOf(table, cells[0]!);
    return tone === "bad" || tone === "warn";
  });
  const width = Math.max(0, ...rows.map(({ id }) => id.length));
  const lines = rows.flatMap(({ id, says, cells }) => {
    const { outcome, why } = cells[0]!;
    const tone = toneOf(table, cells[0]!);
    const head = paint(`${toneSigns[tone].mark} ${wordOf(outcome).padEnd(12)}`, colors[tone]);
    const line = `${head}  ${id.padEnd(width)}  ${printable(why ?? says)}`;
    // The sentence of what fails, since its id alone does not say what the answer was.
    return tone === "bad" && why !== undefined ? [line, paint(`    ${printable(says)}`, "dim")] : [line];
  });
  return [paint(group.title, "bold"), ...lines, ...restText(table, group, paint)].join("\n");
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
