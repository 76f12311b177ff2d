/** The sender thread: reused by the next order of a process, unless code of a user's own ran in it. */
import { expect, test } from "vitest";
import { folderOf } from "../../documents/documents.test-kit.ts";
import { keepSenderThread, launchSenderThread } from "./sender-thread.ts";
import type { RunOrder } from "./suite-messages.ts";
import { sendOrder } from "./suites.ts";

const hearing = { onMessage() {}, onEnd() {} };

/** Sends an order without requests. */
async function sendNothing(documents: readonly string[] = []): Promise<void> {
  const order = {
    target: { bindings: [], models: {} },
    settings: { retries: 0, maxIdleMs: 1000, maxTimeMs: 1000, maxBodyBytes: 1000 },
    ...{ recordings: [], probes: [], documents, runsCode: true },
  };
  await sendOrder(order as unknown as RunOrder, 1, () => {}, new AbortController().signal);
}

test("an order is sent by the thread of the order before, unless that ran code of a user's own", async () => {
  const first = launchSenderThread(hearing);
  keepSenderThread(first);
  await sendNothing();
  const second = launchSenderThread(hearing);
  expect(second).toBe(first);
  keepSenderThread(second);
  const clauses = [{ name: "a", at: "A", says: "A.", on: "request", level: "must" }];
  const own = folderOf({
    "interface.json": { name: "things", operations: [{ name: "POST /v1/things" }] },
    "body.clauses.json": { document: "Things", clauses },
    "rules.mjs": `export const rules = [{ clause: "things.body.a", applies: () => false, check: () => [] }];`,
  });
  await sendNothing([own]);
  const third = launchSenderThread(hearing);
  expect(third).not.toBe(first);
  keepSenderThread(third);
});

test("runs at the same time leave one thread that waits", async () => {
  const threads = [launchSenderThread(hearing), launchSenderThread(hearing)];
  const ended = new Promise((resolve) => threads[1]!.worker.once("exit", resolve));
  for (const thread of threads) keepSenderThread(thread);
  await ended;
  const next = launchSenderThread(hearing);
  expect(next).toBe(threads[0]);
  keepSenderThread(next);
});
