/** The JSON Schema of laws: for people's editors, and to read laws from files. */

import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { didYouMean } from "../suggest.ts";
import type { WrittenLaw } from "./compile.ts";
import type { ParameterSchema } from "./kind.ts";
import { kinds } from "./kinds.ts";
import type { Selector } from "./selector.ts";

const pointer = {
  type: "string",
  pattern: "^(?:/(?:[^~/]|~[01])*)*$",
  description: "A JSON Pointer; `*` stands for every item of a list.",
};
const scalar = { type: ["string", "number", "boolean", "null"] };
const scalars = { anyOf: [scalar, { type: "array", items: scalar }] };
const test = {
  description: "This value, one of these values, present or absent, or none of these values.",
  anyOf: [
    scalars,
    {
      type: "object",
      required: ["present"],
      properties: { present: { type: "boolean" } },
      additionalProperties: false,
    },
    { type: "object", required: ["not"], properties: { not: scalars }, additionalProperties: false },
  ],
};

const picks = {
  request: { ...pointer, description: "Pointer into the JSON of the request; `*` stands for every item of a list." },
  response: { ...pointer, description: "Pointer into the JSON of a successful response that is no stream." },
  error: { ...pointer, description: "Pointer into the JSON of a response with an error status." },
  event: {
    description: "Type of events of a stream, or several; `*` for all events with JSON.",
    anyOf: [{ type: "string" }, { type: "array", minItems: 1, items: { type: "string" } }],
  },
  header: {
    type: "string",
    minLength: 1,
    description: 'Name of a header of the response, or of the request with "side": "request".',
  },
  query: { type: "string", minLength: 1, description: "Name of a parameter in the query." },
  status: { const: true, description: "The status of the response." },
  media: { const: true, description: "The media type of the response, in lower case and without parameters." },
  data: { type: "string", description: "Data of events that is not JSON, such as [DONE]." },
};

const beside = {
  at: { ...pointer, description: "Pointer into the data of these events; the whole by default." },
  side: { enum: ["request", "response"], description: "The side of the header; the response by default." },
  where: {
    type: "object",
    propertyNames: pointer,
    additionalProperties: { $ref: "#/$defs/test" },
    description: "Only values next to which these pointers have these values.",
  },
  by: {
    type: "array",
    minItems: 1,
    items: pointer,
    description: "Pointers to the key. Values with equal keys are judged together.",
  },
};

const selectorOf = (more: object) => ({
  type: "object",
  description: `Picks values of an exchange. Exactly one of ${Object.keys(picks).join(", ")} says which.`,
  properties: { ...picks, ...beside, ...more },
  additionalProperties: false,
});

const definitions = {
  test,
  selector: selectorOf({}),
  condition: selectorOf({ is: { $ref: "#/$defs/test" } }),
};

const grade = {
  type: "object",
  description: "Grades violations by an interpretation.",
  required: ["id", "default", "strict"],
  properties: {
    id: { type: "string" },
    default: { type: "string" },
    strict: { type: "string" },
    or: { type: "string" },
  },
};

const schemaOf = (parameter: ParameterSchema): unknown => {
  if (parameter === "selectors") return { type: "array", minItems: 1, items: { $ref: "#/$defs/selector" } };
  if (typeof parameter === "string") return { $ref: `#/$defs/${parameter}` };
  return Object.fromEntries(
    Object.entries(parameter).map(([name, value]) => [
      name,
      Array.isArray(value) && name === "anyOf" ? value.map(schemaOf) : value,
    ]),
  );
};

const conditions = { $ref: "#/$defs/condition" };

/** The JSON Schema of one kind of law. */
const lawOf = (name: string) => {
  const { says, parameters, required, needsOne } = kinds[name]!;
  return {
    type: "object",
    description: says,
    required: ["kind", ...required],
    ...(needsOne && { anyOf: needsOne.map((member) => ({ required: [member] })) }),
    properties: {
      kind: { const: name },
      when: {
        description: "The law holds only for exchanges in which all of these hold.",
        anyOf: [conditions, { type: "array", items: conditions }],
      },
      reading: grade,
      ...Object.fromEntries(Object.entries(parameters).map(([member, schema]) => [member, schemaOf(schema)])),
    },
    additionalProperties: false,
  };
};

/** Returns the JSON Schema of a `*.clauses.json` file. */
export const clausesFileSchema = (): object => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A file of clauses: NAME.clauses.json",
  type: "object",
  required: ["clauses"],
  properties: {
    $schema: { type: "string" },
    document: { type: "string", description: "Name of the document." },
    clauses: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "at", "says", "on", "level"],
        properties: {
          name: { type: "string", description: "The clause's id ends with it: INTERFACE.FILE.NAME." },
          at: { type: "string", description: "Heading of the document, or pointer into an OpenAPI document." },
          also: { type: "array", items: { type: "string" } },
          says: { type: "string", description: "The statement, in one sentence." },
          on: { enum: ["request", "response", "stream", "exchange", "error"] },
          level: { enum: ["must", "should", "may"] },
          basis: { enum: ["document", "field"] },
          readings: { type: "array", items: { type: "string" } },
          alsoBreaks: { type: "array", items: { type: "string" } },
          unobservable: { type: "string", description: "Why no exchange can show it." },
          opaque: { type: "string", description: "Why it cannot be decided." },
          unasked: { type: "string", description: "Why no request of a run can have a target show it." },
          law: {
            type: "object",
            required: ["kind"],
            oneOf: Object.keys(kinds).map((name) => ({ $ref: `#/$defs/${name}` })),
          },
        },
      },
    },
  },
  $defs: { ...definitions, ...Object.fromEntries(Object.keys(kinds).map((name) => [name, lawOf(name)])) },
});

