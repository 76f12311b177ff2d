/** Tries texts against patterns of users' documents, so that no pattern and no text takes longer than it should. */
import { type Program, readPattern, type State } from "./pattern-program.ts";

/** A pattern as validators call it. */
export interface BoundedPattern {
  /** Whether the text matches; also true where trying it would take too long, since nothing is known then. */
  readonly test: (text: string) => boolean;
  /** States of the program that tries it; 0 if there is none. */
  readonly states: number;
}

/** Steps that one text may take. */
const maxSteps = 10_000_000;
/** Characters of a pattern, and levels of its groups. */
const maxLength = 20_000;
const maxLevels = 200;

/** How deep the groups of a pattern nest, at most: parentheses within classes and escapes count as well. */
function levelsIn(pattern: string): number {
  let [level, most] = [0, 0];
  for (const one of pattern) {
    if (one === "(") most = Math.max(most, ++level);
    else if (one === ")") level--;
  }
  return most;
}

/** Why a pattern cannot be tried; undefined where it can. */
export function patternProblem(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") return "the pattern is no text";
  if (pattern.length > maxLength) return `the pattern is longer than ${maxLength.toLocaleString("en")} characters`;
  if (levelsIn(pattern) > maxLevels) return `the groups of the pattern nest deeper than ${maxLevels} levels`;
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "u");
  } catch {
    return "the pattern is no regular expression as JSON Schema has them";
  }
  try {
    // Only now is it compiled, once for each width of characters.
    for (const text of ["", "\u4e00"]) expression.test(text);
  } catch {
    return "the pattern is too large to be compiled";
  }
  const { program, nests } = readPattern(pattern);
  return nests && !program ? "some texts would take the pattern too long to try" : undefined;
}

/** Patterns that were read last, and how large they are together: characters, and states of their programs. */
const known = new Map<string, BoundedPattern>();
const maxKnownSize = 400_000;
let knownSize = 0;

/** @param pattern one that `new RegExp(pattern, "u")` takes */
export function boundedPattern(pattern: string): BoundedPattern {
  let bounded = known.get(pattern);
  if (!bounded) {
    bounded = boundedOnce(pattern);
    knownSize += pattern.length + bounded.states + 100;
    if (knownSize > maxKnownSize) {
      known.clear();
      knownSize = pattern.length + bounded.states + 100;
    }
    known.set(pattern, bounded);
  }
  return bounded;
}

function boundedOnce(pattern: string): BoundedPattern {
  const expression = new RegExp(pattern, "u");
  const { program, loops, nests } = readPattern(pattern);
  return {
    states: program?.states.length ?? 0,
    test(text) {
      // Backtracking is fastest where it cannot go far: at worst each loop, and the search, go through the whole text.
      if (!nests && text.length ** (loops + 1) <= maxSteps) return expression.test(text);
      return program ? searches(program, text) : true;
    },
  };
}

/** ajv makes patterns with this. */
export const regExpOfAjv = Object.assign(
  (pattern: string) => ({ ...boundedPattern(pattern), toString: () => `bounded ${pattern}` }),
  { code: "boundedPattern" },
);

const isWord = (point: number | undefined): boolean => point !== undefined && /\w/.test(String.fromCodePoint(point));

/** Searches a text with all states at once. */
function searches({ states: program, start }: Program, text: string): boolean {
  const marks = new Uint32Array(program.length);
  let current: number[] = [];
  let steps = 0;
  let turn = 0;
  /** Whether the match is reached from these states without taking a character; `current` becomes those that take one. */
  function spread(from: readonly number[], before: number | undefined, after: number | undefined): boolean {
    turn++;
    current = [];
    const next = [...from];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      if (marks[at] === turn) continue;
      marks[at] = turn;
      steps++;
      const state = program[at]!;
      if (state.kind === "match") return true;
      if (state.kind === "take") current.push(at);
      else if (state.kind === "split") next.push(state.next, state.other);
      else if (holds(state.where, before, after)) next.push(state.next);
    }
    return false;
  }
  let before: number | undefined;
  let states: number[] = [start];
  for (let i = 0; ; ) {
    const point = text.codePointAt(i);
    if (spread(states, before, point)) return true;
    if (point === undefined) return false;
    if (steps > maxSteps) return true;
    states = [];
    for (const at of current) {
      const state = program[at] as State & { readonly kind: "take" };
      if (state.takes(point)) states.push(state.next);
    }
    before = point;
    i += point > 0xffff ? 2 : 1;
  }
}

function holds(where: string, before: number | undefined, after: number | undefined): boolean {
  if (where === "start") return before === undefined;
  if (where === "end") return after === undefined;
  return (isWord(before) !== isWord(after)) === (where === "word");
}
