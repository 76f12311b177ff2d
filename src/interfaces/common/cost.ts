/** Bounds on what requests have made, for probes: an accepted one should cost little. */

import type { WireRequest } from "../../wire/exchange.ts";
import { isObject, parseJsonBytes } from "../../wire/json.ts";

export type Members = Readonly<Record<string, unknown>>;

export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

/** The JSON object that a request has as its body. */
export function jsonOf({ body }: WireRequest): Members | undefined {
  const json = parseJsonBytes(body);
  return json.ok && isObject(json.value) ? json.value : undefined;
}

/**
 * Members with every number under these names brought down to `max`, and up to `min`, and the last name added where none is there.
 */
export function within(
  members: Members,
  min: number,
  max: number,
  names: readonly string[],
  isAdded: boolean,
): Members {
  const present = names.filter((name) => typeof members[name] === "number");
  const moved = present.filter((name) => Number(members[name]) > max || Number(members[name]) < min);
  const added = isAdded && present.length === 0 ? [names.at(-1)!] : [];
  return { ...members, ...Object.fromEntries([...moved, ...added].map((name) => [name, max])) };
}

export const isAbove = (value: unknown, min: number): boolean => typeof value === "number" && value > min;

/** Tokens from which a reply is long. */
const longReply = 1000;

/** Whether one of these counts of tokens asks for a long reply. */
export const isLong = (...tokens: readonly unknown[]): boolean => tokens.some((count) => isAbove(count, longReply));
