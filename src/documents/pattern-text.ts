/** Makes a text that a regular expression matches, for examples of values that have to match a pattern. */

import { boundedPattern } from "../check/pattern.ts";

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

/** A text that matches; undefined where none is found. */
export function textFor(pattern: string, minLength = 0, maxLength = Number.POSITIVE_INFINITY): string | undefined {
  const expression = boundedPattern(pattern);
  const fits = (text: string): boolean => text.length >= minLength && text.length <= maxLength && expression.test(text);
  const made = [1, 2, 3, minLength].map((repeat) => writeText(pattern, repeat));
  return [...made, ...usual].find((text) => text !== undefined && fits(text));
}

/** Characters of a text that is made. */
const maxText = 5_000;

/**
 * Walks the pattern and writes the plainest text it describes: first alternatives, first members of classes, and
 * `repeat` of what may be repeated. Look-around and back references are left out, so that the caller has to try the text.
 */
function writeText(pattern: string, repeat: number): string | undefined {
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
      text += one.repeat(times());
    }
    return text;
  }

  function atom(): string {
    const char = pattern[at++]!;
    if (char === "(") {
      const isLook = /^\?(?:[=!]|<!)/.test(pattern.slice(at));
      at += /^\?(?::|=|!|<=|<!|<\w+>)/.exec(pattern.slice(at))?.[0].length ?? 0;
      const text = alternatives();
      at++;
      return isLook ? "" : text;
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
    let first: string | undefined;
    const start = at;
    while (at < pattern.length && (pattern[at] !== "]" || at === start)) {
      const one = pattern[at++]!;
      const char = one === "\\" ? escaped() : one;
      first ??= char;
    }
    const body = pattern.slice(start, at);
    at++;
    if (!negated) return first ?? "";
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
