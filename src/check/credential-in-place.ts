/** A key that came in another header than the documented one, read as if it had come there (reading X-ALTERNATIVES). */
import type { Alternatives } from "./names.ts";

const nothing: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/** A header and the scheme before its key: `authorization: Bearer`. */
function placeOf(text: string): { readonly name: string; readonly scheme: string } {
  const [name = "", scheme = ""] = text.split(":", 2).map((part) => part.trim());
  return { name: name.toLowerCase(), scheme };
}

/** The key behind this scheme; undefined behind another one. */
function keyBehind(scheme: string, value: string): string | undefined {
  if (scheme === "") return value;
  const text = value.trimStart();
  if (text.slice(0, scheme.length).toLowerCase() !== scheme.toLowerCase()) return undefined;
  const rest = text.slice(scheme.length);
  return rest === "" || /^\s/.test(rest) ? rest.trim() : undefined;
}

/**
 * Puts keys of other headers into the documented ones that a request lacks.
 * @param table its headers, to which they are added
 * @returns documented headers, and the ones that their keys came in
 */
export function credentialInPlaceOf(
  table: Record<string, string>,
  credentials: Alternatives["credentials"],
): Readonly<Record<string, string>> {
  if (credentials === undefined) return nothing;
  const cameIn: Record<string, string> = Object.create(null);
  for (const [documented, others] of Object.entries(credentials)) {
    const own = placeOf(documented);
    if (own.name in table) continue;
    for (const { name, scheme } of others.map(placeOf)) {
      const value = table[name];
      const key = value === undefined ? undefined : keyBehind(scheme, value);
      if (key === undefined) continue;
      table[own.name] = own.scheme === "" ? key : `${own.scheme} ${key}`;
      cameIn[own.name] = name;
      break;
    }
  }
  return cameIn;
}
