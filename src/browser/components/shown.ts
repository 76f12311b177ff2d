/** Splits a text into parts that can be shown as they are and parts that must be shown as something else: controls, lost bytes, left-out text. */
import { controls, escapeUnit } from "../../check/controls.ts";

/** A text of which places are marked; positions count from where the whole text begins. */
export interface MarkedText {
  readonly text: string;
  readonly cuts?: readonly (readonly [at: number, left: number])[] | undefined;
  readonly broken?: readonly (readonly [at: number, byte: number])[] | undefined;
}

export type Run =
  | { readonly kind: "plain"; readonly text: string }
  /** A character that steers or hides, as JSON escapes it. */
  | { readonly kind: "escape"; readonly text: string }
  /** Bytes that are not UTF-8, in hexadecimal. */
  | { readonly kind: "bytes"; readonly text: string }
  /** Characters that the page does not hold. */
  | { readonly kind: "cut"; readonly left: number };

/** Also what takes no room though it is there. A joiner of emoji stays what it is. */
const special = new RegExp(
  `${controls.source}|[\\u00ad\\u180e\\u200b\\u2060-\\u2064\\ufff9-\\ufffb]|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]|\\ufffd`,
  "g",
);

/** The position of the first item whose own is not before `at`. */
function firstFrom(items: readonly (readonly [number, number])[], at: number): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (items[middle]![0] < at) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * The runs of a part of a text.
 * @param lines whether line feeds and tabs stay, as in text that is shown with its lines
 */
export function runsOf({ text, cuts = [], broken = [] }: MarkedText, from: number, to: number, lines = false): Run[] {
  const runs: Run[] = [];
  let at = from;
  const plain = (end: number): void => {
    if (end > at) runs.push({ kind: "plain", text: text.slice(at, end) });
    at = end;
  };
  function part(end: number): void {
    special.lastIndex = at;
    for (let found = special.exec(text); found && found.index < end; found = special.exec(text)) {
      const [unit] = found;
      if (lines && (unit === "\n" || unit === "\t" || (unit === "\r" && text[found.index + 1] === "\n"))) continue;
      plain(found.index);
      const byte = unit === "\ufffd" ? broken[firstFrom(broken, found.index)] : undefined;
      if (byte?.[0] === found.index) runs.push({ kind: "bytes", text: `\\x${byte[1].toString(16).padStart(2, "0")}` });
      else runs.push(unit === "\ufffd" ? { kind: "plain", text: unit } : { kind: "escape", text: escapeUnit(unit) });
      at = found.index + 1;
    }
    plain(end);
  }
  for (let i = firstFrom(cuts, from); i < cuts.length && cuts[i]![0] <= to; i++) {
    part(cuts[i]![0]);
    runs.push({ kind: "cut", left: cuts[i]![1] });
  }
  part(to);
  return runs;
}

/** A short text in which nothing steers: for labels and titles. */
export const visible = (text: string): string =>
  text.replace(special, (unit) => (unit === "\ufffd" ? unit : escapeUnit(unit)));

/** A number with its thousands apart. */
export const counted = (n: number): string => n.toLocaleString("en-US");

export const plural = (n: number, noun: string, many = `${noun}s`): string => `${counted(n)} ${n === 1 ? noun : many}`;

/** Bytes as people read them. */
export function sized(bytes: number): string {
  if (bytes < 1_024) return plural(bytes, "byte");
  const [size, unit] = bytes < 1 << 20 ? [bytes / 1_024, "KiB"] : [bytes / (1 << 20), "MiB"];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** A time of day where the reader is: `14:03:07`. */
export const timeOfDay = (milliseconds: number): string =>
  Number.isNaN(new Date(milliseconds).getTime()) ? "" : clock.format(milliseconds);

/** Milliseconds as people read them. */
export const lasted = (milliseconds: number): string =>
  milliseconds < 10
    ? `${milliseconds.toFixed(1)} ms`
    : milliseconds < 10_000
      ? `${counted(Math.round(milliseconds))} ms`
      : `${(milliseconds / 1000).toFixed(1)} s`;
