/** Finds what the recordings themselves show: the clauses their answers exercise, and the models that answered. */
import type { Catalogue } from "../../check/catalogue.ts";
import { lenient } from "../../check/clause.ts";
import { type Interface, interfaceNamed } from "../../check/interface.ts";
import { judge } from "../../check/judge.ts";
import { judgeLaws } from "../../check/judge-laws.ts";
import { namesFrom } from "../../check/names.ts";
import { modelOf } from "../../interfaces/model.ts";
import { exercisedIn } from "../../verdict/evidence.ts";
import { type ClausesShown, onAnswers } from "../../verdict/results.ts";
import { interfaceAt, type Recording } from "./recordings.ts";

/** The clauses recordings show, sorted; each exchange is judged when it is first asked about, and never again. */
export function clausesShownBy(recordings: readonly Recording[], catalogue: Catalogue): ClausesShown {
  const bySource = new Map(recordings.map((recording) => [recording.source, recording]));
  const decidable = onAnswers(catalogue);
  const known = new Map<string, readonly string[]>();
  function judged(source: string, position: number): readonly string[] {
    const recording = bySource.get(source);
    const exchange = recording?.exchanges[position]?.exchange;
    if (!recording || !exchange) return [];
    const names = namesFrom(recording.bindings);
    const probe = recording.violates.length > 0;
    const judgement = judge(exchange, { source, exchange: position }, catalogue, { names, policy: lenient, probe });
    return [...exercisedIn(judgement, catalogue), ...together(recording)].filter((id) => decidable.has(id));
  }
  const laws = new Map<string, readonly string[]>();
  /** The clauses that the exchanges of a recording show together. */
  function together({ source, bindings, exchanges }: Recording): readonly string[] {
    const shown = laws.get(source);
    if (shown || exchanges.length < 2) return shown ?? [];
    const placed = exchanges.map(({ exchange }, position) => ({ exchange, position }));
    const options = { names: namesFrom(bindings), policy: lenient };
    const { exercised } = judgeLaws(placed, source, catalogue, options);
    laws.set(source, exercised);
    return exercised;
  }
  return (source, position) => {
    const key = `${source} ${position}`;
    const clauses = known.get(key) ?? judged(source, position);
    known.set(key, clauses);
    return clauses;
  };
}

/** Model ids that were answered with success in any of these recordings. */
export function answeredModels(recordings: readonly Recording[], interfaces: readonly Interface[]): Set<string> {
  const known = new Set<string>();
  for (const recording of recordings)
    for (const [i, { exchange }] of recording.exchanges.entries()) {
      const { request, response } = exchange;
      const model = modelOf(request, interfaceNamed(interfaces, interfaceAt(recording, i))?.model);
      if (model !== undefined && response && response.status >= 200 && response.status < 300) known.add(model);
    }
  return known;
}
