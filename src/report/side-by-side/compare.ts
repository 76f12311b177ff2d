/** From the results of several runs to one table: a column each, a row for each clause, feature, client and unanswered operation. */
import type { Clause } from "../../check/clause.ts";
import { compare } from "../../check/finding-order.ts";
import { version } from "../../home.ts";
import type { ClauseVerdict } from "../../verdict/document.ts";
import { countedClauses } from "../../verdict/offered.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import {
  countStandings,
  isShown,
  type StandingCounts,
  severityRank,
  standingOf,
  standings,
} from "../../verdict/standing.ts";
import { whyClient, whyFeature } from "../fitness.ts";
import { type ClauseGroups, clauseTable, conclusionOf, groupsByClause, placesOf } from "../outline.ts";
import type {
  Agreement,
  Cell,
  CellPlace,
  Column,
  OutcomeCell,
  Outcomes,
  Row,
  Section,
  SideBySide,
  Unanswered,
  UnansweredCell,
} from "./document.ts";
import { saysOf } from "./says.ts";
import { termsOf, unlikeIn } from "./terms.ts";

/** One run, and what its column is called. */
export interface Compared {
  readonly name: string;
  /** When it began, ISO 8601; the day, where no more is known. */
  readonly started: string;
  readonly results: RunResults;
}

const agreements: readonly Agreement[] = ["differs", "violated", "enforcement", "unenforced", "kept", "open"];

/** Sets runs side by side, in the order given: the same document for the same runs, in time linear in what they found. */
export function sideBySide(compared: readonly Compared[], clauses: readonly Clause[]): SideBySide {
  const known = clauseTable(clauses);
  const cells = compared.map(({ results }) => cellsOf(results));
  const ids = [...new Set(cells.flatMap((own) => [...own.keys()]))].sort(compare);
  const rows = ids.map((id): Row => {
    const own = cells.map((column) => column.get(id) ?? absent);
    const clause = known.get(id);
    return {
      clause: id,
      says: clause?.says ?? null,
      document: clause?.document ?? null,
      level: clause?.level ?? null,
      agreement: agreementOf(own),
      cells: own,
    };
  });
  const columns = compared.map(({ name, started, results }, i): Column => {
    const counts = countStates(rows.map((row) => row.cells[i]!));
    const { exchanges, errors, warnings, notes } = results.summary;
    const standing = conclusionOf(results);
    const unanswered = results.incidents.filter(({ expected }) => expected).length;
    return {
      name,
      url: results.target.url,
      started,
      standing,
      says: saysOf(results, standing, unanswered),
      admitted: standing.excused + unanswered,
      counts,
      clauses: countedClauses(results).length,
      shown: standings.reduce((sum, state) => sum + (isShown(state) ? counts[state] : 0), 0),
      summary: { exchanges, errors, warnings, notes },
      terms: termsOf(results),
    };
  });
  return {
    touchstone: version(),
    columns,
    unlike: unlikeIn(columns.map(({ terms }) => terms)),
    agreement: Object.fromEntries(
      agreements.map((one) => [one, rows.filter(({ agreement }) => agreement === one).length]),
    ) as SideBySide["agreement"],
    features: outcomesOf(
      compared.map(({ results: { features = [] } }) =>
        features.map((one) => ({ name: one.name, outcome: one.outcome, because: one.faults, why: whyFeature(one) })),
      ),
    ),
    clients: outcomesOf(
      compared.map(({ results: { clients = [] } }) => clients.map((one) => ({ ...one, why: whyClient(one) }))),
    ),
    unanswered: unansweredIn(compared.map(({ results }) => results)),
    sections: sectionsIn(rows, compared.length),
  };
}

const absent: Cell = { state: "unasked" };

function cellsOf(results: RunResults): Map<string, Cell> {
  const found = groupsByClause(results);
  return new Map(results.clauses.map((verdict) => [verdict.id, cellOf(verdict, found.get(verdict.id))]));
}

