/** Computes digests of the documents that a run judges by. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Interface } from "../../check/interface.ts";
import { home } from "../../home.ts";

/** Document name to the SHA-256 of the clause and schema files that restate it. */
export function documentHashes(interfaces: readonly Interface[]): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const document of [...new Set(interfaces.map((one) => one.document))].sort()) {
    const hash = createHash("sha256");
    for (const { name } of interfaces.filter((one) => one.document === document)) {
      const folder = join(home, "schemas", name);
      for (const file of readdirSync(folder).sort())
        hash.update(`${name}/${file}\n`).update(readFileSync(join(folder, file)));
    }
    hashes[document] = hash.digest("hex");
  }
  return hashes;
}
