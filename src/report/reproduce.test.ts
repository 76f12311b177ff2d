/** The commands that reports print run as they stand: they name all that the run was given. */
import { expect, test } from "vitest";
import type { RunSettings } from "../verdict/run-results.ts";
import { emptyPlan } from "../verdict/settings.test-kit.ts";
import { runAgain } from "./reproduce.ts";
import { results } from "./results.test-kit.ts";

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