function cellOf(
  { verdict, exercised, failed, warned = 0, unenforced = 0, needs = [], expected, diverges, upstream }: ClauseVerdict,
  found: ClauseGroups | undefined,
): Cell {
  const state = standingOf({ verdict, expected, ...(upstream && { upstream }) });
  const findings = found?.groups.reduce((sum, [{ count }]) => sum + count, 0) ?? 0;
  const places = found ? placesOf(found).places.map(({ finding }) => placeIn(finding)) : [];
  const why = expected ? [expected.reason, ...(expected.ticket === undefined ? [] : [expected.ticket])] : needs;
  return {
    state,
    ...(exercised > 0 && { exercised }),
    ...(failed > 0 && { failed }),
    ...(warned > 0 && { warned }),
    ...(unenforced > 0 && { unenforced }),
    ...(findings > 0 && { findings }),
    ...(places.length > 0 && { places }),
    ...(why.length > 0 && { why }),
    ...(diverges !== undefined && { diverges }),
  };
}

const placeIn = ({
  source,
  exchange,
  side,
  in: place,
  event,
  pointer,
  level,
  expected,
  actual,
}: CellPlace): CellPlace => ({ source, exchange, side, in: place, event, pointer, level, expected, actual });

function agreementOf(cells: readonly Cell[]): Agreement {
  const grades = cells.flatMap(({ state }) => severityRank[state] ?? []);
  if (grades.length === 0) return "open";
  const [least, most] = [Math.min(...grades), Math.max(...grades)];
  if (most === severityRank.unenforced) return least === most ? "unenforced" : "enforcement";
  return least < most ? "differs" : most === severityRank.pass ? "kept" : "violated";
}

const countStates = (cells: readonly Cell[]): StandingCounts => countStandings(cells.map(({ state }) => state));

/** Rows by interface and section; they come sorted by id. */
function sectionsIn(rows: readonly Row[], columns: number): Section[] {
  const sections = new Map<string, { interface: string; section: string; rows: Row[] }>();
  for (const row of rows) {
    const [of = "", section = ""] = row.clause.split(".");
    const key = `${of}.${section}`;
    const known = sections.get(key);
    if (known) known.rows.push(row);
    else sections.set(key, { interface: of, section, rows: [row] });
  }
  return [...sections.values()].map(({ rows: own, ...names }) => ({
    ...names,
    differing: own.filter(({ agreement }) => agreement === "differs").length,
    counts: Array.from({ length: columns }, (_, i) => countStates(own.map(({ cells }) => cells[i]!))),
    rows: agreements.flatMap((one) => own.filter(({ agreement }) => agreement === one)),
  }));
}

type Outcome = { readonly name: string } & OutcomeCell;

/** An outcome that shows nothing of a feature is no other outcome. */
const notShown = "not shown";

/** By name, in the order in which columns list them; without what no column shows. */
function outcomesOf(columns: readonly (readonly Outcome[])[]): Outcomes[] {
  const byName = columns.map((own) => new Map(own.map((one) => [one.name, one])));
  return [...new Set(columns.flatMap((own) => own.map(({ name }) => name)))].flatMap((name) => {
    const own = byName.map((column) => column.get(name));
    const shown = new Set(own.flatMap((one) => (one && one.outcome !== notShown ? [one.outcome] : [])));
    const cells = own.map((one) => (one ? { outcome: one.outcome, because: one.because, why: one.why } : null));
    return shown.size === 0 ? [] : [{ name, differs: shown.size > 1, cells }];
  });
}

function unansweredIn(parts: readonly RunResults[]): Unanswered[] {
  const byOperation = new Map<string, { interface: string; operation: string; cells: (UnansweredCell | null)[] }>();
  for (const [column, { incidents }] of parts.entries())
    for (const { interface: of, operation, problem, source, exchange, expected } of incidents) {
      const key = JSON.stringify([of, operation]);
      const row = byOperation.get(key) ?? { interface: of, operation, cells: parts.map(() => null) };
      byOperation.set(key, row);
      const known = row.cells[column] ?? { requests: 0, first: problem, source, exchange, expected: true };
      row.cells[column] = {
        ...known,
        requests: known.requests + 1,
        expected: known.expected && expected !== undefined,
      };
    }
  return [...byOperation.values()].sort(
    (a, b) => compare(a.interface, b.interface) || compare(a.operation, b.operation),
  );
}
