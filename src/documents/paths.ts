/** Finds which of a document's paths a request is for, the longest one and among those the most literal, and what stands in it. */

interface Template {
  readonly path: string;
  readonly steps: readonly string[];
  readonly expression: RegExp;
  readonly literals: number;
}

const isParameter = (step: string): boolean => step.includes("{");
const namesIn = (step: string): string[] => [...step.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function templateOf(path: string): Template {
  const steps = path.split("/").slice(1);
  const expressions = steps.map((step) =>
    step
      .split(/(\{[^}]*\})/)
      .map((piece) => (piece.startsWith("{") ? "([^/]+)" : escaped(piece)))
      .join(""),
  );
  return {
    path,
    steps,
    expression: new RegExp(`(?:^|/)${expressions.join("/")}/?$`, "d"),
    literals: steps.filter((step) => !isParameter(step)).length,
  };
}

/** Paths by their steps from the last one on. */
interface Branch {
  /** Those that begin here. */
  readonly ends: Template[];
  readonly literals: Map<string, Branch>;
  parameter?: Branch;
}

const newBranch = (): Branch => ({ ends: [], literals: new Map() });

const trees = new WeakMap<readonly string[], Branch>();

/** The paths as a tree, made once. The root is none of them: it matches whatever ends in a slash. */
function treeOf(all: readonly string[]): Branch {
  const known = trees.get(all);
  if (known) return known;
  const root = newBranch();
  for (const template of all.map(templateOf)) {
    if (template.steps.join("") === "") continue;
    let branch = root;
    for (const step of template.steps.toReversed()) {
      const next = (isParameter(step) ? branch.parameter : branch.literals.get(step)) ?? newBranch();
      if (isParameter(step)) branch.parameter = next;
      else branch.literals.set(step, next);
      branch = next;
    }
    branch.ends.push(template);
  }
  trees.set(all, root);
  return root;
}

/**
 * Finds the paths that a request may be for, so that not all have to be tried.
 * @param all paths of operations, in their order
 * @returns their positions in ascending order, given the path of a request
 */
export function candidatesOf(all: readonly string[]): (path: string) => readonly number[] {
  const tree = treeOf(all);
  const positions = new Map<string, number[]>();
  const always: number[] = [];
  for (const [i, path] of all.entries()) {
    // The root has no steps, and stands in no tree.
    if (/^\/*$/.test(path)) always.push(i);
    else if (!positions.get(path)?.push(i)) positions.set(path, [i]);
  }
  return (path) => {
    const found = new Set<Template>();
    // A path may end in one slash more than the document writes.
    for (const asked of path.endsWith("/") ? [path, path.slice(0, -1)] : [path]) {
      let branches = [tree];
      for (const step of asked.split("/").toReversed()) {
        branches = branches.flatMap(({ literals, parameter }) => {
          const literal = literals.get(step);
          return [...(literal ? [literal] : []), ...(parameter ? [parameter] : [])];
        });
        if (branches.length === 0) break;
        for (const { ends } of branches) for (const template of ends) found.add(template);
      }
    }
    return [...always, ...[...found].flatMap((one) => positions.get(one.path) ?? [])].sort((a, b) => a - b);
  };
}

const branchesAfter = ({ literals, parameter }: Branch): Branch[] => [
  ...literals.values(),
  ...(parameter ? [parameter] : []),
];

/** Other paths whose last steps may be the same. */
function rivalsOf(own: Template, tree: Branch): Template[] {
  const found: Template[] = [];
  let branches = [tree];
  for (const step of own.steps.toReversed()) {
    branches = branches.flatMap((branch) => {
      const literal = branch.literals.get(step);
      if (isParameter(step)) return branchesAfter(branch);
      return [...(literal ? [literal] : []), ...(branch.parameter ? [branch.parameter] : [])];
    });
    for (const { ends } of branches) found.push(...ends);
  }
  for (let next = branches.flatMap(branchesAfter); next.length > 0; next = next.flatMap(branchesAfter))
    for (const { ends } of next) found.push(...ends);
  return found.filter(({ path }) => path !== own.path);
}

/**
 * For a path of the document, how to find it at the end of the path of a request.
 * @param all every path of the document, asked for or not
 * @param base the path of the server, which a path without steps of its own has to follow
 */
export function finderOf(path: string, all: readonly string[], base: string): (asked: string) => number {
  const own = templateOf(path);
  // The root matches whatever ends in a slash.
  if (own.steps.join("") === "")
    return (asked) => (asked === `${base}/` || asked === (base || "/") ? asked.length - 1 : -1);
  const rivals = rivalsOf(own, treeOf(all));
  const finer = rivals.filter(({ steps, literals }) => steps.length === own.steps.length && literals > own.literals);
  const longer = rivals.filter(({ steps }) => steps.length > own.steps.length);
  const isWhole = ({ expression }: Template, asked: string): boolean =>
    expression.exec(asked)?.index === base.length && asked.startsWith(base);
  return (asked) => {
    const found = own.expression.exec(asked);
    if (!found || finer.some(({ expression }) => expression.test(asked))) return -1;
    // Behind the path of the server it can be no other's; behind that of a gateway a longer one tells more.
    if (isWhole(own, asked)) return found.index;
    if (longer.some(({ expression }) => expression.test(asked)) || rivals.some((one) => isWhole(one, asked))) return -1;
    return found.index;
  };
}

/** The parameters of a path that stand alone in their step: of two in one step nobody knows where the first ends. */
export function readableIn(path: string): readonly string[] {
  const counts = new Map<string, number>();
  const steps = path.split("/").map(namesIn);
  for (const name of steps.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return steps.flatMap((names) => (names.length === 1 && counts.get(names[0]!) === 1 ? names : []));
}

/** How parameters stand in the path of a request, percent escapes and all. */
export interface PathTexts {
  /** Their texts by name. */
  readonly read: (path: string) => Readonly<Record<string, string>>;
  /** The path with other texts. */
  readonly write: (path: string, texts: Readonly<Record<string, string>>) => string;
}

/** How the texts of these parameters stand in the path of a request. */
export function textsIn(path: string, names: readonly string[]): PathTexts {
  const { expression } = templateOf(path);
  const wanted = new Set(names);
  const positions = namesIn(path).flatMap((name, i) => (wanted.has(name) ? [{ name, group: i + 1 }] : []));
  return {
    read(asked) {
      const found = expression.exec(asked);
      const texts: Record<string, string> = Object.create(null);
      if (found) for (const { name, group } of positions) texts[name] = found[group] ?? "";
      return texts;
    },
    write(asked, texts) {
      const indices = expression.exec(asked)?.indices;
      if (!indices) return asked;
      let [written, end] = ["", 0];
      for (const { name, group } of positions) {
        const [from, to] = indices[group]!;
        written += asked.slice(end, from) + (texts[name] ?? asked.slice(from, to));
        end = to;
      }
      return written + asked.slice(end);
    },
  };
}
