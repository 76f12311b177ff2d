/** Caches the findings of recent exchanges, within a memory limit. */
import type { Finding } from "../check/clause.ts";

export interface FindingCache {
  add(exchange: number, findings: readonly Finding[]): void;
  /** Undefined where they are no longer kept, or were never told. */
  of(exchange: number): readonly Finding[] | undefined;
}

/** Exchanges, and characters that their findings take together. */
const maxExchanges = 20_000;
const maxCharacters = 32 << 20;

/** Findings of one exchange; of more, the first. */
const maxFindings = 200;

const none: readonly Finding[] = [];

export function createFindingCache(): FindingCache {
  /** As JSON, whose size is known. */
  const kept = new Map<number, string>();
  let characters = 0;
  return {
    add(exchange, findings) {
      const text = findings.length === 0 ? "" : JSON.stringify(findings.slice(0, maxFindings));
      kept.set(exchange, text);
      characters += text.length;
      for (const [old, { length }] of kept) {
        if (kept.size <= maxExchanges && characters <= maxCharacters) break;
        kept.delete(old);
        characters -= length;
      }
    },
    of(exchange) {
      const text = kept.get(exchange);
      return text === undefined ? undefined : text === "" ? none : JSON.parse(text);
    },
  };
}
