/** Makes requests smaller as long as they still serve: what a target need not understand, it is not sent. */
import type { Interface } from "../check/interface.ts";

/** Whatever stands deeper is left as it is. */
const maxDepth = 6;

/** The parts of an interface's requests that stay. */
export interface Staying {
  /** The member whose items mean something only as a whole. */
  readonly messages: string | undefined;
  /** Members that bound the length of a reply, and declarations that others name. */
  readonly members: ReadonlySet<string>;
}

export const stayingIn = ({ requests = {}, replies }: Pick<Interface, "requests" | "replies">): Staying => ({
  messages: replies?.answers?.messages,
  members: new Set([...(requests.replyBounds ?? []), ...(requests.referred ?? [])]),
});

/**
 * A value without the members and items that `serves` can do without, the outermost first. Lists and objects keep one.
 * @param serves whether a smaller value still does; asked once for every member
 */
export function shrink(
  value: unknown,
  staying: Staying,
  serves: (smaller: unknown) => boolean,
  name = "",
  depth = 0,
): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  const wrap = (parts: [string, unknown][]): unknown =>
    Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  let parts = Object.entries(value);
  // From the last: a member may need one before it.
  for (const part of name === staying.messages ? [] : [...parts].reverse()) {
    if (staying.members.has(part[0]) && !Array.isArray(value)) continue;
    const rest = parts.filter((one) => one !== part);
    if (rest.length > 0 && serves(wrap(rest))) parts = rest;
  }
  for (const i of parts.keys()) {
    const [own, part] = parts[i]!;
    const put = (smaller: unknown): [string, unknown][] => parts.with(i, [own, smaller]);
    parts = put(shrink(part, staying, (smaller) => serves(wrap(put(smaller))), own, depth + 1));
  }
  return wrap(parts);
}
