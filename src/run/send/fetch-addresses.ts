/** Fetches addresses that replies hand out: each once, without a key, and at the target's own origin alone. */
import { addressesIn } from "../../interfaces/addresses.ts";
import type { Plan } from "../../verdict/run-results.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import type { Sender, Sent } from "../../wire/send.ts";

/** Addresses of one recording that are fetched: the others were made alike. */
const maxAddresses = 2;

/** Bytes after which an image is broken off: its beginning tells what it is. */
const maxBytes = 256 << 10;

/** Milliseconds after which a fetch is given up. */
const maxMilliseconds = 10_000;

/** A reply of a target, and where it was asked. */
export interface Reply {
  readonly interface: string;
  readonly origin: string;
  readonly json: unknown;
}

/** A request to fetch an address. */
export interface Fetch {
  readonly interface: string;
  readonly origin: string;
  readonly request: WireRequest;
}

const parsed = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

/** Whether a run fetches addresses at all: a bound on its requests counts planned ones alone. */
export const fetchesAddresses = ({ limit }: Pick<Plan, "limit">): boolean => limit === null;

/** The requests that fetch what replies hand out. No other origin is asked, whatever a reply names. */
export function fetchesFor(replies: readonly Reply[]): Fetch[] {
  const targets = new Map<string, Fetch>();
  for (const { interface: of, origin, json } of replies)
    for (const address of addressesIn(of, json)) {
      const url = parsed(address);
      if (url?.origin !== new URL(origin).origin || targets.size >= maxAddresses) continue;
      const target = `${url.pathname}${url.search}`;
      const headers = [
        ["host", url.host],
        ["accept", "image/*"],
      ] as const;
      targets.set(target, {
        interface: of,
        origin,
        request: { method: "GET", target, headers, body: Buffer.alloc(0) },
      });
    }
  return [...targets.values()];
}

/** Fetches as much as tells what is there. */
export async function fetchBeginning({ origin, request }: Fetch, sender: Sender): Promise<Sent> {
  const enough = new AbortController();
  const late = setTimeout(() => enough.abort(), maxMilliseconds);
  let size = 0;
  try {
    return await sender.send(origin, request, {
      left: enough.signal,
      head: () => undefined,
      piece(bytes) {
        size += bytes.length;
        if (size > maxBytes) enough.abort();
      },
    });
  } finally {
    clearTimeout(late);
  }
}
