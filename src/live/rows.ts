/** Makes of a judged exchange the row that pages list. */
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import type { Row } from "./protocol.ts";

/** Clauses that a row names. */
const maxClauses = 8;

/** @param ofOperation operation name to its interface */
export function rowOf(exchange: ListedExchange, ofOperation: ReadonlyMap<string, string>): Row {
  const { operation, known, asked, status, started, time, aborted, groups, unjudged, broken } = exchange;
  const of = known ? ofOperation.get(operation) : undefined;
  const count = (wanted: string): number =>
    groups.reduce((sum, { level, count }) => (level === wanted ? sum + count : sum), 0);
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
    clauses: [...new Set(groups.map(({ clause }) => clause))].slice(0, maxClauses),
    ...(why !== undefined && { unjudged: why }),
  };
}
