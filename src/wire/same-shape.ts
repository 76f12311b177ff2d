/**
 * Looks for what parsing hides in JSON texts of which one is like the other, as the events of a stream are: what differs from a
 * text without anything hidden only within strings and numbers hides nothing either, and a regular expression sees that fastest.
 */
import { glance } from "./json.ts";

/** Longer texts have no shape worth remembering. */
const longest = 4096;
/** Shapes in use at a time; a session speaks in few. */
const mostShapes = 8;
/** Making a regular expression costs as much as many looks: a shape is learned from one of many texts, and few from one body. */
const many = 24;
const mostLearned = 4;

const shapes: RegExp[] = [];

/** The parts of a JSON text: strings, with the colon of those that are keys, and numbers. */
const parts = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?/g;
const anyString = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** What matches a text's like: the same keys and the same kinds of values in the same places. */
function shapeOf(text: string): RegExp {
  let source = "";
  let from = 0;
  for (const { index, 0: part, 1: colon } of text.matchAll(parts)) {
    source += literally(text.slice(from, index));
    from = index + part.length;
    if (colon !== undefined) source += literally(part);
    else if (part[0] === '"') source += anyString;
    // A fraction stays one where a digit other than zero follows its point. Each part matches in one way at most, so that a
    // text that is none of its like is found out in one pass.
    else source += part.includes(".") ? "-?\\d+\\.0*[1-9]\\d*" : "-?\\d+";
  }
  return new RegExp(`^${source}${literally(text.slice(from))}$`);
}

/**
 * What `glance` sees in the JSON texts of one body, of which many may be alike.
 * @param count how many texts the body has
 */
export function createGlance(count: number): (text: string) => number {
  if (count < many) return (text) => glance(Buffer.from(text));
  let learned = 0;
  return (text) => {
    if (text.length > longest) return glance(Buffer.from(text));
    for (let i = 0; i < shapes.length; i++)
      if (shapes[i]!.test(text)) {
        // What comes often is found first.
        if (i > 0) shapes.unshift(...shapes.splice(i, 1));
        return 0;
      }
    const odd = glance(Buffer.from(text));
    if (odd === 0 && learned++ < mostLearned) {
      shapes.unshift(shapeOf(text));
      if (shapes.length > mostShapes) shapes.pop();
    }
    return odd;
  };
}
