/** Clauses, readings, schemas and rules speak of the same things. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSchemas } from "../check/schema-files.ts";
import { home } from "../home.ts";
import { shippedClauses } from "./clause-data.ts";
import { interfaces } from "./index.ts";

const clauses = shippedClauses.clauses;
const known = shippedClauses.readings;
const readings = new Set(Object.keys(known));
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
const inCode = ["interfaces", "check", "run"].flatMap((folder) =>
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

test("every reading belongs to a clause, so that the list of clauses shows it, or to a run, a gateway or documents of users", () => {
  const shown = new Set(clauses.flatMap((clause) => clause.readings));
  const lost = Object.entries(known).filter(([id, { of }]) => shown.has(id) === (of !== undefined));
  expect(lost.map(([id]) => id)).toEqual([]);
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

test("the text of a clause is one sentence", () => {
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

/** Clauses of several interfaces that say the same thing, and how each calls it there. */
const alike: Readonly<Record<string, readonly string[]>> = {
  "a member stands once in its object": [
    "chat-completions.request.duplicate-keys",
    "chat-completions.response.duplicate-keys",
    "generate-content.request.duplicate-keys",
    "generate-content.response.duplicate-keys",
    "images.request.duplicate-members",
    "images.response.duplicate-members",
    "messages.request.duplicate-keys",
    "messages.response.duplicate-keys",
  ],
  "requests hold documented members only": [
    "chat-completions.request.unknown-members",
    "generate-content.request.unknown-members",
    "images.edits.unknown-members",
    "images.generations.unknown-members",
    "images.variations.unknown-members",
    "messages.request.unknown-members",
  ],
  "replies hold documented members only": [
    "chat-completions.response.unknown-members",
    "chat-completions.streaming.unknown-members",
    "generate-content.response.unknown-members",
    "images.response.unknown-members",
    "messages.response.unknown-members",
  ],
  "replies come under their media type": [
    "chat-completions.response.media-type",
    "generate-content.response.media-type",
    "images.response.media-type",
    "messages.response.media-type",
  ],
  "success is status 200": [
    "generate-content.response.success-status",
    "images.response.status-200",
    "messages.response.status-200",
  ],
  "an error has a status of 400 or above": ["chat-completions.errors.failure-status", "images.errors.failure-status"],
  "a request without a key fails": [
    "chat-completions.auth.missing-key-fails",
    "generate-content.auth.missing-key-status",
    "images.auth.missing-key",
    "messages.auth.missing-key-refused",
  ],
  "a broken request is refused": [
    "chat-completions.errors.invalid-request-refused",
    "generate-content.request.invalid-refused",
    "images.errors.invalid-refused",
    "messages.errors.invalid-request-refused",
  ],
  "the last event is closed by a blank line": [
    "chat-completions.streaming.ends-with-blank-line",
    "generate-content.streaming.blank-line",
    "messages.streaming.blank-line",
  ],
  "no error comes in a stream": [
    "chat-completions.streaming.no-error-event",
    "generate-content.streaming.no-error-event",
    "messages.streaming.error-event",
  ],
  "base64 is canonical": [
    "chat-completions.response.audio-data-canonical",
    "images.response.b64-json-canonical",
    "messages.content.image-data-canonical",
  ],
};

test.each(Object.entries(alike))("that %s weighs the same in all interfaces", (_says, ids) => {
  const found = ids.map((id) => clauses.find((clause) => clause.id === id));
  expect(new Set(found.map((clause) => `${clause?.level} ${clause?.basis}`)).size).toBe(1);
});

test("one sentence has one level", () => {
  const levels = new Map<string, Set<string>>();
  for (const { says, level, basis, kind } of clauses)
    if (kind !== "unobservable") levels.set(says, (levels.get(says) ?? new Set()).add(`${level} ${basis}`));
  expect([...levels].filter(([, of]) => of.size > 1)).toEqual([]);
});

test.each(interfaces.map(({ name }) => name))(
  "what stands in the folder of %s is a section or serves all of them",
  (name) => {
    const filesOf = (...folder: string[]): string[] =>
      readdirSync(join(home, ...folder, name)).filter((file) => !/\.(test|test-kit)\.ts$/.test(file));
    const sections = filesOf("schemas").flatMap((file) => /^(.+)\.clauses\.json$/.exec(file)?.[1] ?? []);
    const known = [...sections, "index", "reading", "examples", "facts"];
    expect(filesOf("src", "interfaces").filter((file) => !known.includes(file.replace(/\.ts$/, "")))).toEqual([]);
  },
);
