/** Finds which of a document's paths a request is for: the longest one, and among those the most literal. */

interface Template {
  readonly path: string;
  readonly steps: readonly string[];
  readonly expression: RegExp;
  readonly literals: number;
}

const isParameter = (step: string): boolean => step.includes("{");

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function templateOf(path: string): Template {
  const steps = path.split("/").slice(1);
  const expressions = steps.map((step) =>
    step
      .split(/(\{[^}]*\})/)
      .map((piece) => (piece.startsWith("{") ? "[^/]+" : escaped(piece)))
      .join(""),
  );
  return {
    path,
    steps,
    expression: new RegExp(`(?:^|/)${expressions.join("/")}/?$`),
    literals: steps.filter((step) => !isParameter(step)).length,
  };
}

/** Whether the last steps of both may be the same. */
function mayMeet(own: Template, other: Template): boolean {
  const length = Math.min(own.steps.length, other.steps.length);
  const tail = other.steps.slice(-length);
  return own.steps.slice(-length).every((step, i) => isParameter(step) || isParameter(tail[i]!) || step === tail[i]);
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
  const rivals = all
    .filter((other) => other !== path)
    .map(templateOf)
    .filter((other) => other.steps.join("") !== "" && mayMeet(own, other));
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
