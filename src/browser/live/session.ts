/** The page's state of the session, as its server tells it. */
import type { Flight, Flights, Refused, Row, SessionShown } from "../../live/protocol.ts";

export interface Known {
  readonly state: "connecting" | "open" | "lost" | "ended";
  readonly session: SessionShown | undefined;
  /** In the order of their positions. */
  readonly rows: readonly Row[];
  /** Rows that were no longer to be had. */
  readonly gone: number;
  readonly flights: Flights;
  /** Exchanges from before the page was opened that are still being read; 0 once they are. */
  readonly earlier: number;
  /** When `flights` was told, as `performance.now()` has it. */
  readonly toldAt: number;
  /** The problems at the recorder, as sentences. */
  readonly troubles: readonly string[];
}

export interface Store {
  now(): Known;
  /** Calls whenever something is known anew, once a frame at most; returns what ends that. */
  subscribe(call: () => void): () => void;
}

/** Rows that are kept; the earliest are left out. */
const maxRows = 20_000;

const nothing: Flights = { count: 0, listed: [] satisfies Flight[], lag: 0 };

/** The address of something of this session, token included. */
export const addressOf = (path: string): string => `${path}${location.search}`;

export async function fetchJson<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(addressOf(path), {
    ...(body !== undefined && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Error("The recorder does not answer. It may have ended.");
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  const answered = (await response.json()) as T | Refused;
  if (typeof answered === "object" && answered !== null && "problem" in answered)
    throw new Error(`${answered.problem}. ${answered.remedy}`);
  return answered as T;
}

/** Listens until the session ends; a connection that breaks is made anew, and goes on where it was. */
export function connect(): Store {
  let known: Known = {
    state: "connecting",
    session: undefined,
    rows: [],
    gone: 0,
    flights: nothing,
    earlier: 0,
    toldAt: 0,
    troubles: [],
  };
  const calls = new Set<() => void>();
  const rows = new Map<number, Row>();
  let due = false;
  let isStale = false;

  function changed(more: Partial<Known>): void {
    known = { ...known, ...more };
    if (due) return;
    due = true;
    // A page in the background gets no frames.
    setTimeout(() => {
      due = false;
      if (isStale) {
        isStale = false;
        const all = [...rows.values()].sort((a, b) => a.exchange - b.exchange);
        for (const { exchange } of all.splice(0, Math.max(0, all.length - maxRows))) rows.delete(exchange);
        known = { ...known, rows: all };
      }
      for (const call of calls) call();
    }, 50);
  }

  const source = new EventSource(addressOf("/events"));
  const on = (name: string, take: (data: unknown) => void): void =>
    source.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent).data)));
  source.onopen = () => changed({ state: "open" });
  source.onerror = () => changed({ state: source.readyState === EventSource.CLOSED ? "ended" : "lost" });
  on("start", () => {
    rows.clear();
    isStale = true;
    changed({ gone: 0 });
  });
  on("gap", (left) => changed({ gone: known.gone + (left as number) }));
  on("row", (row) => {
    rows.set((row as Row).exchange, row as Row);
    isStale = true;
    changed({});
  });
  on("flights", (flights) => changed({ flights: flights as Flights, toldAt: performance.now() }));
  on("earlier", (earlier) => changed({ earlier: earlier as number }));
  on("trouble", (what) => changed({ troubles: [...known.troubles, what as string].slice(-20) }));
  on("end", () => {
    source.close();
    changed({ state: "ended", flights: nothing });
  });
  fetchJson<SessionShown>("/session").then(
    (session) => changed({ session }),
    () => changed({ state: "lost" }),
  );
  return {
    now: () => known,
    subscribe(call) {
      calls.add(call);
      return () => void calls.delete(call);
    },
  };
}
