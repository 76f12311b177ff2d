/** Differences between a streamed text and the whole one that no model makes: they come of how the stream was cut and joined. */

/** A streamed text beside the whole reply to the same question. */
export interface Texts {
  /** The text of each event. */
  readonly pieces: readonly string[];
  readonly streamed: string;
  readonly whole: string;
  /** Whether both count as many tokens, all of them shown: then more text was not generated but repeated. */
  readonly sameCount: boolean;
}

/** How many characters two texts have in common at their beginning, and how many of the rest at their end. */
export function commonEnds(a: string, b: string): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return { head, tail };
}

/** Whether every piece holds all that came before it. */
function isCumulative({ pieces, whole }: Texts): boolean {
  const told = pieces.filter((piece) => piece !== "");
  let longer = 0;
  for (const [i, piece] of told.entries()) {
    const before = told[i - 1];
    if (before === undefined) continue;
    if (!piece.startsWith(before)) return false;
    if (piece.length > before.length) longer++;
  }
  return longer >= 2 || (longer === 1 && told.at(-1) === whole);
}

const withoutBlanks = (text: string): string => text.replace(/\s+/gu, "");

/** Letters of scripts that write blanks between words. */
const spacedLetter = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
const otherLetter = /[^\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** The words between blanks, without the signs around them; words of scripts without blanks are left out. */
const wordsIn = (text: string): string[] =>
  text.split(/\s+/u).flatMap((word) => {
    const letters = word.match(/[\p{L}\p{N}]/gu);
    if (!letters || otherLetter.test(word)) return [];
    return [word.slice(word.indexOf(letters[0]!), word.lastIndexOf(letters.at(-1)!) + 1)];
  });

/** Whether two words stand at the seam of a repeated text without a blank between them, as `TheThe`. */
const isFused = (repeated: string): boolean =>
  repeated.length >= 3 &&
  !/\s/u.test(repeated) &&
  spacedLetter.test(repeated[0]!) &&
  spacedLetter.test(repeated.at(-1)!);

/** Whether a part of the whole text comes twice in a row. Words that a model may well say twice are none. */
function isDoubled({ pieces, streamed, whole, sameCount }: Texts): boolean {
  const once = pieces.filter((piece, i) => piece !== pieces[i - 1]);
  if (pieces.length - once.length >= 3 && once.join("") === whole) return true;
  const more = streamed.length - whole.length;
  const { head, tail } = commonEnds(streamed, whole);
  if (more <= 0 || more > head || head + tail < whole.length) return false;
  const repeated = streamed.slice(head, head + more);
  if (whole.slice(head - more, head) !== repeated) return false;
  return sameCount || repeated === whole || isFused(repeated);
}

/** How often each of several values occurs. */
function counted(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function sameCounts(a: Iterable<string>, b: Iterable<string>): boolean {
  const [one, other] = [counted(a), counted(b)];
  return one.size === other.size && [...one].every(([value, count]) => other.get(value) === count);
}

/** Whether two neighbouring pieces changed places, and nothing else differs. */
function isSwapped({ pieces, streamed, whole }: Texts): boolean {
  const { head, tail } = commonEnds(streamed, whole);
  const told = pieces.filter((piece) => piece !== "");
  let start = 0;
  for (const [i, piece] of told.entries()) {
    const next = told[i + 1] ?? "";
    const end = start + piece.length + next.length;
    if (start <= head && end >= streamed.length - tail && whole.slice(start, end) === next + piece) return true;
    start += piece.length;
    if (start > head) return false;
  }
  return false;
}

/** Whether the same characters come in another order that tears words apart; whole words may change places as a model likes. */
function isOutOfOrder(texts: Texts): boolean {
  const { streamed, whole } = texts;
  if (streamed.length !== whole.length || !sameCounts(streamed, whole)) return false;
  return isSwapped(texts) || !sameCounts(wordsIn(streamed), wordsIn(whole));
}

/** The characters that bytes 128 to 159 are taken for by the code page that is most often mistaken for Latin-1. */
const codePage = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const byteOf = (character: string): number => {
  const at = codePage.indexOf(character);
  return at >= 0 ? 128 + at : character.charCodeAt(0);
};

const more = `[\\u0080-\\u00bf${codePage}]`;
const takenForBytes = new RegExp(
  `[\\u00c2-\\u00df]${more}|[\\u00e0-\\u00ef]${more}{2}|[\\u00f0-\\u00f4]${more}{3}`,
  "gu",
);

/** A text whose UTF-8 was taken for one byte a character, read as what it was, and how many characters that made. */
function decodedAgain(text: string): { readonly text: string; readonly found: number } {
  let found = 0;
  const decoded = text.replace(takenForBytes, (bytes) => {
    try {
      const read = new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, byteOf));
      found++;
      return read;
    } catch {
      return bytes;
    }
  });
  return { text: decoded, found };
}

function isEncodedTwice({ streamed, whole }: Texts): boolean {
  const { found, text } = decodedAgain(streamed);
  return found > 0 && (text === whole || (found > 1 && decodedAgain(whole).found === 0));
}

const replacement = "\u{fffd}";
/** Forms in which two different texts differ. */
const forms: readonly (readonly [is: (texts: Texts) => boolean, says: string])[] = [
  [
    ({ streamed, whole }) => streamed.includes(replacement) && !whole.includes(replacement),
    "characters are lost: U+FFFD stands where bytes were no UTF-8",
  ],
  [isEncodedTwice, "its UTF-8 was encoded twice"],
  [isCumulative, "each event repeats what came before it"],
  [({ streamed, whole }) => withoutBlanks(streamed) === withoutBlanks(whole), "only blanks differ"],
  [isDoubled, "a part comes twice"],
  [isOutOfOrder, "the same characters come in another order"],
];

/** In which form a stream differs from the whole text that no choice of words explains; undefined where there is none. Linear in both. */
export function mechanicalForm(texts: Texts): string | undefined {
  const { pieces, streamed, whole } = texts;
  if (whole.isWellFormed() && pieces.some((piece) => !piece.isWellFormed()))
    return "characters are cut in two: an event brings half of a surrogate pair";
  return streamed === whole ? undefined : forms.find(([is]) => is(texts))?.[1];
}
