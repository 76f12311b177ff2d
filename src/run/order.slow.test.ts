/** Holds that neither order, concurrency nor shards change what a run says. */
import { expect, onTestFinished, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { createReference } from "../reference/reference.ts";
import { withFitness } from "../verdict/fitness.ts";
import { mergeShards } from "../verdict/merge.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { jsonResponse } from "../wire/build.ts";
import type { WireResponse } from "../wire/exchange.ts";
import { type Handler, listen, type Reply } from "../wire/listen.ts";
import type { RunOptions } from "./options.ts";
import { loadFitness } from "./plan/fitness-data.ts";
import { planRun } from "./plan-run.ts";
import { prepareRun } from "./run.ts";

const reference = createReference(await openCatalogue(), () => "http://127.0.0.1");

/** Breaks clauses, enforces no rule or refuses what it should not, as the length of a request has it: always the same ones. */
const faulty: Handler = (request) => {
  const reply = reference(request);
  const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes)).toString();
  const { length } = request.body;
  const answer = (response: WireResponse): Reply => ({ ...response, pieces: [{ bytes: response.body }] });
  if (reply.status === 400 && length % 3 === 0) return answer(jsonResponse({ type: "message" }));
  const isForced = Buffer.from(request.body).includes('"type":"tool"');
  if (reply.status === 200 && isForced) return answer(jsonResponse({ error: "not offered" }, 422));
  if (reply.status === 400) return answer(jsonResponse({ error: { type: "invalid", message: body.length } }, 400));
  return reply;
};

const shuffled = <T>(list: readonly T[], seed: number): T[] =>
  list
    .map((item, i) => ({ item, at: Math.sin(seed + i * 7.3) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

test("any order, any concurrency and any number of shards give the same results document", async () => {
  const server = await listen(faulty);
  onTestFinished(() => server.close());
  const options: RunOptions = { interface: ["messages"], section: ["response", "errors", "tools"], retries: 0 };
  const ask = async (more: RunOptions, seed?: number): Promise<RunResults> => {
    const planned = await planRun(server.url, { ...options, ...more });
    const { recordings, probes } = planned;
    const mixed =
      seed === undefined
        ? planned
        : { ...planned, recordings: shuffled(recordings, seed), probes: shuffled(probes, seed) };
    return (await prepareRun(mixed).execute()).results;
  };
  const whole = await ask({ concurrency: 1 });
  const verdicts = new Set(whole.clauses.map(({ verdict }) => verdict));
  expect([...verdicts].sort()).toEqual(expect.arrayContaining(["fail", "no-verdict", "pass", "warning"]));
  expect(await ask({ concurrency: 16 }, 1)).toEqual(whole);
  const parts = [];
  for (const index of [2, 1]) parts.push(await ask({ shard: `${index}/2`, concurrency: 4 }, index));
  const merged = mergeShards(parts, "2026-01-01");
  // The uses of a target are decided anew for merged results, as the report does.
  expect(merged.ok && withFitness(merged.results, loadFitness())).toEqual(whole);
});
