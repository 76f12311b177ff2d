/** Excerpts of what was sent: short, in one line, and without holding on to the text they were taken from. */
import { wordsOf } from "./unquoted.ts";

/** Characters of a value that are quoted. */
const maxLength = 120;

/** Characters of what was expected, where it names what was sent. */
const maxDemandLength = 400;
const maxWordsLength = 160;
const maxPointerLength = 200;
const maxTokenLength = 60;

/** A copy: a slice of a text would keep all of the text in memory. */
export const detach = (text: string): string =>
  text.length < 13 ? text : Buffer.from(text, "utf16le").toString("utf16le");

/** The first characters, whole ones. */
const headOf = (text: string, length: number): string => {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
};

/** A text of at most `maxLength` characters. */
export function excerpt(text: string, maxLength = maxDemandLength): string {
  return detach(text.length <= maxLength ? text : `${headOf(text, maxLength - 1)}…`);
}

/** A value as people can read it in one line: JSON, of what is long its beginning and its size. */
export function excerptOf(value: unknown): string {
  if (value === undefined) return "nothing";
  const words = wordsOf(value);
  if (words !== undefined) return excerpt(words, maxWordsLength);
  const head = headOfJson(value, maxLength + 1);
  return detach(head.length <= maxLength ? head : `${headOf(head, maxLength - 1)}… (${sizeOf(value)})`);
}

const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

function sizeOf(value: unknown): string {
  if (Array.isArray(value)) return plural(value.length, "item");
  if (typeof value === "string") return plural(value.length, "character");
  return plural(Object.keys(value as object).length, "member");
}

/** JSON of a value, or so much of its beginning that it has at least `room` characters. */
export function headOfJson(value: unknown, room: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room));
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  let text = "";
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      text += i === 0 ? "[" : ",";
      if (text.length >= room) return text;
      text += headOfJson(value[i] ?? null, room - text.length);
    }
    return `${text || "["}]`;
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    text += `${text === "" ? "{" : ","}${JSON.stringify(name.slice(0, room))}:`;
    if (text.length >= room) return text;
    text += headOfJson(member, room - text.length);
  }
  return `${text || "{"}}`;
}

/** A pointer as findings name it: of long names, and in the middle of many, an ellipsis stands for what is left out. */
export function excerptPointer(pointer: string): string {
  if (pointer.length <= maxPointerLength) return pointer;
  const tokens = pointer
    .split("/")
    .map((token) => (token.length > maxTokenLength ? `${headOf(token, maxTokenLength)}…` : token));
  const text = tokens.join("/");
  if (text.length <= maxPointerLength) return text;
  return `${tokens.slice(0, 3).join("/")}/…/${tokens.slice(-1)[0]}`;
}
