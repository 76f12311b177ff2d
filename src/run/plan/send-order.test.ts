/** Holds what a target is asked first. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../../home.ts";
import { readRecording, recordingsIn } from "./recordings.ts";
import { recordingsToSend } from "./send-order.ts";

const folder = join(home, "recordings");
const recordings = await Promise.all(recordingsIn(folder).map((source) => readRecording(folder, source)));

/** Sources whose first requests are asked before a run that sends these alone. */
function firstsOf(...sources: readonly string[]): readonly string[] {
  const cassettes = recordings
    .filter(({ source }) => sources.includes(source))
    .map((one) => ({ source: one.source, interface: one.interface, section: "", exchanges: 1 }));
  const plan = { cassettes } as unknown as Parameters<typeof recordingsToSend>[0]["plan"];
  return recordingsToSend({ recordings, plan, probes: [] }).firsts.map(({ source }) => source);
}

test("a run of bad requests alone asks a good one first, which finds out where the key belongs", () => {
  const firsts = firstsOf("generate-content/auth/missing-key.json");
  expect(firsts).toContain("generate-content/response/text.json");
  expect(firsts.filter((source) => !source.startsWith("generate-content/"))).toEqual([]);
});

test("a run with a good request of its own asks that one first", () => {
  expect(firstsOf("messages/auth/missing-key.json", "messages/response/text.json")).toEqual([
    "messages/auth/missing-key.json",
    "messages/response/text.json",
  ]);
});
