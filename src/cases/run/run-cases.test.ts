/** Cases that are tried on a client: how many at a time, when one ends, and which are tried again. */
import { expect, test } from "vitest";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { casesOf } from "../all-cases.ts";
import { createAnswers } from "../answers.ts";
import { typicalRequest } from "../cases.test-kit.ts";
import type { Ask, ClientUnderTest } from "../client-under-test.ts";
import { createLedger } from "./ledger.ts";
import { type Planned, runCases } from "./run-cases.ts";

const answers = createAnswers(await openCatalogue());
const name = "chat-completions";
const { target, headers, body } = typicalRequest(name, "stream", false);

const clientOf = (ask: Ask): ClientUnderTest => ({ name: "a client", versions: {}, interfaces: [name], ask });
const plan = (...patterns: string[]): Planned[] => casesOf(name, patterns).map((one) => ({ one, interface: name }));

const askOnce = async (baseUrl: string): Promise<void> => {
  const answer = await fetch(`${baseUrl}${target}`, {
    method: "POST",
    headers: [...headers] as [string, string][],
    body,
  });
  await answer.arrayBuffer();
};

test("a client that asks for ever is ended once it asked a hundred times, long before its time is over", async () => {
  const client = clientOf(async ({ baseUrl, signal }) => {
    while (!signal.aborted) await askOnce(baseUrl);
    return { end: "killed" };
  });
  const [tried] = await runCases(answers, client, plan("failure/400"), { concurrency: 1, timeout: 3_600_000 });
  expect(tried!.seen.exchanges).toHaveLength(100);
  expect(tried!.seen.exchanges.some(({ left }) => left)).toBe(false);
  expect(tried!.seen.handed.end).toBe("killed");
  expect(createLedger(answers, {}).judged(tried!)).toMatchObject({
    outcome: "asks-wrongly",
    why: expect.stringMatching(/^it asked 100 times in .* and did not give up$/),
  });
});

test("no more cases are under way than are allowed while the processor is idle, and they come back in order", async () => {
  let [running, most] = [0, 0];
  const client = clientOf(async ({ baseUrl }) => {
    most = Math.max(most, ++running);
    await askOnce(baseUrl);
    await new Promise((resolve) => setTimeout(resolve, 250 - 20 * running));
    running--;
    return { end: "returned", text: "" };
  });
  const planned = plan("stream/*").slice(0, 12);
  const tried = await runCases(answers, client, planned, { concurrency: 2, whileIdle: 4, timeout: 60_000 });
  expect(tried.map((one) => one?.seen.case)).toEqual(planned.map(({ one }) => one.id));
  expect(most).toBeGreaterThanOrEqual(2);
  expect(most).toBeLessThanOrEqual(4);
});

test("what fails is tried again, but not where a client fails to end more than eight times", async () => {
  const client = clientOf(async ({ baseUrl, signal }) => {
    await askOnce(baseUrl);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { end: "killed" };
  });
  const planned = plan("stream/*").slice(0, 9);
  const ledger = createLedger(answers, {});
  const tried = await runCases(answers, client, planned, { concurrency: 9, timeout: 4_000 });
  for (const evidence of tried.slice(0, 8)) expect(ledger.tried(evidence!).outcome).toBe("hangs");
  expect(ledger.failed(planned)).toEqual(planned.slice(0, 8));
  ledger.tried(tried[8]!);
  expect(ledger.failed(planned)).toEqual([]);
});
