/** Counts exchanges by operation, as summaries show them. */
import type { OperationCount } from "./document.ts";
import type { JudgedExchange } from "./judged-exchange.ts";

/** Operations that are counted apart: anybody can ask for any number of paths. */
const maxOperations = 500;

export function createOperations() {
  const counts = new Map<string, { exchanges: number; known: boolean }>();
  function absorb({ operation, known, exchanges }: OperationCount): void {
    const name = known || counts.size < maxOperations || counts.has(operation) ? operation : "other paths";
    const count = counts.get(name) ?? { exchanges: 0, known };
    counts.set(name, count);
    count.exchanges += exchanges;
  }
  return {
    /** Adds what was counted elsewhere. */
    absorb,
    add: ({ operation, known }: Pick<JudgedExchange, "operation" | "known">): void =>
      absorb({ operation, known, exchanges: 1 }),
    list: (): OperationCount[] => [...counts].map(([operation, count]) => ({ operation, ...count })),
  };
}
