/** Scenarios of laws are asked as they were recorded, all others one request after another. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { jsonResponse } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import type { Sender } from "../../wire/send.ts";
import { judgeCassette } from "../judge/judge-cassette.ts";
import { actionsOf } from "../judge/model-behaviour.ts";
import { readRecording } from "../plan/recordings.ts";
import { bareTarget } from "../plan/target.test-kit.ts";
import { sendCassette } from "./send-cassette.ts";
import { wavesOf } from "./send-schedule.ts";

const at = (started: number, time: number): { readonly exchange: Exchange } => ({
  exchange: {
    started,
    request: { method: "POST", target: "/", headers: [], body: Buffer.alloc(0) },
    response: { status: 200, headers: [], body: Buffer.alloc(0), time },
  },
});

test("overlapping requests are sent at once, and a pause is kept up to some seconds", () => {
  const exchanges = [at(1000, 50), at(1010, 10), at(1055, 5), at(3000, 5), at(90_000, 5)];
  expect(wavesOf({ section: "laws", exchanges })).toEqual([
    { exchanges: [0, 1], pause: 0 },
    { exchanges: [2], pause: 0 },
    { exchanges: [3], pause: 1940 },
    { exchanges: [4], pause: 3000 },
  ]);
  expect(wavesOf({ section: "tools", exchanges }).map((wave) => wave.exchanges)).toEqual([[0], [1], [2], [3], [4]]);
});

test("a request that takes a value of an earlier answer waits for it", () => {
  const bind = [{ from: { exchange: 0, pointer: "/id" }, to: "/id" }];
  const exchanges = [at(1000, 50), { ...at(1010, 10), bind }];
  expect(wavesOf({ section: "laws", exchanges })).toHaveLength(2);
});

describe("a reply after a while", async () => {
  const target = bareTarget("http://127.0.0.1:1");
  const recording = await readRecording(join(home, "recordings"), "chat-completions/laws/same-question.json");
  const catalogue = await openCatalogue();

  /** Asks whom a clock of its own tells the time, in milliseconds: how long it was waited for, and what the law says. */
  async function asked(created: (now: number) => number, again: number): Promise<unknown> {
    const began = 1_735_689_600_000;
    let now = began;
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => {
      waits.push(Math.round(milliseconds / 100) / 10);
      now += milliseconds;
    };
    const whole = JSON.parse(Buffer.from(recording.exchanges[0]!.exchange.response!.body).toString());
    const sender: Sender = {
      async send(origin, request) {
        now += 10;
        const response = jsonResponse({ ...whole, id: `chatcmpl-${now}`, created: created(now) });
        return { exchange: { origin, started: now, request, response } };
      },
      close: async () => {},
    };
    const actions = actionsOf(catalogue.interfaces);
    const answers = await sendCassette(recording, { target, knownModels: new Set(), again, wait, actions }, sender);
    const { evidence } = judgeCassette(recording, answers, { target, policy: lenient }, catalogue);
    const of = evidence.filter(({ exercised }) => exercised.includes("chat-completions.laws.created-moves"));
    const found = of.flatMap(({ findings }) => findings.filter(({ clause }) => clause.endsWith("created-moves")));
    const verdict = of.length === 0 ? "untested" : found.length > 0 ? "warning" : "pass";
    return { waits, asked: answers.sent.map(({ exchange }) => exchange).join(""), verdict };
  }

  const seconds = (now: number): number => Math.floor(now / 1000);
  test.each([
    ["is asked for once, soon, where its time has moved", seconds, 2, { waits: [1.1], asked: "0123", verdict: "pass" }],
    [
      "is asked for once more where it has not, and no clock is accused that moves by then",
      (now: number) => seconds(now) & ~1,
      2,
      { waits: [1.1, 2.2], asked: "01233", verdict: "pass" },
    ],
    [
      "shows a clock that stands still",
      () => 1_735_689_600,
      2,
      { waits: [1.1, 2.2], asked: "01233", verdict: "warning" },
    ],
    [
      "is waited for at once where it may be asked for once only",
      () => 1_735_689_600,
      0,
      { waits: [2.2], asked: "0123", verdict: "warning" },
    ],
  ])("%s", async (_what, created, again, expected) => {
    expect(await asked(created, again)).toEqual(expected);
  });
});
