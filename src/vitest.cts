/**
 * `touchstone/vitest` for `require()`. Importing this adds `toConform()` to vitest's `expect`, or to a global `expect`. `conformance()`
 * declares its tests by the globals of vitest, since vitest itself cannot be required.
 */
import type * as Conformance from "./conformance.ts" with { "resolution-mode": "import" };
import type * as Matchers from "./matchers.ts" with { "resolution-mode": "import" };
// @ts-expect-error: CommonJS
import { load } from "./outside.cts";
import type * as Entry from "./vitest.ts" with { "resolution-mode": "import" };

export type * from "./vitest.ts" with { "resolution-mode": "import" };

/** The globals of a test file. */
interface TestGlobals extends Partial<Conformance.TestRunner> {
  readonly expect?: Expect;
  /** Where vitest leaves its `expect`. */
  readonly [theirs]?: Expect;
}
interface Expect {
  extend?(added: typeof Entry.matchers): void;
}
const theirs = Symbol.for("expect-global");
const globals = globalThis as TestGlobals;

const { openToConform }: typeof Matchers = load("./matchers.js");

let opened: Matchers.ToConform | undefined;
async function open(): Promise<Matchers.ToConform> {
  opened = await openToConform();
  return opened;
}

// Before the first test, so that exchanges in memory are judged at once, and no test can forget to wait for that.
globals.beforeAll?.(async () => void (await open()), 60_000);

const toConform: Matchers.ToConform = (received: unknown, options?: Matchers.ConformOptions) =>
  opened ? opened(received, options) : open().then((matcher) => matcher(received, options));

// @ts-expect-error: CommonJS
export const matchers: typeof Entry.matchers = { toConform };
(globals[theirs] ?? globals.expect)?.extend?.(matchers);

// @ts-expect-error: CommonJS
export const conformance: typeof Entry.conformance = (target, options) => {
  const { describe, test, beforeAll, afterAll } = globals;
  if (!globals[theirs] || !describe || !test || !beforeAll || !afterAll)
    throw new Error(
      "conformance() declares tests of vitest: import touchstone/vitest in a test file, or run vitest with --globals",
    );
  const { declareConformance }: typeof Conformance = load("./conformance.js");
  declareConformance({ describe, test, beforeAll, afterAll }, target, options);
};
