/** Suggests the name that somebody probably meant. */
import { distance } from "fastest-levenshtein";

const folded = (name: string): string => name.toLowerCase().replace(/[_\-\s]/g, "");

/** The known member name closest to a mistyped one, or undefined when none is close. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const meant = folded(name);
  const limit = name.length <= 4 ? 1 : 2;
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const other = folded(candidate);
    if (other === meant) return candidate;
    // Names of any length are sent, and comparing takes as long as both together say.
    if (Math.abs(other.length - meant.length) > limit) continue;
    const edits = distance(meant, other);
    if (edits <= limit && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { candidate, edits };
  }
  return best?.candidate;
}
