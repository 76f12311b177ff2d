/** The tables of `BENCHMARKS.md`: each stands between two markers, and `npm run bench -- --write` replaces what is between them. */

/** A table of the page. */
export interface PageTable {
  /** The name of its `*.bench.ts`. */
  readonly bench: string;
  readonly title: string;
  /** The day on which it was measured, `YYYY-MM-DD`; undefined where nothing says it. */
  readonly day: string | undefined;
}

const place = /<!-- bench (\w+): ([^\n]*?) -->\n([\s\S]*?)<!-- end of table -->/g;
const measuredOn = /^Measured on (\d{4}-\d\d-\d\d) at /m;

/** The tables that stand in the page, in order. */
export const tablesIn = (page: string): PageTable[] =>
  [...page.matchAll(place)].map(([, bench, title, body]) => ({
    bench: bench!,
    title: title!,
    day: measuredOn.exec(body!)?.[1],
  }));

/** The line that says when, at which commit and on which machine a table was measured. */
export const measuredLine = (day: string, commit: string, machine: string): string =>
  `Measured on ${day} at ${commit}: ${machine}.`;

/** The page with another table at its place; undefined where it has no place for it. */
export function withTable(page: string, { bench, title }: Omit<PageTable, "day">, table: string): string | undefined {
  let found = false;
  const text = page.replace(place, (whole, ofBench: string, ofTitle: string) => {
    if (ofBench !== bench || ofTitle !== title) return whole;
    found = true;
    return `<!-- bench ${bench}: ${title} -->\n${table}\n<!-- end of table -->`;
  });
  return found ? text : undefined;
}
