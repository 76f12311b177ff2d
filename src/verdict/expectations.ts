/** The failures a target admits to, as their file has them. */

import { isObject } from "../wire/json.ts";
import type { Expectation } from "./document.ts";

export type ExpectationsReading =
  | { readonly ok: true; readonly entries: readonly Expectation[] }
  /** The problem of the file, in words. */
  | { readonly ok: false; readonly problem: string };

/** Whether a text is a day of the calendar, as `2030-12-31`. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Members of others, which are kept and not read. */
const foreign = /^(\$|x-)/;
const members = ["clause", "cassette", "reason", "ticket", "expires"];

/** The subject of an entry: a clause id, the source of a cassette, or a clause in a cassette. */
export function nameOf({ clause, cassette }: Pick<Expectation, "clause" | "cassette">): string {
  return clause === undefined ? cassette! : cassette === undefined ? clause : `${clause} in ${cassette}`;
}

/** Begins the reasons that we write, for others to fill in. */
export const placeholderReason = "(say here why)";

/** Words that stand where a reason is to be written yet. */
const placeholders =
  /^(to ?do|tb[ad]|fix ?me|reasons?|why|because|unknown|none|n a|placeholder|say why|say here why|added by update expectations|x+)$/;
const unfinished = /^\W*(todo|fixme|tb[ad])\b/i;

/** Whether a text says nothing of why something fails, so that it excuses nothing. */
export function isPlaceholder(reason: string): boolean {
  const words = reason
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return (
    words === "" || placeholders.test(words) || unfinished.test(reason) || reason.trim().startsWith(placeholderReason)
  );
}

/** Reads the parsed content of an expectations file: `{ "expectations": [{ "clause", "cassette"?, "reason", "ticket"?, "expires"? }] }`. */
export function readExpectations(content: unknown): ExpectationsReading {
  const list = isObject(content) ? content["expectations"] : undefined;
  if (!Array.isArray(list)) return { ok: false, problem: `it has no list "expectations"` };
  const other = Object.keys(content as object).find((key) => key !== "expectations" && !foreign.test(key));
  if (other !== undefined) return { ok: false, problem: `it has an unknown member ${JSON.stringify(other)}` };
  const entries: Expectation[] = [];
  const seen = new Set<string>();
  for (const [i, item] of list.entries()) {
    const problem = problemOf(item);
    if (problem) return { ok: false, problem: `entry ${i} ${problem}` };
    const entry = item as Expectation;
    if (seen.has(nameOf(entry))) return { ok: false, problem: `entry ${i} repeats ${nameOf(entry)}` };
    seen.add(nameOf(entry));
    entries.push(entry);
  }
  return { ok: true, entries };
}

function problemOf(item: unknown): string | undefined {
  if (!isObject(item)) return "is no object";
  if ("scenario" in item) return `has an unknown member "scenario"; "cassette" names a recording here`;
  const { clause, cassette, reason, ticket, expires } = item;
  if (clause === undefined && cassette === undefined) return "names neither a clause nor a cassette";
  const isName = (value: unknown): value is string | undefined =>
    value === undefined || (typeof value === "string" && value !== "");
  if (!isName(clause)) return "names no clause";
  if (!isName(cassette)) return "names no cassette";
  const name = [clause, cassette].filter((one) => one !== undefined).join(" in ");
  if (typeof reason !== "string" || reason.trim() === "") return `(${name}) gives no reason`;
  if (ticket !== undefined && typeof ticket !== "string") return `(${name}) has a ticket that is no text`;
  if (expires !== undefined && (typeof expires !== "string" || !isDay(expires)))
    return `(${name}) has "expires": ${JSON.stringify(expires)}, which is no day such as 2030-12-31`;
  const unknown = Object.keys(item).find((key) => !members.includes(key) && !foreign.test(key));
  return unknown === undefined ? undefined : `(${name}) has an unknown member ${JSON.stringify(unknown)}`;
}
