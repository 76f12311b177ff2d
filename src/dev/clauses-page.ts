/** `npm run clauses:page`: writes the page of all clauses next to their files, and the schema of these files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clausesFileSchema } from "../check/laws/law-schema.ts";
import { home } from "../home.ts";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { interfaces } from "../interfaces/index.ts";
import { clausesPage } from "./page.ts";

writeFileSync(
  join(home, "schemas", "README.md"),
  clausesPage(
    shippedClauses.clauses,
    interfaces.map(({ name }) => name),
  ),
);

writeFileSync(
  join(home, "schemas", "formats", "clauses.schema.json"),
  `${JSON.stringify(clausesFileSchema(), null, 2)}\n`,
);
