/** Finds the schema of what an event of a stream carries, where documents describe streams oddly too. */
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";
import { nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";

/** The members of a server-sent event: a schema of these describes the event, not its data. */
const ofEvents = new Set(["event", "data", "id", "retry"]);

/**
 * Where the schemas of one event's data are, of a body of events: each event obeys one. None if nothing is known of it.
 * @param isSse whether a schema may describe the fields of a server-sent event around its data
 */
export function streamSchemasOf(doc: OpenApi, media: string, isSse: boolean): readonly string[] {
  const read = isSse ? dataOf : (_doc: OpenApi, pointer: string) => [pointer];
  // OpenAPI 3.2 has a keyword of its own for the items of a stream.
  for (const keyword of ["itemSchema", "schema"]) {
    const pointer = `${media}/${keyword}`;
    const schema = resolved(doc, pointer);
    if (!schema) continue;
    const { type, items } = schema.value;
    // A text is the whole stream, of which nothing is said.
    if (type === "string") return [];
    if (type === "array" && items !== undefined && (isSse || keyword === "schema"))
      return read(doc, `${schema.pointer}/items`);
    return read(doc, pointer);
  }
  return [];
}

/** Alternatives of events that are read, those within others among them. */
const maxAlternatives = 1_000;

/** The schemas of the data, where the one at hand describes the events around it; none if nothing is said of the data of one. */
function dataOf(doc: OpenApi, pointer: string): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const next = [pointer];
  for (let place = next.pop(); place !== undefined; place = next.pop()) {
    if (seen.has(place)) continue;
    if (seen.size === maxAlternatives) return [];
    seen.add(place);
    const schema = resolved(doc, place);
    const alternatives = schema && alternativesOf(schema);
    if (schema && isEvent(schema.value)) {
      const data = ofEvent(doc, schema.pointer);
      if (data === "unknown") {
        if (place !== pointer)
          doc.contradict(pointer, "One of its events carries any text, so that the data of no event is judged.");
        return [];
      }
      if (data !== undefined) found.add(data);
    } else if (alternatives && describesEvents(doc, alternatives)) next.push(...[...alternatives].reverse());
    else if (place === pointer || !isWithoutData(schema?.value ?? {})) found.add(place);
  }
  return [...found];
}

/** Whether events are among alternatives, or among alternatives of these. */
const describesEvents = (doc: OpenApi, alternatives: readonly string[], depth = 0): boolean =>
  depth < 4 &&
  alternatives.some((pointer) => {
    const schema = resolved(doc, pointer);
    return schema && (isEvent(schema.value) || describesEvents(doc, alternativesOf(schema), depth + 1));
  });

/** The schema of an event's data; undefined if it is the text that ends a stream, `unknown` if any text may be there. */
function ofEvent(doc: OpenApi, event: string): string | "unknown" | undefined {
  const data = resolved(doc, `${event}/properties/data`);
  if (!data) return doc.at(`${event}/properties/data`) === undefined ? undefined : "unknown";
  const { type, const: constant, enum: values, contentSchema } = data.value;
  const listed = "const" in data.value ? [constant] : Array.isArray(values) ? values : [];
  if (listed.length > 0 && listed.every((value) => typeof value === "string" && /^\[.*\]$/.test(value)))
    return undefined;
  if (type !== "string") return `${event}/properties/data`;
  // A text may be JSON, which is described apart.
  return isObject(contentSchema) ? `${data.pointer}/contentSchema` : "unknown";
}

/** Whether a schema describes a whole event. */
function isEvent({ properties }: Readonly<Record<string, unknown>>): boolean {
  if (!isObject(properties) || !("data" in properties)) return false;
  return Object.keys(properties).every((name) => ofEvents.has(name));
}

/** Whether a schema among those of events describes one that carries no data. */
const isWithoutData = ({ properties }: Readonly<Record<string, unknown>>): boolean =>
  isObject(properties) && "event" in properties && Object.keys(properties).every((name) => ofEvents.has(name));

/** Pointers of the alternatives of a schema. */
const alternativesOf = ({ pointer, value }: NonNullable<ReturnType<typeof resolved>>): string[] =>
  ["oneOf", "anyOf"].flatMap((keyword) => {
    const list = value[keyword];
    return Array.isArray(list) ? [...list.keys()].map((i) => `${pointer}/${keyword}/${i}`) : [];
  });

function resolved(doc: OpenApi, pointer: string) {
  const [place] = nodeOf(doc, [pointer]).sources;
  const value = doc.at(place!);
  return isObject(value) ? { pointer: place!, value } : undefined;
}

/** Where a vendor's extension of an operation describes its stream. */
export function streamSchemasBeside(doc: OpenApi, operation: string): readonly string[] {
  const value = doc.at(operation);
  if (!isObject(value)) return [];
  for (const [name, extension] of Object.entries(value)) {
    if (!/^x-.*stream/i.test(name) || !isObject(extension)) continue;
    const found = Object.entries(extension).find(
      ([member, schema]) => /stream|event|chunk/i.test(member) && isObject(schema),
    );
    if (!found) continue;
    const place = `${operation}/${escapeToken(name)}/${escapeToken(found[0])}`;
    const schema = found[1] as Readonly<Record<string, unknown>>;
    if (typeof schema["$ref"] === "string" || "type" in schema || "oneOf" in schema || "anyOf" in schema)
      return dataOf(doc, place);
  }
  return [];
}
