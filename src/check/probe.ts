/** Probes: requests made from the clauses that speak about requests, and how they stand in a file. */
import type { WireRequest } from "../wire/exchange.ts";

/** A good request that probes are made from. */
export interface Twin {
  readonly interface: string;
  readonly operation: string;
  readonly request: WireRequest;
}

/** One request that shows whether a target keeps a clause. */
export interface Probe {
  readonly clause: string;
  /** `beyond` breaks exactly the clause and should be refused; `within` keeps all and must be accepted. */
  readonly kind: "beyond" | "within";
  /** What was done to the twin: `maximum at /temperature`. */
  readonly how: string;
  /** Position of the twin, the same request within the rule. */
  readonly twin: number;
  readonly request: WireRequest;
}

export interface Probes {
  readonly twins: readonly Twin[];
  readonly probes: readonly Probe[];
}

type Packed<T extends { readonly request: WireRequest }> = Omit<T, "request"> & {
  readonly request: Omit<WireRequest, "body"> & { readonly text?: string; readonly base64?: string };
};

function packed<T extends { readonly request: WireRequest }>(one: T): Packed<T> {
  const { body, ...head } = one.request;
  const bytes = Buffer.from(body);
  const text = bytes.toString("utf8");
  const kept = Buffer.from(text, "utf8").equals(bytes) ? { text } : { base64: bytes.toString("base64") };
  return { ...one, request: { ...head, ...kept } };
}

function unpacked<T extends { readonly request: WireRequest }>(one: Packed<T>): T {
  const { text, base64, ...head } = one.request;
  const body = base64 === undefined ? Buffer.from(text ?? "", "utf8") : Buffer.from(base64, "base64");
  return { ...one, request: { ...head, body } } as unknown as T;
}

/** As the JSON text that `readProbes` reads. */
export const writeProbes = ({ twins, probes }: Probes): string =>
  JSON.stringify({ twins: twins.map(packed), probes: probes.map(packed) });

export function readProbes(text: string): Probes {
  const { twins, probes } = JSON.parse(text) as { twins: Packed<Twin>[]; probes: Packed<Probe>[] };
  return { twins: twins.map((twin) => unpacked<Twin>(twin)), probes: probes.map((probe) => unpacked<Probe>(probe)) };
}
