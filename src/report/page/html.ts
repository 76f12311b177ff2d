/** One HTML file that holds all it needs: script and style by their digests, data compressed, nothing fetched. */
import { createHash } from "node:crypto";
import { iconLink } from "../../icon.ts";
import { xmlText } from "../clean.ts";

export interface PageParts {
  readonly title: string;
  /** The text for browsers with scripts off. */
  readonly summary: string;
  readonly script: string;
  readonly style: string;
  /** As `packed` makes them: the first is what the page shows at once, the others it inflates when they are looked at. */
  readonly blocks: Iterable<string>;
}

const digest = (text: string): string => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

/** The line of a block; nothing in it can be taken for markup. */
const blockLine = (block: string, i: number): string =>
  `<script type="application/x-deflate" id="block-${i}">${block}</script>\n`;

/** The page, in pieces. The script stands before the blocks, so that it shows the first while the others are read. */
export function* pageHtml({ title, summary, script, style, blocks }: PageParts): Generator<string> {
  const policy = [
    "default-src 'none'",
    `script-src ${digest(script)}`,
    `style-src ${digest(style)}`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${xmlText(title)}</title>
${iconLink}
<style>${style}</style>
</head>
<body>
<div id="page"><noscript><h1>${xmlText(title)}</h1><p>${xmlText(summary)}</p><p>This page shows its evidence by a script of its own; nothing is fetched.</p></noscript></div>
`;
  let i = 0;
  for (const block of blocks) {
    yield blockLine(block, i);
    if (i === 0) yield `<script>${script}</script>\n`;
    i++;
  }
  yield "</body>\n</html>\n";
}
