/** Counts exchanges by operation, as summaries show them. */
import type { OperationCount } from "./document.ts";
import type { JudgedExchange } from "./judged-exchange.ts";

/** Operations that are counted apart: anybody can ask for any number of paths. */
const most = 500;

export function createOperations() {
  const counts = new Map<string, { exchanges: number; known: boolean }>();
  return {
    add({ operation, known }: Pick<JudgedExchange, "operation" | "known">): void {
      const name = known || counts.size < most || counts.has(operation) ? operation : "other paths";
      const count = counts.get(name) ?? { exchanges: 0, known };
      counts.set(name, count);
      count.exchanges++;
    },
    list: (): OperationCount[] => [...counts].map(([operation, count]) => ({ operation, ...count })),
  };
}
