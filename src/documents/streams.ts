/** Finds the schema of what an event of a stream carries, where documents describe streams oddly too. */
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";
import { nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";

/** The members of a server-sent event: a schema of these describes the event, not its data. */
const ofEvents = new Set(["event", "data", "id", "retry"]);

/** Where the schema of one event's data stands, of a `text/event-stream` body; undefined where there is none. */
export function streamSchemaOf(doc: OpenApi, media: string): string | undefined {
  // OpenAPI 3.2 has a keyword of its own for the items of a stream.
  for (const keyword of ["itemSchema", "schema"]) {
    const pointer = `${media}/${keyword}`;
    const schema = resolved(doc, pointer);
    if (!schema) continue;
    const { type, items } = schema.value;
    // A text is the whole stream, of which nothing is said.
    if (type === "string") return undefined;
    if (type === "array" && items !== undefined) return dataOf(doc, `${schema.pointer}/items`);
    return dataOf(doc, pointer);
  }
  return undefined;
}

/** The schema of the data, where the one at hand describes the event around it; undefined where nothing is said of the data. */
function dataOf(doc: OpenApi, pointer: string): string | undefined {
  const schema = resolved(doc, pointer);
  if (!schema) return pointer;
  if (!isEvent(schema.value)) {
    if (!alternativesOf(doc, schema).some((one) => one && isEvent(one.value))) return pointer;
    doc.contradict(pointer, "Its alternatives describe events instead of their data, which is not read.");
    return undefined;
  }
  const data = resolved(doc, `${schema.pointer}/properties/data`);
  if (data?.value["type"] !== "string") return `${schema.pointer}/properties/data`;
  // A text may be JSON, which is described apart.
  return isObject(data.value["contentSchema"]) ? `${data.pointer}/contentSchema` : undefined;
}

/** Whether a schema describes a whole event. */
function isEvent({ properties }: Readonly<Record<string, unknown>>): boolean {
  if (!isObject(properties) || !("data" in properties)) return false;
  return Object.keys(properties).every((name) => ofEvents.has(name));
}

function alternativesOf(doc: OpenApi, { pointer, value }: NonNullable<ReturnType<typeof resolved>>) {
  return ["oneOf", "anyOf"].flatMap((keyword) => {
    const list = value[keyword];
    return Array.isArray(list) ? [...list.keys()].map((i) => resolved(doc, `${pointer}/${keyword}/${i}`)) : [];
  });
}

function resolved(doc: OpenApi, pointer: string) {
  const [place] = nodeOf(doc, [pointer]).sources;
  const value = doc.at(place!);
  return isObject(value) ? { pointer: place!, value } : undefined;
}

/** Where a vendor's extension of an operation describes its stream. */
export function streamSchemaBeside(doc: OpenApi, operation: string): string | undefined {
  const value = doc.at(operation);
  if (!isObject(value)) return undefined;
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
  return undefined;
}
