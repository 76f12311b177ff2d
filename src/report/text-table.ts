/** Tables for a terminal. */
import stringWidth from "string-width";
import { printable, shortened } from "./clean.ts";

/** Characters of a cell that a table shows. */
const maxCellLength = 60;

/** Columns as wide as their widest cell; without a head where that is empty. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [...(head.length > 0 ? [head] : []), ...rows].map((row) =>
    row.map((cell) => printable(shortened(cell, maxCellLength))),
  );
  const widths: number[] = [];
  for (const row of all) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, stringWidth(cell));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell + " ".repeat(widths[i]! - stringWidth(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
