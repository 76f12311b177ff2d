/** A caller's own JSON Schema, and what its references name. */
import { isObject } from "../../wire/json.ts";
import { resolvePointer } from "../../wire/pointer.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** The schema that `$ref` names, or the schema itself where it has none. */
export function resolveReference(root: Schema, schema: Schema): Schema {
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#")) return schema;
  const target = resolvePointer(root, decodeURIComponentSafely(reference.slice(1)));
  return isObject(target) ? target : {};
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
