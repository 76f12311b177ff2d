/** The words and signs of a table, beside those of standings. */
import { printable, shortened } from "../clean.ts";
import { plural } from "../plural.ts";
import type { Cell, Column, OutcomeCell, SideBySide, Unlike } from "./document.ts";

/** Signs of what features and clients come to. */
export const outcomeSigns: Readonly<Record<string, string>> = {
  works: "✅",
  served: "✅",
  "works, with faults": "🟨",
  "served, with faults": "🟨",
  broken: "❌",
  "not served": "❌",
  "not offered": "⏭️",
  "not shown": "➖",
};

/** Characters of a column's name that tables show. */
const maxNameLength = 40;

export const nameOf = ({ name }: Pick<Column, "name">): string => printable(shortened(name, maxNameLength));

/** `1,315` */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** In how many of the exchanges that show a clause it is violated, `2 of 14`; empty where in none. */
export function extentOf({ state, exercised = 0, failed = 0, warned = 0, unenforced = 0 }: Cell): string {
  if (state === "pass" || exercised === 0) return "";
  const violated =
    state === "fail" || state === "expected" || state === "inherited"
      ? failed
      : state === "unenforced"
        ? unenforced
        : warned;
  return violated > 0 ? `${grouped(violated)} of ${grouped(exercised)}` : "";
}

/** The day of a run, and the minute where it is known, in UTC. */
export const dateOf = ({ started }: Pick<Column, "started">): string =>
  started.length > 10 ? `${printable(started).slice(0, 16).replace("T", " ")} UTC` : printable(started);

/** The title for columns that are not alike in more than the target. */
export const unlikeTitle = "Not alike in more than the target";

export const unlikeSays = ({ what }: Unlike): string =>
  what.startsWith("clauses of ")
    ? "judged by clauses that are not the same: a difference may be one of the clauses"
    : what === "level that fails"
      ? "what fails in one column may only warn in another"
      : what === "preset" || what === "readings"
        ? "the same answer may be judged otherwise"
        : what === "touchstone"
          ? "versions may ask and judge otherwise"
          : "they were not asked the same";

/** How the columns agree, in one sentence. */
export function agreementSays({ agreement, sections }: Pick<SideBySide, "agreement" | "sections">): string {
  const { differs, violated, enforcement, unenforced, kept, open } = agreement;
  const total = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  return `${grouped(total)} ${total === 1 ? "clause" : "clauses"}: ${grouped(differs)} differ, ${grouped(violated)} are violated and ${grouped(kept)} kept by all that have a verdict, ${plural(enforcement, "rule")} on requests ${enforcement === 1 ? "is" : "are"} enforced by some only and ${grouped(unenforced)} by none, ${grouped(open)} ${open === 1 ? "has" : "have"} no verdict`;
}

/** Whether a report says why: where a feature or a client does not just work. */
export const isWorthWhy = ({ outcome, why }: OutcomeCell): boolean =>
  why !== "" && outcome !== "works" && outcome !== "served";
