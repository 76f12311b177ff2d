/** Reads the content of bodies: JSON, or events of which each says JSON. Reads afresh whenever asked. */

import { viewOf } from "./bytes.ts";
import { type JsonResult, maxValues, parseJson, withinBounds } from "./json.ts";
import { type LexicalIssues, lexicalIssuesIn } from "./json-issues.ts";
import { parseJsonLines } from "./json-lines.ts";
import { lintJson, lintText, mayRepeatKeys } from "./json-lint.ts";
import { createSameShapeLint } from "./same-shape.ts";
import { parseEvents, type SseReading } from "./sse.ts";

/** A body read as JSON. */
export interface JsonReading {
  readonly text: () => string;
  readonly json: JsonResult;
  /** Undefined where there are none, or where the text is no JSON. */
  readonly lexicalIssues: LexicalIssues | undefined;
  /** Whether it is JSON that says all its text says, in keys spelt out. */
  readonly plain: boolean;
}

/** A body read as server-sent events, with the data of each read as JSON. */
export interface EventsReading extends SseReading {
  readonly values: readonly JsonResult[];
  /** Those of each; undefined where none of them has any, as nearly always. */
  readonly lexicalIssues: readonly (LexicalIssues | undefined)[] | undefined;
  /** Whether all of them are JSON, or words such as `[DONE]`, that say all their text says; a torn one aside. */
  readonly plain: boolean;
  /** Whether the body ended within the last one, which is no JSON so. */
  readonly torn: boolean;
}

/** A decoded body as JSON. Never throws. */
export function readJson(bytes: Uint8Array): JsonReading {
  return reading(viewOf(bytes).toString("utf8"), bytes);
}

/** A body whose text is known as JSON. Never throws. */
export function readText(text: string): JsonReading {
  return reading(text, undefined);
}

/** A body as JSON that is spelt as `JSON.stringify` spells a value which `isExact`. */
export function readValue(value: unknown): JsonReading {
  return { text: () => JSON.stringify(value), json: { ok: true, value }, lexicalIssues: undefined, plain: true };
}

function reading(text: string, bytes: Uint8Array | undefined): JsonReading {
  const parsed = parseJson(text, maxValues);
  const suspects = parsed.ok ? (bytes ? lintJson(bytes) : lintText(text)) : 0;
  const json = suspects & mayRepeatKeys ? withinBounds(text, parsed) : parsed;
  if (!json.ok) return { text: () => text, json, lexicalIssues: undefined, plain: false };
  return { text: () => text, json, lexicalIssues: lexicalIssuesIn(text, suspects), plain: !(suspects & mayRepeatKeys) };
}

/**
 * A decoded body as events. Never throws.
 * @param lines the media type of a stream of JSON lines
 */
export function readEvents(bytes: Uint8Array, lines?: string): EventsReading {
  const reading = lines === undefined ? parseEvents(bytes) : parseJsonLines(bytes, lines);
  const lint = createSameShapeLint(reading.events.length);
  const values: JsonResult[] = [];
  let lexicalIssues: (LexicalIssues | undefined)[] | undefined;
  let plain = !reading.quotes;
  let torn = false;
  for (const [i, { data }] of reading.events.entries()) {
    const parsed = parseJson(data, maxValues);
    const suspects = parsed.ok ? lint(data) : 0;
    const value = suspects & mayRepeatKeys ? withinBounds(data, parsed) : parsed;
    values.push(value);
    if (!value.ok) {
      if (reading.open && i === reading.events.length - 1) torn = true;
      else plain &&= isWord(data);
      continue;
    }
    if (suspects === 0) continue;
    if (suspects & mayRepeatKeys) plain = false;
    const found = lexicalIssuesIn(data, suspects);
    if (found) (lexicalIssues ??= [])[i] = found;
  }
  return { ...reading, values, lexicalIssues, plain, torn };
}

/** Lines of a stream that are read: some 300,000 events. All that a recording keeps may be millions, which take gigabytes once read. */
const maxLines = 1_000_000;
/** Lines with data that are read of any stream, and the bytes of a stream for each that is read beyond these: services send far longer ones. */
const [leastData, bytesPerData] = [50_000, 64];

/** The end of what is read of a stream with more lines than that; undefined for all but hostile ones. */
export function lastLineEnd(bytes: Uint8Array): number | undefined {
  let [lines, data] = [0, 0];
  const mostData = leastData + bytes.length / bytesPerData;
  for (let i = 0; i < bytes.length && bytes.length > mostData; i++)
    if (bytes[i] === 10 || (bytes[i] === 13 && bytes[i + 1] !== 10)) {
      if (bytes[i + 1] === 100) data++;
      if (++lines > maxLines || data > mostData) return i + 1;
    }
  return undefined;
}

/** Whether an event's data is a word such as `[DONE]`, which ends a stream and is no JSON. */
export const isWord = (data: string): boolean => /^\[\w+\]$/.test(data);
const openingBrace = 123;
const streamStart = /^\uFEFF?(?:(?:data|event|id|retry)(?::|\r|\n)|:)/;

/** Whether a decoded body begins as a stream of events does. */
export function isStream(bytes: Uint8Array): boolean {
  return bytes[0] !== openingBrace && streamStart.test(viewOf(bytes).toString("utf8", 0, 16));
}
