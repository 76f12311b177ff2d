/** Orders what a search finds, and marks it. */

/** Lower is better. The best hit begins a word of the first text. Then come a hit within it, hits of each word in it, and hits only in the rest. */
export function rankOf(first: string, words: readonly string[]): number {
  if (words.length === 0) return 0;
  const text = first.toLowerCase();
  const at = text.indexOf(words.join(" "));
  if (at === 0 || (at > 0 && /[\s.`"(/-]/.test(text[at - 1]!))) return 0;
  if (at > 0) return 1;
  return words.every((word) => text.includes(word)) ? 2 : 3;
}

export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

/** A text in pieces, those that were searched for apart. */
export function piecesOf(text: string, words: readonly string[]): Piece[] {
  const lower = text.toLowerCase();
  // Some letters change their length with their case: then nothing is marked.
  if (words.length === 0 || lower.length !== text.length) return [{ text, isHit: false }];
  const pieces: Piece[] = [];
  let from = 0;
  while (from < text.length) {
    let [at, length] = [-1, 0];
    for (const word of words) {
      const found = lower.indexOf(word, from);
      if (found >= 0 && (at < 0 || found < at || (found === at && word.length > length)))
        [at, length] = [found, word.length];
    }
    if (at < 0) break;
    if (at > from) pieces.push({ text: text.slice(from, at), isHit: false });
    pieces.push({ text: text.slice(at, at + length), isHit: true });
    from = at + length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isHit: false });
  return pieces;
}
