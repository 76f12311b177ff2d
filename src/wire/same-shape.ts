/**
 * Lints the JSON texts of one stream, most of which have the same shape. A text has no lexical issues if it differs from one
 * without only within strings and numbers. A regular expression sees that faster than the lint.
 */
import { lintText } from "./json-lint.ts";

/** Longer texts have no shape worth remembering. */
const maxLength = 4096;
/** Shapes in use at a time; a session speaks in few. */
const maxShapes = 8;
/** Making a regular expression costs as much as linting many texts: shapes are learned where there are many, and few from one body. */
const many = 24;
const maxLearned = 4;

const shapes: RegExp[] = [];

/** The parts of a JSON text: strings, with the colon of those that are keys, and numbers. */
const parts = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?/g;
const anyString = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Matches texts of the same shape: the same keys and the same kinds of values in the same places. */
function shapeOf(text: string): RegExp {
  let source = "";
  let from = 0;
  for (const { index, 0: part, 1: colon } of text.matchAll(parts)) {
    source += literally(text.slice(from, index));
    from = index + part.length;
    if (colon !== undefined) source += literally(part);
    else if (part[0] === '"') source += anyString;
    // A fraction stays one where a digit other than zero follows its point. Each part matches in one way at most, so that a
    // text of another shape is found out in one pass.
    else source += part.includes(".") ? "-?\\d+\\.0*[1-9]\\d*" : "-?\\d+";
  }
  return new RegExp(`^${source}${literally(text.slice(from))}$`);
}

/**
 * A lint for the JSON texts of one body; gives what `lintJson` does.
 * @param count how many texts the body has
 */
export function createSameShapeLint(count: number): (text: string) => number {
  if (count < many) return (text) => lintText(text);
  let learned = 0;
  return (text) => {
    if (text.length > maxLength) return lintText(text);
    for (let i = 0; i < shapes.length; i++)
      if (shapes[i]!.test(text)) {
        // Frequent shapes are found first.
        if (i > 0) shapes.unshift(...shapes.splice(i, 1));
        return 0;
      }
    const suspects = lintText(text);
    if (suspects === 0 && learned++ < maxLearned) {
      shapes.unshift(shapeOf(text));
      if (shapes.length > maxShapes) shapes.pop();
    }
    return suspects;
  };
}
