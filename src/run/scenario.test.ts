/** A failure is asked again by itself, by the lines that reports print. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { WireRequest } from "../wire/exchange.ts";
import { recordedAnswers, resultsOf, serve, spoilt, touchstone } from "./run.test-kit.ts";

const path = "/v1/chat/completions";
const clause = "chat-completions.response.object-value";
const withoutObject = spoilt(path, (body: { object?: string }) => void (body.object = "nothing"));

test("the line of a verbose report asks just what failed, and says that it was no whole run", async () => {
  const asked: WireRequest[] = [];
  const url = await serve((request) => {
    asked.push(request);
    return withoutObject(request);
  });
  const whole = await touchstone([url, "--interface", "chat-completions", "--verbose"]);
  const [, line = ""] = /re-run:\n +touchstone run (.*)\n/.exec(whole.stdout) ?? [];
  const [args, own = ""] = [line.replace(/ --recordings (\S+)/, "").split(" "), / --recordings (\S+)/.exec(line)?.[1]];
  expect(args.join(" ")).toEqual(`${url} --clause ${clause} --scenario chat-completions/response/text`);
  expect(existsSync(own)).toBe(true);
  asked.length = 0;
  const { code, results } = await resultsOf(args[0]!, ...args.slice(1), "--shrink", "0");
  expect(code).toBe(1);
  expect(results.clauses).toEqual([{ id: clause, verdict: "fail", exercised: 1, failed: 1 }]);
  expect(results.plan).toMatchObject({
    scenarios: ["chat-completions/response/text.json"],
    clauses: [clause],
    exchanges: 1,
  });
  // One first question, and the recording.
  expect(asked.filter(({ method }) => method === "POST")).toHaveLength(2);
  const { stdout } = await touchstone(args);
  expect(stdout).toContain(`only ${clause}, chat-completions/response/text.json)`);
});

test("a group of probes that is named is sent whole, whatever clause is judged", async () => {
  const url = await serve(recordedAnswers());
  const named = await touchstone([
    url,
    "--probes",
    "cheap",
    "--scenario",
    "probes/messages/request/version-not-empty",
    "--clause",
    clause,
    "--dry-run",
  ]);
  const whole = await touchstone([
    url,
    "--probes",
    "cheap",
    "--scenario",
    "probes/messages/request/version-not-empty",
    "--dry-run",
  ]);
  expect(named).toEqual(whole);
  expect(named.stdout).toMatch(/^probes\/messages {2}\d+ requests.*\n0 requests of 0 recordings, and \d+ probes/);
});
