/** The names of columns that nobody named: by their target; several runs of one target by their dates. */

export interface Unnamed {
  /** As given; undefined where none was. */
  readonly name: string | undefined;
  /** The owner's name for the target, else its address. */
  readonly target: string;
  /** ISO 8601, to the day at least. */
  readonly started: string;
  /** The path it was read from. */
  readonly path: string;
}

/** Days, minutes, seconds: how much of a date is shown. */
const precisions = [10, 16, 19] as const;

/** One name each; no two alike, unless two were given that are. */
export function columnNames(columns: readonly Unnamed[]): string[] {
  const unnamed = columns.filter(({ name }) => name === undefined);
  const alone = new Set(columns.map(({ target }) => target)).size === 1;
  const names = columns.map((column) => {
    if (column.name !== undefined) return column.name;
    const others = unnamed.filter((one) => one !== column && one.target === column.target);
    if (others.length === 0) return column.target;
    const date = dateAmong(column.started, others);
    return alone ? date : `${column.target} ${date}`;
  });
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, i) =>
    columns[i]!.name === undefined && counts.get(name)! > 1 ? `${name} (${columns[i]!.path})` : name,
  );
}

/** As much of a date as tells it from the others. */
function dateAmong(started: string, others: readonly Unnamed[]): string {
  const length =
    precisions.find((most) => others.every((other) => other.started.slice(0, most) !== started.slice(0, most))) ??
    precisions.at(-1)!;
  return started.slice(0, length).replace("T", " ");
}
