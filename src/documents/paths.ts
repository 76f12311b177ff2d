/** Finds which of a document's paths a request is for, the longest one and among those the most literal, and what stands in it. */
import type { PathTexts } from "../check/operation.ts";
import { percentEncoded } from "../wire/percent.ts";

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

/** The parameters of a path that stand alone in their step: of two in one step nobody knows where the first ends. */
export function readableIn(path: string): readonly string[] {
  const alone = path.split("/").flatMap((step) => (namesIn(step).length === 1 ? namesIn(step) : []));
  return alone.filter((name) => namesIn(path).filter((other) => other === name).length === 1);
}

/** How the texts of these parameters stand in the path of a request. */
export function textsIn(path: string, names: readonly string[]): PathTexts {
  const { expression } = templateOf(path);
  const positions = namesIn(path).flatMap((name, i) => (names.includes(name) ? [{ name, group: i + 1 }] : []));
  return {
    read(asked) {
      const found = expression.exec(asked);
      return Object.fromEntries(
        found ? positions.map(({ name, group }) => [name, decoded(found[group] ?? "")] as const) : [],
      );
    },
    write(asked, texts) {
      const indices = expression.exec(asked)?.indices;
      let written = asked;
      for (const { name, group } of indices ? positions.toReversed() : []) {
        const [from, to] = indices![group]!;
        const text = texts[name];
        if (text !== undefined) written = written.slice(0, from) + percentEncoded(text) + written.slice(to);
      }
      return written;
    },
  };
}

/** A text without percent escapes; as it came where they are broken. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
