/** The page of clauses is what the clauses make it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clausesFileSchema } from "../check/laws/law-schema.ts";
import { home } from "../home.ts";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { interfaces } from "../interfaces/index.ts";
import { clausesPage } from "./page.ts";

const names = interfaces.map(({ name }) => name);

test("schemas/README.md is up to date; npm run clauses:page writes it", () => {
  expect(readFileSync(join(home, "schemas", "README.md"), "utf8") === clausesPage(shippedClauses.clauses, names)).toBe(
    true,
  );
});

test("clauses.schema.json is up to date; npm run clauses:page writes it", () => {
  const text = readFileSync(join(home, "schemas", "formats", "clauses.schema.json"), "utf8");
  expect(text).toBe(`${JSON.stringify(clausesFileSchema(), null, 2)}\n`);
});

test("the README counts clauses as they are", () => {
  const readme = readFileSync(join(home, "README.md"), "utf8");
  const clauses = shippedClauses.clauses;
  const count = (counts: (clause: (typeof clauses)[number]) => boolean): string =>
    clauses.filter(counts).length.toLocaleString("en");
  const decidable = count(({ kind }) => kind !== "unobservable");
  expect(readme).toContain(`touchstone holds them as ${count(() => true)} clauses`);
  for (const row of [
    `| ${count(() => true)} | clauses: ${count(({ basis }) => basis === "document")} statements of the three documents, and ${count(({ basis }) => basis === "field")} conventions`,
    `| ${count(({ kind }) => kind === "unobservable")} | clauses that traffic cannot show`,
    `| ${decidable} | clauses that can be decided: ${count(({ kind }) => kind === "shape")} by JSON Schema, ${count(({ kind }) => kind === "behaviour")} by rules`,
    `| ${count(({ kind, on }) => kind !== "unobservable" && on === "request")} | of these are about requests`,
    `| ${count(({ kind, on }) => kind !== "unobservable" && on !== "request")} | of these are about answers`,
  ])
    expect(readme).toContain(row);
});

test("every clause has one row, whatever its sentence holds", () => {
  const [first] = shippedClauses.clauses;
  const page = clausesPage([{ ...first!, says: "A | b_c <d>." }], names);
  const rows = page.split("\n").filter((line) => line.startsWith(`| \`${first!.id}\``));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain("A \\| b_c \\<d>.");
});
