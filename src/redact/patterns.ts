/** Reads the regular expressions of further secrets that people want taken out. */
import { UserError } from "../user-error.ts";

/** Checks `--redact`; UserError for what is no regular expression. */
export function patternsFrom(sources: readonly string[]): readonly string[] {
  for (const source of sources)
    try {
      new RegExp(source, "i");
    } catch (error) {
      throw new UserError(`--redact ${(error as Error).message}`, "Give a JavaScript regular expression.");
    }
  return sources;
}
