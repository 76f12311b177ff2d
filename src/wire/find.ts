/** Searches of texts that take time linear in them, whatever they repeat. */

/** The engine's own search is fastest, and may compare all of what it looks for at every place: fine while that is short. */
const short = 32;

/** For every beginning of `what`, how long the longest shorter beginning is that it ends in. */
function bordersOf(what: string): Int32Array {
  const borders = new Int32Array(what.length);
  for (let i = 1, k = 0; i < what.length; i++) {
    while (k > 0 && what.charCodeAt(i) !== what.charCodeAt(k)) k = borders[k - 1]!;
    if (what.charCodeAt(i) === what.charCodeAt(k)) k++;
    borders[i] = k;
  }
  return borders;
}

/** Whether `text` holds `what`, by Knuth, Morris and Pratt where `what` is long. */
export function holds(text: string, what: string): boolean {
  if (what.length <= short) return text.includes(what);
  if (what.length > text.length) return false;
  const borders = bordersOf(what);
  for (let i = 0, k = 0; i < text.length; i++) {
    while (k > 0 && text.charCodeAt(i) !== what.charCodeAt(k)) k = borders[k - 1]!;
    if (text.charCodeAt(i) === what.charCodeAt(k)) k++;
    if (k === what.length) return true;
  }
  return false;
}

/** Position of the quote that closes the one at `opening`, or the text's length; a backslash escapes what follows it. */
export function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === 92) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
