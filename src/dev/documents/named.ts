/** Finds what a document says wrongly, in its own way, and compares it with the contradictions that are named. */
import type { Contradiction, OpenApi } from "../../documents/openapi.ts";
import type { Places } from "./schema-places.ts";

/** References and targets of mappings that lead nowhere, and unions without an alternative, by pointer. */
export function brokenPlaces(doc: OpenApi, { references, schemas }: Places): string[] {
  const isThere = (pointer: string, ref: string): boolean =>
    doc.targetOf(ref) !== undefined ||
    (pointer.includes("/discriminator/mapping/") && doc.targetOf(`#/components/schemas/${ref}`) !== undefined);
  return [
    ...[...references].filter(([pointer, ref]) => !isThere(pointer, ref)).map(([pointer]) => pointer),
    ...schemas.flatMap(({ pointer, schema }) =>
      ["anyOf", "oneOf"]
        .filter((name) => Array.isArray(schema[name]) && schema[name].length === 0)
        .map((name) => `${pointer}/${name}`),
    ),
  ];
}

/**
 * Compares faults with named contradictions: pointer to how they differ.
 * @param faults pointers of sample values to what they violate
 */
export function misnamed(
  named: readonly Contradiction[],
  broken: readonly string[],
  faults: ReadonlyMap<string, readonly string[]>,
): Map<string, string> {
  const places = new Set(named.map(({ place }) => place));
  const found = new Map<string, string>();
  for (const place of broken) if (!places.has(place)) found.set(place, "it leads nowhere, which is not named");
  for (const [place, [first]] of faults)
    if (!places.has(place)) found.set(place, `it is judged as an error, which is not named: ${first}`);
  for (const { place, says } of named)
    if (says.includes("violates its schema") && !faults.has(place))
      found.set(place, `it is judged as good, though this is said of it: ${says}`);
  return found;
}
