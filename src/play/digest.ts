/** Digests of JSON values as sums over their members, so that leaving a few places out costs a few steps, however large the value. */

type Members = Readonly<Record<string, unknown>>;

/** Two independent sums of 32 bits each. */
type Sum = readonly [number, number];

/** Places to leave out, by step; `true` ends a path. */
export type WildcardTree = ReadonlyMap<string, WildcardTree | true>;

function scrambled(h: number): number {
  let x = h;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

function ofText(text: string, kind: number): Sum {
  let a = 0x811c9dc5 ^ kind;
  let b = 0x9747b28c ^ kind;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul((b << 13) | (b >>> 19), 5) + 0xe6546b64 + Math.imul(unit, 0xcc9e2d51);
  }
  return [scrambled(a ^ text.length), scrambled(b ^ text.length)];
}

const kinds = { key: 1, string: 2, other: 3, list: 4, members: 5 } as const;

/** The part that one member adds to the sum of its value. */
function share(key: string, [a, b]: Sum): Sum {
  const [c, d] = ofText(key, kinds.key);
  return [
    scrambled(Math.imul(c, 0x9e3779b1) ^ a ^ (d >>> 7)),
    scrambled(Math.imul(d, 0x85ebca77) + Math.imul(b, 0xc2b2ae3d) + c),
  ];
}

const plus = ([a, b]: Sum, [c, d]: Sum): Sum => [(a + c) >>> 0, (b + d) >>> 0];
const minus = ([a, b]: Sum, [c, d]: Sum): Sum => [(a - c) >>> 0, (b - d) >>> 0];
const closed = ([a, b]: Sum, kind: number): Sum => [scrambled(a ^ kind), scrambled(b + kind)];

/** Stands for a place left out, whether something stands there or not. */
const omitted: Sum = [0x2a2a2a2a, 0x15151515];

export interface Digester {
  /** The same for values that differ only in the places left out, whatever the order of members. */
  digest(wildcards: WildcardTree): string;
  /** Different digests of its members, of theirs, and so on for a few levels, without their places in lists: what two values may share. */
  parts(): Uint32Array;
}

/** Levels that parts are taken of, and parts at most. */
const partLevels = 4;
const maxParts = 1000;

/** Reads a value once; what it nests must be shallow enough to recurse. */
export function createDigester(root: unknown): Digester {
  const sums = new Map<object, Sum>();
  const longTexts = new Map<string, Sum>();
  function ofString(value: string): Sum {
    if (value.length < 200) return ofText(value, kinds.string);
    const sum = longTexts.get(value) ?? ofText(value, kinds.string);
    longTexts.set(value, sum);
    return sum;
  }
  function sumOf(value: unknown): Sum {
    if (typeof value === "string") return ofString(value);
    if (typeof value !== "object" || value === null) return ofText(`${typeof value} ${value}`, kinds.other);
    let a = 0;
    let b = 0;
    for (const key of Object.keys(value)) {
      const [c, d] = share(key, sumOf((value as Members)[key]));
      a = (a + c) >>> 0;
      b = (b + d) >>> 0;
    }
    const sum: Sum = [a, b];
    sums.set(value, sum);
    return kindOf(value, sum);
  }
  const kindOf = (value: object, sum: Sum): Sum => closed(sum, Array.isArray(value) ? kinds.list : kinds.members);
  /** The digest of a value, without reading it again. */
  const known = (value: unknown): Sum =>
    typeof value === "object" && value !== null ? kindOf(value, sums.get(value)!) : sumOf(value);
  function without(value: unknown, wildcards: WildcardTree): Sum {
    if (typeof value !== "object" || value === null) return known(value);
    let sum = sums.get(value)!;
    for (const [key, inner] of wildcards) {
      const there = Object.hasOwn(value, key);
      const member = (value as Members)[key];
      if (inner === true) sum = plus(there ? minus(sum, share(key, known(member))) : sum, share(key, omitted));
      else if (there) sum = plus(minus(sum, share(key, known(member))), share(key, without(member, inner)));
    }
    return kindOf(value, sum);
  }
  function collect(value: unknown, levels: number, parts: Set<number>): void {
    if (typeof value !== "object" || value === null || levels === 0) return;
    for (const key in value) {
      if (parts.size >= maxParts) return;
      const member = (value as Members)[key];
      parts.add(share(Array.isArray(value) ? "" : key, known(member))[0]);
      collect(member, levels - 1, parts);
    }
  }
  sumOf(root);
  return {
    digest: (wildcards) => without(root, wildcards).join(),
    parts() {
      const parts = new Set<number>();
      collect(root, partLevels, parts);
      return Uint32Array.from(parts);
    },
  };
}
