/** `npm run cases:violations`: writes the clauses that cases violate into `src/cases/violations.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { violationsOf, violationsText } from "./violations.ts";

const { violations } = violationsOf(await openCatalogue());
writeFileSync(join(home, "src", "cases", "violations.ts"), violationsText(violations));
