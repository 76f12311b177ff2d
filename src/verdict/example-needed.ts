/** What a clause lacks if a target refused requests that were made up from a document of a user. */

const lead = "an example in the document of a request that the target takes: it refuses made-up values for ";

/** The reason for no verdict. @param operation such as `GET /jobs/{id}` */
export const exampleNeeded = (operation: string): string => `${lead}${operation}`;

/** The operation that an example is needed of; undefined for other reasons. */
export const operationWithoutExample = (reason: string): string | undefined =>
  reason.startsWith(lead) ? reason.slice(lead.length) : undefined;
