/** Suggests the name that somebody probably meant: of members of JSON, and of what people type. */
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

const sorted = (text: string): string => [...text].sort().join("");

/** Typing gets more tolerance: an edit in four letters, and the front of a name whose parts are parted by dots. */
function nearestName(typed: string, known: readonly string[]): string | undefined {
  const meant = folded(typed);
  const close = suggestName(typed, known);
  if (close !== undefined || meant === "") return close;
  const parts = typed.split(".").length;
  const edits = Math.min(Math.floor(meant.length / 4), 6);
  const begun = known.filter((name) => meant.length >= 3 && name.startsWith(typed));
  // `messages.response.role` begins its own names, and lies nearer to them than any slip leads.
  const continued = begun.filter((name) => /^[-.]/.test(name.slice(typed.length))).sort((a, b) => a.length - b.length);
  if (typed.includes(".") && continued.length > 0) return continued[0];
  const near = known.flatMap((name) => {
    const other = folded(name.split(".").slice(-parts).join("."));
    if (Math.abs(other.length - meant.length) > edits) return [];
    // Letters that changed places are one slip.
    const by = sorted(other) === sorted(meant) ? 0 : distance(meant, other);
    return by <= edits ? [{ name, by }] : [];
  });
  if (near.length > 0) return near.sort((a, b) => a.by - b.by)[0]!.name;
  return begun.length === 1 ? begun[0] : undefined;
}

/** `Did you mean NAME? `, to stand before a remedy; empty where no name is close. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const meant = typed.length > 200 ? undefined : nearestName(typed, [...new Set(known)]);
  return meant === undefined ? "" : `Did you mean ${meant}? `;
}
