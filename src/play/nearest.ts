/** Finds which of many recordings comes nearest to a request that none of them answers. */
import { pointer } from "../wire/pointer.ts";
import type { CanonicalRequest } from "./canonical-request.ts";
import { type Difference, differences } from "./differences.ts";
import type { Recording } from "./recording.ts";
import { patternOf } from "./request-pattern.ts";
import { fits } from "./wildcards.ts";

export interface Nearest {
  readonly recording: Recording;
  /** Places that differ; `before` is the recording's side. Empty where only repeats ran out. */
  readonly differences: readonly Difference[];
  /** Further places that were not listed. */
  readonly more: number;
}

/** Recordings compared with one request, and bytes of both sides behind which no further one is. */
const maxCompared = 20;
const maxBytes = 4 << 20;
/** Differences listed of one recording, and counted at most. */
const maxListed = 20;
const maxCounted = 1000;

/** Compares a recording with what was asked. @param maxDifferences differences counted at most */
function compare(
  asked: CanonicalRequest,
  recording: Recording,
  headers: readonly string[],
  maxDifferences: number,
): Nearest {
  const { request, wildcards } = patternOf(recording.exchange.request, headers);
  const passed = new Set(wildcards.filter((one) => fits(asked, [one])).map(({ path }) => pointer(...path)));
  const isPassed = (place: string): boolean => {
    for (let end = place.length; end > 0; end = place.lastIndexOf("/", end - 1))
      if (passed.has(place.slice(0, end))) return true;
    return false;
  };
  const listed: Difference[] = [];
  let count = 0;
  for (const difference of differences(request, asked)) {
    if (passed.size > 0 && isPassed(difference.pointer)) continue;
    if (++count <= maxListed) listed.push(difference);
    if (count >= maxDifferences) break;
  }
  return { recording, differences: listed, more: count - listed.length };
}

/** A recording and what it asks, in parts. */
export interface Candidate {
  readonly recording: Recording;
  readonly method: string;
  readonly path: string;
  readonly parts: Uint32Array;
}

/** Parts that one of two requests has and the other has not. */
function unshared(asked: ReadonlySet<number>, parts: Uint32Array): number {
  let shared = 0;
  for (const part of parts) if (asked.has(part)) shared++;
  return asked.size + parts.length - 2 * shared;
}

/**
 * The recording with the fewest differences among those compared: those of the same address first, then those that share
 * the most parts.
 * @param parts of what was asked
 * @param size bytes of the body asked with
 */
export function nearestOf(
  asked: CanonicalRequest,
  parts: Uint32Array,
  size: number,
  candidates: readonly Candidate[],
  headers: readonly string[],
): Nearest | undefined {
  const askedParts = new Set(parts);
  const ranked = candidates.map((one) => ({
    recording: one.recording,
    elsewhere: (one.path === asked.path ? 0 : 2) + (one.method === asked.method ? 0 : 1),
    apart: unshared(askedParts, one.parts),
  }));
  ranked.sort((a, b) => a.elsewhere - b.elsewhere || a.apart - b.apart);
  let best: Nearest | undefined;
  let fewest = maxCounted;
  let bytes = 0;
  for (const { recording } of ranked.slice(0, maxCompared)) {
    const found = compare(asked, recording, headers, fewest);
    const count = found.differences.length + found.more;
    if (!best || count < fewest) best = found;
    fewest = Math.min(fewest, count);
    bytes += size + recording.exchange.request.body.length;
    if (fewest <= 1 || bytes >= maxBytes) break;
  }
  return best;
}
