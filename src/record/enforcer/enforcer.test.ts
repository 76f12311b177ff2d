/** Holds that judging for `--enforce` is bounded, lets nobody wait for others, and quotes no secret. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { home } from "../../home.ts";
import { utf8 } from "../../wire/build.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import type * as Enforcing from "./enforcer.ts";

// As built, since threads run what is built.
const { startEnforcer } = (await import(
  pathToFileURL(join(home, "dist", "src", "record", "enforcer", "enforcer.js")).href
)) as typeof Enforcing;

const key = "cnry8Zq0W3vT5xY7aB9cD1eF3gH5iJ7kL9mN1oP3";
const hour = 3_600_000;

const ask = (more: object): WireRequest => ({
  method: "POST",
  target: "/v1/chat/completions",
  headers: [
    ["Content-Type", "application/json"],
    ["Authorization", `Bearer ${key}`],
  ],
  body: utf8(JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...more })),
});
const good = ask({});
const bad = ask({ temperature: 9 });

/** No machine judges it within the test: the pattern below takes forever over it. */
const endless = (size = 0): WireRequest => ask({ user: "y".repeat(60), pad: "-".repeat(size) });
const stuck = "(y+y+)+z";

async function enforcer(redact: readonly string[], maxWaitMs?: number) {
  const skipped: string[] = [];
  const settings = { documents: [], bindings: [], policy: lenient, keepHeaders: [], redact };
  const one = await startEnforcer(settings, (why) => skipped.push(why), maxWaitMs);
  onTestFinished(one.close);
  return { ...one, skipped };
}

test("a request that breaks an error clause is refused, the rest passes, and the refusal quotes no piece of a secret", async () => {
  const { refusal, skipped } = await enforcer([], hour);
  expect(await refusal(good)).toBeUndefined();
  expect(await refusal(bad)).toMatchObject({ status: 400, body: expect.stringContaining("temperature") });
  for (const place of [{ temperature: key }, { [key]: 1, temperature: 9 }, { temperature: { a: `x${key}` } }]) {
    const { body } = (await refusal(ask(place)))!;
    for (let at = 0; at + 8 <= key.length; at++) expect(body).not.toContain(key.slice(at, at + 8));
  }
  expect(skipped).toEqual([]);
});

test("a request that takes forever holds no other, and large ones hold no small ones", async () => {
  const { refusal, skipped } = await enforcer([stuck], hour);
  for (const size of [0, 100_000, 100_000, 100_000, 100_000]) void refusal(endless(size));
  for (let i = 0; i < 5; i++) expect(await refusal(bad)).toMatchObject({ status: 400 });
  expect(skipped).toEqual([]);
});

test("a request that takes too long passes unjudged, that is told, and its thread is replaced", async () => {
  const { refusal, skipped } = await enforcer([stuck], 50);
  for (let i = 0; i < 2; i++)
    expect(await Promise.all([refusal(endless()), refusal(endless())])).toEqual([undefined, undefined]);
  expect(skipped).toHaveLength(4);
  expect(new Set(skipped.map((why) => why.replace(/ for .*/, "")))).toContain("judging it took more than 0.05 s");
});
