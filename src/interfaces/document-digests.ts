/** Computes digests of the documents that ship with touchstone. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clause } from "../check/clause.ts";
import { compare } from "../check/finding-order.ts";
import { home } from "../home.ts";

/** Document name to the SHA-256 of the clause and schema files that restate it. */
export function digestsOf(clauses: readonly Clause[]): Record<string, string> {
  // Loaded late: judges open a catalogue without asking for digests.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const folders = new Map<string, Set<string>>();
  for (const { document, interface: of } of clauses)
    folders.set(document.name, (folders.get(document.name) ?? new Set()).add(of));
  const digests: Record<string, string> = {};
  for (const [document, names] of [...folders].sort(([a], [b]) => compare(a, b))) {
    const hash = createHash("sha256");
    for (const name of [...names].sort(compare)) {
      const folder = join(home, "schemas", name);
      for (const file of readdirSync(folder).sort())
        hash.update(`${name}/${file}\n`).update(readFileSync(join(folder, file)));
    }
    digests[document] = hash.digest("hex");
  }
  return digests;
}
