/** Asks the documents' schemas about a place: which members they name there, which values they list, and which clause says so. */
import { join, posix } from "node:path";
import type { Catalogue } from "../check/catalogue.ts";
import type { Owners } from "../check/schema.ts";
import { home } from "../home.ts";
import { readJsonFile } from "../json-file.ts";
import { isObject } from "../wire/json.ts";

type Node = Readonly<Record<string, unknown>>;

/** Returns the schema file of an id. */
export type SchemaFiles = (id: string) => Node;

/** A subschema and the file it stands in, against which its references are read. */
interface Located {
  readonly node: Node;
  readonly file: string;
  readonly files: SchemaFiles;
}

/** All subschemas that speak of one place; none where the documents do not know it. */
export interface Described {
  readonly parts: readonly Located[];
  /** The value there is made up by clients, whatever a schema says of it. */
  readonly ofClients: boolean;
  /** The schema of the request, for a reply: servers send back some of its members. */
  readonly asked?: Described;
}

export const undocumented: Described = { parts: [], ofClients: false };

const shipped = new Map<string, Node>();

function shippedFile(id: string): Node {
  const known = shipped.get(id);
  if (known) return known;
  const path = join(home, "schemas", id);
  const read = readJsonFile(path, path, "Install touchstone again.") as Node;
  shipped.set(id, read);
  return read;
}

/** The schema files of a catalogue. Those that ship with touchstone are read one at a time. */
export function schemaFilesOf({ own, sources }: Pick<Catalogue, "own" | "sources">): SchemaFiles {
  if (own.size === 0) return shippedFile;
  const all = new Map(sources().map(({ path, content }) => [`/${path}`, nodeOf(content)]));
  return (id) => all.get(id) ?? {};
}

/** Schemas such as `true` say that something may stand there. */
const nodeOf = (schema: unknown): Node => (isObject(schema) ? schema : {});

function follow({ node, file, files }: Located): { readonly id: string; readonly target: Located } | undefined {
  const reference = node["$ref"];
  if (typeof reference !== "string") return undefined;
  const [id = "", path = ""] = reference.split("#", 2);
  const into = posix.resolve(posix.dirname(file), id || file);
  let target: unknown = files(into);
  for (const step of path.split("/").slice(1)) target = nodeOf(target)[step];
  return { id: into, target: { node: nodeOf(target), file: into, files } };
}

const own = (table: unknown, name: string): unknown =>
  isObject(table) && Object.hasOwn(table, name) ? table[name] : undefined;

/** A condition on the value of one member: its name, the values that meet it, and whether its absence does. */
interface Condition {
  readonly member: string;
  readonly values: readonly unknown[];
  readonly absent: boolean;
}

function conditionOf(test: unknown): Condition | undefined {
  const properties = Object.entries(nodeOf(nodeOf(test)["properties"]));
  const [member, schema] = properties[0] ?? [];
  if (properties.length !== 1 || member === undefined || !isObject(schema)) return undefined;
  const { required } = nodeOf(test);
  const absent = !(Array.isArray(required) && required.includes(member));
  if ("const" in schema) return { member, values: [schema["const"]], absent };
  return Array.isArray(schema["enum"]) ? { member, values: schema["enum"], absent } : undefined;
}

const isMet = ({ member, values, absent }: Condition, chosen: Chosen): boolean =>
  chosen.get(member) === undefined ? absent : values.includes(chosen.get(member));

/** The variant of an object: the values of its discriminating members. */
export type Chosen = ReadonlyMap<string, unknown>;

/**
 * Gathers what `$ref`, `allOf` and conditions lead to. Conditions on a discriminating member are decided by `chosen`, and
 * passed over without it; all others count as met and not met.
 */
