/** Holds what requests show of what they need, against what recordings say they need. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { interfaceNamed } from "../check/interface.ts";
import { home } from "../home.ts";
import { interfaces } from "../interfaces/index.ts";
import { needsShownBy, shownNeeds as shownNeedsOf } from "../interfaces/needs.ts";
import type { ProbeGroup } from "./judge/judge-probes.ts";
import { makePlan } from "./plan/plan.ts";
import { interfaceAt, readRecording, recordingsIn } from "./plan/recordings.ts";
import { lackedProbes, selectProbes, shippedProbes } from "./send/probes.ts";

const shownNeeds = shownNeedsOf(interfaces);
const unfiltered = { interfaces: [], sections: [], clauses: [], shard: null, limit: null };
const folder = join(home, "recordings");
const recordings = await Promise.all(recordingsIn(folder).map((source) => readRecording(folder, source)));

test("requests show the needs that their recordings name, except streaming, which is a section", () => {
  const different = recordings.flatMap((recording) => {
    const { source, needs, exchanges } = recording;
    const shown = new Set(
      exchanges.flatMap(({ exchange }, i) =>
        needsShownBy(exchange.request, interfaceNamed(interfaces, interfaceAt(recording, i))),
      ),
    );
    shown.delete("streaming");
    const said = needs.filter((need) => shownNeeds.has(need)).sort();
    const found = [...shown].sort();
    return JSON.stringify(said) === JSON.stringify(found) ? [] : [`${source} says ${said}, shows ${found}`];
  });
  expect(different).toEqual([]);
});

test("no need is the name of an interface, and one that names a section is told by what requests ask for", () => {
  const names = new Set(recordings.map(({ interface: of }) => of));
  const sections = new Set(recordings.map(({ section }) => section));
  const needs = new Set([...shownNeeds, ...recordings.flatMap((recording) => recording.needs)]);
  expect([...needs, ...sections].filter((name) => names.has(name))).toEqual([]);
  expect([...needs].filter((need) => sections.has(need) && !shownNeeds.has(need))).toEqual([]);
});

test("a lacked need skips all that asks for it, in any section, and nothing else", () => {
  const skippedFor = (word: string): string[] =>
    makePlan(recordings, { ...unfiltered, scenarios: [], lacks: [word] }, () => [], interfaces)
      .cassettes.filter(({ skipped }) => skipped !== undefined)
      .map(({ source }) => source);
  expect(skippedFor("streaming")).toContain("chat-completions/laws/at-once.json");
  expect(skippedFor("streaming")).toContain("generate-content/streaming/text.json");
  expect(skippedFor("streaming")).not.toContain("messages/request/top-p.json");
  expect(skippedFor("tools")).toContain("messages/laws/same-tool.json");
  expect(skippedFor("tools")).not.toContain("chat-completions/tools/function-call.json");
  expect(skippedFor("tools")).not.toContain("generate-content/tools/code-execution.json");
  expect(skippedFor("chat-completions/tools")).toContain("chat-completions/tools/function-call.json");
  expect(skippedFor("grounding")).toEqual(["generate-content/grounding/web-search.json"]);
});

test.each(["tools", "image-input", "streaming", "thinking", "snake-case"])(
  "no probe that asks for %s is sent to a target that lacks it, and the others are",
  (need) => {
    const all = selectProbes(shippedProbes(), { ...unfiltered, lacks: [] }, "all", null, interfaces);
    const offered = selectProbes(shippedProbes(), { ...unfiltered, lacks: [need] }, "all", null, interfaces);
    const asks = ({ twin, probes }: ProbeGroup): boolean =>
      [twin, ...probes].some(({ request }) =>
        needsShownBy(request, interfaceNamed(interfaces, twin.interface)).includes(need),
      );
    expect(all.some(asks)).toBe(true);
    expect(offered.filter(asks)).toEqual([]);
    const untouched = all.filter((group) => !asks(group)).map(({ source }) => source);
    expect(offered.map(({ source }) => source)).toEqual(expect.arrayContaining(untouched));
  },
);

test("a clause is without probes where each asks for what is lacked, and not where one is left", () => {
  const lacked = lackedProbes(shippedProbes(), { ...unfiltered, lacks: ["top-k", "tools"] }, "all", interfaces);
  expect(Object.keys(lacked)).toEqual(["tools", "top-k"]);
  expect(lacked["top-k"]).toContain("messages.request.top-k-type");
  const left = selectProbes(shippedProbes(), { ...unfiltered, lacks: ["top-k", "tools"] }, "all", null, interfaces);
  const asked = new Set(left.flatMap(({ probes }) => probes.map(({ clause }) => clause)));
  expect(
    Object.values(lacked)
      .flat()
      .filter((clause) => asked.has(clause)),
  ).toEqual([]);
  const { probes } = shippedProbes();
  expect(asked.size + Object.values(lacked).flat().length).toBe(new Set(probes.map(({ clause }) => clause)).size);
});
