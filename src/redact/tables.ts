/** Finds credentials in columns of tables: Markdown, drawn borders, CSV and TSV. The head of a column names them. */
import { isStriking } from "./beside.ts";
import { backslash, isQuote, quote } from "./characters.ts";
import { addSpan, maxLookahead, type Scan } from "./delimiters.ts";
import { isKey, isRandom, isWords } from "./looks.ts";
import { type Naming, namingOf } from "./names.ts";
import type { Span } from "./source-map.ts";
import { isProseValue, isSetting, isStrong } from "./values.ts";

/** Bytes of a line of column names. Other lines end the search for one early. */
const inHead = new Uint8Array(256).fill(1, 128);
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$ \t\r#/()*>+|,;\"'`"))
  inHead[byte] = 1;

/** Bytes between columns. The last one begins a drawn bar such as `│`. */
const betweenColumns = new Uint8Array(256);
for (const byte of Buffer.from("|,;\t")) betweenColumns[byte] = 1;
betweenColumns[0xe2] = 1;

/** A line that may name columns, and the notation of its text. */
interface Head {
  readonly from: number;
  readonly to: number;
  /** Number of backslashes in a line end of the text; 0 if its lines end in line feeds. */
  readonly escapes: number;
  /** The quote around the text; 0 if there is none. */
  readonly mark: number;
}

/** Number of backslashes before a quote that is part of the text. */
const beforeQuote = (escapes: number): number => Math.max(0, 2 * escapes - 1);

/** Reads a line back from its end. Returns undefined if the line cannot be a list of names. */
function headBefore(bytes: Buffer, to: number, escapes: number): Head | undefined {
  let isParted = false;
  let mark = escapes === 0 ? 0 : quote;
  // The first quote of the line may begin the text: `x = 'user,password\n…'`.
  let opened = -1;
  let from = to;
  while (from > 0) {
    const byte = bytes[from - 1]!;
    let slashes = 0;
    while (bytes[from - 2 - slashes] === backslash) slashes++;
    if (byte === 10) break;
    if (slashes > 0) {
      if (escapes === 0) return undefined;
      const isEscape = slashes % (2 * escapes) === escapes;
      if (byte === 110 && isEscape) break;
      if (byte === 116 && isEscape) isParted = true;
      else if (!(byte === 114 && isEscape) && !isQuote(byte)) return undefined;
    } else if (inHead[byte] === 0) {
      if (opened < 0) return undefined;
      from = opened;
      mark = bytes[from - 1]!;
      break;
    }
    if (betweenColumns[byte] === 1) isParted = true;
    if (isQuote(byte)) {
      if (byte === quote && slashes < beforeQuote(escapes)) break;
      opened = from;
    }
    from -= 1 + slashes;
  }
  return isParted ? { from, to, escapes, mark } : undefined;
}

/** The end of a line, where its text goes on, and whether that is another line. */
interface Line {
  readonly to: number;
  readonly next: number;
  readonly isLast: boolean;
}

/** Reads a line up to its end or the end of its text. */
function lineFrom(bytes: Buffer, from: number, { escapes, mark }: Head): Line {
  const { length } = bytes;
  if (mark === 0) {
    const end = bytes.indexOf(10, from);
    return end < 0 ? { to: length, next: length, isLast: true } : { to: end, next: end + 1, isLast: false };
  }
  let slashes = 0;
  for (let to = from; to < length; to++) {
    const byte = bytes[to]!;
    if (byte === backslash) {
      slashes++;
      continue;
    }
    if (byte === 10) return { to, next: to + 1, isLast: false };
    if (byte === 110 && slashes > 0 && slashes % (2 * escapes) === escapes)
      return { to: to - slashes, next: to + 1, isLast: false };
    const isEnd = (byte === mark || byte === quote) && slashes < beforeQuote(escapes);
    if (isEnd || (byte === mark && escapes === 0)) return { to: to - slashes, next: to, isLast: true };
    slashes = 0;
  }
  return { to: length, next: length, isLast: true };
}

const drawnBars = ["\u2502", "\u2503", "\u2551"].map((bar) => Buffer.from(bar).toString("latin1"));

/** Returns the text between columns of a head. */
function delimiterOf(head: string, escapes: number): string | undefined {
  const tab = `${"\\".repeat(escapes)}t`;
  const delimiters = [...drawnBars, "|", "\t", ...(escapes > 0 ? [tab] : []), ";", ","];
  return delimiters.find((one) => head.includes(one));
}

