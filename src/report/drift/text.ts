/** Changes and verdicts for a terminal: by operation, the most telling first, a bounded number of each. */
import type { Change, DriftDocument, VerdictsDocument } from "../../drift/document.ts";
import { printable, shortened } from "../clean.ts";
import { painter } from "../paint.ts";
import {
  allowedText,
  byOperation,
  comparedText,
  exampleText,
  placeText,
  seenText,
  titleOf,
  totalText,
  turnText,
  verdictGroups,
  verdictsTotal,
} from "./words.ts";

/** Changes of one operation that are shown, and verdicts. */
const maxChanges = 40;
const maxVerdicts = 200;
const maxValueLength = 200;

const said = (text: string): string => shortened(printable(text), maxValueLength);

function changeText(change: Change, paint: ReturnType<typeof painter>): string {
  const color = change.allowed === false ? "red" : change.allowed === true ? "bold" : "yellow";
  return [
    `  ${paint(titleOf(change).padEnd(12), color)} ${said(placeText(change))}`,
    `      ${said(turnText(change))}`,
    `      ${seenText(change)}`,
    `      ${allowedText(change)}`,
    `      ${paint(said(exampleText(change)), "dim")}`,
  ].join("\n");
}

/** @param color whether to paint */
export function formatDriftText({ changes, summary }: DriftDocument, color = false): string {
  const paint = painter(color);
  const blocks = byOperation(changes).map(([operation, own]) => {
    const more = own.length - maxChanges;
    return [
      paint(said(operation), "bold"),
      ...own.slice(0, maxChanges).map((change) => changeText(change, paint)),
      ...(more > 0 ? [`  and ${more} more, in --format json`] : []),
    ].join("\n");
  });
  const end = [`${totalText(summary)}.`, ...comparedText(summary).map((line) => `${line}.`)].join("\n");
  return `${[...blocks, end].join("\n\n")}\n`;
}

export function formatVerdictsText({ verdicts }: VerdictsDocument, color = false): string {
  const paint = painter(color);
  const colors = { "Got worse": "red", "Got better": "green" } as Record<string, "red" | "green">;
  const blocks = verdictGroups(verdicts).map(([heading, own]) => {
    const more = own.length - maxVerdicts;
    return [
      paint(`${heading}: ${own.length}`, colors[heading] ?? "bold"),
      ...own.slice(0, maxVerdicts).map(({ clause, before, after }) => `  ${said(clause)}: ${before} -> ${after}`),
      ...(more > 0 ? [`  and ${more} more, in --format json`] : []),
    ].join("\n");
  });
  return `${[...blocks, `${verdictsTotal(verdicts.length)}.`].join("\n\n")}\n`;
}
