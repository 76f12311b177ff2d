/** Opens interfaces with their operations and rules, without validators: all that telling and showing exchanges needs. */
import type { Interfaces } from "../check/catalogue.ts";
import { shippedClauses } from "./clause-data.ts";
import { interfaces } from "./index.ts";

/**
 * The interfaces of all documents. UserError for users' own that cannot be read.
 * @param documents paths of users' own: folders, or OpenAPI files
 */
export async function openInterfaces(documents: readonly string[] = []): Promise<Interfaces> {
  if (documents.length > 0) return (await import("./with-documents.ts")).interfacesWith(documents);
  return { ...shippedClauses, interfaces };
}
