/** `npm run clauses:page`: writes the page of all clauses beside their files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
