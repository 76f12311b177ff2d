/** Reads a regular expression into a program that needs no backtracking: states that are tried all at once, a character at a time. */

/** One state. */
export type State =
  | { readonly kind: "take"; readonly takes: (point: number) => boolean; next: number }
  | { readonly kind: "split"; next: number; other: number }
  | { readonly kind: "assert"; readonly where: "start" | "end" | "word" | "no-word"; next: number }
  | { readonly kind: "match" };

export interface Program {
  readonly states: readonly State[];
  readonly start: number;
}

export interface PatternReading {
  /** Undefined where it looks around or back, which no such program can, or has too many states. */
  readonly program: Program | undefined;
  /** Parts that may match more or less: as many ways multiply where one part fails. */
  readonly loops: number;
  /** Whether one of them repeats another, whose ways multiply with each character. */
  readonly nests: boolean;
}

type Part =
  /** What looks around, at a part; one without a part looks back at what a group took. */
  | { readonly kind: "look"; readonly part?: Part }
  | { readonly kind: "take"; readonly source: string }
  | { readonly kind: "assert"; readonly where: "start" | "end" | "word" | "no-word" }
  | { readonly kind: "sequence" | "either"; readonly parts: readonly Part[] }
  | { readonly kind: "repeat"; readonly part: Part; readonly min: number; readonly max: number };

const maxStates = 20_000;

/** @param pattern one that `new RegExp(pattern, "u")` takes */
export function readPattern(pattern: string): PatternReading {
  const part = parse(pattern);
  const { loops, nests } = countLoops(part);
  return { program: programOf(part, false), loops, nests };
}

/** A program that matches all that the pattern matches, and more where it looks around or back; undefined where it is too large. */
export const roughProgramOf = (pattern: string): Program | undefined => programOf(parse(pattern), true);

const asserts: Readonly<Record<string, "start" | "end" | "word" | "no-word">> = {
  "^": "start",
  $: "end",
  "\\b": "word",
  "\\B": "no-word",
};

/** One class, escape, dot or other character. */
const atom =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|x..|c.|[pP]\{[^}]*\}|k<[^>]*>|\d+|.)|[\s\S]/uy;
const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;

function parse(pattern: string): Part {
  let at = 0;

  function alternatives(): Part {
    const parts = [sequence()];
    while (pattern[at] === "|") {
      at++;
      parts.push(sequence());
    }
    return parts.length === 1 ? parts[0]! : { kind: "either", parts };
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") parts.push(repeated(one()));
    return { kind: "sequence", parts };
  }

  function one(): Part {
    if (pattern[at] !== "(") return character();
    const [head] = /^\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]*:))?/.exec(pattern.slice(at))!;
    at += head.length;
    const inner = alternatives();
    at++;
    return /[=!]$/.test(head) ? { kind: "look", part: inner } : inner;
  }

  function character(): Part {
    atom.lastIndex = at;
    const [source] = atom.exec(pattern)!;
    at += source.length;
    const where = asserts[source];
    if (where) return { kind: "assert", where };
    return /^\\(?:[1-9]|k)/.test(source) ? { kind: "look" } : { kind: "take", source };
  }

  function repeated(part: Part): Part {
    quantifier.lastIndex = at;
    const found = quantifier.exec(pattern);
    if (!found) return part;
    at += found[0].length;
    const [, sign, from, comma, to] = found;
    if (sign)
      return { kind: "repeat", part, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    const min = Number(from);
    return {
      kind: "repeat",
      part,
      min,
      max: comma === "" ? min : to === "" ? Number.POSITIVE_INFINITY : Number(to),
    };
  }

  return alternatives();
}

function countLoops(part: Part): { readonly loops: number; readonly nests: boolean } {
  if (part.kind === "repeat") {
    const { loops, nests } = countLoops(part.part);
    const isLoop = part.min < part.max;
    return { loops: loops + (isLoop ? 1 : 0), nests: nests || (part.max > 1 && loops > 0) };
  }
  // Looking costs time as well.
  if (part.kind === "look" && part.part) return countLoops(part.part);
  if (part.kind !== "sequence" && part.kind !== "either") return { loops: 0, nests: false };
  const inner = part.parts.map(countLoops);
  const loops = inner.reduce((sum, one) => sum + one.loops, part.kind === "either" ? 1 : 0);
  return { loops, nests: inner.some(({ nests }) => nests) };
}

class TooLarge extends Error {}

const anything: Part = { kind: "take", source: "[^]" };

/** @param isRough whether what looks around or back may be taken to hold */
function programOf(whole: Part, isRough: boolean): Program | undefined {
  const states: State[] = [{ kind: "match" }];
  const add = (state: State): number => {
    if (states.length >= maxStates) throw new TooLarge();
    return states.push(state) - 1;
  };
  const takers = new Map<string, (point: number) => boolean>();
  function takerFor(source: string): (point: number) => boolean {
    const taker = takers.get(source) ?? takerOf(source);
    takers.set(source, taker);
    return taker;
  }
  /** Writes a part before what follows it; gives where it begins. */
  function write(part: Part, next: number): number {
    switch (part.kind) {
      case "look":
        if (!isRough) throw new TooLarge();
        return part.part
          ? next
          : writeRepeat({ kind: "repeat", part: anything, min: 0, max: Number.POSITIVE_INFINITY }, next);
      case "take":
        return add({ kind: "take", takes: takerFor(part.source), next });
      case "assert":
        return add({ kind: "assert", where: part.where, next });
      case "sequence":
        return part.parts.reduceRight((after, one) => write(one, after), next);
      case "either":
        return part.parts
          .map((one) => write(one, next))
          .reduceRight((other, own) => add({ kind: "split", next: own, other }));
      case "repeat":
        return writeRepeat(part, next);
    }
  }
  function writeRepeat({ part, min, max }: Part & { readonly kind: "repeat" }, next: number): number {
    let from = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop = add({ kind: "split", next: 0, other: next });
      (states[loop] as { next: number }).next = write(part, loop);
      from = loop;
    } else for (let i = min; i < max; i++) from = add({ kind: "split", next: write(part, from), other: next });
    for (let i = 0, before = -1; i < min && states.length > before; i++) {
      // What has no state, such as an empty group, may be repeated a billion times.
      before = states.length;
      from = write(part, from);
    }
    return from;
  }
  try {
    const start = write(whole, 0);
    // A search begins anywhere.
    const loop = add({ kind: "split", next: start, other: 0 });
    (states[loop] as { other: number }).other = add({ kind: "take", takes: () => true, next: loop });
    return { states, start: loop };
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/** Whether one character belongs to a class; that of the first 128 is looked up. */
function takerOf(source: string): (point: number) => boolean {
  const expression = new RegExp(`^${source}$`, "u");
  const ask = (point: number): boolean => expression.test(String.fromCodePoint(point));
  const known = Array.from({ length: 128 }, (_, point) => ask(point));
  return (point) => known[point] ?? ask(point);
}
