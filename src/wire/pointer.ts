/** JSON Pointers (RFC 6901): the places findings name. */

/** Names longer than this stand in pointers as their beginning, length and a digest: pointers are made for every place below them. */
const maxNameLength = 1000;

const shortened = /…\(\d+ characters, [0-9a-f]{8}\)$/;

/** The name shortened last: pointers of one document repeat the same one. */
let last = { name: "", short: "" };

function shorten(name: string): string {
  if (name === last.name) return last.short;
  let digest = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) digest = Math.imul(digest ^ name.charCodeAt(i), 0x01000193);
  const head = Buffer.from(name.slice(0, 60)).toString();
  last = { name, short: `${head}…(${name.length} characters, ${(digest >>> 0).toString(16).padStart(8, "0")})` };
  return last.short;
}

/** One step of a pointer, escaped. */
export function escapeToken(token: string | number): string {
  if (typeof token === "number") return String(token);
  const name = token.length > maxNameLength ? shorten(token) : token;
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Long names of an object by their short form, made once: a document may have thousands, each asked for by its own. */
const longNames = new WeakMap<object, ReadonlyMap<string, string>>();

/** The member of an object or list that an unescaped step names. */
export function memberAt(value: object, token: string): string | undefined {
  if (Object.hasOwn(value, token)) return token;
  if (!shortened.test(token)) return undefined;
  let names = longNames.get(value);
  if (!names) {
    const long = Object.keys(value).filter((name) => name.length > maxNameLength);
    longNames.set(value, (names = new Map(long.map((name) => [shorten(name), name]))));
  }
  return names.get(token);
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
    if (typeof value !== "object" || value === null) return undefined;
    const name = memberAt(value, token);
    if (name === undefined || (Array.isArray(value) && !position.test(name))) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** `document` with `value` at `pointer`; what does not lie on the way is shared with it. */
export function replaceAt(document: unknown, pointer: string, value: unknown): unknown {
  const tokens = tokensOf(pointer);
  const replace = (old: unknown, depth: number): unknown => {
    const token = tokens[depth];
    if (token === undefined) return value;
    const copy = (Array.isArray(old) ? [...old] : { ...(old as object) }) as Record<string, unknown>;
    copy[token] = replace(copy[token], depth + 1);
    return copy;
  };
  return replace(document, 0);
}
