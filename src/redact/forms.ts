/** Finds credentials in multipart forms, by the names of their fields. */
import { namingOf } from "./names.ts";
import type { Span } from "./views.ts";

/** Longer lines are read up to here. */
const longestLine = 8192;
const newline = 10;

/** The contents of fields so named. What is looked for ahead is looked for once. */
export function formSpans(bytes: Buffer): Span[] {
  const spans: Span[] = [];
  let blank = 0;
  let boundary = 0;
  let at = bytes.indexOf("form-data");
  while (at >= 0) {
    let line = bytes.indexOf(newline, at);
    if (line < 0) line = bytes.length;
    const head = bytes.toString("latin1", at, Math.min(line, at + longestLine));
    const name = /(?:^|[\s;])name\s*=\s*(?:"([^"\r]*)"?|([^\s;\r]*))/i.exec(head);
    const field = name?.[1] ?? name?.[2] ?? "";
    if (namingOf(field) !== "none") {
      blank = Math.max(blank, line);
      // The header lines of a part end with an empty one.
      while (blank < bytes.length) {
        const next = bytes[blank + 1] === 13 ? blank + 2 : blank + 1;
        if (bytes[next] === newline) {
          blank = next;
          break;
        }
        blank = bytes.indexOf(newline, blank + 1);
        if (blank < 0) blank = bytes.length;
      }
      const from = blank + 1;
      if (boundary < from) boundary = bytes.indexOf("\n--", from);
      if (boundary < 0) boundary = bytes.length;
      const to = bytes[boundary - 1] === 13 ? boundary - 1 : boundary;
      if (to > from) spans.push([from, to]);
      line = Math.max(line, blank);
    }
    at = line < bytes.length ? bytes.indexOf("form-data", line) : -1;
  }
  return spans;
}
