/** Good exchanges of images, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../../../check/example.ts";
import { boundaries, edits } from "./edits.ts";
import { failures, refusals } from "./failures.ts";
import { generations, prompts } from "./generations.ts";
import { unanswered } from "./parts.ts";
import { variations } from "./variations.ts";

const answered: readonly Example[] = [...generations, ...edits, ...variations];

export const examples: readonly Example[] = [
  ...answered.map(unanswered),
  ...answered,
  ...failures,
  ...refusals,
  ...prompts,
  ...boundaries,
];
