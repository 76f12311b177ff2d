/** One JSON document, indented, with a line feed at its end. */
import type { Results } from "./options.ts";

export function formatJson(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}