const isBar = (delimiter: string): boolean => delimiter === "|" || drawnBars.includes(delimiter);

/** Blanks and signs of quotations before a row are read up to here. */
const maxIndent = 80;

/** Returns the cells of a line as spans in it. Bars around a row are no cells. */
function cellsOf(line: string, delimiter: string, escapes: number): Span[] {
  const cells: Span[] = [];
  if (isBar(delimiter)) {
    let from = /^[ \t>+-]*/.exec(line.slice(0, maxIndent))![0].length;
    if (line.startsWith(delimiter, from)) from += delimiter.length;
    for (let at = line.indexOf(delimiter, from); at >= 0; at = line.indexOf(delimiter, at + delimiter.length)) {
      if (line[at - 1] === "\\") continue;
      cells.push([from, at]);
      from = at + delimiter.length;
    }
    if (line.slice(from).trim() !== "") cells.push([from, line.length]);
    return cells;
  }
  const mark = `${"\\".repeat(beforeQuote(escapes))}"`;
  for (let from = 0; ; ) {
    let end = from;
    if (line.startsWith(mark, from)) {
      end = line.indexOf(mark, from + mark.length);
      // A quote within a cell is written twice.
      while (end >= 0 && line.startsWith(mark, end + mark.length)) end = line.indexOf(mark, end + 2 * mark.length);
      if (end < 0) end = line.length;
    }
    end = line.indexOf(delimiter, end);
    cells.push([from, end < 0 ? line.length : end]);
    if (end < 0) return cells;
    from = end + delimiter.length;
  }
}

const isWhite = (letter: string | undefined): boolean => letter === " " || letter === "\t" || letter === "\r";
const isMark = (letter: string | undefined): boolean => letter === '"' || letter === "'" || letter === "`";

/** Returns a cell without blanks, quotes and the signs of bold face and code around it. */
function trimmed(line: string, [first, last]: Span): Span {
  let from = first;
  let to = Math.min(last, first + maxLookahead);
  while (from < to && isWhite(line[from])) from++;
  while (to > from && isWhite(line[to - 1])) to--;
  if (line[to - 1] === "r" && line[to - 2] === "\\") for (to--; line[to - 1] === "\\" && to > from; ) to--;
  if (line.startsWith("**", from) && line.endsWith("**", to)) {
    from += 2;
    to -= 2;
  }
  let begin = from;
  while (line[begin] === "\\") begin++;
  if (isMark(line[begin]) && line[begin] === line[to - 1] && begin + 1 < to) {
    from = begin + 1;
    to--;
    while (line[to - 1] === "\\" && to > from) to--;
  }
  return [from, Math.max(from, to)];
}

