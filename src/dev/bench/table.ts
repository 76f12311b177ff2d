/** Tables of benchmarks: what they measure, in rounds, and how they are printed. */

/** One thing measured. */
export interface Contender {
  readonly name: string;
  /** Runs once; returns a number for each column, or nothing to have its milliseconds taken from outside. */
  readonly run: () => Measured | Promise<Measured>;
  /** A note at the end. */
  readonly note?: () => string;
}
type Measured = readonly number[] | number | void;

export interface Table {
  /** The same in every run: `BENCHMARKS.md` knows the table by it. */
  readonly title: string;
  /** How it was measured, in a sentence. */
  readonly method: string;
  readonly rounds: number;
  /** The columns that `run` returns, `ms` by default. */
  readonly columns?: readonly string[];
  /** Whose first column the others' first columns are compared with: the first contender, unless named; none if null. */
  readonly base?: string | null;
  readonly contenders: readonly Contender[];
  /** Names of those that could be measured and are not there. */
  readonly missing?: readonly string[];
  readonly close?: () => Promise<void>;
}

/** A `*.bench.ts` exports this. A table is opened when its turn comes. */
export type Bench = () => Promise<readonly (Table | Entry)[]>;
export interface Entry {
  readonly title: string;
  readonly open: () => Promise<Omit<Table, "title">>;
}

/** Milliseconds of processor time that something takes, which other processes change less than what the clock says. */
export function processorMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The value in the middle, or at another fraction of the way. */
export const quantile = (values: readonly number[], at = 0.5): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? Number.NaN;

/** The measurements of every round, by contender and column. A first round warms up and is not counted, unless it is the only one. */
export async function measure({ contenders, rounds }: Omit<Table, "title">): Promise<(readonly number[])[][]> {
  const all: (readonly number[])[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [i, { run }] of contenders.entries()) {
      const start = process.hrtime.bigint();
      const measured = await run();
      const passed = Number(process.hrtime.bigint() - start) / 1e6;
      if (round > 0 || rounds === 0) all[i]!.push(typeof measured === "object" ? measured : [measured ?? passed]);
    }
  return all;
}

const spell = (value: number): string => value.toFixed(Math.abs(value) < 100 ? 2 : 0);

/** A table in Markdown, with its heading and its method. */
export function render(title: string, table: Omit<Table, "title">, all: (readonly number[])[][]): string {
  const { columns = ["ms"], base, method, rounds, contenders } = table;
  const noted = contenders.some(({ note }) => note);
  const headings = ["", ...columns, ...(base === null ? [] : ["ratio"]), ...(noted ? [""] : [])];
  return [
    `### ${title}`,
    "",
    `${method}${rounds > 0 ? ` Median of ${rounds} rounds.` : ""}`,
    "",
    `| ${headings.join(" | ")} |`,
    `|${"---|".repeat(headings.length)}`,
    ...rows(table, columns, all),
  ].join("\n");
}

function rows(table: Omit<Table, "title">, columns: readonly string[], all: (readonly number[])[][]): string[] {
  const { contenders, base, missing = [] } = table;
  const baseAt = base ? contenders.findIndex(({ name }) => name === base) : 0;
  const measured = contenders.map(({ name, note }, i) => {
    const cells = columns.map((_, column) => {
      const value = quantile(all[i]!.map((round) => round[column] ?? Number.NaN));
      return Number.isNaN(value) ? "" : spell(value);
    });
    const ratio = quantile(all[i]!.map(([value], round) => value! / all[baseAt]![round]![0]!));
    return `| ${[name, ...cells, ...(base === null ? [] : [ratio.toFixed(2)]), ...(note ? [note()] : [])].join(" | ")} |`;
  });
  return [...measured, ...missing.map((name) => `| ${name} | not installed ${"| ".repeat(columns.length)}|`)];
}
