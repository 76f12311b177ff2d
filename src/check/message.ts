/** Formats a violation as one sentence: the rule, the place, the expected value and the actual one. */
import type { Clause, Violation } from "./clause.ts";
import { excerpt, excerptOf } from "./excerpt.ts";

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
  if (place === "path" && pointer !== "") return `path parameter ${pointer.slice(1)}`;
  return pointer && places[place] !== "" ? `${side} ${places[place]} ${pointer.slice(1)}` : `${places[place]}`;
}

/** Characters of a hint. */
const maxHintLength = 200;

/** Texts of a finding: excerpts, about 2 KB in all however much was sent. */
export function describe(violation: Violation, clause: Clause): { expected: string; actual: string; message: string } {
  const expected = excerpt(violation.expected);
  const actual = excerptOf(violation.actual);
  const hint = violation.hint ? ` (${excerpt(violation.hint, maxHintLength)})` : "";
  return {
    expected,
    actual,
    message: `${violation.says ?? clause.says} In ${whereOf(violation)}: expected ${expected}, got ${actual}${hint}.`,
  };
}
