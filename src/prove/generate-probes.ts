/** Build step: writes `dist/generated/probes.json`, so that no run makes its probes at start. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeProbes } from "../check/probe.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { groundOf } from "./ground.ts";
import { probesOf } from "./probes.ts";

const catalogue = await openCatalogue();
writeFileSync(
  join(home, "dist", "generated", "probes.json"),
  writeProbes(probesOf(catalogue, await groundOf(catalogue))),
);
