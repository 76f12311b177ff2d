/** Judges once more what was judged while no page was open: nobody kept what was found. */
import type { Judging } from "../interfaces/judging.ts";
import { createFollower } from "../record/follower.ts";
import { segmentsOf } from "../record/segments.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";

export interface CatchUp {
  readonly ended: Promise<void>;
  abandon(): void;
}

/**
 * Judges the exchanges whose lines are the bytes `from` to `to` of a cassette, in a process of the lowest priority.
 * @param first the position of the first of them
 */
export function catchUp(
  out: string,
  { documents, bindings, policy }: Judging,
  { from, to, first }: { readonly from: number; readonly to: number; readonly first: number },
  onExchange: (exchange: ListedExchange) => void,
): CatchUp {
  const range = { from: { file: 0, at: from }, to: { file: 0, at: to } };
  const follower = createFollower(segmentsOf([out], range), {
    settings: { documents, bindings, policy, failsAt: "error", redacts: false },
    jobs: 1,
    yields: true,
  });
  async function follow(): Promise<void> {
    for await (const { first: before, exchanges } of follower)
      for (const [i, one] of exchanges.entries()) {
        const exchange = first + before + i;
        // Findings count exchanges from where judging began.
        onExchange({ ...one, exchange, findings: one.findings.map((finding) => ({ ...finding, exchange })) });
      }
  }
  return { ended: follow(), abandon: follower.abandon };
}