/** Whether a cell may name a column. */
const isName = (name: string, delimiter: string): boolean =>
  (name === "" && isBar(delimiter)) || (/^[\w#$\x80-\xff(][^,;|]{0,39}$/.test(name) && name.split(/\s+/).length <= 4);

/** Words behind the name of a credential that leave it one. */
const ofValue = /^(?:keys?|tokens?|codes?|phrases?|words?|values?)$/i;

/** Returns the naming of a column. `Password changed` and `Key rotation` name none. */
function namingOfColumn(name: string): Naming {
  const words = name.replace(/\([^()]*\)/g, " ").trim();
  const [, before, last = words] = /^(.*)[\s_.-]+([^\s_.-]+)$/.exec(words) ?? [];
  const naming = namingOf(words);
  const isAbout =
    before !== undefined && namingOf(before) === naming && namingOf(last) === "none" && !ofValue.test(last);
  return isAbout ? "none" : naming;
}

/** Names of columns that say whose credential a row holds. */
const ofAccounts =
  /(?:user|name|login|mail|account|host|server|machine|database|url|site|domain|address|network|service|app|client|device|employee|member|customer|tenant|project|environment|vault|registry|owner|person|benutzer|usuario|utilisateur)s?$|^(?:db|env|ip|ssid|port|key[ _]?id|id)$|[_ -]id$|[a-z]Id$/i;

/** Words that describe credentials in tables. */
const describes =
  /^(?:un)?(?:supported|required|allowed|accepted|rejected|available|forbidden|ignored|deprecated|recommended|correct|verified|secure|protected|limited)$|^(?:weak|strong|medium|partial|planned|sometimes|depends|denied|blocked|locked|pending|active|inactive|missing|failed|success|bearer|header|cookie|browser|server|client)$/i;

/** A column of credentials. */
interface Column {
  readonly index: number;
  readonly naming: Naming;
  readonly isStrong: boolean;
}

/** Whether a cell is a credential. Only a column of a table of accounts may have words as credentials. */
function isCredential(value: string, { naming, isStrong }: Column, isOfAccounts: boolean): boolean {
  if (!/^[\x21-\x7e]{4,}$/.test(value) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^\d{1,4}-?[a-z]+$/.test(value)) return false;
  if (naming === "maybe" || !isStrong) return isRandom(value) && isProseValue(value);
  if (isStriking(value) || (isKey(value) && isProseValue(value) && !isWords(value))) return true;
  if (!isOfAccounts || describes.test(value) || (!/\d/.test(value) && namingOf(value) !== "none")) return false;
  return isSetting(value, true);
}

/** Bytes of a line between rows: `|---|:-:|`, `+====+`, `├───┤`. */
const inBorder = new Uint8Array(256);
for (const byte of Buffer.from(" \t\r>|+:=-")) inBorder[byte] = 1;
inBorder.fill(1, 0x80, 0xc0);
inBorder[0xe2] = 1;

/** Whether bytes are a line between rows. */
function isBorder(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to && inBorder[bytes[at]!] === 1) at++;
  return at === to && to > from;
}

/** Adds the credentials of a table whose head may end at a line end at `at`. Keeps where the table ends, so that no row is read as a head. */
export function readTable(scan: Scan, at: number): void {
  const { bytes } = scan;
  if (at <= scan.tableEnd) return;
  let escapes = 0;
  while (bytes[at + escapes] === backslash) escapes++;
  if (bytes[at + escapes] !== (escapes === 0 ? 10 : 110) || (escapes & (escapes - 1)) !== 0) return;
  const head = headBefore(bytes, at, escapes);
  if (!head) return;
  const names = bytes.toString("latin1", head.from, at);
  const delimiter = delimiterOf(names, escapes);
  if (delimiter === undefined) return;
  const cells = cellsOf(names, delimiter, escapes);
  if (cells.length < 2 && !isBar(delimiter)) return;
  const heads: string[] = [];
  for (const cell of cells) {
    const name = names.slice(...trimmed(names, cell));
    // Most lines with commas are sentences.
    if (!isName(name, delimiter)) return;
    heads.push(name);
  }
  const columns: Column[] = heads
    .map((name, index) => ({ index, naming: namingOfColumn(name), isStrong: isStrong(name) }))
    .filter(({ naming }) => naming !== "none");
  if (columns.length === 0) return;
  readRows(scan, head, at + escapes + 1, delimiter, heads, columns);
}

/** Adds the credentials of rows from a byte on, up to a line that is no row. */
function readRows(
  scan: Scan,
  head: Head,
  from: number,
  delimiter: string,
  heads: readonly string[],
  columns: readonly Column[],
): void {
  const { bytes } = scan;
  const isOfAccounts = heads.some((name, i) => ofAccounts.test(name) && !columns.some(({ index }) => index === i));
  const isFramed = /^[ \t>+-]*(?:\||\xe2)/.test(bytes.toString("latin1", head.from, head.from + maxIndent));
  for (let start = from, isFirst = true, isLast = false; !isLast; ) {
    const line = lineFrom(bytes, start, head);
    const text = bytes.toString("latin1", start, line.to);
    const begin = start;
    ({ next: start, isLast } = line);
    if (isBar(delimiter) && isBorder(bytes, begin, line.to)) {
      if (text.trim() === "") break;
      isFirst = false;
      continue;
    }
    if (!text.includes(delimiter) && heads.length > 1) break;
    const cells = cellsOf(text, delimiter, head.escapes);
    // A sentence with commas or a command with pipes is followed by something else.
    if (isFirst && (isBar(delimiter) ? !isFramed : cells.length !== heads.length)) break;
    isFirst = false;
    scan.tableEnd = line.to;
    for (const column of columns) {
      const cell = cells[column.index];
      if (!cell) continue;
      const [cellFrom, cellTo] = trimmed(text, cell);
      const value = text.slice(cellFrom, cellTo);
      if (isCredential(value, column, isOfAccounts)) addSpan(scan, begin + cellFrom, begin + cellTo);
    }
  }
}
