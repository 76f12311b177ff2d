/** Finds requests that were never answered and about which no incident tells: probes, whose clauses then have no verdict. */
import type { Incident, UnansweredRequest } from "../../verdict/run-results.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";

const isUnanswered = ({ passed, failure, unsendable }: SentRecord): boolean =>
  passed.response === null && failure !== undefined && unsendable === undefined;

/** Requests of one source of which no try was answered. What an incident tells of is none of them. */
export function unansweredIn(sent: readonly SentRecord[], incidents: readonly Incident[]): UnansweredRequest[] {
  const told = new Set(incidents.map(({ exchange }) => exchange));
  const answered = new Set(sent.filter((one) => !isUnanswered(one)).map(({ exchange }) => exchange));
  const last = new Map(sent.map((one) => [one.exchange, one]));
  return [...last.values()]
    .filter(({ exchange }) => !told.has(exchange) && !answered.has(exchange))
    .map(({ source, exchange, interface: of, passed, failure, tries }) => ({
      source,
      exchange,
      interface: of,
      operation: `${passed.request.method} ${passed.request.target.split("?", 1)[0]}`,
      problem: failure!,
      ...(tries !== undefined && { tries }),
    }));
}
