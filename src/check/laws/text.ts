/** `text`: strings that are JSON or base64, or at most so long. */
import { isObject, parseJson } from "../../wire/json.ts";
import type { Kind, LawFault } from "./kind.ts";
import { byKey, compileSelector, type Picked, type Selector, spotOf } from "./selector.ts";
import { setAt, type View } from "./view.ts";

interface TextLaw {
  readonly of: Selector;
  readonly is?: "json" | "json-object" | "base64";
  readonly maxLength?: number;
  readonly joined?: boolean;
}

interface Format {
  readonly words: string;
  readonly accepts: (text: string) => boolean;
  readonly wrong: (text: string) => string;
  readonly right: (text: string) => string;
}

const broken = (text: string): string => `${text}{`;

const formats: Readonly<Record<NonNullable<TextLaw["is"]>, Format>> = {
  json: { words: "JSON", accepts: (text) => parseJson(text).ok, wrong: broken, right: () => "{}" },
  "json-object": {
    words: "a JSON object",
    accepts: (text) => {
      const parsed = parseJson(text);
      return parsed.ok && isObject(parsed.value);
    },
    wrong: broken,
    right: () => "{}",
  },
  base64: {
    words: "base64",
    accepts: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/u.test(text),
    wrong: (text) => `${text}!`,
    right: (text) => Buffer.from(text).toString("base64"),
  },
};

/** Strings longer than this are not made as counterexamples. */
const maxMade = 1_000_000;

/** Characters are code points: the count that is fairest to texts with emoji. */
function isAtMost(text: string, length: number): boolean {
  if (text.length <= length) return true;
  if (text.length > 2 * length) return false;
  return [...text].length <= length;
}

export const text: Kind = {
  name: "text",
  says: "Each string of `of` is JSON, a JSON object or base64 (`is`), or has at most `maxLength` characters; with `joined`, the strings of a key, joined in order, are.",
  parameters: {
    of: "selector",
    is: { enum: Object.keys(formats) },
    maxLength: { type: "integer", minimum: 0 },
    joined: {
      type: "boolean",
      description: "Whether the strings of a key are the deltas of one text. An empty text is not judged.",
    },
  },
  required: ["of"],
  needsOne: ["is", "maxLength"],
  compile({ of, is, maxLength = Number.POSITIVE_INFINITY, joined = false }: TextLaw) {
    const select = compileSelector(of);
    const format = is && formats[is];
    /** The texts, and the strings they consist of. */
    function textsIn(view: View): { readonly whole: string; readonly parts: readonly Picked[] }[] {
      const own = select.present(view);
      if (!joined)
        return own.flatMap((one) => (typeof one.value === "string" ? [{ whole: one.value, parts: [one] }] : []));
      if (view.interrupted) return [];
      return [...byKey(own).values()].flatMap((parts) => {
        const whole = parts.every(({ value }) => typeof value === "string")
          ? parts.map(({ value }) => value as string).join("")
          : "";
        return whole === "" ? [] : [{ whole, parts }];
      });
    }
    const isRight = (whole: string): boolean => (format?.accepts(whole) ?? true) && isAtMost(whole, maxLength);
    return {
      selects: [select],
      judge(view) {
        const all = textsIn(view);
        if (all.length === 0) return undefined;
        const faults: LawFault[] = [];
        for (const { whole, parts } of all) {
          if (isRight(whole)) continue;
          const isFormatted = format?.accepts(whole) ?? true;
          const expected = isFormatted ? `at most ${maxLength} characters` : format!.words;
          faults.push({ spot: spotOf(parts.at(-1)!), expected, actual: whole });
        }
        return faults;
      },
      spoil(draft, attempt) {
        const all = textsIn(draft).reverse();
        const { parts, whole } = all[attempt] ?? {};
        const last = parts?.at(-1);
        if (!last || whole === undefined) return false;
        if (format) setAt(draft, spotOf(last), format.wrong(last.value as string));
        else if (maxLength > maxMade) return false;
        else setAt(draft, spotOf(last), `${last.value}${"x".repeat(Math.max(maxLength + 1 - [...whole].length, 0))}`);
        return true;
      },
      mend(draft) {
        for (const { whole, parts } of textsIn(draft)) {
          if (isRight(whole)) continue;
          const right = format && !format.accepts(whole) ? format.right(whole) : whole;
          const fits = isAtMost(right, maxLength) ? right : [...right].slice(0, maxLength).join("");
          for (const [i, one] of parts.entries()) setAt(draft, spotOf(one), i === 0 ? fits : "");
        }
      },
    };
  },
};
