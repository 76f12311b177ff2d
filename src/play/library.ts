/** Finds the recording a request asks for: by digest, so that thousands of recordings cost what one does. */
import type { Exchange } from "../wire/exchange.ts";
import { pointer } from "../wire/pointer.ts";
import { type Difference, differences } from "./differences.ts";
import { createDigester, type HoleTree } from "./digest.ts";
import type { RequestForm } from "./form.ts";
import { likeness, sketchOf } from "./minhash.ts";
import { recordedForm } from "./recorded.ts";
import { fits, type Hole, treeOf } from "./wildcards.ts";

/** One recording and whether it was played. */
export interface Taped {
  readonly exchange: Exchange;
  /** File and 0-based position in it. */
  readonly source: string;
  readonly position: number;
  /** Its place among all recordings. */
  readonly order: number;
  /** Times it was played. */
  plays: number;
}

/** Recordings of one request, in recorded order. */
interface Group {
  readonly holes: readonly Hole[];
  readonly taped: Taped[];
  next: number;
}

/** Recordings with holes at the same places. */
interface Mask {
  readonly tree: HoleTree;
  /** How little of a request it looks at. */
  readonly width: number;
  /** By digest, then by what stands around the redacted values. */
  readonly groups: Map<string, Map<string, Group>>;
}

interface Sketched {
  readonly taped: Taped;
  readonly method: string;
  readonly path: string;
  readonly sketch: Uint32Array;
}

export interface Nearest {
  readonly taped: Taped;
  /** Places that differ; `before` is the recording's side. Empty where only repeats ran out. */
  readonly differences: readonly Difference[];
  /** Further places that were not listed. */
  readonly more: number;
}

export interface Library {
  readonly all: readonly Taped[];
  add(exchange: Exchange, source: string, position: number): Taped;
  /** The recording to play next: repeats in recorded order, then the last again unless `once`. */
  take(form: RequestForm, once: boolean): Taped | undefined;
  nearest(form: RequestForm): Nearest | undefined;
}

/** Recordings compared exactly for one miss, and bytes of their bodies behind which no further one is. */
const mostCompared = 5;
const mostBytes = 2 << 20;
/** Differences listed of one miss, and counted at most. */
const mostListed = 20;
const mostCounted = 1000;

const anyPath = "*";

/** @param headers names of headers that requests must agree in, in lower case */
export function createLibrary(headers: readonly string[]): Library {
  const all: Taped[] = [];
  const sketches: Sketched[] = [];
  const scopes = new Map<string, Map<string, Mask>>();

  function maskFor(form: RequestForm, holes: readonly Hole[], anyBody: boolean): Mask {
    const scope = holes.some(({ path }) => path[0] === "path") ? anyPath : `${form.method} ${form.path}`;
    const masks = scopes.get(scope) ?? new Map<string, Mask>();
    scopes.set(scope, masks);
    const key = JSON.stringify(holes.map(({ path }) => path));
    const mask = masks.get(key) ?? {
      tree: treeOf(holes),
      width: anyBody ? Number.POSITIVE_INFINITY : holes.length,
      groups: new Map(),
    };
    masks.set(key, mask);
    return mask;
  }

  /** Recordings of this request; those with the fewest redacted places win. */
  function groupsFor(form: RequestForm): Group[] {
    const masks = [`${form.method} ${form.path}`, anyPath].flatMap((scope) => [...(scopes.get(scope)?.values() ?? [])]);
    masks.sort((a, b) => a.width - b.width);
    const digester = createDigester(form);
    let found: Group[] = [];
    let width = Number.NaN;
    for (const mask of masks) {
      if (found.length > 0 && mask.width !== width) break;
      width = mask.width;
      const groups = mask.groups.get(digester.digest(mask.tree))?.values() ?? [];
      found = [...found, ...[...groups].filter(({ holes }) => fits(form, holes))];
    }
    return found;
  }

  function compare(form: RequestForm, taped: Taped): Nearest {
    const { form: recorded, holes } = recordedForm(taped.exchange.request, headers);
    const passed = new Set(holes.filter((hole) => fits(form, [hole])).map(({ path }) => pointer(...path)));
    const isPassed = (place: string): boolean => {
      for (let end = place.length; end > 0; end = place.lastIndexOf("/", end - 1))
        if (passed.has(place.slice(0, end))) return true;
      return false;
    };
    const listed: Difference[] = [];
    let count = 0;
    for (const difference of differences(recorded, form)) {
      if (passed.size > 0 && isPassed(difference.pointer)) continue;
      if (++count <= mostListed) listed.push(difference);
      if (count >= mostCounted) break;
    }
    return { taped, differences: listed, more: count - listed.length };
  }

  return {
    all,
    add(exchange, source, position) {
      const taped: Taped = { exchange, source, position, order: all.length, plays: 0 };
      const { form, holes, anyBody } = recordedForm(exchange.request, headers);
      const { tree, groups } = maskFor(form, holes, anyBody);
      const digest = createDigester(form).digest(tree);
      const around = holes.length > 0 ? JSON.stringify(holes) : "";
      const alike = groups.get(digest) ?? new Map<string, Group>();
      groups.set(digest, alike);
      const group = alike.get(around) ?? { holes, taped: [], next: 0 };
      alike.set(around, group);
      group.taped.push(taped);
      all.push(taped);
      sketches.push({ taped, method: form.method, path: form.path, sketch: sketchOf(form) });
      return taped;
    },
    take(form, once) {
      const groups = groupsFor(form);
      // Several groups match where values were redacted in part; whichever was recorded first comes first.
      const waiting = groups.flatMap((group) => {
        const taped = group.taped[group.next];
        return taped ? [{ group, taped }] : [];
      });
      const first = waiting.sort((a, b) => a.taped.order - b.taped.order)[0];
      if (first) first.group.next++;
      const taped = first?.taped ?? (once ? undefined : groups.at(-1)?.taped.at(-1));
      if (taped) taped.plays++;
      return taped;
    },
    nearest(form) {
      const sketch = sketchOf(form);
      const rank = (one: Sketched): number =>
        (one.path === form.path ? 4 : 0) + (one.method === form.method ? 2 : 0) + likeness(one.sketch, sketch);
      const ranked = sketches.map((one): [number, Taped] => [rank(one), one.taped]);
      let best: Nearest | undefined;
      let bytes = 0;
      for (const [, taped] of ranked.sort(([a], [b]) => b - a).slice(0, mostCompared)) {
        const found = compare(form, taped);
        const count = found.differences.length + found.more;
        if (!best || count < best.differences.length + best.more) best = found;
        bytes += taped.exchange.request.body.length;
        if (bytes >= mostBytes) break;
      }
      return best;
    },
  };
}
