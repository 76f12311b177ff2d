/** Good exchanges of images, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../examples.ts";
import { unanswered } from "./example-parts.ts";
import { boundaries, edits } from "./examples-edits.ts";
import { failures, refusals } from "./examples-failures.ts";
import { generations, prompts } from "./examples-generations.ts";
import { variations } from "./examples-variations.ts";

const answered: readonly Example[] = [...generations, ...edits, ...variations];

export const examples: readonly Example[] = [
  ...answered.map(unanswered),
  ...answered,
  ...failures,
  ...refusals,
  ...prompts,
  ...boundaries,
];