function gather(start: readonly Located[], ofClients: readonly string[], chosen?: Chosen): Described {
  const parts: Located[] = [];
  let free = false;
  const open = [...start].reverse();
  for (let part = open.pop(); part; part = open.pop()) {
    const { node, file, files } = part;
    if (parts.some((known) => known.node === node)) continue;
    parts.push(part);
    const referred = follow(part);
    if (referred) {
      free ||= ofClients.includes(referred.id);
      open.push(referred.target);
    }
    for (const child of (node["allOf"] as unknown[] | undefined) ?? []) open.push({ node: nodeOf(child), file, files });
    if (!("if" in node)) continue;
    const condition = conditionOf(node["if"]);
    const branches = !condition ? ["then", "else"] : chosen ? [isMet(condition, chosen) ? "then" : "else"] : [];
    for (const branch of branches) if (branch in node) open.push({ node: nodeOf(node[branch]), file, files });
  }
  return { parts, ofClients: free };
}

/** The description that a whole schema file gives. @param ofClients ids of schemas of what clients make up */
export const describedBy = (id: string, ofClients: readonly string[], files: SchemaFiles): Described =>
  gather([{ node: files(id), file: id, files }], ofClients);

/** Members by whose values the schemas tell variants of an object apart, such as `type`; sorted. */
export function discriminatorsOf({ parts }: Described): readonly string[] {
  const names = new Set<string>();
  for (const { node } of parts) {
    const condition = "if" in node ? conditionOf(node["if"]) : undefined;
    if (condition?.values.some((value) => typeof value === "string")) names.add(condition.member);
  }
  return [...names].sort();
}

/** The description of an object whose discriminating members have these values. */
export const variantOf = (described: Described, chosen: Chosen, owned: readonly string[]): Described =>
  described.ofClients
    ? described
    : { ...gather(described.parts, owned, chosen), ...(described.asked && { asked: described.asked }) };

const mayBeObject = ({ parts }: Described): boolean =>
  parts.some(({ node }) => [node["type"]].flat().includes("object"));

/** Whether a member is an object whose members clients name, as that of a request which they label. */
const isMapOfClients = (member: Described): boolean =>
  mayBeObject(member) && isFree(member, "properties") && discriminatorsOf(member).length === 0;

/** The description of a member; none if the schemas do not name it, except that a map of the request may come back. */
export function memberOf({ parts, asked }: Described, name: string, ofClients: readonly string[]): Described {
  const found = parts.flatMap(({ node, file, files }) => {
    const schema = own(node["properties"], name);
    return schema === undefined ? [] : [{ node: nodeOf(schema), file, files }];
  });
  if (found.length > 0) return gather(found, ofClients);
  return asked && isMapOfClients(memberOf(asked, name, ofClients)) ? { parts: [], ofClients: true } : undocumented;
}

/** The description of the items of a list. */
export function itemsOf({ parts }: Described, ofClients: readonly string[]): Described {
  return gather(
    parts.flatMap(({ node, file, files }) => ("items" in node ? [{ node: nodeOf(node["items"]), file, files }] : [])),
    ofClients,
  );
}

/** Whether what an object or a list holds there is content: the documents know it, and say nothing of what it holds. */
export const isFree = ({ parts, ofClients }: Described, holds: "properties" | "items"): boolean =>
  ofClients || (parts.length > 0 && !parts.some(({ node }) => holds in node));

/** Whether the documents list the values, or one of them, that may stand there. */
export const isEnumerated = ({ parts }: Described): boolean =>
  parts.some(({ node }) => typeof node["const"] === "string" || nodeHasTexts(node["enum"]));

const nodeHasTexts = (values: unknown): boolean =>
  Array.isArray(values) && values.some((value) => typeof value === "string");

/** Whether a number there has to be whole. */
export function wantsIntegers({ parts }: Described): boolean {
  const types = parts.flatMap(({ node }) => node["type"] ?? []).flat();
  return types.includes("integer") && !types.includes("number");
}

/** The clause that owns one of these keywords there, the first of them that has an owner. */
export function clauseAt({ parts }: Described, keywords: readonly string[], member?: string): string | undefined {
  for (const keyword of keywords)
    for (const { node } of parts) {
      const owner = (node["clause"] as Owners | undefined)?.[keyword];
      const clause = typeof owner === "object" ? (member === undefined ? undefined : own(owner, member)) : owner;
      if (typeof clause === "string") return clause;
    }
  return undefined;
}
