/** Folders with documents of one's own, for tests. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a folder that describes one operation, whose requests have a member that is a text. */
export function describedIn(folder: string, name: string, operation: string, member: string): string {
  const at = join(folder, name);
  mkdirSync(at, { recursive: true });
  const write = (file: string, content: object): void => writeFileSync(join(at, file), JSON.stringify(content));
  write("interface.json", {
    name,
    document: `our ${name}`,
    operations: [{ name: operation, schemas: { request: "request.schema.json" } }],
  });
  write("request.clauses.json", {
    document: `our ${name}`,
    clauses: [{ name: `${member}-type`, at: "Body", says: "It is a text.", on: "request", level: "must" }],
  });
  write("request.schema.json", {
    properties: { [member]: { type: "string", clause: { type: `${name}.request.${member}-type` } } },
  });
  return at;
}
