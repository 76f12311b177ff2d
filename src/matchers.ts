/** The matcher `toConform()` for the tests of others, of vitest and jest alike, and its types in both. */
import type { CaseResult } from "./cases/document.ts";
import type { Catalogue, ClauseData } from "./check/catalogue.ts";
import { type CheckDocument, type CheckOptions, check, type Exchange } from "./index.ts";
import { openCatalogue } from "./interfaces/catalogue.ts";
import { readPreset } from "./interfaces/judging.ts";
import { openClauses } from "./interfaces/open-clauses.ts";
import { judgeExchangesWith } from "./record/check-exchanges.ts";
import { plural } from "./report/plural.ts";
import { formatFailures } from "./report/text.ts";

export interface ConformOptions extends CheckOptions {
  /** Passes also where nothing was judged: no exchange is of a documented operation, or none could be read. */
  readonly allowEmpty?: boolean | undefined;
}

/** The values that tests may hand in. */
export type Conforming = string | readonly string[] | Exchange | readonly Exchange[];

/** The answer of a matcher, alike for vitest and jest. */
export interface MatcherOutcome {
  readonly pass: boolean;
  readonly message: () => string;
}

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

/** What a client made of a case. */
const isCase = (one: unknown): one is CaseResult =>
  typeof one === "object" && one !== null && "case" in one && "outcome" in one && "restsOn" in one;

/** Passes unless the level of a case is an error; `level` may ask for more. */
function caseConforms(result: CaseResult, { level: failsAt = "error" }: ConformOptions): MatcherOutcome {
  const { case: id, interface: of, outcome, level, why, says, restsOn, printed } = result;
  const pass = level === null || level === "note" || (level === "warning" && failsAt === "error");
  const lines = [
    `case ${id} (${of}): ${outcome.replaceAll("-", " ")}, ${why}`,
    `  ${says}`,
    `  rests on ${restsOn.join("; ")}`,
    ...(printed === undefined ? [] : [`  handed back: ${printed}`]),
  ];
  return {
    pass,
    message: () => `expected the client ${pass ? "not " : ""}to do well\n\n${lines.join("\n")}`,
  };
}

const isPath = (one: unknown): one is string => typeof one === "string";
const isExchange = (one: unknown): one is Exchange => typeof one === "object" && one !== null && "request" in one;

export interface ToConform {
  (received: Conforming, options?: ConformOptions): MatcherOutcome | Promise<MatcherOutcome>;
  (received: unknown, options?: ConformOptions): MatcherOutcome | Promise<MatcherOutcome>;
}

let opened: Promise<ToConform> | undefined;

/** The matcher. It reads what it judges by once, before any test. Exchanges in memory are then judged at once. */
export function openToConform(): Promise<ToConform> {
  return (opened ??= openCatalogue().then(toConformBy));
}

/**
 * Passes where no clause fails. Exchanges in memory are judged at once; in a promise recordings, by their paths, and
 * everything where there are `documents` of your own. It throws where nothing was judged, and for what is no exchange.
 */
function toConformBy(shipped: Catalogue): ToConform {
  return (received: unknown, options: ConformOptions = {}) => {
    if (isCase(received)) return caseConforms(received, options);
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
  };
}

/** The assertions that tests can make of `expect(...)`. */
export interface ConformMatcher {
  /** Passes where no clause fails. Exchanges are judged at once; paths of recordings, and all with `documents`, in a promise, to be awaited. */
  toConform(options?: ConformOptions): void | Promise<void>;
}

declare global {
  // Every vitest reads further matchers here: their own place for them takes other type parameters in every version.
  namespace Chai {
    interface Assertion extends ConformMatcher {}
  }
  // The types of jest do so, too.
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: all declarations of an interface must give it the same parameters.
    interface Matchers<R, T = {}> extends ConformMatcher {}
  }
}
