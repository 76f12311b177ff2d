/** A violation of a stream stands in the first, the last, one or all of the events that could have it. */
import { expect, test } from "vitest";
import type { Finding } from "../check/clause.ts";
import { spreadOf } from "./stream-spread.ts";

const without = (pointer: string, ...events: readonly number[]) =>
  events.map((event) => ({ in: "stream", event, pointer }) as unknown as Finding);
const chunk = { choices: [{ index: 0 }] };
const usage = { choices: [], usage: {} };

test("events that lack what holds the member could not violate its clause", () => {
  const stream = [chunk, chunk, chunk, usage, undefined];
  const spread = (...events: readonly number[]) => spreadOf(without("/choices/0/delta", ...events), stream);
  expect(spread(0)).toEqual(["first"]);
  expect(spread(1)).toEqual(["between"]);
  expect(spread(2)).toEqual(["last"]);
  expect(spread(0, 2)).toEqual(["first", "last"]);
  expect(spread(0, 1, 2)).toEqual(["all", "between", "first", "last"]);
});

test("events of another type could not, either", () => {
  const stream = [{ type: "start" }, { type: "delta" }, { type: "delta" }, { type: "stop" }];
  expect(spreadOf(without("/delta", 1), stream)).toEqual(["first"]);
  expect(spreadOf(without("/delta", 1, 2), stream)).toContain("all");
});

test("a finding about no event has no place", () => {
  expect(spreadOf([{ in: "body", event: null, pointer: "" } as unknown as Finding], [chunk])).toEqual([]);
});
