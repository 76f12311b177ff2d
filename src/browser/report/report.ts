/** The state that all parts of the page share: its data, found by name. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PageClause, PageData, PageGroup } from "../../report/page/data.ts";
import { type Standing, standingOf } from "../../verdict/standing.ts";
import { createEvidenceStore, type EvidenceStore } from "../components/evidence-store.ts";
import { hrefTo } from "../components/route.ts";

export interface Report {
  readonly data: PageData;
  readonly clauses: ReadonlyMap<string, PageClause>;
  /** Groups by clause. */
  readonly groups: ReadonlyMap<string, readonly PageGroup[]>;
  readonly interfaces: readonly string[];
  /** The clauses that all reports count: of the interfaces that the target offers, without unenforced rules. */
  readonly counted: readonly PageClause[];
  readonly store: EvidenceStore;
  /** The row of an exchange. */
  rowOf(source: string, exchange: number): number | undefined;
}

const placeKey = (source: string, exchange: number): string => `${exchange} ${source.toWellFormed()}`;

export function createReport(data: PageData): Report {
  const groups = new Map<string, PageGroup[]>();
  for (const group of data.groups) groups.set(group.clause, [...(groups.get(group.clause) ?? []), group]);
  const { exchanges } = data;
  const rows = new Map(
    exchanges.exchange.map((exchange, row) => [placeKey(exchanges.sources[exchanges.source[row]!]!, exchange), row]),
  );
  return {
    data,
    clauses: new Map(data.clauses.map((clause) => [clause.id, clause])),
    groups,
    interfaces: [...new Set(data.clauses.map((clause) => clause.interface))],
    counted: data.clauses.filter(
      (clause) => clause.verdict !== "unenforced" && !data.lacking.includes(clause.interface),
    ),
    store: createEvidenceStore(exchanges),
    rowOf: (source, exchange) => rows.get(placeKey(source, exchange)),
  };
}

const context = createContext<Report | null>(null);
export const ReportProvider = context.Provider;
export const useReport = (): Report => useContext(context)!;

export const clauseHref = (id: string): string => hrefTo(["clause", id]);
/** @param clause the one whose finding is looked at, and the event that it stands in */
export const exchangeHref = (source: string, exchange: number, clause = "", event: number | null = null): string =>
  hrefTo(["exchange", source, String(exchange)], { clause, event: event === null ? "" : String(event) });

const decided: readonly Standing[] = ["fail", "broken", "expected", "inherited", "warning", "pass", "unenforced"];

/** The offered interfaces: those of which something was decided, and the others. All are shown if nothing was decided. */
export function interfacesIn({ data, counted, interfaces }: Report): Record<"shown" | "quiet", readonly string[]> {
  const offered = interfaces.filter((of) => !data.lacking.includes(of));
  const told = new Set(
    counted.filter((clause) => decided.includes(standingOf(clause))).map((clause) => clause.interface),
  );
  if (told.size === 0) return { shown: offered, quiet: [] };
  return { shown: offered.filter((of) => told.has(of)), quiet: offered.filter((of) => !told.has(of)) };
}

/** `Chat completions` of `chat-completions`. */
export const titleOf = (name: string): string => {
  const words = name.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

/** `response body at /choices/*` */
export const placeOf = ({ side, in: place, pointer }: { side: string; in: string; pointer: string }): string =>
  `${place === "stream" ? "event of the stream" : `${side} ${place}`}${pointer && ` at ${pointer}`}`;
