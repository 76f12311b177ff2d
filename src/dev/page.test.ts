/** The page of clauses is what the clauses make it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../home.ts";
import { loadClauses } from "../interfaces/clause-data.ts";
import { interfaces } from "../interfaces/index.ts";
import { clausesPage } from "./page.ts";

const names = interfaces.map(({ name }) => name);

test("schemas/README.md is up to date; npm run clauses:page writes it", () => {
  expect(readFileSync(join(home, "schemas", "README.md"), "utf8") === clausesPage(loadClauses(), names)).toBe(true);
});

test("every clause has one row, whatever its sentence holds", () => {
  const [first] = loadClauses();
  const page = clausesPage([{ ...first!, says: "A | b_c <d>." }], names);
  const rows = page.split("\n").filter((line) => line.startsWith(`| \`${first!.id}\``));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain("A \\| b_c \\<d>.");
});
