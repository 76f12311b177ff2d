/** All kinds of laws, by name. */
import { bracket } from "./bracket.ts";
import { count } from "./count.ts";
import { equal } from "./equal.ts";
import type { Kind } from "./kind.ts";
import { order } from "./order.ts";
import { sequence } from "./sequence.ts";

export const kinds: Readonly<Record<string, Kind>> = Object.fromEntries(
  [equal, count, order, bracket, sequence].map((kind) => [kind.name, kind]),
);
