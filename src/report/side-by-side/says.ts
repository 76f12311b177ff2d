/** What a run comes to, in one sentence. */
import { plural, type Standing } from "../outline.ts";

/** @param unanswered requests that are not answered as recorded, to which the target admits */
export function saysOf({ state, reasons, excused, limited }: Standing, unanswered: number): string {
  if (state === "incomplete")
    return limited > 0
      ? `incomplete: ${plural(limited, "request")} rate limited to the last`
      : "incomplete: broken off";
  if (state === "broken") return "no verdict: touchstone itself failed";
  if (state === "fails") return `does not conform: ${reasons.join(", ")}`;
  const admitted = [
    ...(excused > 0 ? [plural(excused, "known failure")] : []),
    ...(unanswered > 0 ? [`${plural(unanswered, "request")} expected to go unanswered`] : []),
  ];
  return `conforms ${admitted.length > 0 ? `but for ${admitted.join(" and ")}, ` : ""}as far as tested`;
}
