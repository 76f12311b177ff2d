/** The model behind the small server: it repeats what it hears, calls the tools it is told to, and fills in schemas. */
import { isJson, type Json, objectsAt } from "./answer.ts";

/** Words, each with the blanks before it: what counts as a token here. */
export const tokensOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

/** The count of a prompt: its words, and as many tokens as a small picture for everything else in it. */
export function promptTokens(prompt: unknown, media: RegExp): number {
  const json = JSON.stringify(prompt) ?? "";
  return Math.max(1, tokensOf(json).length) + 85 * (json.match(media)?.length ?? 0);
}

/** The texts of a message's content or parts, whatever else is among them. */
export function heard(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isJson) : [];
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join(" ");
}

export interface Speech {
  readonly tokens: readonly string[];
  /** The stop sequence that ended it. */
  readonly stop: string | undefined;
  /** It went on beyond the bound. */
  readonly cut: boolean;
}

/** A text up to the first stop sequence in it and within a number of tokens. */
export function speak(text: string, stops: unknown, bound = Number.POSITIVE_INFINITY): Speech {
  const found = [stops]
    .flat()
    .filter((stop): stop is string => typeof stop === "string" && stop !== "" && text.includes(stop))
    .sort((a, b) => text.indexOf(a) - text.indexOf(b));
  const [stop] = found;
  const tokens = tokensOf(stop === undefined ? text : text.slice(0, text.indexOf(stop)));
  const cut = tokens.length > bound;
  return { tokens: cut ? tokens.slice(0, bound) : tokens, stop: cut ? undefined : stop, cut };
}

/** The reply to a text. */
export const echo = (text: string): string => `I heard: ${text || "nothing"}. That is all.`;

/** The tools to call: all that the text names, or else the first where one must be called. */
export function called<T extends { readonly name: string }>(
  tools: readonly T[],
  text: string,
  must: boolean,
  single: boolean,
): T[] {
  const named = tools.filter(({ name }) => text.includes(name));
  const wanted = named.length > 0 ? named : must ? tools.slice(0, 1) : [];
  const twice = wanted.length === 1 && /\b(both|twice|two|each)\b/i.test(text) ? [wanted[0]!, wanted[0]!] : wanted;
  return single ? twice.slice(0, 1) : twice;
}

const resolved = (schema: Json, root: Json): Json => {
  const ref = schema["$ref"];
  if (typeof ref !== "string") return schema;
  let at: unknown = root;
  for (const step of ref.split("/").slice(1)) at = isJson(at) ? at[step] : undefined;
  return isJson(at) ? at : {};
};

/** A value for a JSON schema, its types in either case of letters. */
export function filled(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isJson(schema) || !isJson(root)) return {};
  if (depth > 8) return null;
  const own = resolved(schema, root);
  const deeper = (sub: unknown): unknown => filled(sub, root, depth + 1);
  if ("const" in own) return own["const"];
  if (Array.isArray(own["enum"])) return own["enum"][0];
  const [branch] = [...objectsAt(own, "anyOf"), ...objectsAt(own, "oneOf"), ...objectsAt(own, "allOf")];
  const type = String([own["type"]].flat()[0] ?? (branch ? "branch" : "object")).toLowerCase();
  const least = (name: string, otherwise: number): number => Number(own[name] ?? otherwise);
  switch (type) {
    case "branch":
      return deeper(branch);
    case "array":
      return Array.from({ length: least("minItems", 1) }, () => deeper(own["items"] ?? { type: "string" }));
    case "string":
      return own["format"] === "date-time"
        ? "2030-01-01T00:00:00Z"
        : "sample".padEnd(least("minLength", 0), "-").slice(0, least("maxLength", 100));
    case "number":
    case "integer":
      return least("minimum", Math.min(1, least("maximum", 1)));
    case "boolean":
      return true;
    case "null":
      return null;
    default: {
      const properties = isJson(own["properties"]) ? own["properties"] : {};
      const names = [
        ...Object.keys(properties),
        ...(Array.isArray(own["required"]) ? own["required"].map(String) : []),
      ];
      return Object.fromEntries(names.map((name) => [name, deeper(properties[name])]));
    }
  }
}
