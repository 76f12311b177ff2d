/** Says whether a comparison compared anything, and why it did not. */
import type { DriftSummary, RefusedKey } from "./document.ts";

/** Whether no answer was compared with another. */
export const isEmpty = ({ compared }: Pick<DriftSummary, "compared">): boolean =>
  compared.before === 0 || compared.after === 0;

/** The sentence about an interface that one side refused altogether. */
export const refusedText = ({ interface: of, answers, statuses }: RefusedKey, who: string): string =>
  `${who} answers ${statuses.join(" and ")} to ${answers === 1 ? "the only request" : `all ${answers} requests`} of ${of}: the key is missing or not accepted`;

/** Why nothing was compared, or not all of it, and what to do; undefined where something was, or something changed nevertheless. */
export function whyEmpty(
  summary: DriftSummary,
  names: { readonly before: string; readonly after: string },
): { readonly problem: string; readonly remedy: string } | undefined {
  const { changes, exchanges, unread, refused = [] } = summary;
  if (refused.length > 0)
    return {
      problem: refused.map((one) => refusedText(one, names[one.side])).join("; "),
      remedy:
        "Give the key with --key '$VARIABLE' or in TOUCHSTONE_KEY, record with one that is accepted, or give --allow-empty.",
    };
  if (changes > 0 || !isEmpty(summary)) return undefined;
  const [unsent] = summary.unsent ?? [];
  if (exchanges.before === 0 && unsent)
    return {
      problem: `none of ${names.before} could be sent: ${unsent.why}`,
      remedy: "Give a recording that can be sent again, or --allow-empty.",
    };
  for (const side of ["before", "after"] as const)
    if (exchanges[side] === 0)
      return {
        problem: `${names[side]} holds no request of a documented operation`,
        remedy: "See that both recordings hold requests to the documented paths, or give --allow-empty.",
      };
  if (unread.before === 0 && unread.after === 0)
    return {
      problem: `${names.before} and ${names.after} have no operation in common`,
      remedy: "Give recordings of the same interface, or --allow-empty.",
    };
  return {
    problem: `answers that cannot be read, or broke off: ${unread.before} of ${names.before}, ${unread.after} of ${names.after}`,
    remedy: "Record these answers whole, or give --allow-empty.",
  };
}
