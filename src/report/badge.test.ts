/** A badge says what was asked, is green only where that was nearly all, and takes nothing from a name but its text. */
import { DOMParser } from "@xmldom/xmldom";
import { expect, test } from "vitest";
import type { Clause } from "../check/clause.ts";
import type { RunResults } from "../verdict/run-results.ts";
import type { Standing } from "../verdict/standing.ts";
import { badgeOf, formatBadge } from "./badge.ts";
import { bad, evil, results, clauses as some } from "./results.test-kit.ts";
import { runOf } from "./side-by-side/results.test-kit.ts";

const ids = Array.from({ length: 2000 }, (_, i) => `${i < 1000 ? "messages" : "images"}.response.c${i}`);
const clauses = ids.map((id): Clause => ({ ...some[0]!, id, interface: id.split(".")[0]! }));

/** A run that passes so many clauses of messages and of images; the others are untested. */
const passing = (messages: number, images: number, more: Partial<RunResults> = {}): RunResults =>
  runOf(
    Object.fromEntries(
      ids.map((id, i): [string, Standing] => [
        id,
        i < messages || (i >= 1000 && i < 1000 + images) ? "pass" : "untested",
      ]),
    ),
    more,
  );
const badge = (run: RunResults) => badgeOf({ ...run, summary: { ...run.summary, errors: 0 } }, { clauses });
const first = (run: RunResults, change: object): RunResults => ({
  ...run,
  clauses: run.clauses.map((one, i) => (i === 0 ? { ...one, ...change } : one)),
});

test("a run that showed nearly all and found nothing is green, with its numbers", () => {
  expect(badge(passing(1000, 900))).toEqual({
    label: "touchstone",
    message: "conforms · 1,900 of 2,000 clauses · 0 errors",
    color: "green",
  });
});

const { plan, options } = runOf({});
const [incident] = results.incidents;
test.each<[string, RunResults, string, string]>([
  [
    "fails",
    first(passing(1000, 1000), { verdict: "fail" }),
    "red",
    "does not conform · 1 clause fails · 2,000 of 2,000 clauses",
  ],
  [
    "admits to a failure",
    first(passing(1000, 1000), { verdict: "fail", expected: { reason: "known" } }),
    "amber",
    "conforms but for 1 known failure · 2,000 of 2,000 clauses",
  ],
  [
    "admits to an unanswered request",
    passing(1000, 1000, { incidents: [{ ...incident!, expected: { reason: "known" } }] }),
    "amber",
    "conforms but for 1 unanswered request · 2,000 of 2,000 clauses",
  ],
  ["did not end", passing(1000, 1000, { complete: false }), "grey", "incomplete · 2,000 of 2,000 clauses"],
  [
    "was rate limited to the last",
    passing(1000, 1000, { incidents: [{ ...incident!, kind: "rate-limited" }] }),
    "grey",
    "incomplete · 2,000 of 2,000 clauses",
  ],
  ["broke touchstone", first(passing(1000, 1000), { verdict: "broken" }), "grey", "no verdict · a check itself failed"],
  ["showed nothing", passing(0, 0), "grey", "nothing was shown"],
  ["showed little", passing(700, 700), "blue", "conforms · 1,400 of 2,000 clauses · 0 errors"],
  [
    "was to ask for one clause",
    runOf({ [ids[0]!]: "pass", [ids[1000]!]: "pass" }, { plan: { ...plan, clauses: [ids[0]!, ids[1000]!] } }),
    "blue",
    "conforms · 2 of 2,000 clauses · 0 errors",
  ],
  [
    "had a bound on requests",
    runOf({ [ids[0]!]: "pass", [ids[1000]!]: "pass" }, { plan: { ...plan, limit: 5 } }),
    "blue",
    "conforms · 2 of 2,000 clauses · 0 errors",
  ],
  [
    "sent no probes",
    runOf({ [ids[0]!]: "pass", [ids[1000]!]: "pass" }, { options: { ...options, probes: false } }),
    "blue",
    "conforms · 2 of 2,000 clauses · 0 errors",
  ],
  [
    "was too much to judge in part",
    passing(1000, 1000, { summary: { ...results.summary, unjudged: 1 } }),
    "blue",
    "conforms · 2,000 of 2,000 clauses · 0 errors · 1 too much to judge",
  ],
  [
    "was warned about",
    first(passing(1000, 1000), { verdict: "warning", warned: 1 }),
    "green",
    "conforms · 2,000 of 2,000 clauses · 0 errors · 1 warning",
  ],
])("a run that %s says so", (_, run, color, message) => {
  expect(badge(run)).toEqual({ label: "touchstone", message, color });
});

test("an interface that was not shown at all is no part of it, and the others are named", () => {
  expect(badge(passing(900, 0))).toEqual({
    label: "touchstone · messages",
    message: "conforms · 900 of 1,000 clauses · 0 errors",
    color: "green",
  });
});

test("a name is text, of bounded length, and the badge says for those who hear it what others see", () => {
  for (const name of [evil, `"><script>x</script>`, "]]>", "\u0000\ud800", "漢".repeat(90)]) {
    const svg = formatBadge(bad, { clauses }, name);
    const problems: string[] = [];
    const document = new DOMParser({ onError: (_level, message) => problems.push(message) }).parseFromString(
      svg,
      "text/xml",
    );
    expect(problems).toEqual([]);
    const elements = [...document.getElementsByTagName("*")];
    expect(new Set(elements.map(({ tagName }) => tagName))).toEqual(
      new Set(["svg", "title", "clipPath", "rect", "g", "text"]),
    );
    const [title] = [...document.getElementsByTagName("title")];
    expect(document.documentElement!.getAttribute("aria-label")).toBe(title!.textContent);
    expect(svg.length).toBeLessThan(5000);
    expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});
