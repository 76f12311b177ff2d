/** Opens clauses and readings as data, without any rule or validator: all that listing and options need. */
import type { ClauseData } from "../check/catalogue.ts";
import { shippedClauses } from "./clause-data.ts";

/**
 * The data of all documents. UserError for users' own that cannot be read.
 * @param documents paths of users' own: folders, or OpenAPI files
 */
export async function openClauses(documents: readonly string[] = []): Promise<ClauseData> {
  if (documents.length === 0) return shippedClauses;
  return (await import("./with-documents.ts")).clausesWith(documents);
}
