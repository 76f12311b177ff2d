/** Changes and verdicts in Markdown, for pull requests and job pages. */
import type { DriftDocument, VerdictsDocument } from "../../drift/document.ts";
import { maxSummary } from "../markdown.ts";
import { cell, type Part, within } from "../markdown-text.ts";
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

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Rows of one table. */
const maxRows = 300;

const rows = <T>(all: readonly T[], row: (one: T) => readonly string[]): (readonly string[])[] =>
  all.slice(0, maxRows).map(row);

const moreText = (all: readonly unknown[]): string =>
  all.length > maxRows ? `\n\nand ${all.length - maxRows} more, in diff.json` : "";

/** @param maxLength bytes of UTF-8 that it may take */
export function formatDriftMarkdown({ changes, summary }: DriftDocument, maxLength = maxSummary): string {
  const parts = byOperation(changes).map(
    ([operation, own]): Part => ({
      title: cell(operation),
      items: [
        table(
          ["change", "where", "what", "how sure", "the document", "example"],
          rows(own, (change) => [
            titleOf(change),
            cell(placeText(change)),
            cell(turnText(change)),
            seenText(change),
            cell(allowedText(change)),
            cell(exampleText(change)),
          ]),
        ) + moreText(own),
      ],
    }),
  );
  const head = `# Drift\n\n**${totalText(summary)}**\n\n${comparedText(summary)
    .map((line) => `- ${line}`)
    .join("\n")}\n`;
  return within(maxLength, head, parts, "diff.json");
}

export function formatVerdictsMarkdown({ verdicts }: VerdictsDocument, maxLength = maxSummary): string {
  const parts = verdictGroups(verdicts).map(
    ([title, own]): Part => ({
      title: `${title}: ${own.length}`,
      items: [
        table(
          ["clause", "before", "now"],
          rows(own, ({ clause, before, after }) => [cell(clause), before, after]),
        ) + moreText(own),
      ],
    }),
  );
  return within(maxLength, `# Verdicts\n\n**${verdictsTotal(verdicts.length)}**\n`, parts, "diff.json");
}
