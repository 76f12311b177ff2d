/**
 * For the tests of others. `toConform()`: importing this adds it to vitest's `expect`, whatever vitest's version, or to a
 * global `expect`; jest's `expect.extend` takes `matchers`. `conformance()` declares the suites in vitest.
 */
import { type ConformanceOptions, type ConformanceTarget, declareConformance, type TestRunner } from "./conformance.ts";
import { openToConform } from "./matchers.ts";

export type { ConformanceOptions, ConformanceTarget } from "./conformance.ts";
export type { Conforming, ConformMatcher, ConformOptions, MatcherOutcome, ToConform } from "./matchers.ts";

/**
 * For jest: `expect.extend(matchers)`.
 * @example
 * import { matchers } from "touchstone/vitest";
 * expect.extend(matchers);
 */
export const matchers = { toConform: await openToConform() };

/** The `expect` of whoever runs the tests: vitest leaves its own there for libraries that must not import another copy. */
const theirs = Symbol.for("expect-global");
const globals = globalThis as { [theirs]?: Expect; expect?: Expect };
interface Expect {
  extend?(added: typeof matchers): void;
}
(globals[theirs] ?? globals.expect)?.extend?.(matchers);

/** The vitest that runs the tests; its functions find out by themselves in which file they are called. */
const vitest = globals[theirs] && ((await import("vitest").catch(() => undefined)) as TestRunner | undefined);

/**
 * Declares the suites of `touchstone run` in a test file: a test for each recording, in a block for each section. A test sends
 * its recording, and fails with what is found in the answers. Recordings of what the target lacks are skipped, with the reason.
 * @param target base URL, or path of a target file; or a function that gives the base URL of a server that hooks start
 * @throws where vitest does not run the file
 * @example
 * import { conformance } from "touchstone/vitest";
 * conformance("http://127.0.0.1:8080", { interfaces: ["messages"] });
 */
export function conformance(target: ConformanceTarget, options: ConformanceOptions = {}): void {
  if (!vitest) throw new Error("conformance() declares tests of vitest: call it in a test file that vitest runs");
  declareConformance(vitest, target, options);
}
