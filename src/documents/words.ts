/** Words derived clauses: one plain sentence for each keyword of a schema. */
import { createHash } from "node:crypto";
import { tokensOf } from "../wire/pointer.ts";
import type { TypeName } from "./json-types.ts";

/** A place within a body, as sentences and ids name it. */
export interface Path {
  /** Steps of the id: `["data", "items", "index"]`. */
  readonly steps: readonly string[];
  /** As sentences quote it: `data[].index`; empty for the whole. */
  readonly members: string;
  /** What the members belong to: `the request body`, or the name of a schema. */
  readonly of: string;
  /** Whether `of` is worth naming behind a member. */
  readonly named: boolean;
}

export const memberOf = (path: Path, name: string): Path => ({
  ...path,
  steps: [...path.steps, name],
  members: path.members === "" ? name : `${path.members}.${name}`,
});

export const itemOf = (path: Path): Path => ({
  ...path,
  steps: [...path.steps, "items"],
  members: `${path.members}[]`,
});

export const entryOf = (path: Path): Path => ({
  ...path,
  steps: [...path.steps, "values"],
  members: `${path.members}{}`,
});

const componentKinds: Readonly<Record<string, string>> = {
  schemas: "",
  responses: "the response ",
  requestBodies: "the request body ",
};

/** How a place within a component of the document is named; undefined for all others. */
export function pathOfPointer(pointer: string): Path | undefined {
  const [, kind = "", token, rest] = /^\/components\/(\w+)\/([^/]+)(.*)$/s.exec(pointer) ?? [];
  const called = componentKinds[kind];
  if (token === undefined || called === undefined) return undefined;
  const [name] = tokensOf(`/${token}`) as [string];
  let place: Path = { steps: [kebab(name)], members: "", of: `${called}${name}`, named: true };
  const tokens = tokensOf(rest!);
  for (let i = kind === "schemas" ? 0 : 2; i < tokens.length; i++)
    if (tokens[i] === "properties") place = memberOf(place, tokens[++i] ?? "");
    else if (tokens[i] === "items") place = itemOf(place);
    else if (tokens[i] === "additionalProperties" || tokens[i] === "patternProperties") place = entryOf(place);
  return place;
}

/** Letters of an id that come from one name; a longer name is cut, and a digest of the whole name follows. */
const maxLetters = 200;

/** Letters of a name as ids spell them: `ListModelsResponse` is `list-models-response`. */
export function kebab(text: string): string {
  const letters = text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (letters.length <= maxLetters) return letters;
  return `${letters.slice(0, maxLetters / 2)}-${createHash("sha256").update(letters).digest("hex").slice(0, 8)}`;
}

/** Characters of a name or value that a sentence quotes. */
const maxQuoted = 60;
const clipped = (text: string): string => (text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text);

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Returns a function that gives each name once: `name`, then `name-2` and so on. */
export function createNaming(): (base: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (base) => {
    let count = counts.get(base) ?? 0;
    let name: string;
    do name = ++count === 1 ? base : `${base}-${count}`;
    while (taken.has(name));
    counts.set(base, count);
    taken.add(name);
    return name;
  };
}

/** The subject of a sentence: "`data[].index`", "Each item of `data`", "The request body". */
export function subjectOf({ members, of, named }: Path): string {
  const owner = named ? ` of ${of}` : "";
  const quoted = (text: string): string =>
    text === "" ? of : `\`${clipped(text.replace(/^(?:\[\])+\./, "").replaceAll("`", ""))}\`${owner}`;
  if (members.endsWith("[]")) return `Each item of ${quoted(members.slice(0, -2))}`;
  if (members.endsWith("{}")) return `Each member of ${quoted(members.slice(0, -2))}`;
  return members === "" ? capital(of) : quoted(members);
}

const typeWords: Readonly<Record<TypeName, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

const or = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** Values that a sentence lists. */
const maxListed = 8;

function oneOf(values: readonly unknown[]): string {
  if (values.length > maxListed) return `one of ${values.length} listed values`;
  return or(values.map((value) => clipped(JSON.stringify(value))));
}

const count = (n: unknown, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

const formatWords: Readonly<Record<string, string>> = {
  date: "a date (2024-12-31)",
  "date-time": "a date and time with its zone (2024-12-31T23:59:59Z)",
  time: "a time with its zone (23:59:59Z)",
  email: "an email address",
  hostname: "a host name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  uri: "an absolute address",
  uuid: "a UUID",
  base64: "base64",
};

type Say = (value: never, path: Path) => string;

const demands: Readonly<Record<string, Say>> = {
  type: (types: TypeName | readonly TypeName[]) => `is ${or([types].flat().map((type) => typeWords[type]))}`,
  enum: (values: readonly unknown[]) => `is ${oneOf(values)}`,
  const: (value: unknown) => `is ${clipped(JSON.stringify(value))}`,
  minimum: (n: number) => `is at least ${n}`,
  maximum: (n: number) => `is at most ${n}`,
  exclusiveMinimum: (n: number) => `is more than ${n}`,
  exclusiveMaximum: (n: number) => `is less than ${n}`,
  multipleOf: (n: number) => `is a multiple of ${n}`,
  minLength: (n: number) => `has at least ${count(n, "character")}`,
  maxLength: (n: number) => `has at most ${count(n, "character")}`,
  pattern: (text: string) => `matches the pattern ${clipped(text)}`,
  format: (name: string) => `is ${formatWords[name] ?? name}`,
  minItems: (n: number) => `has at least ${count(n, "item")}`,
  maxItems: (n: number) => `has at most ${count(n, "item")}`,
  uniqueItems: () => "has no item twice",
  minProperties: (n: number) => `has at least ${count(n, "member")}`,
  maxProperties: (n: number) => `has at most ${count(n, "member")}`,
  method: (methods: readonly string[]) => `is ${clipped(or(methods))}`,
  event: (names: readonly string[]) => `is ${clipped(or(names))}`,
  status: (statuses: readonly string[]) => `is ${clipped(or(statuses))}`,
  json: () => "is JSON",
  present: () => "is present",
  media: (types: readonly string[]) => `is sent as ${clipped(or(types))}`,
  readOnly: () => "is not sent",
  writeOnly: () => "is not returned",
  closed: () => "has documented members only",
  either: (names: readonly string[]) => `has ${or(names.map((name) => `\`${name}\``))}`,
  alternatives: (count: number) => `fits one of its ${count} alternatives`,
  dependentRequired: (needs: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(needs)
      .map(([name, others]) => `has ${others.map((other) => `\`${other}\``).join(", ")} wherever it has \`${name}\``)
      .join(", and "),
};

/** What a keyword demands, in a sentence. */
export function sentenceOf(path: Path, keyword: string, value: unknown): string {
  if (keyword === "required") return `${subjectOf(memberOf(path, String(value)))} is present.`;
  return `${subjectOf(path)} ${demands[keyword]?.(value as never, path) ?? `follows ${keyword}`}.`;
}

/** What is left undecided, in a sentence. */
export const opaqueSentence = (path: Path, keyword: string): string =>
  `${subjectOf(path)} follows the document's ${keyword}.`;
