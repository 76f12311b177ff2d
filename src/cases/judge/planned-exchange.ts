/** Reads an observation: what each request was answered, as the case answers it, and what the client made of it. */
import type { Exchange } from "../../wire/exchange.ts";
import type { createAnswers, PlannedAnswer } from "../answers.ts";
import type { Case } from "../case.ts";
import type { CaseObservation, SeenExchange } from "../observation.ts";

/** One request that is of the interface, with what it was answered. */
export interface PlannedExchange extends SeenExchange {
  readonly planned: PlannedAnswer;
}

/** Plans the answers of an observation once more: they are a function of the case, the seed and the requests. */
export function plannedIn(
  answers: ReturnType<typeof createAnswers>,
  one: Case,
  { seed, exchanges: seen }: CaseObservation,
  exchanges: readonly Exchange[],
): readonly PlannedExchange[] {
  const answerer = answers(one, seed);
  return seen.flatMap((entry) => {
    const { request, origin = "http://127.0.0.1:1", started = 0 } = exchanges[entry.exchange]!;
    const isOther = entry.origin === "other";
    const planned = answerer(request, { origin, other: "http://localhost:1", isOther, now: started });
    return [{ ...entry, planned }];
  });
}
