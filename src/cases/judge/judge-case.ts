/** Judges one case from its evidence: outcome, level, and where it shows. */
import type { Exchange } from "../../wire/exchange.ts";
import type { createAnswers } from "../answers.ts";
import type { Case } from "../case.ts";
import { compareText } from "../compare-text.ts";
import type { CaseOutcome, CaseResult } from "../document.ts";
import type { CaseObservation } from "../observation.ts";
import { violations } from "../violations.ts";
import type { Profile } from "./handed-back.ts";
import { type ClientFacts, outcomeOf } from "./outcome.ts";
import { plannedIn } from "./planned-exchange.ts";
import { quoted } from "./words.ts";

/** Exchanges that a result names. */
const maxNamed = 10;

/** The source of a case's exchanges. */
export const sourceOf = ({ interface: of, case: id }: Pick<CaseObservation, "interface" | "case">): string =>
  `${of}/${id}`;

/** The level of an outcome. */
export function levelOf(one: Case, outcome: CaseOutcome): CaseResult["level"] {
  if (outcome === "works" || outcome === "error") return null;
  if (outcome === "not-shown") return "note";
  if (outcome === "leaks") return "error";
  if (one.kind === "odd" || one.isNeutral) return "warning";
  if (one.kind === "legal") return "error";
  return one.fails?.includes(outcome) ? "error" : "warning";
}

/** How a client hands back the plain answer, for the cases of the same interface. */
export function profileOf(
  answers: ReturnType<typeof createAnswers>,
  plain: Case,
  seen: CaseObservation,
  exchanges: readonly Exchange[],
): { readonly profile: Profile; readonly usualAsks: number } {
  const told = plannedIn(answers, plain, seen, exchanges);
  const said = told.findLast(({ planned }) => planned.applies)?.planned.answer.said.text ?? "";
  const { times, fate } = compareText(seen.handed.output ?? seen.handed.text ?? "", said);
  const usualAsks = Math.max(0, ...told.map(({ planned }) => planned.attempt)) + 1;
  return { profile: { handed: seen.handed, times, fate }, usualAsks };
}

/** @param exchanges those of the case, in order */
export function judgeCase(
  answers: ReturnType<typeof createAnswers>,
  one: Case,
  seen: CaseObservation,
  exchanges: readonly Exchange[],
  facts: ClientFacts = {},
): CaseResult {
  const told = plannedIn(answers, one, seen, exchanges);
  const { outcome, why } = outcomeOf(one, seen, told, facts);
  const source = sourceOf(seen);
  const applied = told.filter(({ planned, origin }) => planned.applies || origin === "other");
  const { text, output, errors, error } = seen.handed;
  const printed = quoted(
    [text ?? output, errors, error && `${error.name}: ${error.message}`].filter(Boolean).join(" "),
  );
  return {
    case: one.id,
    interface: seen.interface,
    kind: one.kind,
    says: one.says,
    restsOn: [...one.restsOn, ...(violations[one.id]?.[seen.interface] ?? [])],
    outcome,
    level: levelOf(one, outcome),
    why,
    ...(printed !== "" && { printed }),
    exchanges: applied.slice(0, maxNamed).map(({ exchange }) => ({ source, exchange })),
  };
}
