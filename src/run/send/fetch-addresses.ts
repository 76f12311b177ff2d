/** Fetches addresses that replies hand out: each once, without a key, and at the target's own origin alone. */
import type { Interface } from "../../check/interface.ts";
import type { Plan } from "../../verdict/run-results.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
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

/** Interface name to where its replies hand out addresses; plain data, which crosses to the thread that asks. */
export type AddressPlaces = Readonly<Record<string, readonly string[]>>;

/** The places of a run whose addresses are fetched: none where there is a bound on requests, which counts planned ones alone. */
export const addressPlaces = ({ limit }: Pick<Plan, "limit">, interfaces: readonly Interface[]): AddressPlaces =>
  limit === null
    ? Object.fromEntries(
        interfaces.flatMap(({ name, replies }) => (replies?.addresses ? [[name, replies.addresses] as const] : [])),
      )
    : {};

/** The values at a place, once each, in order. */
function valuesAt(value: unknown, [step, ...more]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (step === "*") return Array.isArray(value) ? [...new Set(value.flatMap((item) => valuesAt(item, more)))] : [];
  return isObject(value) ? valuesAt(value[step], more) : [];
}

/** The requests that fetch what replies hand out. No other origin is asked, whatever a reply names. */
export function fetchesFor(replies: readonly Reply[], places: AddressPlaces): Fetch[] {
  const targets = new Map<string, Fetch>();
  for (const { interface: of, origin, json } of replies)
    for (const address of places[of] ? valuesAt(json, places[of]) : []) {
      const url = typeof address === "string" ? parsed(address) : undefined;
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
