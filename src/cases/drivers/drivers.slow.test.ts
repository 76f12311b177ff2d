/** Every driver hands back texts, calls and errors, and gives up as it is told, with the packages that are installed here. */
import { expect, onTestFinished, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { namesFrom } from "../../check/names.ts";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { clientDocument } from "../client-document.ts";
import { runClient } from "../run/run-client.ts";
import { driverClient } from "./driver-client.ts";
import { findClient } from "./install.ts";
import { drivers } from "./list.ts";

test.each(drivers.map((driver) => [driver.name, driver] as const))(
  "%s hands back texts, calls and errors, and gives up where nothing comes",
  async (_name, driver) => {
    const catalogue = await openCatalogue();
    const client = await driverClient(driver, home, 1_000);
    onTestFinished(() => client.close());
    const cases = [
      "plain",
      "failure/401",
      "stream/crlf",
      "*/call",
      "*/parallel-calls",
      "endless/silence-before-head",
      "cut/arguments-cut-by-length",
    ];
    const run = await runClient(catalogue, client, { cases, timeout: 60_000, concurrency: 2 });
    const facts = {
      client: client.name,
      versions: client.versions,
      documents: catalogue.digests(),
      options: {
        ...{ interfaces: run.interfaces, cases, isCommand: false, once: false, every: null, timeout: 60_000 },
        ...{ limit: client.limit ?? null, preset: null, bindings: [], readings: [], today: "2026-01-01" },
      },
    };
    const terms = { names: namesFrom(), policy: lenient, expectations: undefined, isWhole: false, isComplete: true };
    const document = clientDocument(catalogue, run.evidence, facts, terms);
    const amiss = document.cases.filter(({ level }) => level === "error" || level === "warning");
    expect(amiss.map((one) => `${one.case}: ${one.outcome}, ${one.why}`)).toEqual([]);
    expect(document.cases.filter(({ outcome }) => outcome === "works").length).toBeGreaterThan(0);
  },
);

test("a client that nobody knows is named with those there are", async () => {
  await expect(findClient("openal@latest")).rejects.toThrow("there is no client openal");
});

test("a version that does not exist is refused in one line", async () => {
  await expect(findClient("openai@0.0.0-none")).rejects.toThrow(/^openai@0\.0\.0-none cannot be installed: /);
});
