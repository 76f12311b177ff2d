/** A run waits for a target that is about to listen, and says so when none does. */
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../wire/listen.ts";
import { reservePort } from "../../wire/reserve-port.test-kit.ts";
import { closeServers, open, recordedAnswers, resultsOf, serve, touchstone, twoLines } from "../run.test-kit.ts";
import { untilListening } from "./wait.ts";

test("--wait lets a target start late", async () => {
  const port = await reservePort();
  const running = resultsOf(`http://127.0.0.1:${port}`, "--interface", "images", "--wait", "60");
  onTestFinished(closeServers);
  setTimeout(async () => open.push(await listen(recordedAnswers(), { port })), 150);
  expect((await running).code).toBe(0);
});

test("a target that does not come is one line and what to do, and exit 2", async () => {
  const { code, stdout, stderr } = await touchstone([`http://127.0.0.1:${await reservePort()}`, "--wait", "0.2"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(twoLines(stderr)).toHaveLength(2);
  expect(stderr).toMatch(/nothing listens there after 0.2 seconds/);
});

test("a wait that somebody ends is over, long before its time", async () => {
  const waiting = new AbortController();
  const over = untilListening(`http://127.0.0.1:${await reservePort()}`, 3600, waiting.signal);
  waiting.abort();
  await expect(over).resolves.toBeUndefined();
});

test("requests come no faster than --rate says, the first questions among them", async () => {
  let asked = 0;
  const good = recordedAnswers();
  const url = await serve((request) => {
    asked++;
    return good(request);
  });
  const started = Date.now();
  await resultsOf(url, "--interface", "images", "--rate", "20");
  expect(asked).toBeGreaterThan(2);
  // A timer may fire a millisecond early.
  expect(Date.now() - started).toBeGreaterThanOrEqual(asked * 49);
});
