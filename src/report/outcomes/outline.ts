/** What every report says of a table of outcomes: how cells weigh, in which order rows stand, how columns agree, and what each comes to. */
import type { ExitCode } from "../../verdict/outcome.ts";
import { plural } from "../plural.ts";
import type { OutcomeCell, OutcomeGroup, OutcomeRow, OutcomeTable, Tone } from "./table.ts";

/** The outcome of a row at which touchstone itself failed. */
export const brokenOutcome = "broken";

/** `not shown` of `not-shown`. */
export const wordOf = (outcome: string): string => outcome.replaceAll("-", " ");

/** How a cell looks: what weighs nothing looks as its outcome says, a known failure weighs nothing any more. */
export function toneOf({ legend }: Pick<OutcomeTable, "legend">, cell: OutcomeCell): Tone {
  if (cell.outcome === brokenOutcome) return "bad";
  if (cell.expected) return "quiet";
  if (cell.level === "error") return "bad";
  if (cell.level === "warning") return "warn";
  return legend.find(({ outcome }) => outcome === cell.outcome)?.tone === "good" ? "good" : "quiet";
}

/** A character for each tone, so that none is told by its colour alone, and its sign in tables of Markdown. */
export const toneSigns: Readonly<Record<Tone, { readonly mark: string; readonly sign: string }>> = {
  bad: { mark: "✗", sign: "❌" },
  warn: { mark: "!", sign: "⚠️" },
  quiet: { mark: "–", sign: "➖" },
  good: { mark: "✓", sign: "✅" },
};

export const isAmiss = (tone: Tone): boolean => tone === "bad" || tone === "warn";

const toneRank: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, quiet: 2, good: 3 };

/** Compares cells, the worst first; what a column does not have comes last. */
function byWeight(table: Pick<OutcomeTable, "legend">) {
  const rank = new Map(table.legend.map(({ outcome }, i) => [outcome, i]));
  const weight = (cell: OutcomeCell | null): number =>
    cell === null
      ? Number.POSITIVE_INFINITY
      : toneRank[toneOf(table, cell)] * (rank.size + 1) + (rank.get(cell.outcome) ?? rank.size);
  return weight;
}

/** Whether every column that has the row says the same of it. */
export const isAlike = ({ cells }: OutcomeRow): boolean =>
  new Set(cells.flatMap((cell) => (cell === null ? [] : [`${cell.outcome} ${cell.level}`]))).size <= 1;

/** The group with its rows in the order in which people read them: what differs first, then the worst. */
export function inOrder(table: OutcomeTable, group: OutcomeGroup): readonly OutcomeRow[] {
  const weight = byWeight(table);
  const worst = ({ cells }: OutcomeRow): number => Math.min(...cells.map(weight));
  const several = table.columns.length > 1;
  return group.rows
    .map((row) => ({ row, alike: several && isAlike(row) ? 1 : 0, worst: worst(row) }))
    .sort((a, b) => a.alike - b.alike || a.worst - b.worst)
    .map(({ row }) => row);
}

/**
 * Rows of a group with one column, put together by what they come to and why: numbers aside, one reason is one block.
 * Only cases have reasons that several share.
 */
export function byReason({ noun }: OutcomeGroup, rows: readonly OutcomeRow[]): readonly (readonly OutcomeRow[])[] {
  const blocks = new Map<string, OutcomeRow[]>();
  for (const row of rows) {
    const { outcome, level, why } = row.cells[0]!;
    const reason = noun === "case" && why !== undefined ? why.replace(/\d+(?:\.\d+)?/g, "#") : row.id;
    const key = JSON.stringify([outcome, level, reason]);
    const block = blocks.get(key);
    if (block) block.push(row);
    else blocks.set(key, [row]);
  }
  return [...blocks.values()];
}

/** The worst tone of a row. */
export function worstTone(table: OutcomeTable, { cells }: OutcomeRow): Tone {
  const tones = cells.flatMap((cell) => (cell === null ? [] : [toneOf(table, cell)]));
  return tones.sort((a, b) => toneRank[a] - toneRank[b])[0] ?? "quiet";
}

/** Cells of a column, group by group. */
export const cellsOf = ({ groups }: OutcomeTable, column: number): OutcomeCell[] =>
  groups.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells[column] ?? []));

/** Rows by what they come to in a column, the worst first; known failures apart. */
export function outcomeCounts(table: OutcomeTable, column: number, groups = table.groups): [string, number][] {
  const counts = new Map(table.legend.map(({ outcome }) => [outcome, 0]));
  for (const { outcome } of cellsOf({ ...table, groups }, column)) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 0);
}

/** `facts: 1 dropped, 12 kept; clauses: 300 holds`; one part where rows are all of one kind. */
export function countsText(table: OutcomeTable, column: number): string {
  const nouns = [...new Set(table.groups.map(({ noun }) => noun))];
  const parts = nouns.map((noun) => {
    const groups = table.groups.filter((group) => group.noun === noun);
    const counts = outcomeCounts(table, column, groups).map(([outcome, count]) => `${count} ${wordOf(outcome)}`);
    return `${noun}s: ${counts.join(", ") || "none"}`;
  });
  return parts.join("; ");
}

