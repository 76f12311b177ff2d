/** The content of a recording's request, and the places at which a request with the same content may have anything. */
import type { WireRequest } from "../wire/exchange.ts";
import { type CanonicalRequest, canonicalRequest } from "./canonical-request.ts";
import { withMarker } from "./redaction-marker.ts";
import { type Wildcard, wildcardsOf } from "./wildcards.ts";

export interface RequestPattern {
  readonly request: CanonicalRequest;
  /** The places at which the recording says that something was taken out: anything may stand there. */
  readonly wildcards: readonly Wildcard[];
  /** Whether any body may be asked with. */
  readonly anyBody: boolean;
}

/** The pattern of a recorded request. @param headers names of headers that requests must agree in, in lower case */
export function patternOf(recorded: WireRequest, headers: readonly string[] = []): RequestPattern {
  const marked = withMarker(recorded) ?? { request: recorded, marker: undefined, anyBody: false };
  const { marker } = marked;
  const request = canonicalRequest(marked.request, headers, marker);
  // Bytes that are no text show no marker.
  const unseen = request.bytes !== undefined && marked.request.body !== recorded.body;
  const anyBody = marked.anyBody || recorded.cut !== undefined || unseen;
  return { request, wildcards: wildcardsOf(request, marker, anyBody), anyBody };
}
