/** Compares the tokens that answers say they used. */
import type { UsageFacts } from "../../interfaces/common/facts/model.ts";
import type { FactComparison } from "../trip.ts";
import { changed, clientSays, converted, dropped, type Ends, invented, kept, told, type Verdict } from "./ends.ts";
import type { Replies } from "./replies.ts";

/** Counts of input and output as another interface may write them. */
interface Sums {
  readonly input: ReadonlySet<number>;
  readonly output: ReadonlySet<number>;
}

function sumsOf({ input, output, cached = 0, stored = 0, thinking = 0, includes }: UsageFacts): Sums {
  const of = (base: number | undefined, parts: readonly number[], isIncluded: boolean): ReadonlySet<number> => {
    if (base === undefined) return new Set();
    const sign = isIncluded ? -1 : 1;
    const [one = 0, other = 0] = parts;
    return new Set(
      [base, base + sign * one, base + sign * other, base + sign * (one + other)].filter((sum) => sum >= 0),
    );
  };
  return { input: of(input, [cached, stored], includes.cached), output: of(output, [thinking], includes.thinking) };
}

/** The exact meaning of the sums, for interfaces that count cached tokens and thoughts in other ways. */
function exact(usage: UsageFacts, as: UsageFacts["includes"]): { input: number; output: number } {
  const { input = 0, output = 0, cached = 0, stored = 0, thinking = 0, includes } = usage;
  return {
    input: input + (includes.cached === as.cached ? 0 : as.cached ? cached + stored : -cached),
    output: output + (includes.thinking === as.thinking ? 0 : as.thinking ? thinking : -thinking),
  };
}

function usageVerdict(ends: Ends, answered: UsageFacts, got: UsageFacts): Verdict {
  const sums = sumsOf(answered);
  for (const name of ["input", "output"] as const) {
    const [before, after] = [answered[name], got[name]];
    // Some interfaces have no word for none.
    if (before === undefined || (before === 0 && after === 1)) continue;
    if (after === undefined) return changed(`The count of ${name} tokens is lost.`);
    if (!sums[name].has(after))
      return changed(
        after === 0 ? `The count of ${name} tokens became zero.` : `${before} ${name} tokens became ${after}.`,
      );
  }
  if (got.total !== undefined) {
    const totals = [...sums.input].flatMap((input) => [...sums.output].map((output) => input + output));
    if (got.total !== answered.total && !totals.includes(got.total) && totals.length > 0)
      return changed(`The total became ${got.total}.`);
  }
  if ((answered.cached ?? 0) > 0 && clientSays(ends, "usage", "cached") && got.cached !== answered.cached)
    return changed(
      got.cached === undefined
        ? "The count of cached tokens is lost."
        : `${answered.cached} cached tokens became ${got.cached}.`,
    );
  const wanted = exact(answered, got.includes);
  const isExact =
    (got.input === undefined || got.input === wanted.input) &&
    (got.output === undefined || got.output === wanted.output);
  if (isExact) return kept;
  return converted(ends, "G-FACT-USAGE", "Cached tokens or thoughts are counted in another sum.");
}

const shown = (usage: UsageFacts | undefined): unknown => {
  if (!usage) return undefined;
  const { includes: _, ...counts } = usage;
  return counts;
};

/** The usage of both answers; of a stream that was not asked for it, none is owed. */
export function* compareUsage(ends: Ends, { answered, got }: Replies): Generator<FactComparison> {
  const [before, after] = [answered.usage, got.usage];
  if (!before) {
    // A gateway may count by itself; zeros count nothing.
    const isZero = after && (after.input ?? 0) === 0 && (after.output ?? 0) === 0;
    if (isZero)
      yield told(
        "answer",
        "usage",
        invented("The upstream told no usage, and zeros were told."),
        undefined,
        shown(after),
      );
    return;
  }
  const isOwed =
    !got.streamed || !clientSays(ends, "usage", "on-demand") || ends.asked.settings["stream.usage"] === true;
  if (!after && !isOwed) return;
  const verdict = after ? usageVerdict(ends, before, after) : dropped();
  yield told("answer", "usage", verdict, shown(before), shown(after));
}
