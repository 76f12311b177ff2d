/** The live view of a session while a page is open: judged exchanges, and requests in flight. */
import type { Interfaces } from "../check/catalogue.ts";
import type { Judging } from "../interfaces/judging.ts";
import type { Session } from "../record/session.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { type CatchUp, catchUp } from "./catch-up.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { createFindingCache, type FindingCache } from "./finding-cache.ts";
import { type Following, followFlights } from "./in-flight.ts";
import type { Reader } from "./reader.ts";
import { rowOf } from "./rows.ts";

export interface LiveSession {
  readonly feed: Pick<EventStream, "subscribe" | "listeners">;
  readonly found: Pick<FindingCache, "of">;
  readonly flights: Pick<Following, "watch">;
  add(exchange: ListedExchange): void;
  close(): void;
}

/** Exchanges before a page was opened that it is shown. */
const maxBefore = 5_000;

/**
 * Begins to show a session.
 * @param before how many exchanges were judged by now
 */
export function openLiveSession(
  session: Pick<Session, "out" | "look" | "lag">,
  judging: Judging,
  { interfaces, clauses }: Pick<Interfaces, "interfaces" | "clauses">,
  reader: Reader,
  before: number,
): LiveSession {
  const feed = createEventStream();
  const found = createFindingCache();
  const names = {
    ofOperation: new Map(interfaces.flatMap(({ name, operations }) => operations.map((one) => [one.name, name]))),
    sentences: new Map(clauses.map(({ id, says }) => [id, says])),
  };
  const flights = followFlights(session.look, session.lag, (told) => feed.tell("flights", told), interfaces);
  let past: CatchUp | undefined;
  let closed = false;

  function add(exchange: ListedExchange): void {
    found.add(exchange.exchange, exchange.findings);
    feed.add("row", rowOf(exchange, names));
  }

  async function showPast(): Promise<void> {
    const first = Math.max(0, before - maxBefore);
    if (first < before) feed.tell("earlier", before - first);
    const { from, to } = await reader.ask("stretch", { from: first, to: before });
    if (closed || from >= to) return;
    past = catchUp(session.out, judging, { from, to, first }, add);
    await past.ended;
  }
  showPast()
    .catch(() => feed.add("trouble", "Exchanges from before this page was opened cannot be shown."))
    .finally(() => closed || feed.tell("earlier", 0));

  return {
    feed,
    found,
    flights,
    add,
    close() {
      closed = true;
      past?.abandon();
      flights.close();
      feed.close();
    },
  };
}
