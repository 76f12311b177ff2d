/** Clauses, readings, schemas and rules speak of the same things. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSchemas } from "../check/generate.ts";
import { home } from "../home.ts";
import { loadClauses, loadReadings } from "./clause-data.ts";
import { interfaces } from "./index.ts";

const clauses = loadClauses();
const readings = new Set(Object.keys(loadReadings()));
const isId = /^[XCIMG]-[A-Z0-9-]+$/;

/** Every subschema of a value, with whatever it says of readings and clauses. */
function* nodesOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

const graded = readSchemas()
  .filter(({ path }) => path.endsWith(".schema.json") && !path.startsWith("formats/"))
  .flatMap(({ path, content }) =>
    [...nodesOf(content)].flatMap(({ reading, clause }) => {
      const id = (reading as { id?: unknown } | undefined)?.id;
      return typeof id === "string" ? [{ path, id, clause }] : [];
    }),
  );

/** Reading ids that the source of a rule or of judging writes out. */
const inCode = ["interfaces", "check"].flatMap((folder) =>
  readdirSync(join(home, "src", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...readFileSync(join(home, "src", folder, file), "utf8").matchAll(/"([XCIMG]-[A-Z0-9-]+)"/g)].map(
        ([, id]) => `${id} in ${folder}/${file}`,
      ),
    ),
);

test("every reading that a clause, a schema or a rule names exists", () => {
  const named = [
    ...clauses.flatMap((clause) => clause.readings.map((id) => `${id} in ${clause.id}`)),
    ...graded.map(({ id, path }) => `${id} in ${path}`),
    ...inCode,
  ];
  expect(named.filter((entry) => !readings.has(entry.split(" ")[0]!))).toEqual([]);
  expect([...readings].filter((id) => !isId.test(id))).toEqual([]);
});

test("every reading belongs to a clause, so that the list of clauses shows it", () => {
  const shown = new Set(clauses.flatMap((clause) => clause.readings));
  expect([...readings].filter((id) => !shown.has(id))).toEqual([]);
});

test("a clause names the readings that its schema grades it by", () => {
  const named = new Map(clauses.map((clause) => [clause.id, clause.readings]));
  const owners = (clause: unknown): string[] =>
    typeof clause === "string" ? [clause] : Object.values((clause as object | undefined) ?? {}).flatMap(owners);
  const lacking = graded.flatMap(({ id, clause }) =>
    owners(clause).flatMap((owner) => (named.get(owner)?.includes(id) ? [] : [`${owner} lacks ${id}`])),
  );
  expect([...new Set(lacking)]).toEqual([]);
});

test("what a clause says is one sentence", () => {
  const odd = clauses.filter(({ says }) => !/^[^\s].*[^.]\.$/s.test(says) || /[.!?] +[A-Z]/.test(says));
  expect(odd.map(({ id, says }) => `${id}: ${says}`)).toEqual([]);
});

test.each(interfaces.map(({ name }) => name))("no two clauses of %s say the same", (name) => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  for (const { id, says, interface: of } of clauses) {
    if (of !== name) continue;
    const other = seen.get(says.toLowerCase());
    if (other !== undefined) twice.push(`${id} and ${other}: ${says}`);
    seen.set(says.toLowerCase(), id);
  }
  expect(twice).toEqual([]);
});
