/** What pages see of a session: exchanges as they are judged, and what is in flight. It stands only while a page is open. */
import type { Judging } from "../interfaces/judging.ts";
import type { Session } from "../record/session.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { type CatchUp, catchUp } from "./catch-up.ts";
import { createFeed, type Feed } from "./feed.ts";
import { type Following, followFlights } from "./flights.ts";
import { createFound, type Found } from "./found.ts";
import type { Reader } from "./reader.ts";
import { rowOf } from "./rows.ts";

export interface Hub {
  readonly feed: Pick<Feed, "subscribe" | "listeners">;
  readonly found: Pick<Found, "of">;
  readonly flights: Pick<Following, "watch">;
  add(exchange: ListedExchange): void;
  close(): void;
}

/** Exchanges before a page was opened that it is shown. */
const mostBefore = 5_000;

/**
 * Begins to show a session.
 * @param before how many exchanges were judged by now
 */
export function openHub(
  session: Pick<Session, "out" | "look" | "lag">,
  judging: Judging,
  reader: Reader,
  before: number,
): Hub {
  const feed = createFeed();
  const found = createFound();
  const flights = followFlights(session.look, session.lag, (told) => feed.tell("flights", told));
  let past: CatchUp | undefined;
  let closed = false;

  function add(exchange: ListedExchange): void {
    found.add(exchange.exchange, exchange.findings);
    feed.add("row", rowOf(exchange));
  }

  async function showPast(): Promise<void> {
    const first = Math.max(0, before - mostBefore);
    const { from, to } = await reader.ask("stretch", { from: first, to: before });
    if (closed || from >= to) return;
    past = catchUp(session.out, judging, { from, to, first }, add);
    await past.ended;
  }
  showPast().catch(() => feed.add("trouble", "What passed before this page was opened cannot be shown."));

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
