/** Makes of a judged exchange the row that pages list. */
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import type { Row } from "./protocol.ts";

/** Clauses that a row names. */
const maxClauses = 8;

/** From what a row says of its exchange. */
export interface RowNames {
  /** Operation name to its interface. */
  readonly ofOperation: ReadonlyMap<string, string>;
  /** Clause id to its sentence. */
  readonly sentences: ReadonlyMap<string, string>;
}

const severity = { error: 0, warning: 1, unenforced: 2, note: 3 } as const;

export function rowOf(exchange: ListedExchange, { ofOperation, sentences }: RowNames): Row {
  const { operation, known, asked, status, started, time, aborted, groups, unjudged, broken } = exchange;
  const of = known ? ofOperation.get(operation) : undefined;
  const count = (wanted: string): number =>
    groups.reduce((sum, { level, count }) => (level === wanted ? sum + count : sum), 0);
  const worstFirst = groups.toSorted((a, b) => severity[a.level] - severity[b.level]);
  const clauses = [...new Set(worstFirst.map(({ clause }) => clause))].slice(0, maxClauses);
  const says = sentences.get(clauses[0] ?? "");
  const why = unjudged ?? (broken === undefined ? undefined : "judging failed");
  return {
    exchange: exchange.exchange,
    ...(of !== undefined && { interface: of }),
    operation,
    asked,
    status,
    ...(started !== undefined && { started }),
    ...(time !== undefined && { time }),
    ...(aborted && { aborted }),
    errors: count("error"),
    warnings: count("warning"),
    notes: count("note"),
    clauses,
    ...(says !== undefined && { says }),
    ...(why !== undefined && { unjudged: why }),
  };
}
