/** The tape is handed over once a turn, whoever told it something, and no client sees anything before. */
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHandover } from "./handover.ts";
import { collect } from "./observer.ts";

/** A hand-over whose tape notes when it is asked, and says that it lags where `lag` gives a promise. */
function handing(lag: () => Promise<void> | undefined = () => undefined) {
  const events: string[] = [];
  const pending = (): Promise<void> | undefined => {
    events.push("handed over");
    return lag();
  };
  const handover = createHandover({ ...collect(() => {}), pending });
  const hold = (name: string, socket = new Socket()): Socket => {
    handover.hold(socket, {
      settle: () => events.push(`${name} settles`),
      pause: () => events.push(`${name} pauses`),
      resume: () => events.push(`${name} resumes`),
    });
    return socket;
  };
  return { handover, events, hold };
}

test("all that is told in one turn is handed over once, and sockets are corked until then", async () => {
  const { handover, events, hold } = handing();
  const sockets = [hold("a"), hold("b")];
  handover.kept(() => events.push(`kept, corked: ${sockets.map(({ writableCorked }) => writableCorked)}`));
  hold("a again", sockets[0]);
  expect(sockets.map(({ writableCorked }) => writableCorked)).toEqual([1, 1]);
  await turn();
  expect(events).toEqual(["a settles", "b settles", "a again settles", "handed over", "kept, corked: 1,1"]);
  expect(sockets.map(({ writableCorked }) => writableCorked)).toEqual([0, 0]);
  hold("later");
  await turn();
  expect(events.filter((event) => event === "handed over")).toHaveLength(2);
});

test("while the tape lags, nothing is read or seen, and later turns do not wait for earlier ones", async () => {
  const lags: (() => void)[] = [];
  const { handover, events, hold } = handing(() => new Promise((resolve) => void lags.push(resolve)));
  const socket = hold("a");
  handover.kept(() => events.push("seen"));
  await turn();
  expect([events, socket.writableCorked]).toEqual([["a settles", "handed over", "a pauses"], 1]);
  lags[0]!();
  await turn();
  expect([events.slice(3), socket.writableCorked]).toEqual([["a resumes", "seen"], 0]);
});

test("a call that fails leaves no socket corked", async () => {
  const failures: unknown[] = [];
  const listeners = process.rawListeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", (error) => failures.push(error));
  const { handover, hold } = handing();
  const socket = hold("a");
  handover.kept(() => {
    throw new Error("ours");
  });
  await turn();
  await turn();
  process.removeAllListeners("uncaughtException");
  for (const listener of listeners) process.on("uncaughtException", listener as never);
  expect([failures, socket.writableCorked]).toEqual([[new Error("ours")], 0]);
});
