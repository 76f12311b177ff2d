/** Finds every schema and every sample value of an OpenAPI document by walking it as it is written. */

import { samplesBesideSchema, samplesOfReplies } from "../../documents/extension-samples.ts";
import type { OpenApi } from "../../documents/openapi.ts";
import { type OperationPlace, operationPlaces, readOperation } from "../../documents/operations.ts";
import { isObject } from "../../wire/json.ts";
import { escapeToken } from "../../wire/pointer.ts";

type Json = Readonly<Record<string, unknown>>;

/** A schema, and where it stands. */
export interface SchemaPlace {
  readonly pointer: string;
  readonly schema: Json;
}

/** A value that the document gives for a schema. */
export interface Sample {
  readonly pointer: string;
  /** Pointer of the schema that the value has to obey. */
  readonly schema: string;
  readonly value: unknown;
}

export interface Places {
  readonly schemas: readonly SchemaPlace[];
  readonly samples: readonly Sample[];
  /** Each `$ref` and each target of a mapping, by its pointer. */
  readonly references: ReadonlyMap<string, string>;
}

/** Keywords that hold one schema, a list of them, or schemas by name. */
const oneSchema = new Set(
  "items additionalProperties unevaluatedProperties propertyNames not if then else contains schema".split(" "),
);
const listOfSchemas = new Set("allOf anyOf oneOf prefixItems".split(" "));
const namedSchemas = new Set("properties patternProperties $defs definitions dependentSchemas".split(" "));
/** Nothing is derived from these. */
const leftOut = new Set(["example", "examples", "default", "enum", "const", "callbacks"]);

interface Step {
  readonly value: unknown;
  readonly pointer: string;
  readonly isSchema: boolean;
}

/** All that the operations of a document lead to. */
export function placesOf(doc: OpenApi): Places {
  const schemas: SchemaPlace[] = [];
  const samples: Sample[] = [];
  const references = new Map<string, string>();
  const seen = new Set<unknown>();
  const next: Step[] = [{ value: doc.root["paths"], pointer: "/paths", isSchema: false }];
  const refer = (pointer: string, ref: string, isSchema: boolean): void => {
    references.set(pointer, ref);
    const target = doc.targetOf(ref) ?? doc.targetOf(`#/components/schemas/${ref}`);
    if (target !== undefined) next.push({ value: doc.at(target), pointer: target, isSchema });
  };
  for (let step = next.pop(); step !== undefined; step = next.pop()) {
    const { value, pointer, isSchema } = step;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) next.push({ value: item, pointer: `${pointer}/${i}`, isSchema });
      continue;
    }
    const own = value as Json;
    if (isSchema) schemas.push({ pointer, schema: own });
    samples.push(...(isSchema ? samplesOfSchema(own, pointer) : samplesOfMedia(own, pointer, doc)));
    if (typeof own["$ref"] === "string") refer(`${pointer}/$ref`, own["$ref"], isSchema);
    const mapping = isObject(own["discriminator"]) ? own["discriminator"]["mapping"] : undefined;
    for (const [name, ref] of Object.entries(isObject(mapping) ? mapping : {}))
      refer(`${pointer}/discriminator/mapping/${escapeToken(name)}`, String(ref), true);
    for (const [name, inner] of Object.entries(own)) {
      const at = `${pointer}/${escapeToken(name)}`;
      if (leftOut.has(name) || name.startsWith("x-") || name === "discriminator") continue;
      if (!isSchema) next.push({ value: inner, pointer: at, isSchema: name === "schema" });
      else if (oneSchema.has(name) || listOfSchemas.has(name)) next.push({ value: inner, pointer: at, isSchema });
      else if (namedSchemas.has(name))
        for (const [member, schema] of Object.entries(isObject(inner) ? inner : {}))
          next.push({ value: schema, pointer: `${at}/${escapeToken(member)}`, isSchema });
    }
  }
  for (const place of operationPlaces(doc)) samples.push(...samplesOfOperation(doc, place));
  return { schemas, samples, references };
}

/** Samples that extensions give for the replies of an operation. */
function samplesOfOperation(doc: OpenApi, place: OperationPlace): Sample[] {
  const good = readOperation(doc, place).replies.find(
    ({ status, json }) => status.startsWith("2") && json !== undefined,
  );
  if (!good) return [];
  return samplesOfReplies(place.pointer, doc.at(place.pointer)).map((one) => ({ ...one, schema: good.json! }));
}

function samplesOfSchema(schema: Json, pointer: string): Sample[] {
  const sample = (name: string, value: unknown): Sample => ({ pointer: `${pointer}/${name}`, schema: pointer, value });
  const { example, examples, default: fallback } = schema;
  return [
    ...(example === undefined ? [] : [sample("example", example)]),
    ...(Array.isArray(examples) ? examples.map((value, i) => sample(`examples/${i}`, value)) : []),
    // A default of null says that there is none.
    ...(fallback === undefined || fallback === null ? [] : [sample("default", fallback)]),
    ...samplesBesideSchema(pointer, schema).map((one) => ({ ...one, schema: pointer })),
  ];
}

/** Examples that stand beside a schema: of a body. */
function samplesOfMedia(media: Json, pointer: string, doc: OpenApi): Sample[] {
  if (!isObject(media["schema"]) || "in" in media) return [];
  const sample = (name: string, value: unknown): Sample => ({
    pointer: `${pointer}/${name}`,
    schema: `${pointer}/schema`,
    value,
  });
  const { example, examples } = media;
  return [
    ...(example === undefined ? [] : [sample("example", example)]),
    ...Object.keys(isObject(examples) ? examples : {}).flatMap((name): Sample[] => {
      const value = doc.at(`${pointer}/examples/${escapeToken(name)}/value`);
      return value === undefined ? [] : [sample(`examples/${escapeToken(name)}/value`, value)];
    }),
  ];
}