/** A mistake in a law: what it is, and how to correct it. */
export interface LawMistake {
  readonly problem: string;
  readonly remedy: string;
}

function mistakeOf(error: ErrorObject, kind: string, known: readonly string[]): LawMistake {
  const { keyword, params, instancePath, message } = error;
  const at = instancePath === "" ? `its law of the kind ${kind}` : `its law at ${instancePath}`;
  if (keyword === "additionalProperties") {
    const stranger = String((params as { additionalProperty: string }).additionalProperty);
    return {
      problem: `${at} has the unknown member ${stranger}`,
      remedy: `${didYouMean(stranger, known)}Members: ${known.join(", ")}.`,
    };
  }
  if (keyword === "required")
    return {
      problem: `${at} has no "${(params as { missingProperty: string }).missingProperty}"`,
      remedy: `${kinds[kind]!.says}`,
    };
  const { data } = error;
  const { allowedValues } = params as { allowedValues?: readonly unknown[] };
  if (keyword === "enum" && allowedValues)
    return {
      problem: `${at} has the unknown value ${JSON.stringify(data)}`,
      remedy: `${didYouMean(String(data), allowedValues.map(String))}Values: ${allowedValues.join(", ")}.`,
    };
  if (keyword === "pattern")
    return {
      problem: `${at} has the wrong pointer ${JSON.stringify(data)}`,
      remedy: "A JSON Pointer is empty or starts with /; in names, ~ is written ~0 and / is written ~1.",
    };
  return { problem: `${at} ${message}`, remedy: kinds[kind]!.says };
}

let ajv: Ajv2020 | undefined;

/** Returns the first mistake in a law, or undefined if it can be compiled. */
export function mistakeIn(law: unknown): LawMistake | undefined {
  const { kind } = (law ?? {}) as { readonly kind?: unknown };
  const names = Object.keys(kinds);
  if (typeof kind !== "string" || !names.includes(kind))
    return {
      problem: kind === undefined ? 'its law has no "kind"' : `its law has the unknown kind ${JSON.stringify(kind)}`,
      remedy: `${didYouMean(String(kind), names)}Kinds: ${names.join(", ")}.`,
    };
  const { needsOne } = kinds[kind]!;
  if (needsOne && !needsOne.some((member) => Object.hasOwn(law as object, member)))
    return {
      problem: `its law of the kind ${kind} has none of ${needsOne.join(", ")}`,
      remedy: kinds[kind]!.says,
    };
  ajv ??= new Ajv2020({ allErrors: false, strict: false, verbose: true });
  const id = `law-${kind}`;
  if (!ajv.getSchema(id)) ajv.addSchema({ $id: id, ...lawOf(kind), $defs: definitions });
  const validate = ajv.getSchema(id)!;
  if (!validate(law)) {
    const [error] = validate.errors!;
    const ofSelector = error!.instancePath !== "";
    const known = ofSelector ? Object.keys({ ...picks, ...beside }) : Object.keys(lawOf(kind).properties);
    return mistakeOf(error!, kind, known);
  }
  return selectorMistake(law as WrittenLaw) ?? sessionMistake(law as WrittenLaw);
}

/** A law on sessions whose values no server chooses. */
function sessionMistake({ kind, within, of }: WrittenLaw): LawMistake | undefined {
  if (within !== "session") return undefined;
  const ofServer = ["response", "event", "header"];
  const isOfServer = ofServer.some((member) => Object.hasOwn(of as object, member));
  if (isOfServer && (of as Selector).side !== "request") return undefined;
  return {
    problem: `its law of the kind ${kind} compares values within a session that are in no successful response`,
    remedy: `Select values of responses in "of": ${ofServer.join(", ")}.`,
  };
}

/** A selector that picks nothing, or two things. */
function selectorMistake(law: WrittenLaw): LawMistake | undefined {
  for (const [name, value] of Object.entries(law)) {
    const parameter = name === "when" ? "condition" : kinds[law.kind]!.parameters[name];
    for (const one of [value].flat()) {
      if (typeof one !== "object" || one === null || parameter === undefined || !isSelector(parameter)) continue;
      const named = Object.keys(one).filter((member) => member in picks);
      const isEither = named.length === 2 && named.includes("response") && named.includes("event");
      if (named.length === 1 || isEither) continue;
      const problem = named.length === 0 ? "picks nothing" : `has both ${named.join(" and ")}`;
      return {
        problem: `its law's "${name}" ${problem}`,
        remedy: `Write exactly one of ${Object.keys(picks).join(", ")}, or response and event together.`,
      };
    }
  }
  return undefined;
}

const isSelector = (parameter: ParameterSchema): boolean =>
  parameter === "selector" ||
  parameter === "selectors" ||
  parameter === "condition" ||
  (typeof parameter === "object" && ((parameter as { anyOf?: unknown[] }).anyOf?.includes("selector") ?? false));
