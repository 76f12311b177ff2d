/** Writes JSON in any of the ways JSON may be written. */
import type { Chance } from "./chance.ts";

/** How one text is written; chosen once, so that not every text has every oddity. */
interface Hand {
  readonly spaces: readonly string[];
  readonly shuffles: boolean;
  readonly escapes: boolean;
  readonly oddNumbers: boolean;
}

function hand({ pick, once }: Chance): Hand {
  return {
    spaces: pick([[""], [""], ["", " "], ["", " ", "\n", "\r\n", "\t"]]),
    shuffles: once(2),
    escapes: once(3),
    oddNumbers: once(3),
  };
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\n": "\\n",
  "\t": "\\t",
};

const hex = (unit: string, { pick }: Chance): string => {
  const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${pick([digits, digits.toUpperCase()])}`;
};

/** Every character of a text as itself, as a short escape or by its hexadecimal code. */
function quoted(text: string, { escapes }: Hand, chance: Chance): string {
  if (!escapes || text.length > 2000) return JSON.stringify(text);
  const letters = Array.from(text, (letter) => {
    const plain = JSON.stringify(letter).slice(1, -1);
    if (chance.once(3)) return letter.replace(/[\s\S]/g, (unit) => hex(unit, chance));
    return chance.once(2) ? (shortEscapes[letter] ?? plain) : plain;
  });
  return `"${letters.join("")}"`;
}

/** A number in another notation of the same value. */
function figured(value: number, { oddNumbers }: Hand, chance: Chance): string {
  const plain = JSON.stringify(value);
  if (!oddNumbers || !chance.once(3)) return plain;
  const others = [plain, value.toExponential(), value.toExponential().toUpperCase()];
  if (plain.includes(".") && !plain.includes("e")) others.push(`${plain}0`);
  if (Number.isInteger(value) && !plain.includes("e")) others.push(`${plain}.0`, `${plain}e0`);
  if (value === 0) others.push("-0", "0.0", "0E+5");
  return chance.pick(others.filter((text) => JSON.parse(text) === value || value === 0));
}

/** A JSON text of a value: members in any order, white space, escapes and numbers as they come. */
export function writeJson(value: unknown, chance: Chance): string {
  const style = hand(chance);
  const space = (): string => chance.pick(style.spaces);
  const list = (items: readonly string[]): string => items.map((item) => space() + item + space()).join(",") || space();
  const write = (one: unknown): string => {
    if (typeof one === "string") return quoted(one, style, chance);
    if (typeof one === "number") return figured(one, style, chance);
    if (Array.isArray(one)) return `[${list(one.map(write))}]`;
    if (typeof one !== "object" || one === null) return JSON.stringify(one);
    const entries = Object.entries(one).filter(([, member]) => member !== undefined);
    const members = (style.shuffles ? chance.shuffled(entries) : entries).map(
      ([name, member]) => `${quoted(name, style, chance)}${space()}:${space()}${write(member)}`,
    );
    return `{${list(members)}}`;
  };
  return space() + write(value) + space();
}
