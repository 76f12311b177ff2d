/** Reads JSON bodies; says what is wrong in the parser's words and keeps to the JSON grammar. */

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** Parses a JSON text; a leading byte order mark is skipped. Never throws. */
export function parseJson(text: string): JsonResult {
  try {
    return { ok: true, value: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch (error) {
    return { ok: false, problem: (error as SyntaxError).message };
  }
}
