/** Writes the members of a JSON value as lines, so that tables of patterns can tell what a body holds. */
import { isObject } from "./json.ts";

/** Names and values say what they are by their beginning. */
export const maxValueLength = 40;

/** No pattern looks deeper; a path for each value of a body that nests without end would grow with its square. */
const maxDepth = 16;

const asSent = (name: string): string => name;

/** Members of a value that say something, as `path=value`; every item of a list is `*`. A member that is false or null says nothing. */
export function memberPaths(value: unknown, nameOf: (name: string) => string = asSent): Generator<string> {
  return pathsBelow(value, "", 0, (name) => nameOf(name.slice(0, maxValueLength)));
}

function* pathsBelow(value: unknown, path: string, depth: number, nameOf: (name: string) => string): Generator<string> {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) for (const item of value) yield* pathsBelow(item, path && `${path}/*`, depth + 1, nameOf);
  else if (isObject(value)) {
    const names = Object.keys(value);
    if (names.length === 0 && path) yield path;
    for (const name of names)
      yield* pathsBelow(value[name], path ? `${path}/${nameOf(name)}` : nameOf(name), depth + 1, nameOf);
  } else if (value !== null && value !== false && value !== undefined)
    yield `${path}=${String(value).slice(0, maxValueLength)}`;
}
