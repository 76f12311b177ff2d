/** Finds what an answer said in what a client handed back, however that is decorated. */

/** The fate of a text. `apart`: all of it, in order, but with other things between. */
export type TextFate = "whole" | "apart" | "part" | "altered" | "repeated" | "disordered" | "nothing";

export interface ComparedText {
  readonly fate: TextFate;
  /** How often all of it stands there. */
  readonly times: number;
  /** The first words that are missing, three at most. */
  readonly missing: readonly string[];
  /** How many of the words are there. */
  readonly found: number;
  readonly words: number;
}

/** Words that are looked for one by one. */
const maxWords = 2000;

/** Missing words of which a part is looked for. */
const maxNear = 50;

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** A text with the escapes of JSON and of Python undone. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|x([0-9a-f]{2})|([nrtbf"'/\\]))/gi, (whole, u, big, x, sign) => {
    if (sign !== undefined) return escapes[sign] ?? sign;
    const code = Number.parseInt(u ?? big ?? x, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Sequences by which terminals colour text and move. */
const terminal = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

const bare = (text: string): string => text.replace(/\s+/g, "");

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether the words come in the given order, over and over. */
const isInOrder = (found: readonly string[], words: readonly string[]): boolean =>
  found.length % words.length === 0 && found.every((word, i) => word === words[i % words.length]);

function comparedWith(output: string, said: string): ComparedText {
  // Marks and long runs say nothing when they stand alone.
  const all = said.split(/\s+/).filter((word) => /^[\p{L}\p{Extended_Pictographic}]{3,40}$/u.test(word));
  const words = [...new Set(all)].slice(0, maxWords);
  if (bare(said) === "") return { fate: "whole", times: 1, missing: [], found: 0, words: 0 };
  const text = bare(output);
  const times = countOf(text, bare(said));
  const base = { times, words: words.length };
  if (times > 0) return { ...base, fate: "whole", missing: [], found: words.length };
  if (words.length === 0) return { ...base, fate: "nothing", missing: [], found: 0 };
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const found = text.match(new RegExp(longestFirst.map(quoted).join("|"), "g")) ?? [];
  const there = new Set(found);
  const missing = words.filter((word) => !there.has(word));
  const more = { ...base, missing: missing.slice(0, 3), found: words.length - missing.length };
  if (found.length === 0) return { ...more, fate: "nothing" };
  if (missing.length === 0) {
    if (isInOrder(found, words)) return { ...more, fate: "apart", times: found.length / words.length };
    const firsts = [...new Set(found)];
    return { ...more, fate: firsts.every((word, i) => word === words[i]) ? "repeated" : "disordered" };
  }
  // A word of which the beginning came, and not the rest, may be where the text was cut: only what follows tells.
  const lastFound = words.findLastIndex((word) => there.has(word));
  const isAltered = words
    .slice(0, lastFound)
    .filter((word) => !there.has(word) && [...word].length > 4)
    .slice(0, maxNear)
    .some((word) => isNear(word, text));
  return { ...more, fate: isAltered || /\ufffd/.test(text) ? "altered" : "part" };
}

/** Whether a text holds a good part of a word. */
function isNear(word: string, text: string): boolean {
  const characters = [...word];
  const half = Math.ceil(characters.length / 2);
  return text.includes(characters.slice(0, half).join("")) || text.includes(characters.slice(-half).join(""));
}

const ranks: readonly TextFate[] = ["whole", "apart", "repeated", "disordered", "altered", "part", "nothing"];

/** Compares what a program printed with what the answer said; spaces between and within words do not count. */
export function compareText(output: string, said: string): ComparedText {
  const plain = output.replace(terminal, "");
  const readings = [...new Set([plain, unescaped(plain)])].map((text) => comparedWith(text, said));
  return readings.toSorted((a, b) => ranks.indexOf(a.fate) - ranks.indexOf(b.fate))[0]!;
}
