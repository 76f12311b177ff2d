/** Reads what a reply says it used: the tokens that services charge for. */
import type { Interface } from "../check/interface.ts";
import { isObject } from "../wire/json.ts";
import { memberOf } from "./common/members.ts";

/** Tokens that a reply counts, and images that it holds without counting tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly images: number;
}

/** The sum of members; undefined where none of them is a count. */
function sumOf(usage: object, names: readonly string[]): number | undefined {
  const counts = names.map((name) => memberOf(usage, name)).filter((one) => typeof one === "number" && one >= 0);
  return counts.length === 0 ? undefined : (counts as number[]).reduce((sum, one) => sum + one, 0);
}

/**
 * The usage of a reply, as it says itself; undefined if it does not say.
 * @param values the JSON of the reply, or of each event of its stream, in which counts grow: the largest stands
 */
export function usageOf(of: Pick<Interface, "replies"> | undefined, values: readonly unknown[]): Usage | undefined {
  const { usage: counts, images } = of?.replies ?? {};
  const usages = values
    .flatMap((value) => (counts?.at ?? []).map((path) => path.reduce(memberOf, value)))
    .filter((one) => isObject(one));
  const largest = (names: readonly string[] = []): number | undefined => {
    const sums = usages.flatMap((usage) => sumOf(usage, names) ?? []);
    return sums.length === 0 ? undefined : sums.reduce((most, one) => Math.max(most, one));
  };
  const [input, output] = [largest(counts?.input), largest(counts?.output)];
  if (input !== undefined || output !== undefined) return { input: input ?? 0, output: output ?? 0, images: 0 };
  const made = values.map((value) => images?.(value)).filter((count) => count !== undefined);
  return made.length === 0 ? undefined : { input: 0, output: 0, images: made.reduce((sum, one) => sum + one) };
}