export interface OutcomeConclusion {
  /** `loses` where nothing fails, and yet facts are lost or changed on their way. */
  readonly state: "incomplete" | "broken" | "fails" | "loses" | "conforms";
  /** The state in a few words: `Loses 1 of 34`. */
  readonly headline: string;
  /** One sentence, without a full stop. */
  readonly says: string;
  readonly failing: number;
  readonly warned: number;
  /** Known failures. */
  readonly excused: number;
}

/** What troubles of each kind are: gateways that ended, or known failures that no longer fail. */
const troublesText = (kind: OutcomeTable["kind"], count: number): string =>
  kind === "gateway" ? `the gateway ended ${plural(count, "time")}` : plural(count, "stale known failure");

/** What a column comes to. */
export function concluded(table: OutcomeTable, column: number): OutcomeConclusion {
  const { complete, troubles } = table.columns[column]!;
  const cells = cellsOf(table, column);
  const tones = cells.map((cell) => toneOf(table, cell));
  const failing = cells.filter((cell, i) => tones[i] === "bad" && cell.outcome !== brokenOutcome).length;
  const warned = tones.filter((tone) => tone === "warn").length;
  const excused = cells.filter(({ expected }) => expected).length;
  const counts = { failing, warned, excused };
  const incomplete = { ...counts, state: "incomplete", headline: "Incomplete" } as const;
  if (!complete) return { ...incomplete, says: "it was broken off" };
  if (cells.some(({ outcome }) => outcome === brokenOutcome))
    return { ...counts, state: "broken", headline: "Broken", says: "touchstone itself failed" };
  if (failing + troubles.length > 0) {
    const failures = table.groups.flatMap(({ noun, rows }) => {
      const own = rows.filter(({ cells: row }) => row[column] && toneOf(table, row[column]) === "bad").length;
      return own === 0 ? [] : [[noun, own] as const];
    });
    const byNoun = new Map<string, number>();
    for (const [noun, own] of failures) byNoun.set(noun, (byNoun.get(noun) ?? 0) + own);
    const reasons = [...byNoun].map(([noun, own]) => `${plural(own, noun)} ${own === 1 ? "fails" : "fail"}`);
    return {
      ...counts,
      state: "fails",
      headline: "Does not conform",
      says: [...reasons, ...(troubles.length > 0 ? [troublesText(table.kind, troubles.length)] : [])].join(", "),
    };
  }
  if (tones.every((tone) => tone === "quiet") && excused === 0) return { ...incomplete, says: "nothing was shown" };
  const facts = cellsOf({ ...table, groups: table.groups.filter(({ noun }) => noun === "fact") }, column);
  const lost = facts.filter((cell) => toneOf(table, cell) === "warn");
  const others = warned - lost.length;
  const but = [
    ...(others > 0 ? [plural(others, "warning")] : []),
    ...(excused > 0 ? [plural(excused, "known failure")] : []),
  ].join(", ");
  const nothingFails = but === "" ? "nothing fails" : `nothing fails; ${but}`;
  if (lost.length === 0) return { ...counts, state: "conforms", headline: "Conforms", says: nothingFails };
  const shown = facts.filter(({ outcome }) => outcome !== "not-shown").length;
  const ways = table.legend.flatMap(({ outcome }) => {
    const own = lost.filter((cell) => cell.outcome === outcome).length;
    return own === 0 ? [] : [`${own} ${wordOf(outcome)}`];
  });
  return {
    ...counts,
    state: "loses",
    headline: `Loses ${lost.length} of ${shown}`,
    says: `facts: ${ways.join(", ")}; ${nothingFails}`,
  };
}

/** `DOES NOT CONFORM: 1 fact fails`, as text without colours says it: what is not well stands out by capitals. */
export const verdictText = ({ state, headline, says }: OutcomeConclusion): string =>
  `${state === "conforms" ? headline.toLowerCase() : headline.toUpperCase()}: ${says}`;

/** The colour of each state in a terminal. */
export const stateColors = {
  conforms: "green",
  loses: "yellow",
  fails: "red",
  incomplete: "red",
  broken: "red",
} as const;

/** `0` nothing fails, `1` something does, `2` broken off, or touchstone failed. */
export function outcomeExitCode(table: OutcomeTable): ExitCode {
  const states = table.columns.map((_column, i) => concluded(table, i).state);
  if (states.some((state) => state === "incomplete" || state === "broken")) return 2;
  return states.includes("fails") ? 1 : 0;
}

/** `3 of 14`; empty where there is nothing to count. */
export const extentOf = ({ count, of }: OutcomeCell): string =>
  count === undefined ? "" : of === undefined ? String(count) : `${count} of ${of}`;

/** Facts of columns by label, in the order in which columns name them; empty where one has none. */
export function factRows({
  columns,
}: Pick<OutcomeTable, "columns">): { readonly label: string; readonly values: string[]; readonly differs: boolean }[] {
  const labels = [...new Set(columns.flatMap(({ facts }) => facts.map(([label]) => label)))];
  return labels.map((label) => {
    const values = columns.map(({ facts }) => facts.find(([own]) => own === label)?.[1] ?? "");
    return { label, values, differs: new Set(values).size > 1 };
  });
}
