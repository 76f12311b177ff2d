/** Reads what is known of documents of others, each with its reason. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../home.ts";

export interface Explained {
  /** Ids of clauses that no example proves, and why. */
  readonly unproven?: Readonly<Record<string, string>>;
  /** Pointers of samples and references that are named wrongly or not at all, and why. */
  readonly misnamed?: Readonly<Record<string, string>>;
  /** Pointers of unions that may be opaque beyond the bound, and why. */
  readonly opaque?: Readonly<Record<string, string>>;
  /** The document's clauses that the clauses of touchstone do not hold against the same place. */
  readonly onlyDocument?: Readonly<Record<string, string>>;
  /** Clauses of touchstone that the document does not hold against the same place. */
  readonly onlyTouchstone?: Readonly<Record<string, string>>;
}

/** The entries by the name of the document's file. */
export const readExplained = (): Readonly<Record<string, Explained>> =>
  JSON.parse(readFileSync(join(home, "src", "dev", "documents", "explained.json"), "utf8"));

/**
 * Compares what was found with what is explained.
 * @returns sentences: what has no reason, and what has one that nothing needs
 */
export function unexplained(
  found: ReadonlyMap<string, string>,
  reasons: Readonly<Record<string, string>> = {},
): { readonly open: string[]; readonly stale: string[] } {
  return {
    open: [...found].filter(([key]) => reasons[key] === undefined).map(([key, what]) => `${key}: ${what}`),
    stale: Object.keys(reasons)
      .filter((key) => !found.has(key))
      .map((key) => `${key}: explained, but it was not found`),
  };
}
