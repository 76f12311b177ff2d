/** Says a violation in one sentence: what the document wants, where, what was expected, what came. */
import type { Clause, Violation } from "./clause.ts";

const longest = 120;

/** A value as people can read it in one line, shortened in the middle of nothing: its head and its size. */
export function shorten(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(headOf(value, 3)) ?? String(value);
  if (text.length <= longest) return text;
  const kind = Array.isArray(value)
    ? `${value.length} items`
    : `${typeof value === "string" ? value.length : text.length} characters`;
  return `${Array.from(text.slice(0, longest)).slice(0, -1).join("")}… (${kind})`;
}

/** A value cut down before it is written out: long texts and lists, and what lies deeper than `depth`. */
function headOf(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.length > 2 * longest ? value.slice(0, 2 * longest) : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => headOf(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 20)
      .map(([name, item]) => [name, headOf(item, depth - 1)]),
  );
}

const places: Record<Violation["in"], string> = {
  method: "the method",
  path: "the path",
  query: "query parameter",
  headers: "header",
  body: "",
  form: "form field",
  status: "the status",
  stream: "",
};

function whereOf({ side, in: place, event, pointer }: Violation): string {
  if (place === "stream") return event === undefined ? "the stream" : `event ${event}${pointer && ` at ${pointer}`}`;
  if (place === "body") return `the ${side} body${pointer && ` at ${pointer}`}`;
  return pointer && places[place] !== "" ? `${side} ${places[place]} ${pointer.slice(1)}` : `${places[place]}`;
}

/** Texts of a finding. */
export function describe(violation: Violation, clause: Clause): { expected: string; actual: string; message: string } {
  const actual = shorten(violation.actual);
  const hint = violation.hint ? ` (${violation.hint})` : "";
  return {
    expected: violation.expected,
    actual,
    message: `${clause.says} In ${whereOf(violation)}: expected ${violation.expected}, got ${actual}${hint}.`,
  };
}
