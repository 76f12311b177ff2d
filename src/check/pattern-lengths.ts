/** Asks of which lengths a pattern's texts may be: a document that demands others contradicts itself. */
import { roughProgramOf } from "./pattern-program.ts";

/** Steps after which nothing is known. */
const maxSteps = 1_000_000;

/**
 * Whether the pattern may match a text of so many characters. Only a `false` is certain.
 * @param pattern one that `new RegExp(pattern, "u")` takes
 */
export function mayMatch(pattern: string, minLength = 0, maxLength = Number.POSITIVE_INFINITY): boolean {
  const program = roughProgramOf(pattern);
  if (!program) return true;
  const { states } = program;
  let steps = 0;

  /** What these states reach without a character: those that take one, and whether the match is among it. */
  function reach(from: readonly number[], isStart: boolean, isEnd: boolean) {
    const seen = new Set(from);
    const takers: number[] = [];
    let matches = false;
    for (const at of seen) {
      steps++;
      const state = states[at]!;
      if (state.kind === "match") matches = true;
      else if (state.kind === "take") takers.push(at);
      else if (state.kind === "split") seen.add(state.next).add(state.other);
      else if (state.where === "start" ? isStart : state.where !== "end" || isEnd) seen.add(state.next);
    }
    return { takers, matches };
  }

  let current = [program.start];
  let before = "";
  for (let length = 0; length <= maxLength && steps <= maxSteps; length++) {
    const { takers, matches } = reach(current, length === 0, false);
    // Any text may follow a match that does not ask for the end.
    if (matches || (length >= minLength && reach(current, length === 0, true).matches)) return true;
    const next = new Set(takers.map((at) => (states[at] as { readonly next: number }).next));
    current = [...next].sort((a, b) => a - b);
    if (current.length === 0) return false;
    const key = current.join();
    // Each further character changes nothing.
    if (key === before) return reach(current, false, true).matches;
    before = key;
  }
  return steps > maxSteps;
}
