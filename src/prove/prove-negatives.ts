/** Holds recordings that say which clauses they violate against what is found in them: users' counterexamples, as data. */
import type { Catalogue } from "../check/catalogue.ts";
import { type Finding, lenient, type Policy } from "../check/clause.ts";
import type { Negative } from "../check/example.ts";
import { judge } from "../check/judge.ts";
import { judgeLaws } from "../check/judge-laws.ts";
import { namesFrom } from "../check/names.ts";
import type { Exchange } from "../wire/exchange.ts";

/** What became of one clause that a recording says it violates. */
export interface NegativeShown {
  readonly clause: string;
  /** The file. */
  readonly path: string;
  readonly isFound: boolean;
  /** The exchange that violates it, and nothing that the recording does not name; undefined where there is none. */
  readonly exact: Exchange | undefined;
  /** Other clauses that the recording violates without saying so. */
  readonly others: readonly string[];
}

const policies: readonly Policy[] = [lenient, { strict: "all", openEnums: false }];

const violatedIn = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.filter(({ level }) => level !== "note").map(({ clause }) => clause)),
];

/** One for each clause that a recording names. */
export function negativesShown(catalogue: Catalogue, negatives: readonly Negative[]): NegativeShown[] {
  return negatives.flatMap(({ path, violates, bindings, exchanges }) => {
    const names = namesFrom(bindings);
    const allowed = new Set([
      ...violates,
      ...catalogue.clauses.filter(({ id }) => violates.includes(id)).flatMap(({ alsoBreaks = [] }) => alsoBreaks),
      ...catalogue.interfaces
        .flatMap(({ rules }) => rules)
        .filter(({ clause }) => violates.includes(clause))
        .flatMap(({ alsoBreaks = [] }) => alsoBreaks),
    ]);
    const [plain, strict] = policies.map((policy) => {
      const alone = exchanges.map((exchange, i) =>
        violatedIn(judge(exchange, { source: path, exchange: i }, catalogue, { names, policy, probe: true }).findings),
      );
      const placed = exchanges.map((exchange, position) => ({ exchange, position }));
      return { alone, together: violatedIn(judgeLaws(placed, path, catalogue, { names, policy }).findings) };
    });
    const all = ({ alone, together }: NonNullable<typeof plain>): Set<string> =>
      new Set([...alone.flat(), ...together]);
    const others = [...all(plain!)].filter((id) => !allowed.has(id));
    return violates.map((clause): NegativeShown => {
      // What only a strict reading minds is held against it alone.
      const shown = all(plain!).has(clause) ? plain! : strict!;
      const at = shown.alone.findIndex(
        (found) => found.includes(clause) && (shown === strict || found.every((id) => allowed.has(id))),
      );
      return { clause, path, isFound: all(shown).has(clause), exact: exchanges[at], others };
    });
  });
}

/** What is told of a recording that does not violate a clause though it says so. */
export const notFound = ({ path }: Pick<NegativeShown, "path">): string =>
  `${path} says that it violates this, and no check notices`;
