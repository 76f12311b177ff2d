/** Cuts and wraps text to the columns of a terminal. */
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The text, or as much of its start as takes fewer than this many columns with an ellipsis behind it. */
export function cutTo(text: string, columns: number): string {
  if (text.length <= columns && /^[\x20-\x7e]*$/.test(text)) return text;
  // No character is shorter than a fraction of a column: what is far too long need not be measured whole.
  const start = text.slice(0, columns * 8);
  if (start.length === text.length && stringWidth(text) <= columns) return text;
  let width = 0;
  let cut = "";
  for (const { segment } of graphemes.segment(start)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return columns > 0 ? `${cut}…` : "";
}

/**
 * The text in lines that are broken at blanks and take no more columns than these, but for a word that is longer.
 * @param maxLines lines that it may take; the last one ends in an ellipsis where there is more
 */
export function wrapTo(text: string, columns: number, maxLines = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const word of text.split(" ")) {
    const own = stringWidth(word);
    if (line !== "" && width + 1 + own > columns) {
      if (lines.length + 1 >= maxLines) return [...lines, cutTo(`${line} ${word}`, columns)];
      lines.push(line);
      line = "";
      width = 0;
    }
    width += own + (line === "" ? 0 : 1);
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
