/** Tells the names that nobody bound and messages carried (reading X-NAMES). */
import type { InferredNames } from "../verdict/document.ts";
import { printable } from "./clean.ts";

/** `names bound by themselves (--preset none binds none): anthropic-version for partner-version`; empty where there are none. */
export function inferredText(inferred: InferredNames = {}): string {
  const bound = Object.entries(inferred).map(([neutral, owns]) => `${owns.join(", ")} for ${neutral}`);
  if (bound.length === 0) return "";
  return printable(`names bound by themselves (--preset none binds none): ${bound.join("; ")}`);
}
