/** Interfaces of which one side refused every request for its key: there is one thing to say of all these answers. */
import type { RefusedKey } from "./document.ts";
import type { Met } from "./match.ts";

const sideNames = ["before", "after"] as const;

/** Those that both sides were asked for; where both refuse, or one refuses some requests alone, that is compared as all else is. */
export function refusedKeys(sides: readonly [readonly Met[], readonly Met[]]): RefusedKey[] {
  const answersOf = (side: 0 | 1, name: string): Met[] => sides[side].filter((one) => one.interface === name);
  const isRefused = (answers: readonly Met[]): boolean => answers.every(({ outcome }) => outcome.refusesKey);
  return [...new Set(sides[0].map((one) => one.interface))].flatMap((name): RefusedKey[] => {
    const answers = [answersOf(0, name), answersOf(1, name)] as const;
    const refusing = ([0, 1] as const).filter((side) => isRefused(answers[side]));
    const [side] = refusing;
    if (side === undefined || refusing.length > 1 || answers[side].length === 0) return [];
    const statuses = [...new Set(answers[side].map(({ outcome }) => outcome.status))].sort();
    return [{ interface: name, side: sideNames[side], answers: answers[side].length, statuses }];
  });
}
