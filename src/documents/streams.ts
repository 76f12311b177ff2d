/** Finds the schemas of what the events of a stream carry, where documents describe streams oddly too. */
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";
import { nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";

/** The members of a server-sent event: a schema of these describes the event, not its data. */
const ofEvents = new Set(["event", "data", "id", "retry"]);

/** A kind of events of a stream. */
export interface StreamEvents {
  /** What their `event:` lines say; undefined if the document does not say. */
  readonly names: readonly string[] | undefined;
  /** Whether that line may not be missing. */
  readonly isNamed: boolean;
  /** Where the document describes the line, or else the event. */
  readonly at: string;
  /** Pointer of the schema of their data; undefined if nothing is said of it. */
  readonly data: string | undefined;
}

/**
 * The kinds of events in a body of events: each event is of one. None if nothing is known of them.
 * @param isSse whether a schema may describe the fields of a server-sent event around its data
 */
export function streamEventsOf(doc: OpenApi, media: string, isSse: boolean): readonly StreamEvents[] {
  const read = isSse ? eventsOf : (_doc: OpenApi, pointer: string) => [unnamed(pointer)];
  // OpenAPI 3.2 has a keyword of its own for the items of a stream.
  for (const keyword of ["itemSchema", "schema"]) {
    const pointer = `${media}/${keyword}`;
    const schema = resolved(doc, pointer);
    if (!schema) continue;
    const { type, items } = schema.value;
    // A string schema describes the whole stream as text, and none of its events.
    if (type === "string") return [];
    if (type === "array" && items !== undefined && (isSse || keyword === "schema"))
      return read(doc, `${schema.pointer}/items`);
    return read(doc, pointer);
  }
  return [];
}

const unnamed = (data: string): StreamEvents => ({ names: undefined, isNamed: false, at: data, data });

/** Alternatives of events that are read, those within others among them. */
const maxAlternatives = 1_000;

/** The kinds of events of a schema, which describes an event or its data; none if nothing is said of the data of one. */
function eventsOf(doc: OpenApi, pointer: string): readonly StreamEvents[] {
  const found = new Map<string, StreamEvents>();
  const seen = new Set<string>();
  const next = [pointer];
  const add = (one: StreamEvents): void => void found.set(`${one.data} ${one.names?.join(" ")}`, one);
  for (let place = next.pop(); place !== undefined; place = next.pop()) {
    if (seen.has(place)) continue;
    if (seen.size === maxAlternatives) return [];
    seen.add(place);
    const schema = resolved(doc, place);
    const alternatives = schema && alternativesOf(schema);
    if (schema && isEvent(schema.value)) {
      const data = ofEvent(doc, schema.pointer);
      const named = namesOf(doc, schema.pointer);
      if (data === "unknown" && !named.names) {
        if (place !== pointer)
          doc.contradict(pointer, "One of its events carries any text, so that the data of no event is judged.");
        return [];
      }
      if (data !== undefined || named.names) add({ ...named, data: data === "unknown" ? undefined : data });
    } else if (alternatives && describesEvents(doc, alternatives)) next.push(...[...alternatives].reverse());
    else if (schema && place !== pointer && isWithoutData(schema.value)) {
      const named = namesOf(doc, schema.pointer);
      if (named.names) add({ ...named, data: undefined });
    } else add(unnamed(place));
  }
  return [...found.values()];
}

/** What the `event:` line of an event says. */
function namesOf(doc: OpenApi, event: string): Omit<StreamEvents, "data"> {
  const line = resolved(doc, `${event}/properties/event`);
  const required = doc.at(`${event}/required`);
  const isNamed = Array.isArray(required) && required.includes("event");
  const { const: constant, enum: values } = line?.value ?? {};
  const listed = typeof constant === "string" ? [constant] : Array.isArray(values) ? values : [];
  const names = listed.length > 0 && listed.every((one) => typeof one === "string") ? (listed as string[]) : undefined;
  return { names, isNamed, at: line?.pointer ?? event };
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
export function streamEventsBeside(doc: OpenApi, operation: string): readonly StreamEvents[] {
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
      return eventsOf(doc, place);
  }
  return [];
}
