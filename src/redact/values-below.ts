/** Finds credentials in the lines below their names: a key alone, items of a list, rows of hexadecimal digits or base64. */
import { addSpan, type Scan, textBetween } from "./delimiters.ts";
import { isWords } from "./looks.ts";
import { isProseValue, isSetting } from "./values.ts";

const lineBreak = String.raw`(?:\r?\n|(?:\\+r)?\\+n)`;
/** Lines of a quotation or a list begin so. */
const lead = "[ \\t>]*";
const gap = new RegExp(
  String.raw`^(?:\d{1,3})?[ \t]*(?:${lineBreak}${lead})*${lineBreak}(?:${lead}(?:\x60{3,}|~{3,})[^\n\\\x60"]*${lineBreak})?`,
);
/** One line that holds nothing else than a value, perhaps as the item of a list or in quotes. */
const line = new RegExp(
  String.raw`^(${lead})(- +)?([\x60"']|\\+["'])?([^\s\x60"'\\]+)(?:\3)?[ \t]*(?=${lineBreak}|["'\x60]|$)(${lineBreak})?`,
);

/** How far lines are looked at first, and where they go on. */
const firstLook = 192;
const maxLengthBelow = 8192;

/** Rows of what is too long for one line. */
const isRow = (value: string): boolean => /^(?:[\da-f]{2}:){5,}(?:[\da-f]{2})?$/i.test(value);
const isBase64Row = (value: string): boolean => /^[A-Za-z0-9+/=]{4,}$/.test(value);

/** The end of the last value in the lines below a name, whose own line ends at `at`; `at` where none is a credential. */
export function valueBelow(scan: Scan, at: number, name: string): number {
  const { bytes } = scan;
  const rows = /^private-lines$/i.test(name);
  let text = textBetween(bytes, at, at + firstLook);
  let offset = gap.exec(text)?.[0].length ?? 0;
  let end = at;
  for (let looked = firstLook; offset > 0 && looked <= maxLengthBelow; ) {
    const [whole, indent, item, mark = "", value, after] = line.exec(text.slice(offset)) ?? [];
    if (whole === undefined || value === undefined) break;
    if (offset + whole.length >= text.length && looked === text.length && text.length < maxLengthBelow) {
      // The line may go on where the look ends.
      looked = maxLengthBelow;
      text = bytes.toString("latin1", at, at + maxLengthBelow);
      continue;
    }
    const counts = rows
      ? isBase64Row(value)
      : isRow(value) ||
        (value.length >= 8 && isProseValue(value) && !isWords(value)) ||
        (indent !== "" && !/:$/.test(value) && isSetting(value, true));
    if (!counts) break;
    const from = offset + indent!.length + (item?.length ?? 0) + mark.length;
    end = addSpan(scan, at + from, at + from + value.length);
    offset += whole.length;
    if (after === undefined || !(rows || item !== undefined || isRow(value))) break;
    if (looked < maxLengthBelow) {
      looked = maxLengthBelow;
      text = bytes.toString("latin1", at, at + maxLengthBelow);
    }
  }
  return end;
}
