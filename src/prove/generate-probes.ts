/** Build step: writes `dist/generated/probes.json`, so that no run makes its probes at start; only where what they are made from changed. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeProbes } from "../check/probe.ts";
import { home } from "../home.ts";

const generated = join(home, "dist", "generated");

/** The digest of everything that probes are made from: compiled rules and examples, clauses and schemas. */
function digestOfSources(): string {
  const hash = createHash("sha256");
  const folders = ["check", "interfaces", "prove", "wire"].map((room) => join(home, "dist", "src", room));
  for (const folder of [...folders, join(home, "schemas")])
    for (const entry of (readdirSync(folder, { recursive: true, encoding: "utf8" }) as string[]).sort())
      if (/\.js(on)?$/.test(entry) && !/\.(test|test-kit)\.js$/.test(entry))
        hash.update(`${entry}\0`).update(readFileSync(join(folder, entry)));
  return hash.digest("hex");
}

const file = join(generated, "probes.json");
const stamp = join(generated, "probes.sha256");
const digest = digestOfSources();
if (!existsSync(file) || !existsSync(stamp) || readFileSync(stamp, "utf8") !== digest) {
  const { loadCatalogue } = await import("../interfaces/catalogue.ts");
  const { probesOf } = await import("./probes.ts");
  writeFileSync(file, writeProbes(probesOf(await loadCatalogue())));
  writeFileSync(stamp, digest);
}
