/** Finds credentials in multipart forms by their field names. */
import { namingOf } from "./names.ts";
import { decoded } from "./request-credentials.ts";
import type { Span } from "./source-map.ts";

/** Longer headers of a part are read up to here. */
const maxHeadLength = 8192;
const [newline, blank, tab] = [10, 32, 9] as const;

/** A field's name in quotes, without them, or in the extended notation of RFC 5987. */
const fieldName = /(?:^|[\s;])name\*?\s*=\s*(?:"((?:[^"\\\r]|\\.)*)"?|(?:[\w-]*'[\w-]*')?([^\s;\r]*))/i;

/** The contents of fields so named. Each search ahead is done once. */
export function formSpans(bytes: Buffer): Span[] {
  const spans: Span[] = [];
  for (const mark of ["form-data", "Form-Data", "FORM-DATA"]) addFields(bytes, mark, spans);
  return spans;
}

function addFields(bytes: Buffer, mark: string, spans: Span[]): void {
  let at = bytes.indexOf(mark);
  if (at < 0) return;
  // Forms hardly ever have a preamble; contents may have lines that begin as boundaries do.
  const [opening = "--"] = /^--[^\r\n]{1,200}(?=\r?\n)/.exec(bytes.toString("latin1", 0, 256)) ?? [];
  const delimiter = `\n${opening.trimEnd()}`;
  let empty = 0;
  let boundary = 0;
  while (at >= 0) {
    let line = bytes.indexOf(newline, at);
    while (line >= 0 && (bytes[line + 1] === blank || bytes[line + 1] === tab)) line = bytes.indexOf(newline, line + 1);
    if (line < 0) line = bytes.length;
    const head = bytes.toString("latin1", at, Math.min(line, at + maxHeadLength));
    const name = fieldName.exec(head);
    if (namingOf(decoded(name?.[1] ?? name?.[2] ?? "")) !== "none") {
      empty = Math.max(empty, line);
      // The header lines of a part end with an empty one.
      while (empty < bytes.length) {
        const next = bytes[empty + 1] === 13 ? empty + 2 : empty + 1;
        if (bytes[next] === newline) {
          empty = next;
          break;
        }
        empty = bytes.indexOf(newline, empty + 1);
        if (empty < 0) empty = bytes.length;
      }
      const from = empty + 1;
      if (boundary < from) boundary = bytes.indexOf(delimiter, from, "latin1");
      if (boundary < 0) boundary = bytes.length;
      const to = bytes[boundary - 1] === 13 ? boundary - 1 : boundary;
      if (to > from) spans.push([from, to]);
      line = Math.max(line, empty);
    }
    at = line < bytes.length ? bytes.indexOf(mark, line) : -1;
  }
}
