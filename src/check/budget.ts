/** The budget for judging one exchange: steps in proportion to its bytes, spent wherever the wire decides how much there is to do. */
import type { Exchange } from "../wire/exchange.ts";
import { type JsonResult, maxValues, parseJson } from "../wire/json.ts";

/** Why a clause is left undecided where judging it would take more than an exchange may cost. */
export const tooMuchToJudge = "too much to judge";

/** By its name it is known where the code of a user's own brings a copy of this class. */
const tooMuch = "TooMuch";

/** Thrown where the budget does not suffice, or where something was too much to read; whatever was found before stays. */
export class TooMuch extends Error {
  constructor() {
    super(tooMuchToJudge);
    this.name = tooMuch;
  }
}

export interface Budget {
  /** Spends steps, each some ten nanoseconds; false, and nothing spent, where fewer are left. */
  take(steps: number): boolean;
}

/** Steps every exchange has, and those it has for each of its bytes. Loops linear in what was sent spend nothing. */
const base = 10_000_000;
const perByte = 8;

export function createBudget({ request, response }: Exchange): Budget {
  /** Counted when it is first spent of: most exchanges have nothing to spend it on, and some have bodies of which nobody needs the bytes. */
  let left: number | undefined;
  return {
    take(steps) {
      left ??= base + perByte * (request.target.length + request.body.length + (response?.body.length ?? 0));
      if (steps > left) return false;
      left -= steps;
      return true;
    },
  };
}

/** Spends steps; throws TooMuch where too few are left. */
export function spend(budget: Budget, steps: number): void {
  if (!budget.take(steps)) throw new TooMuch();
}

/** A text that stands in an exchange, read as JSON; throws TooMuch where it nests too deep or holds too much. */
export function parsed(text: string): JsonResult {
  const json = parseJson(text, maxValues);
  if (!json.ok && json.beyond) throw new TooMuch();
  return json;
}

/** Whether something failed because there was too much of it: for the budget, the stack, or the longest text of the engine. */
export function isTooMuch(error: unknown): boolean {
  return (
    (error instanceof Error && error.name === tooMuch) ||
    error instanceof RangeError ||
    (error as NodeJS.ErrnoException | null)?.code === "ERR_STRING_TOO_LONG"
  );
}

/** The cost of one violation beside its pointer, which may be as long as a name that was sent. */
export const violationCost = 64;
