/** Scenarios of laws are asked as they were recorded, all others one request after another. */
import { expect, test } from "vitest";
import type { Exchange } from "../wire/exchange.ts";
import { wavesOf } from "./waves.ts";

const at = (started: number, time: number): { readonly exchange: Exchange } => ({
  exchange: {
    started,
    request: { method: "POST", target: "/", headers: [], body: Buffer.alloc(0) },
    response: { status: 200, headers: [], body: Buffer.alloc(0), time },
  },
});

test("what overlapped is sent at once, and a pause is kept up to some seconds", () => {
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
