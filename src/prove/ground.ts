/** The sources of a catalogue's counterexamples and probes. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Examples } from "../check/example.ts";
import { createTracer, type Tracer } from "./trace.ts";

export interface Ground extends Examples {
  readonly tracer: Tracer;
}

const tracers = new WeakMap<Catalogue, Tracer>();

/** A tracer over the schemas of a catalogue, made once. */
export function tracerOf(catalogue: Catalogue): Tracer {
  const known = tracers.get(catalogue) ?? createTracer(catalogue.sources());
  tracers.set(catalogue, known);
  return known;
}

/** The good exchanges of a catalogue, and its tracer. */
export const groundOf = async (catalogue: Catalogue): Promise<Ground> => ({
  ...(await catalogue.examples()),
  tracer: tracerOf(catalogue),
});
