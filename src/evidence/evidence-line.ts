/** Converts a record of a run to a line of evidence and back. */
import { createHash } from "node:crypto";
import type { Recorded, SentJson } from "../cassette/format.ts";
import type { Shard } from "../verdict/document.ts";
import type { Part, SentRecord } from "../verdict/sent-record.ts";
import type { ChunkMark, Exchange, WireRequest, WireResponse } from "../wire/exchange.ts";

/** Bytes of a body that is kept whole; of a longer one its beginning is kept, and its digest. */
export const maxKept = 16 << 20;

/** How much of a body is kept: all of it up to so many bytes, and so many of a longer one. */
interface Bounds {
  readonly whole: number;
  readonly excerpt: number;
}

const ample: Bounds = { whole: maxKept, excerpt: 64 << 10 };

/** Once a folder has as much as it may: enough of an answer to see what it was, and requests that can be compared. */
const scant = {
  request: { whole: 64 << 10, excerpt: 4 << 10 },
  response: { whole: 4 << 10, excerpt: 4 << 10 },
} as const;

/** The marks of the first bytes. */
function marksWithin(marks: readonly ChunkMark[], maxBytes: number): ChunkMark[] {
  const within: ChunkMark[] = [];
  let left = maxBytes;
  for (const [at, length] of marks) {
    if (left === 0) break;
    within.push([at, Math.min(length, left)]);
    left -= Math.min(length, left);
  }
  return within;
}

/** Places that still lie within the first bytes of the body. */
const placesWithin = (places: readonly string[], maxBytes: number): string[] =>
  places.filter((place) => Number(/^\/body\/\d+-(\d+)$/.exec(place)?.[1] ?? 0) <= maxBytes);

/** A message of which no more is kept than may be, and the digest of its body where that is less than all. */
function bounded<M extends WireRequest | WireResponse>(
  message: M,
  { whole, excerpt }: Bounds,
): { readonly kept: M; readonly digest?: string } {
  const { body, redacted } = message;
  if (body.length <= whole) return { kept: message };
  const marks = "chunks" in message ? message.chunks : undefined;
  return {
    kept: {
      ...message,
      body: body.subarray(0, excerpt),
      ...(marks && { chunks: marksWithin(marks, excerpt) }),
      ...(redacted && { redacted: placesWithin(redacted, excerpt) }),
      cut: body.length - excerpt + (message.cut ?? 0),
    },
    digest: createHash("sha256").update(body).digest("hex"),
  };
}

/** An exchange with what it stands for, no more of its bodies than is kept. */
export function boundedExchange(passed: Exchange, asked: SentJson): Recorded {
  return boundedBy({ request: ample, response: ample }, passed, asked);
}

/** An exchange of which little is kept, since its folder has as much as it may. */
export const scantExchange = ({ exchange, asked }: Recorded & { readonly asked: SentJson }): Recorded =>
  boundedBy(scant, exchange, asked);

function boundedBy(
  bounds: Readonly<Record<"request" | "response", Bounds>>,
  passed: Exchange,
  asked: SentJson,
): Recorded {
  const request = bounded(passed.request, bounds.request);
  const response = passed.response && bounded(passed.response, bounds.response);
  const whole = {
    ...(request.digest !== undefined && { request: request.digest }),
    ...(response?.digest !== undefined && { response: response.digest }),
    // A body that was cut before is known by the digest of all of it.
    ...asked.whole,
  };
  return {
    exchange: { ...passed, request: request.kept, response: response?.kept ?? null },
    asked: { ...asked, ...(Object.keys(whole).length > 0 && { whole }) },
  };
}

/** The form in which evidence keeps a record. */
export function recordedOf(
  { source, exchange, part, interface: of, passed, failure, unsendable, tries }: SentRecord,
  shard: Shard | null = null,
): Recorded {
  return boundedExchange(passed, {
    source,
    exchange,
    part,
    interface: of,
    ...(shard && { shard }),
    ...(failure !== undefined && { failure }),
    ...(unsendable && { unsendable }),
    ...(tries !== undefined && { tries }),
  });
}

const parts: readonly string[] = ["scenario", "twin", "probe", "smoke test", "address"] satisfies Part[];

/** A record as it was kept. */
export type KeptRecord = SentRecord & Pick<SentJson, "whole" | "shard">;

/** The record of a line; undefined where it says nothing of a run. */
export function keptOf({ exchange: passed, asked }: Recorded): KeptRecord | undefined {
  if (!asked || asked.interface === undefined || !parts.includes(asked.part)) return undefined;
  return { ...asked, part: asked.part as Part, interface: asked.interface, passed };
}
