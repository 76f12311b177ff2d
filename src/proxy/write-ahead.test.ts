/** The observer is flushed once a turn, whoever told it something, and no client sees anything before. */
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { collectExchanges } from "./collector.ts";
import { createWriteAhead } from "./write-ahead.ts";

/** A write-ahead whose observer notes when it is flushed, and says that it lags where `lag` gives a promise. */
function watched(lag: () => Promise<void> | undefined = () => undefined) {
  const events: string[] = [];
  const flush = (): Promise<void> | undefined => {
    events.push("flushed");
    return lag();
  };
  const writeAhead = createWriteAhead({ ...collectExchanges(() => {}), flush });
  const hold = (name: string, socket = new Socket()): Socket => {
    writeAhead.holdBack(socket, {
      beforeFlush: () => events.push(`${name} settles`),
      pause: () => events.push(`${name} pauses`),
      resume: () => events.push(`${name} resumes`),
    });
    return socket;
  };
  return { writeAhead, events, hold };
}

test("all that is told in one turn is flushed once, and sockets are corked until then", async () => {
  const { writeAhead, events, hold } = watched();
  const sockets = [hold("a"), hold("b")];
  writeAhead.whenFlushed(() => events.push(`seen, corked: ${sockets.map(({ writableCorked }) => writableCorked)}`));
  hold("a again", sockets[0]);
  expect(sockets.map(({ writableCorked }) => writableCorked)).toEqual([1, 1]);
  await turn();
  expect(events).toEqual(["a settles", "b settles", "a again settles", "flushed", "seen, corked: 1,1"]);
  expect(sockets.map(({ writableCorked }) => writableCorked)).toEqual([0, 0]);
  hold("later");
  await turn();
  expect(events.filter((event) => event === "flushed")).toHaveLength(2);
});

test("while the observer lags, nothing is read or seen, and later turns do not wait for earlier ones", async () => {
  const lags: (() => void)[] = [];
  const { writeAhead, events, hold } = watched(() => new Promise((resolve) => void lags.push(resolve)));
  const socket = hold("a");
  writeAhead.whenFlushed(() => events.push("seen"));
  await turn();
  expect([events, socket.writableCorked]).toEqual([["a settles", "flushed", "a pauses"], 1]);
  lags[0]!();
  await turn();
  expect([events.slice(3), socket.writableCorked]).toEqual([["a resumes", "seen"], 0]);
});

test("a call that fails leaves no socket corked", async () => {
  const failures: unknown[] = [];
  const listeners = process.rawListeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", (error) => failures.push(error));
  const { writeAhead, hold } = watched();
  const socket = hold("a");
  writeAhead.whenFlushed(() => {
    throw new Error("ours");
  });
  await turn();
  await turn();
  process.removeAllListeners("uncaughtException");
  for (const listener of listeners) process.on("uncaughtException", listener as never);
  expect([failures, socket.writableCorked]).toEqual([[new Error("ours")], 0]);
});
