/** Adds up the vendors' names that messages carried and nobody bound (reading X-NAMES): the same whatever the order. */
import { compare } from "../check/finding-order.ts";
import type { InferredNames } from "./document.ts";

/** Collects the names that messages bound by themselves. */
export function createInferred() {
  const found = new Map<string, Set<string>>();
  return {
    add(names: Readonly<Record<string, string | readonly string[]>>): void {
      for (const [neutral, own] of Object.entries(names))
        found.set(neutral, new Set([...(found.get(neutral) ?? []), ...[own].flat()]));
    },
    all(): { inferred?: InferredNames } {
      if (found.size === 0) return {};
      const sorted = [...found]
        .sort(([a], [b]) => compare(a, b))
        .map(([name, owns]) => [name, [...owns].sort()] as const);
      return { inferred: Object.fromEntries(sorted) };
    },
  };
}
