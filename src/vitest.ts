/**
 * For the tests of others. `toConform()`: importing this adds it to vitest's `expect`, whatever vitest's version, or to a
 * global `expect`; jest's `expect.extend` takes `matchers`. `conformance()` declares the suites in vitest.
 */
import type { Catalogue, ClauseData } from "./check/catalogue.ts";
import { type ConformanceOptions, type ConformanceTarget, declareConformance, type TestRunner } from "./conformance.ts";
import { type CheckDocument, type CheckOptions, check, type Exchange } from "./index.ts";
import { openCatalogue } from "./interfaces/catalogue.ts";
import { readPreset } from "./interfaces/judging.ts";
import { openClauses } from "./interfaces/open-clauses.ts";
import { judgeExchangesWith } from "./record/check-exchanges.ts";
import { plural } from "./report/outline.ts";
import { formatFailures } from "./report/text.ts";

export type { ConformanceOptions, ConformanceTarget } from "./conformance.ts";

export interface ConformOptions extends CheckOptions {
  /** Passes also where nothing was judged: no exchange is of a documented operation, or none could be read. */
  readonly allowEmpty?: boolean | undefined;
}

/** What tests hand in. */
export type Conforming = string | readonly string[] | Exchange | readonly Exchange[];

/** What a matcher says, to vitest and jest alike. */
export interface MatcherOutcome {
  readonly pass: boolean;
  readonly message: () => string;
}

// Read once and before any test: exchanges in memory are judged at once, so that nobody can forget to wait for it.
const shipped = await openCatalogue();

/** Says that a preset may be wanted, where exchanges carry a vendor's header and nobody has said what names are called. */
function hintAt(exchanges: readonly Exchange[], { preset, bind }: ConformOptions): string {
  if (preset !== undefined || bind?.length) return "";
  const known = new Set(readPreset("vendors").headers);
  const names = exchanges.flatMap(({ request, response }) =>
    [...request.headers, ...(response?.headers ?? [])].map(([name]) => name.toLowerCase()),
  );
  const found = names.find((name) => known.has(name));
  if (found === undefined) return "";
  return `\n\nThe header ${found} is a vendor's; toConform({ preset: "vendors" }) knows where well-known vendors differ from the documents.`;
}

function outcomeOf(
  document: CheckDocument,
  catalogue: ClauseData,
  { allowEmpty = false }: ConformOptions,
  hint: () => string = () => "",
): MatcherOutcome {
  const { summary, operations, clauses } = document;
  const judged = plural(summary.exchanges, "exchange");
  if (!allowEmpty && clauses.every(({ exercised }) => exercised === 0)) {
    const asked = operations.slice(0, 3).map(({ operation }) => operation);
    throw new Error(
      `nothing was judged: no clause speaks of ${[judged, ...asked].join(", ")}; { allowEmpty: true } accepts that`,
    );
  }
  const failed = clauses.filter(({ verdict }) => verdict === "fail").length;
  const message = (): string =>
    failed === 0
      ? `expected ${judged} not to conform, and no clause fails`
      : `expected ${judged} to conform, but ${plural(failed, "clause")} ${failed === 1 ? "fails" : "fail"}\n\n${formatFailures(document, catalogue)}${hint()}`;
  return { pass: failed === 0, message };
}

const isPath = (one: unknown): one is string => typeof one === "string";
const isExchange = (one: unknown): one is Exchange => typeof one === "object" && one !== null && "request" in one;

/**
 * Passes where no clause fails. Exchanges in memory are judged at once; in a promise recordings, by their paths, and
 * everything where there are `documents` of your own.
 * @param received exchanges, or paths of recordings
 * @throws where nothing was judged, and for what is no exchange
 */
function toConform(received: Conforming, options?: ConformOptions): MatcherOutcome | Promise<MatcherOutcome>;
function toConform(received: unknown, options: ConformOptions = {}): MatcherOutcome | Promise<MatcherOutcome> {
  const list: unknown[] = [received].flat();
  if (list.length > 0 && list.every(isPath))
    return Promise.all([check(list, options), openClauses(options.documents)]).then(([document, data]) =>
      outcomeOf(document, data, options),
    );
  if (!list.every(isExchange))
    throw new TypeError("toConform() is for exchanges, as watch() keeps them, and for paths of recordings");
  const judged = (by: Catalogue): MatcherOutcome =>
    outcomeOf(judgeExchangesWith(by, list, options), by, options, () => hintAt(list, options));
  return options.documents?.length ? openCatalogue(options.documents).then(judged) : judged(shipped);
}

/**
 * For jest: `expect.extend(matchers)`.
 * @example
 * import { matchers } from "touchstone/vitest";
 * expect.extend(matchers);
 */
export const matchers = { toConform };

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
 * Declares the suites of `touchstone run` in a test file: a test for each recording, in a block for each section. A test sends its
 * recording, and fails with what is found in the answers. What the target lacks is skipped, with the reason.
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

/** What tests can say of `expect(...)`. */
export interface ConformMatcher {
  /** Passes where no clause fails. Exchanges are judged at once; paths of recordings, and all with `documents`, in a promise, to be awaited. */
  toConform(options?: ConformOptions): void | Promise<void>;
}

declare global {
  // Every vitest reads further matchers here: their own place for them takes other type parameters in every version.
  namespace Chai {
    interface Assertion extends ConformMatcher {}
  }
  // So do the types of jest.
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: all declarations of an interface must give it the same parameters.
    interface Matchers<R, T = {}> extends ConformMatcher {}
  }
}
