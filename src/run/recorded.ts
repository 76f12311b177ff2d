/** What a recording itself shows: the clauses its answers exercise, and the model ids that were answered. */

import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { exercisedIn } from "../verdict/evidence.ts";
import { modelOf } from "./model.ts";
import type { Recording } from "./recordings.ts";

/** Whether an answer can decide a clause at all: a rule about requests alone speaks of the client, here of us. */
export function onAnswers(catalogue: Catalogue): ReadonlySet<string> {
  return new Set(
    catalogue.clauses.filter(({ on, kind }) => on !== "request" && kind !== "unobservable").map(({ id }) => id),
  );
}

/** Clauses on answers that one recorded exchange exercises, sorted: what a target's own answer should exercise too. */
export function clausesShown(recording: Recording, position: number, catalogue: Catalogue): string[] {
  const exchange = recording.exchanges[position]?.exchange;
  if (!exchange) return [];
  const names = namesFrom(recording.bindings);
  const at = { source: recording.source, exchange: position };
  const judgement = judge(exchange, at, catalogue, { names, policy: lenient, probe: recording.violates.length > 0 });
  const decidable = onAnswers(catalogue);
  return exercisedIn(judgement, catalogue).filter((id) => decidable.has(id));
}

/** Model ids that were answered with success in any of these recordings. */
export function answeredModels(recordings: readonly Recording[]): Set<string> {
  const known = new Set<string>();
  for (const { exchanges } of recordings)
    for (const { exchange } of exchanges) {
      const { request, response } = exchange;
      const model = modelOf(request);
      if (model !== undefined && response && response.status >= 200 && response.status < 300) known.add(model);
    }
  return known;
}
