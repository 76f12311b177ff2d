/** JSON with integers that doubles do not hold, as BigInt, so that two of them are equal only where they are the same. */
import { closingQuote } from "../wire/find.ts";
import { parseJson } from "../wire/json.ts";

const quoteOrLong = /"|-?[1-9]\d{15,}/g;
/** Characters that stand before or after the digits of a fraction or an exponent. */
const joins = /[\d.eE+-]/;

/** Private-use characters of a text, as they are or as escapes: what else of them is free to mean something. */
function freeCharacter(text: string): string | undefined {
  const used = new Set<number>();
  for (const [found] of text.matchAll(/[\ue000-\uf8ff]|\\u[ef][\da-f]{3}/gi))
    used.add(found.length === 1 ? found.charCodeAt(0) : Number.parseInt(found.slice(2), 16));
  for (let code = 0xe000; code <= 0xf8ff; code++) if (!used.has(code)) return String.fromCharCode(code);
  return undefined;
}

function withIntegers(value: unknown, mark: string): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? BigInt(value.slice(1)) : value;
  if (Array.isArray(value)) for (const [i, item] of value.entries()) value[i] = withIntegers(item, mark);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const exact = withIntegers(member, mark);
      // Not assigned, since `__proto__` may be a name.
      if (exact !== member)
        Object.defineProperty(value, name, { value: exact, enumerable: true, configurable: true, writable: true });
    }
  return value;
}

/**
 * The value of a JSON text, its long integers exactly.
 * @param value what parsing it gave; nested so little that it can be walked
 */
export function exactly(text: string, value: unknown): unknown {
  if (!/\d{16}/.test(text)) return value;
  const mark = freeCharacter(text);
  if (mark === undefined) return value;
  const pieces: string[] = [];
  let copied = 0;
  quoteOrLong.lastIndex = 0;
  for (let found = quoteOrLong.exec(text); found; found = quoteOrLong.exec(text)) {
    const { index, 0: digits } = found;
    if (digits === '"') {
      quoteOrLong.lastIndex = closingQuote(text, index) + 1;
      continue;
    }
    const end = index + digits.length;
    if (joins.test(text[index - 1] ?? "") || joins.test(text[end] ?? "") || Number.isSafeInteger(Number(digits)))
      continue;
    pieces.push(text.slice(copied, index), `"${mark}${digits}"`);
    copied = end;
  }
  if (copied === 0) return value;
  const marked = parseJson(pieces.join("") + text.slice(copied));
  return marked.ok ? withIntegers(marked.value, mark) : value;
}

/** A value as JSON, big integers with all their digits; empty for undefined. */
export const writeExact = (value: unknown): string =>
  (JSON.stringify(value, (_name, member) => (typeof member === "bigint" ? `\0${member}\0` : member)) ?? "").replace(
    /"\\u0000(-?\d+)\\u0000"/g,
    "$1",
  );
