/** The shipped recordings show these clauses by themselves, before any target is asked. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { onAnswers } from "../../verdict/results.ts";
import { clausesShownBy } from "./recording-coverage.ts";
import { readRecording, recordingsIn } from "./recordings.ts";

const folder = join(home, "recordings");
const catalogue = await openCatalogue();
const recordings = await Promise.all(recordingsIn(folder).map((source) => readRecording(folder, source)));
const showing = clausesShownBy(recordings, catalogue);
const shown = new Set(recordings.flatMap(({ source, exchanges }) => exchanges.flatMap((_, i) => showing(source, i))));
const decidable = onAnswers(catalogue);
const ofAnswers = catalogue.clauses.filter(({ id }) => decidable.has(id));

/** Nothing a recorded request brings about: probes ask for them, and a run fetches addresses itself. */
const byProbes = [
  "generate-content.auth.invalid-key-status",
  "generate-content.errors.not-found-status",
  "generate-content.response.cache-tokens-details-type",
  "generate-content.response.cached-token-count-type",
  "images.generations.url-lifetime",
];

test("a recording asks for every clause on answers, unless probes do or the clause says why no run does", () => {
  const unshown = ofAnswers.filter(({ id, unasked }) => !shown.has(id) && unasked === undefined);
  expect(unshown.map(({ id }) => id)).toEqual(byProbes);
});

test("no clause says that no run asks for it while a recording does", () => {
  expect(ofAnswers.filter(({ id, unasked }) => unasked !== undefined && shown.has(id)).map(({ id }) => id)).toEqual([]);
});

test("a recording breaks on purpose only clauses there are", () => {
  const known = new Set(catalogue.clauses.map(({ id }) => id));
  for (const { source, violates } of recordings)
    expect([source, violates.filter((id) => !known.has(id))]).toEqual([source, []]);
});
