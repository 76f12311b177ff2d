/** All kinds of laws, by name. */
import { bracket } from "./bracket.ts";
import { concat } from "./concat.ts";
import { count } from "./count.ts";
import { equal } from "./equal.ts";
import { eventLine } from "./event-line.ts";
import { implies } from "./implies.ts";
import type { Kind } from "./kind.ts";
import { member } from "./member.ts";
import { order } from "./order.ts";
import { sequence } from "./sequence.ts";
import { sum } from "./sum.ts";
import { text } from "./text.ts";
import { unique } from "./unique.ts";

export const kinds: Readonly<Record<string, Kind>> = Object.fromEntries(
  [equal, count, order, bracket, sequence, concat, sum, implies, member, unique, text, eventLine].map((kind) => [
    kind.name,
    kind,
  ]),
);
