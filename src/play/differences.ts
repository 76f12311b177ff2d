/** Finds where two JSON values differ, in time linear in their size, whatever they hold and however deep they nest. */
import { escapeToken } from "../wire/pointer.ts";

/** One place: `before` is absent where something was added, `after` where it was removed. */
export interface Difference {
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

type Branch = readonly unknown[] | Readonly<Record<string, unknown>>;

const isBranch = (value: unknown): value is Branch => typeof value === "object" && value !== null;

/** Gives equal values the same number, so that comparing two subtrees costs one step. */
interface Numbers {
  /** Numbers the whole value, children before parents, without recursion. */
  add(root: unknown): void;
  of(value: unknown): number;
}

function createNumbers(): Numbers {
  const leaves = new Map<unknown, number>();
  const shapes = new Map<string, number>();
  const branches = new Map<Branch, number>();
  let next = 0;
  const numberOf = <K>(known: Map<K, number>, key: K): number => {
    const number = known.get(key) ?? next++;
    known.set(key, number);
    return number;
  };
  const of = (value: unknown): number => (isBranch(value) ? branches.get(value)! : numberOf(leaves, value));
  const shapeOf = (branch: Branch): string => {
    if (Array.isArray(branch)) return `[${branch.map(of).join()}`;
    const members = branch as Readonly<Record<string, unknown>>;
    // Keys are numbered as leaves, so that no key can look like the text around it.
    return Object.keys(members)
      .map((key) => `${numberOf(leaves, key)}:${of(members[key])}`)
      .sort()
      .join();
  };
  return {
    of,
    add(root) {
      const open: unknown[] = [root];
      while (open.length > 0) {
        const value = open.pop();
        // A list of one function closes the branch whose children were pushed above it.
        if (typeof value === "function") value();
        else if (isBranch(value) && !branches.has(value)) {
          open.push(() => branches.set(value, numberOf(shapes, shapeOf(value))));
          for (const child of Object.values(value)) if (isBranch(child)) open.push(child);
        }
      }
    },
  };
}

interface Pair {
  readonly path: Path | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A place as a chain of steps: written out only where something differs. */
interface Path {
  readonly up: Path | undefined;
  readonly token: string | number;
}

function pointerOf(path: Path | undefined): string {
  const tokens: string[] = [];
  for (let step = path; step; step = step.up) tokens.push(escapeToken(step.token));
  return tokens
    .reverse()
    .map((token) => `/${token}`)
    .join("");
}

/**
 * Pairs the items of two lists: what they begin and end with alike is passed over, the rest is paired in order. The rest of the
 * longer list was added or removed. Positions are those of the list the item stands in.
 */
function* itemPairs(path: Path | undefined, before: readonly unknown[], after: readonly unknown[], numbers: Numbers) {
  const same = (i: number, j: number): boolean => numbers.of(before[i]) === numbers.of(after[j]);
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && same(head, head)) head++;
  let tail = 0;
  while (tail < shorter - head && same(before.length - 1 - tail, after.length - 1 - tail)) tail++;
  const [ends, endsAfter] = [before.length - tail, after.length - tail];
  for (let i = head; i < Math.max(ends, endsAfter); i++)
    yield {
      path: { up: path, token: i },
      ...(i < ends && { before: before[i] }),
      ...(i < endsAfter && { after: after[i] }),
    };
}

function* memberPairs(
  path: Path | undefined,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
) {
  for (const key of Object.keys(before))
    yield {
      path: { up: path, token: key },
      before: before[key],
      ...(Object.hasOwn(after, key) && { after: after[key] }),
    };
  for (const key of Object.keys(after))
    if (!Object.hasOwn(before, key)) yield { path: { up: path, token: key }, after: after[key] };
}

function childPairs({ path, before, after }: Pair, numbers: Numbers): Pair[] | undefined {
  if (Array.isArray(before) && Array.isArray(after)) return [...itemPairs(path, before, after, numbers)];
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) || Array.isArray(after)) return undefined;
  return [...memberPairs(path, before as never, after as never)];
}

/** The differences between two values as `JSON.parse` gives them, in the order of `before`, then what was added. */
export function* differences(before: unknown, after: unknown): Generator<Difference> {
  const numbers = createNumbers();
  numbers.add(before);
  numbers.add(after);
  const open: Pair[] = [{ path: undefined, before, after }];
  while (open.length > 0) {
    const pair = open.pop()!;
    const whole = "before" in pair && "after" in pair;
    if (whole && numbers.of(pair.before) === numbers.of(pair.after)) continue;
    const children = whole ? childPairs(pair, numbers) : undefined;
    if (children) for (const child of children.reverse()) open.push(child);
    else {
      const { path, ...sides } = pair;
      yield { pointer: pointerOf(path), ...sides };
    }
  }
}
