/** Messages as a cassette keeps them: whoever reads a body as text makes no bytes of it. */
import type {
  ChunkMark,
  Exchange,
  HeaderPairs,
  KnownBodies,
  KnownBody,
  MaskedVerdict,
  Upgraded,
  WireRequest,
  WireResponse,
} from "../wire/exchange.ts";
import { bytesOfBody, marksOfBody } from "./body.ts";
import type { BodyJson } from "./format.ts";

const noBytes = Buffer.alloc(0);
const nothing: KnownBodies = { request: undefined, response: undefined };

/** Its members that are made when they are asked for are no own ones, and lost where it is copied: `plainExchange` copies it. */
class KeptMessage {
  readonly headers: HeaderPairs;
  declare cut?: number;
  declare redacted?: readonly string[];
  declare judged?: MaskedVerdict;
  readonly kept: BodyJson | undefined;
  private bytes: Uint8Array | undefined;

  constructor(headers: HeaderPairs, kept: BodyJson | undefined) {
    this.headers = headers;
    this.kept = kept;
    this.bytes = undefined;
  }

  get body(): Uint8Array {
    this.bytes ??= this.kept ? bytesOfBody(this.kept) : noBytes;
    return this.bytes;
  }
}

export class KeptRequest extends KeptMessage implements WireRequest {
  readonly method: string;
  readonly target: string;

  constructor(method: string, target: string, headers: HeaderPairs, kept: BodyJson | undefined) {
    super(headers, kept);
    this.method = method;
    this.target = target;
  }
}

export class KeptResponse extends KeptMessage implements WireResponse {
  readonly status: number;
  declare reason?: string;
  declare trailers?: HeaderPairs;
  declare time?: number;
  declare upgraded?: Upgraded;
  private readonly arrived: number | undefined;
  private marks: readonly ChunkMark[] | undefined;

  /** @param arrived when a body came that arrived in one piece */
  constructor(status: number, headers: HeaderPairs, kept: BodyJson | undefined, arrived: number | undefined) {
    super(headers, kept);
    this.status = status;
    this.arrived = arrived;
    this.marks = undefined;
  }

  get hasChunks(): boolean {
    return this.arrived !== undefined || (this.kept !== undefined && "chunks" in this.kept);
  }

  // A response of which nothing is known has the member all the same, as undefined.
  get chunks(): readonly ChunkMark[] {
    if (!this.hasChunks) return undefined as never;
    this.marks ??= (this.kept && marksOfBody(this.kept)) ?? [[this.arrived!, this.body.length]];
    return this.marks;
  }
}

export interface KeptExchange extends Exchange {
  readonly request: KeptRequest;
  readonly response: KeptResponse | null;
}

const isKept = (exchange: Exchange): exchange is KeptExchange => exchange.request instanceof KeptRequest;

/** The content of a body, unless it was kept in pieces, in base64, or as a text that has no bytes of its own. */
const knownIn = (kept: BodyJson | undefined): KnownBody | undefined =>
  kept && ("json" in kept || ("text" in kept && kept.text !== "" && kept.text.isWellFormed())) ? kept : undefined;

/** The content of an exchange's bodies, as far as it is known without their bytes. */
export const knownOf = (exchange: Exchange): KnownBodies =>
  isKept(exchange) ? { request: knownIn(exchange.request.kept), response: knownIn(exchange.response?.kept) } : nothing;

/** The same exchange with members of its own throughout. */
export function plainExchange(exchange: Exchange): Exchange {
  if (!isKept(exchange)) return exchange;
  const { request, response } = exchange;
  const { method, target, headers, body, cut, redacted, judged } = request;
  return {
    ...exchange,
    request: {
      method,
      target,
      headers,
      body,
      ...(cut !== undefined && { cut }),
      ...(redacted !== undefined && { redacted }),
      ...(judged !== undefined && { judged }),
    },
    response: response && plainResponse(response),
  };
}

function plainResponse(response: KeptResponse): WireResponse {
  const { status, reason, headers, body, trailers, time, upgraded, cut, redacted, judged } = response;
  return {
    status,
    ...(reason !== undefined && { reason }),
    headers,
    body,
    ...(response.hasChunks && { chunks: response.chunks }),
    ...(trailers !== undefined && { trailers }),
    ...(time !== undefined && { time }),
    ...(upgraded !== undefined && { upgraded }),
    ...(cut !== undefined && { cut }),
    ...(redacted !== undefined && { redacted }),
    ...(judged !== undefined && { judged }),
  };
}
