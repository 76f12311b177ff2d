/** Canaries: made-up words that an answer says and nothing else does, so that they can be found again in what a client hands back. */
import { createHash } from "node:crypto";

const consonants = "bdfgklmnprstvz";
const vowels = "aeiou";
const accented = "éñüåçøžß";

/** Numbers below 256 without end, the same for the same seed. */
function* bytesFrom(seed: string): Generator<number> {
  for (let round = 0; ; round++) yield* createHash("sha256").update(`${round} ${seed}`).digest();
}

/** Words of four syllables; of every ten, one has an accent, one is Chinese, and one ends in an emoji. */
export function canaries(seed: string, count = 10): string[] {
  const bytes = bytesFrom(seed);
  const next = (below: number): number => (bytes.next().value as number) % below;
  const syllable = (): string => consonants[next(consonants.length)]! + vowels[next(vowels.length)]!;
  const word = (): string => syllable() + syllable() + syllable() + syllable();
  const words = new Set<string>();
  while (words.size < count) {
    const kind = words.size % 10;
    if (kind === 3) words.add(word() + accented[next(accented.length)]! + syllable());
    else if (kind === 5) words.add(String.fromCodePoint(...[0, 1, 2].map(() => 0x4e00 + next(256) * 64 + next(64))));
    else if (kind === 7) words.add(word() + String.fromCodePoint(0x1f600 + next(64)));
    else words.add(word());
  }
  return [...words];
}

/** Words as the pieces of a text: all but the first with the space before them. */
export const piecesOf = (words: readonly string[]): string[] => words.map((word, i) => (i === 0 ? word : ` ${word}`));

/** The same, and an emoji is cut in two between its halves. */
export const cutEmoji = (words: readonly string[]): string[] =>
  piecesOf(words).flatMap((piece) => {
    const at = piece.search(/[\ud800-\udbff]/);
    return at < 0 ? [piece] : [piece.slice(0, at + 1), piece.slice(at + 1)];
  });
