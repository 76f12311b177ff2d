/** Tries cases on a client, several at a time. */
import type { createAnswers } from "../answers.ts";
import type { Case } from "../case.ts";
import type { ClientUnderTest } from "../client-under-test.ts";
import type { InterfaceName } from "../interface-names.ts";
import { type TriedCase, type TryOptions, tryCase } from "./try-case.ts";

/** A case in one interface. */
export interface Planned {
  readonly one: Case;
  readonly interface: InterfaceName;
}

export interface RunCasesOptions extends TryOptions {
  /** Cases under way at a time. */
  readonly concurrency: number;
  /** Told of each case when it was tried, in the order in which they end. */
  readonly done?: (tried: TriedCase, planned: Planned) => void;
}

/** Resolves once all were tried, with what was seen in the order of the plan; those left out after an abort are missing. */
export async function runCases(
  answers: ReturnType<typeof createAnswers>,
  client: ClientUnderTest,
  plan: readonly Planned[],
  { concurrency, done, ...options }: RunCasesOptions,
): Promise<readonly (TriedCase | undefined)[]> {
  const tried: (TriedCase | undefined)[] = plan.map(() => undefined);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < plan.length && !options.signal?.aborted; i = next++) {
      const planned = plan[i]!;
      const own = await tryCase(answers, client, planned.one, planned.interface, options);
      if (options.signal?.aborted) return;
      tried[i] = own;
      done?.(own, planned);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, plan.length) }, worker));
  return tried;
}
