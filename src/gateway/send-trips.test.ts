/** Trips show what passed at both ends of a gateway, whatever it does to requests. */
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { interfaceNamed } from "../check/interface.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { readRecording } from "../run/plan/recordings.ts";
import { bareTarget } from "../run/plan/target.test-kit.ts";
import { createSender, defaultLimits } from "../wire/send.ts";
import { type Questions, questionsFor, wordOf } from "./questions.ts";
import { openRelay, type RelayFaults } from "./relay.test-kit.ts";
import { type Lost, type Restarts, sendTrips } from "./send-trips.ts";
import type { Trip } from "./trip.ts";
import { openUpstream } from "./upstream.ts";

const catalogue = await openCatalogue();
const sources = ["response/text", "tools/round-trip", "conversation/image"].map(
  (name) => `chat-completions/${name}.json`,
);
const recordings = await Promise.all(sources.map((source) => readRecording(join(home, "recordings"), source)));
const described = interfaceNamed(catalogue.interfaces, "chat-completions")!;
const all = questionsFor(described, recordings, { twins: [] }, new Set(), bareTarget("http://127.0.0.1"));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Only questions whose names match. */
const only = (pattern: RegExp): Questions => ({
  conversations: all.conversations.filter(({ steps }) => steps.flat().some(({ id }) => pattern.test(id))),
  atOnce: all.atOnce.filter(({ id }) => pattern.test(id)),
  breaking: all.breaking.filter(({ id }) => pattern.test(id)),
});

async function send(
  questions: Questions,
  faults: RelayFaults = {},
  patience = 20_000,
  maxIdleMs = 60_000,
  restarts?: Restarts,
): Promise<{ readonly trips: ReadonlyMap<string, Trip>; readonly lost: Lost | undefined }> {
  const upstream = await openUpstream(catalogue, "127.0.0.1:0");
  const relay = await openRelay(() => upstream.url, faults);
  const sender = createSender({ ...defaultLimits, maxIdleMs });
  closing.push(
    () => sender.close(),
    () => relay.close(),
    () => upstream.close(),
  );
  const trips = new Map<string, Trip>();
  const lost = await sendTrips(questions, {
    route: { from: "chat-completions", to: "chat-completions" },
    target: bareTarget(relay.url),
    knownModels: new Set(),
    interfaces: catalogue.interfaces,
    upstream,
    sender,
    plainSender: sender,
    concurrency: 8,
    patience,
    ...(restarts && { restarts }),
    onTrip: (trip) => void trips.set(trip.id, trip),
  });
  return { trips, lost };
}

const bodyOf = (message: { readonly body: Uint8Array } | null | undefined): string =>
  Buffer.from(message?.body ?? []).toString();

test("of every trip one request arrived, which holds its word, and its answer is the one that was sent", async () => {
  const { trips, lost } = await send(all);
  expect(lost).toBeUndefined();
  const ids = [...all.atOnce, ...all.breaking, ...all.conversations.flatMap(({ steps }) => steps.flat())].map(
    ({ id }) => id,
  );
  expect([...trips.keys()].sort()).toEqual(ids.sort());
  for (const [id, { client, upstream, situation }] of trips) {
    expect(upstream, id).toHaveLength(1);
    expect(bodyOf(upstream[0]!.request), id).toContain(wordOf(id));
    if (situation !== "cut" && situation !== "disconnect")
      expect(bodyOf(client.response), id).toBe(bodyOf(upstream[0]!.response));
  }
});

test("ids of earlier answers stand in later requests, in both of their forms", async () => {
  const { trips } = await send(only(/round-trip/));
  const reply = JSON.parse(bodyOf(trips.get("chat-completions/tools/round-trip/1")!.client.response));
  const { id } = reply.choices[0].message.tool_calls[0];
  for (const form of ["", "+stream"]) {
    const { messages } = JSON.parse(
      bodyOf(trips.get(`chat-completions/tools/round-trip/2${form}`)!.upstream[0]!.request),
    );
    expect([messages[1].tool_calls[0].id, messages[2].tool_call_id]).toEqual([id, id]);
  }
});

test.each([
  ["error-400", 400],
  ["error-429", 429],
  ["error-503", 503],
])("in %s the upstream fails with %i", async (situation, status) => {
  const { trips } = await send(only(new RegExp(situation)));
  const { client, upstream } = trips.get(`situations/${situation}`)!;
  expect([client.response!.status, upstream[0]!.response!.status]).toEqual([status, status]);
  const later = client.response!.headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1];
  expect(later).toBe(status === 429 ? "3" : undefined);
});

