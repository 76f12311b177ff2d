/** Probes: requests made from the clauses that speak about requests, and how they stand in a file. */
import type { WireRequest } from "../wire/exchange.ts";

/** A good request that probes are made from. */
export interface Twin {
  readonly interface: string;
  /** The name of it and its probes in their interface: section and name of the first clause it was made for, `request/temperature-type`. */
  readonly name: string;
  readonly operation: string;
  readonly request: WireRequest;
  readonly costly?: true;
}

/** One request that shows whether a target keeps a clause. */
export interface Probe {
  readonly clause: string;
  /**
   * `beyond` breaks exactly the clause and should be refused; `within` keeps all and must be accepted. `stranger` asks for
   * a model that nobody has: whether it is refused is not said, how a refusal looks may be.
   */
  readonly kind: "beyond" | "within" | "stranger";
  /** The change to the twin: `maximum at /temperature`. */
  readonly how: string;
  /** Position of the twin, the same request within the rule. */
  readonly twin: number;
  readonly request: WireRequest;
  /** The reading whose strict option finds it beyond, if it stays within the rule by default. */
  readonly reading?: string;
  /** Its clause is on the key. */
  readonly ofKey?: true;
  /** Sent with a key that nobody gave out, instead of the target's own. */
  readonly wrongKey?: true;
  /** A target that accepts it has several replies or images or a long text made. */
  readonly costly?: true;
}

export interface Probes {
  readonly twins: readonly Twin[];
  readonly probes: readonly Probe[];
  /** Clauses on requests that have no probe, and why. */
  readonly unprobed: Readonly<Record<string, string>>;
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
export const writeProbes = ({ twins, probes, unprobed }: Probes): string =>
  JSON.stringify({ twins: twins.map(packed), probes: probes.map(packed), unprobed });

export function readProbes(text: string): Probes {
  const { twins, probes, unprobed } = JSON.parse(text) as {
    twins: Packed<Twin>[];
    probes: Packed<Probe>[];
    unprobed: Probes["unprobed"];
  };
  return {
    twins: twins.map((twin) => unpacked<Twin>(twin)),
    probes: probes.map((probe) => unpacked<Probe>(probe)),
    unprobed,
  };
}
