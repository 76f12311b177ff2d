/** Directives, by which callers choose what the reference implementation answers: `[[name]]` or `[[name:value]]` in the last user text. */

/** Directive names to their values (`""` without one), e.g. `[[refuse]] [[words:3]]`. */
export function directivesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name, value] of text.matchAll(/\[\[([a-z-]+)(?::([^\]]*))?\]\]/g)) found.set(name!, value ?? "");
  return found;
}

/** A short stable id made from a request, so that the same request always gets the same answer. */
export function stableId(prefix: string, seed: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(seed))
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return `${prefix}${hash.toString(36).padStart(13, "0")}`;
}

/** Those of the names, of tools for example, that a text holds as words of their own, in the order of the names. */
export function namedIn(text: string, names: readonly string[]): string[] {
  const words = new Set(text.split(/[^\w-]+/));
  return [...new Set(names)].filter((name) => words.has(name));
}

/** Splits a text into the pieces a reference calls tokens: words with their leading space; joined they are the text again. */
export function tokensIn(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** The creation time a reply made now carries, in Unix seconds: all in which two answers to one request differ. */
export const createdNow = (): number => Math.floor(Date.now() / 1000);