test("a stream that is passed on is seen before its upstream ends it, and a disconnect reaches the upstream", async () => {
  const { trips } = await send(only(/situations\/(slow|disconnect)/));
  const slow = trips.get("situations/slow+stream")!;
  expect(slow.client.response!.chunks![0]![0]).toBeLessThan(slow.timing!.upstreamEnded!);
  for (const form of ["", "+stream"]) {
    const { timing, client, upstream } = trips.get(`situations/disconnect${form}`)!;
    expect(timing).toEqual({ disconnectReached: expect.any(Number) });
    expect([client.aborted, upstream[0]!.aborted]).toEqual(["client", "client"]);
  }
});

test("a stream that is held back is seen only after its upstream ended it, and a disconnect that nobody passes on is told", async () => {
  const { trips } = await send(only(/situations\/(slow|disconnect)/), { buffers: true, staysOn: true }, 300);
  const slow = trips.get("situations/slow+stream")!;
  expect(slow.client.response!.chunks![0]![0]).toBeGreaterThanOrEqual(slow.timing!.upstreamEnded!);
  expect(trips.get("situations/disconnect+stream")!.timing).toEqual({ disconnectReached: null });
});

test("streams that break are kept as far as they came", async () => {
  const { trips } = await send(only(/situations\/(cut|stream-error|unfinished)/));
  const cut = trips.get("situations/cut+stream")!;
  expect([cut.client.aborted, cut.upstream[0]!.aborted]).toEqual(["upstream", "upstream"]);
  const unfinished = trips.get("situations/unfinished+stream")!;
  expect([unfinished.client.aborted, unfinished.upstream[0]!.aborted]).toEqual([undefined, undefined]);
  for (const { client } of [cut, unfinished]) expect(bodyOf(client.response)).not.toMatch(/\[DONE\]|"stop"/);
  expect(bodyOf(trips.get("situations/stream-error+stream")!.client.response)).toMatch(/data: \{"error":.*\n\n$/);
});

test("what loses its word on the way is asked again alone", async () => {
  const { trips } = await send(only(/^chat-completions|at-once/), {
    change: (body) => body.replaceAll(/trip-\w+/g, ""),
  });
  expect(trips.size).toBeGreaterThan(50);
  for (const [id, { upstream }] of trips) expect(upstream, id).toHaveLength(1);
});

test("what gets no answer in time beside others is asked again alone", async () => {
  const seen = new Set<string>();
  const stalls = (body: string): boolean => {
    const isFirst = /conversation (?:5|6) of/.test(body) && !seen.has(body);
    seen.add(body);
    return isFirst;
  };
  const { trips } = await send(only(/at-once\/[56]/), { stalls }, 20_000, 2000);
  for (const id of ["at-once/5", "at-once/6+stream"])
    expect([trips.get(id)!.timing, trips.get(id)!.client.response!.status]).toEqual([undefined, 200]);
});

test("an end of the gateway while several trips are under way is told of one of them", async () => {
  const seen = new Set<string>();
  const breaks = (body: string): boolean => {
    const isFirst = /conversation (?:5|6) of/.test(body) && !seen.has(body);
    seen.add(body);
    return isFirst;
  };
  let count = 0;
  const restarts: Restarts = {
    get count() {
      return count;
    },
    after: (before) => {
      count = before + 1;
      return Promise.resolve("ended with exit code 7");
    },
  };
  const { trips } = await send(only(/at-once\/[56]/), { breaks }, 20_000, 60_000, restarts);
  const ends = ["at-once/5", "at-once/6+stream"].map((id) => trips.get(id)!.ended);
  expect(ends.filter((how) => how === "ended with exit code 7")).toHaveLength(1);
});

test("a gateway that answers by itself has trips on which nothing arrived", async () => {
  const { trips } = await send(only(/response\/text/), { change: () => undefined });
  const { client, upstream } = trips.get("chat-completions/response/text")!;
  expect([client.response!.status, upstream]).toEqual([404, []]);
});

test("answers that were mixed up differ from what the upstream answered", async () => {
  const { trips } = await send(only(/at-once/), { mixes: /conversation (?:5|6) of/ });
  const said = (id: string): boolean => {
    const { client, upstream } = trips.get(id)!;
    return bodyOf(client.response) === bodyOf(upstream[0]!.response);
  };
  expect(["at-once/4+stream", "at-once/7"].map(said)).toEqual([true, true]);
  expect(["at-once/5", "at-once/6+stream"].map(said)).toEqual([false, false]);
});
