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

/** The schema of the data, where the one at hand describes the event around it. */
function dataOf(doc: OpenApi, pointer: string): string {
  const schema = resolved(doc, pointer);
  const properties = schema?.value["properties"];
  if (!schema || !isObject(properties) || !("data" in properties)) return pointer;
  if (!Object.keys(properties).every((name) => ofEvents.has(name))) return pointer;
  return `${schema.pointer}/properties/data`;
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
