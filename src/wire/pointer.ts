/** JSON Pointers (RFC 6901): the places findings name. */

/** One step of a pointer, escaped. */
export function escapeToken(token: string | number): string {
  return typeof token === "number" ? String(token) : token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** `pointer("choices", 0, "index")` is `/choices/0/index`; without tokens it names the whole document. */
export function pointer(...tokens: (string | number)[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join("");
}

/** The unescaped steps of a pointer. */
export function tokensOf(text: string): string[] {
  if (text === "") return [];
  return text
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const position = /^(?:0|[1-9][0-9]*)$/;

/** The value a pointer names, or undefined where nothing stands there. Only own members and list positions count. */
export function resolvePointer(document: unknown, text: string): unknown {
  let value = document;
  for (const token of tokensOf(text)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) return undefined;
    if (Array.isArray(value) && !position.test(token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}
