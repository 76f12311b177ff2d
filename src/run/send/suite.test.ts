/** Holds that every recording that ships has its place in a suite, and what tests are called. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { suiteFor, suites } from "../../../suites/suites.ts";
import { home } from "../../home.ts";
import { interfaces } from "../../interfaces/index.ts";
import { type Recording, recordingsIn } from "../plan/recordings.ts";
import type { Suite } from "./suite.ts";

const recording = (source: string): Recording => {
  const [of = "", section = ""] = source.split("/");
  return { source, interface: of, section, needs: [], violates: [], bindings: {}, exchanges: [] };
};
const recordings = recordingsIn(join(home, "recordings")).map(recording);

/** The tests that a suite declares, as `block > title`, and their recordings. */
function declared(suite: Suite, given: readonly Recording[]): Map<string, string> {
  const tests = new Map<string, string>();
  let block = "";
  suite.declare(given, {
    describe(title, declare) {
      block = title;
      declare();
    },
    test: (title, { source }) => void tests.set(`${block} > ${title}`, source),
  });
  return tests;
}

test("each interface has a suite, and the sections of a suite are those of its recordings", () => {
  expect(suites.map((suite) => suite.interface)).toEqual(interfaces.map(({ name }) => name).sort());
  for (const { interface: name, sections } of suites) {
    const own = recordings.filter((one) => one.interface === name).map(({ section }) => section);
    expect(Object.keys(sections).sort(), name).toEqual([...new Set(own)].sort());
  }
});

test("every recording is one test of one suite, with a name that no other has", () => {
  const sources = suites.flatMap((suite) => [...declared(suite, recordings).values()]);
  expect(sources.sort()).toEqual(recordings.map(({ source }) => source));
});

test("tests are named by what their recordings show", () => {
  const given = ["messages/tools/round-trip.json", "messages/streaming/tool-use.json", "images/edits/tall.json"];
  expect([...declared(suiteFor("messages"), given.map(recording))]).toEqual([
    ["streamed replies > tool use", "messages/streaming/tool-use.json"],
    ["tools > round trip", "messages/tools/round-trip.json"],
  ]);
});

test("an interface that ships no suite has one whose blocks are named as its sections", () => {
  expect([...declared(suiteFor("embeddings"), [recording("embeddings/response/one-text.jsonl")])]).toEqual([
    ["response > one text", "embeddings/response/one-text.jsonl"],
  ]);
});
