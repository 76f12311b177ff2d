/** The conclusion of a run, in one sentence. */
import type { RunResults } from "../../verdict/run-results.ts";
import { type Conclusion, exceptionsOf, extentText, lostText, undecidedText } from "../outline.ts";
import { plural } from "../plural.ts";

/** @param unanswered requests that are known not to be answered as recorded */
export function saysOf(
  results: RunResults,
  { state, reasons, excused, inherited, limited }: Conclusion,
  unanswered: number,
): string {
  if (state === "incomplete")
    return `incomplete: ${results.complete ? undecidedText(limited) : lostText(results).replace(/^: /, "") || "broken off"}`;
  if (state === "broken") return "no verdict: a check itself failed";
  if (state === "fails") return `does not conform: ${reasons.join(", ")}`;
  const known = [
    ...exceptionsOf({ excused, inherited }),
    ...(unanswered > 0 ? [`${plural(unanswered, "request")} known to go unanswered`] : []),
  ];
  return `conforms ${known.length > 0 ? `but for ${known.join(" and ")}, ` : ""}${extentText(results)}`;
}
