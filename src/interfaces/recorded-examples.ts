/** Takes examples out of users' own recordings: what passes proves clauses, what says that it violates some is a counterexample. */
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import type { Conversation, Example, Examples, Negative, OwnRecording } from "../check/example.ts";
import { judge } from "../check/judge.ts";
import { judgeLaws } from "../check/judge-laws.ts";
import { namesFrom } from "../check/names.ts";
import { didYouMean } from "../check/suggest.ts";

/** By interface. */
export interface RecordedExamples extends Required<Pick<Examples, "negatives" | "left" | "wrong">> {
  readonly recorded: Readonly<Record<string, readonly Example[]>>;
  /** Passing recordings of several exchanges. */
  readonly conversations: Readonly<Record<string, readonly Conversation[]>>;
}

/** @param behind interfaces whose recordings stand behind examples that somebody wrote */
export function recordedExamples(
  catalogue: Catalogue,
  recordings: Readonly<Record<string, readonly OwnRecording[]>>,
  behind: ReadonlySet<string> = new Set(),
): RecordedExamples {
  const recorded: Record<string, Example[]> = {};
  const conversations: Record<string, Conversation[]> = {};
  const negatives: Record<string, Negative[]> = {};
  const left: string[] = [];
  const wrong: string[] = [];
  const ids = new Set(catalogue.clauses.map(({ id }) => id));

  function addNegative(of: string, { path, violates, bindings, exchanges }: OwnRecording): void {
    for (const id of violates)
      if (!ids.has(id))
        wrong.push(`${path} says that it violates ${id}, which is no clause. ${didYouMean(id, ids)}`.trim());
    const own = exchanges.map(({ exchange }) => exchange);
    (negatives[of] ??= []).push({ path, violates: violates.filter((id) => ids.has(id)), bindings, exchanges: own });
  }

  function addGood(of: string, { path, section, name, bindings, exchanges }: OwnRecording): void {
    const judging = { names: namesFrom(bindings), policy: lenient };
    const whole = exchanges.map(({ exchange }) => exchange);
    let passes = true;
    for (const [i, exchange] of whole.entries()) {
      if (exchange.response === null) continue;
      const { findings } = judge(exchange, { source: path, exchange: i }, catalogue, judging);
      const broken = findings.find(({ level }) => level === "error");
      if (broken) left.push(`${path} #${i} breaks ${broken.clause}: nothing is proven on it`);
      else
        (recorded[of] ??= []).push({
          name: `${section}/${name} #${i}`,
          exchange,
          recorded: true,
          ...(behind.has(of) && { late: true }),
        });
      passes &&= !broken;
    }
    if (whole.length < 2 || !passes) return;
    const placed = whole.map((exchange, position) => ({ exchange, position }));
    const broken = judgeLaws(placed, path, catalogue, judging).findings.find(({ level }) => level === "error");
    if (broken) left.push(`${path} breaks ${broken.clause}: nothing that speaks of several exchanges is proven on it`);
    else (conversations[of] ??= []).push({ name: `${section}/${name}`, exchanges: whole });
  }

  for (const [of, list] of Object.entries(recordings))
    for (const recording of list)
      if (recording.violates.length > 0) addNegative(of, recording);
      else addGood(of, recording);
  return { recorded, conversations, negatives, left, wrong };
}
