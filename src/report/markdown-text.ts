/** Pieces of Markdown, as GitHub reads it, that are safe by construction: nothing a target sent becomes markup, a link or a call. */
import { printable, shortened, xmlText } from "./clean.ts";
import { withoutCommands } from "./terminal/workflow-commands.ts";

/** Characters of a quote. */
const maxQuoteLength = 300;

/** Text that Markdown and HTML must not interpret; the comment keeps GitHub from calling those whom an `@` names, `www.` is no link, and a colon before a blank begins neither a link nor an emoji. */
export const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]<>()#+!|~&@$=^]|:(?!\s|$)/g, (c) => `&#${c.charCodeAt(0)};`)
    .replaceAll("&#64;", "&#64;<!-- -->")
    .replace(/www\./gi, "www&#46;");

/** A code span: nothing in it is interpreted, no name in it is called, whatever it holds. */
export function code(text: string, maxLength = maxQuoteLength): string {
  const shown = shortened(printable(text), maxLength);
  const fence = "`".repeat(longestRun(shown) + 1);
  const pad = /^[` ]|[` ]$|^$/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** The same within a table, which reads `|` first. */
export const cell = (text: string): string => code(text).replaceAll("|", "\\|");

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));

export function codeBlock(text: string): string {
  const lines = text.split("\n").map(printable).join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}sh\n${lines}\n${fence}`;
}

/** A part that unfolds when its summary is clicked; the summary is HTML, its content Markdown. */
export const folded = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;

export const htmlCode = (text: string): string => `<code>${xmlText(shortened(printable(text), maxQuoteLength))}</code>`;

/** A part of a report: items of which those that do not fit are counted. */
export interface Part {
  readonly title: string;
  readonly items: readonly string[];
}

/**
 * Puts parts together as long as there is room; of what is left out it says how much, and where it stands. No line of it is a command
 * to the runner of GitHub Actions, which reads the log of whoever prints it.
 * @param maxLength bytes of UTF-8
 */
export function within(maxLength: number, start: string, parts: readonly Part[], elsewhere: string): string {
  const room = maxLength - 200 * (parts.length + 1);
  let text = withoutCommands()(start);
  let bytes = Buffer.byteLength(text);
  for (const { title, items } of parts) {
    if (items.length === 0) continue;
    text += `\n## ${title}\n`;
    let left = items.length;
    for (const own of items) {
      const item = withoutCommands()(own);
      const lead = item.startsWith("- ") && left < items.length ? "" : "\n";
      const length = Buffer.byteLength(item) + 2;
      if (bytes + length > room) break;
      text += `${lead}${item}\n`;
      bytes += length;
      left--;
    }
    if (left > 0) text += `\n${left === items.length ? "" : "and "}${left} more, in ${elsewhere}\n`;
  }
  return text;
}
