/** Finds the recording a request asks for: by digest, so that thousands of recordings cost what one does. */
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import { type CanonicalRequest, canonicalRequest } from "./canonical-request.ts";
import { createDigester, type WildcardTree } from "./digest.ts";
import { type Candidate, type Nearest, nearestOf } from "./nearest.ts";
import type { Recording } from "./recording.ts";
import { patternOf } from "./request-pattern.ts";
import { fits, treeOf, type Wildcard } from "./wildcards.ts";

/** Recordings of one request, in recorded order. */
interface Group {
  readonly wildcards: readonly Wildcard[];
  readonly recordings: Recording[];
  next: number;
}

/** Recordings with wildcards at the same places. */
interface SamePlaces {
  readonly tree: WildcardTree;
  /** How little of a request they look at. */
  readonly width: number;
  /** By digest, then by what stands around the redacted values. */
  readonly groups: Map<string, Map<string, Group>>;
}

export interface Library {
  readonly all: readonly Recording[];
  add(exchange: Exchange, source: string, position: number, read?: Recording["read"]): Recording;
  /** Whether there is a recording of this request. */
  has(request: WireRequest): boolean;
  /** The recording to play next: repeats in recorded order, then the last again unless `once`. */
  take(request: WireRequest, once: boolean): Recording | undefined;
  /** The recording that differs least, as far as they are compared; undefined where there is none. */
  nearest(request: WireRequest): Nearest | undefined;
}

const anyPath = "*";

/** The request that one stands for: what is alike by it is asked alike. */
export type Standing = (request: WireRequest) => WireRequest;

/**
 * @param headers names of headers that requests must agree in, in lower case
 * @param standing what a request is looked for as, recorded or asked; itself by default
 */
export function createLibrary(headers: readonly string[], standing: Standing = (request) => request): Library {
  const all: Recording[] = [];
  const candidates: Candidate[] = [];
  const addresses = new Map<string, Map<string, SamePlaces>>();

  function groupsWith(request: CanonicalRequest, wildcards: readonly Wildcard[], anyBody: boolean): SamePlaces {
    const address = wildcards.some(({ path }) => path[0] === "path") ? anyPath : `${request.method} ${request.path}`;
    const byPlaces = addresses.get(address) ?? new Map<string, SamePlaces>();
    addresses.set(address, byPlaces);
    const key = JSON.stringify(wildcards.map(({ path }) => path));
    const same = byPlaces.get(key) ?? {
      tree: treeOf(wildcards),
      width: anyBody ? Number.POSITIVE_INFINITY : wildcards.length,
      groups: new Map(),
    };
    byPlaces.set(key, same);
    return same;
  }

  /** Recordings of this request; those with the fewest redacted places win. */
  function groupsFor(asked: CanonicalRequest, digester = createDigester(asked)): Group[] {
    const places = [`${asked.method} ${asked.path}`, anyPath].flatMap((address) => [
      ...(addresses.get(address)?.values() ?? []),
    ]);
    places.sort((a, b) => a.width - b.width);
    let found: Group[] = [];
    let width = Number.NaN;
    for (const same of places) {
      if (found.length > 0 && same.width !== width) break;
      width = same.width;
      const groups = same.groups.get(digester.digest(same.tree))?.values() ?? [];
      found = [...found, ...[...groups].filter(({ wildcards }) => fits(asked, wildcards))];
    }
    return found;
  }

  return {
    all,
    has: (request) => groupsFor(canonicalRequest(standing(request), headers)).length > 0,
    add(exchange, source, position, read) {
      const recording: Recording = { exchange, read, source, position, order: all.length, plays: 0 };
      const { request, wildcards, anyBody } = patternOf(standing(exchange.request), headers);
      const { tree, groups } = groupsWith(request, wildcards, anyBody);
      const digester = createDigester(request);
      const digest = digester.digest(tree);
      const around = wildcards.length > 0 ? JSON.stringify(wildcards) : "";
      const byAround = groups.get(digest) ?? new Map<string, Group>();
      groups.set(digest, byAround);
      const group = byAround.get(around) ?? { wildcards, recordings: [], next: 0 };
      byAround.set(around, group);
      group.recordings.push(recording);
      all.push(recording);
      candidates.push({ recording, method: request.method, path: request.path, parts: digester.parts() });
      return recording;
    },
    take(request, once) {
      const groups = groupsFor(canonicalRequest(standing(request), headers));
      // Several groups match where values were redacted in part; whichever was recorded first comes first.
      const waiting = groups.flatMap((group) => {
        const recording = group.recordings[group.next];
        return recording ? [{ group, recording }] : [];
      });
      const first = waiting.sort((a, b) => a.recording.order - b.recording.order)[0];
      if (first) first.group.next++;
      const recording = first?.recording ?? (once ? undefined : groups.at(-1)?.recordings.at(-1));
      if (recording) recording.plays++;
      return recording;
    },
    nearest(request) {
      const asked = canonicalRequest(standing(request), headers);
      const digester = createDigester(asked);
      // One that matches differs nowhere: it was played as often as it may be.
      const played = groupsFor(asked, digester)[0]?.recordings[0];
      if (played) return { recording: played, differences: [], more: 0 };
      return nearestOf(asked, digester.parts(), request.body.length, candidates, headers);
    },
  };
}
