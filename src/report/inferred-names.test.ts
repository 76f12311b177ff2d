/** Every command says in one line which names it bound by itself. */
import { expect, test } from "vitest";
import type { DriftSummary } from "../drift/document.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { comparedText } from "./drift/words.ts";
import { foundOut } from "./outline.ts";

const inferred = { "partner-version": ["anthropic-version"] };
const says = /^names bound by themselves \(--preset none binds none\): anthropic-version for partner-version$/i;
const both = { before: 1, after: 1 };
const none = { before: 0, after: 0 };
const summary: DriftSummary = {
  changes: 0,
  forbidden: 0,
  exchanges: both,
  compared: both,
  alike: 1,
  unmatched: none,
  unread: none,
  undocumented: none,
};

test("a run tells them with what it found out, diff with what it compared", () => {
  const options = { ways: {} } as RunResults["options"];
  expect(foundOut({ options, inferred } as unknown as RunResults)).toEqual([expect.stringMatching(says)]);
  expect(comparedText({ ...summary, inferred }).filter((line) => says.test(line))).toHaveLength(1);
});

test("nothing is told where nothing was bound so", () => {
  expect(foundOut({ options: { ways: {} } } as unknown as RunResults)).toEqual([]);
  expect(comparedText(summary)).toHaveLength(1);
});
