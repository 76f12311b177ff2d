/** Makes texts that a regular expression matches, for examples of values, and texts that it may not match, for counterexamples. */
import { boundedPattern } from "./pattern.ts";

/** Texts that are tried where what is read of the pattern does not match it. */
const usual = [
  "text",
  "abc123",
  "1",
  "a",
  "A",
  "2024-12-31",
  "name@example.com",
  "https://example.com/",
  "abc-123",
  "0.5",
];

/** Texts that were made last: lists and maps ask for the same one for each of their items. */
const made = new Map<string, string | undefined>();
const maxMade = 200;

/** A text that matches; undefined where none is found. */
export function textFor(pattern: string, minLength = 0, maxLength = Number.POSITIVE_INFINITY): string | undefined {
  const key = `${minLength} ${maxLength} ${pattern}`;
  if (made.has(key)) return made.get(key);
  const text = makeTextFor(pattern, minLength, maxLength);
  if (made.size >= maxMade) made.clear();
  made.set(key, text);
  return text;
}

function makeTextFor(pattern: string, minLength: number, maxLength: number): string | undefined {
  const expression = boundedPattern(pattern);
  const fits = (text: string): boolean => text.length >= minLength && text.length <= maxLength && expression.test(text);
  return [...textsOf(pattern, minLength), ...usual].find(fits);
}

function* textsOf(pattern: string, minLength: number): Generator<string> {
  const repeats = [1, 2, 3, minLength];
  for (const how of [{}, { ahead: true }, { last: true }, { ahead: true, last: true }])
    for (const repeat of [...new Set(how.ahead ? [0, ...repeats] : repeats)]) {
      const text = writeText(pattern, { ...how, repeat });
      if (text !== undefined) yield text;
    }
}

/** Texts that come close to the pattern, some of which it may not match: with what it rules out, and with one character too many. */
export const textsBeside = (pattern: string): readonly string[] =>
  [{ ruledOut: true }, { beyond: true }].flatMap((how) =>
    [0, 1, 2].flatMap((repeat) => writeText(pattern, { ...how, repeat }) ?? []),
  );

interface Writing {
  /** How often what may be repeated stands there. */
  readonly repeat: number;
  /** Writes what is demanded ahead as well. */
  readonly ahead?: boolean;
  /** Chooses the last member of a class instead of the first. */
  readonly last?: boolean;
  /** Writes what may not stand ahead or behind, and members that a class excludes. */
  readonly ruledOut?: boolean;
  /** Writes once more what has an upper bound. */
  readonly beyond?: boolean;
}

/** Characters of a text that is made. */
const maxText = 5_000;

/**
 * Walks the pattern and writes the plainest text it describes: first alternatives, first members of classes, and
 * `repeat` of what may be repeated. Look-around and back references are mostly left out, so that the caller has to try the text.
 */
function writeText(pattern: string, { repeat, ahead, last, ruledOut, beyond }: Writing): string | undefined {
  let at = 0;
  const failed = (): boolean => at > pattern.length;

  function alternatives(): string {
    let text = sequence();
    while (pattern[at] === "|") {
      at++;
      const other = sequence();
      if (text === "") text = other;
    }
    return text;
  }

  function sequence(): string {
    let text = "";
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")" && text.length < maxText) {
      const one = atom();
      text += one.repeat(Math.min(times(), Math.ceil(maxText / Math.max(1, one.length))));
    }
    return text;
  }

  function atom(): string {
    const char = pattern[at++]!;
    if (char === "(") {
      const [look] = /^\?<?[=!]/.exec(pattern.slice(at)) ?? [];
      const isWritten = look === undefined || (look.endsWith("!") ? ruledOut : look === "?<=" || ahead);
      at += /^\?(?::|=|!|<=|<!|<\w+>)/.exec(pattern.slice(at))?.[0].length ?? 0;
      const text = alternatives();
      at++;
      return isWritten ? text : "";
    }
    if (char === "[") return oneOfClass();
    if (char === "\\") return escaped();
    if (char === "^" || char === "$") return "";
    return char === "." ? "a" : char;
  }

  /** How often what was just read stands there. */
  function times(): number {
    const bounds = /^(?:\*|\+|\?|\{(\d+)(?:(,)(\d*))?\})\??/.exec(pattern.slice(at));
    if (!bounds) return 1;
    at += bounds[0].length;
    const least = bounds[1] === undefined ? (bounds[0][0] === "+" ? 1 : 0) : Number(bounds[1]);
    const most =
      bounds[1] === undefined
        ? bounds[0][0] === "?"
          ? 1
          : maxText
        : bounds[2] === undefined
          ? least
          : bounds[3]
            ? Number(bounds[3])
            : maxText;
    if (beyond && most < maxText) return most + 1;
    return Math.min(Math.max(least, repeat), most, maxText);
  }

  function escaped(): string {
    const char = pattern[at++] ?? "";
    if (char === "u" || char === "x") {
      const code = /^\{([0-9a-fA-F]+)\}|^[0-9a-fA-F]{2}(?:[0-9a-fA-F]{2})?/.exec(pattern.slice(at));
      at += code?.[0].length ?? 0;
      return String.fromCodePoint(Number.parseInt(code?.[1] ?? code?.[0] ?? "61", 16));
    }
    if (char === "p" || char === "P") at = Math.max(pattern.indexOf("}", at) + 1, at);
    const classes: Readonly<Record<string, string>> = {
      d: "1",
      w: "a",
      s: " ",
      D: "a",
      W: "-",
      S: "a",
      p: "a",
      P: "-",
    };
    const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "", B: "" };
    return classes[char] ?? controls[char] ?? char;
  }

  function oneOfClass(): string {
    const negated = pattern[at] === "^";
    if (negated) at++;
    let chosen: string | undefined;
    const start = at;
    while (at < pattern.length && (pattern[at] !== "]" || at === start)) {
      const one = pattern[at++]!;
      const char = one === "\\" ? escaped() : one;
      chosen = last ? char : (chosen ?? char);
    }
    const body = pattern.slice(start, at);
    at++;
    if (!negated || ruledOut) return chosen ?? "";
    const outside = new RegExp(`[^${body}]`, "u");
    return ["a", "1", "-", "A", " ", "é"].find((char) => outside.test(char)) ?? "";
  }

  try {
    const text = alternatives();
    return failed() ? undefined : text;
  } catch {
    return undefined;
  }
}
