/** The parts that writers of facts share: settings at their places, schemas in both dialects, and pieces of streams. */
import { isObject, parseJson } from "../../../wire/json.ts";
import { tokensOf } from "../../../wire/pointer.ts";
import { factData } from "../../fact-data.ts";
import type { ErrorFacts, Finish, FinishReason, MediaPart, RequestFacts, ThinkingWish, UsageFacts } from "./model.ts";

type Json = Record<string, unknown>;

/** Sets the value at a JSON Pointer, making the objects on its way. */
export function setAt(body: Json, place: string, value: unknown): void {
  const tokens = tokensOf(place);
  const last = tokens.pop()!;
  let at = body;
  for (const token of tokens) {
    const next = at[token];
    at = isObject(next) ? next : ((at[token] = {}) as Json);
  }
  at[last] = value;
}

const clamp = (value: number, [least, greatest]: readonly [number, number]): number =>
  Math.min(greatest, Math.max(least, value));

/** Sets every fact that is one value at the place where an interface has it, within its range and limit; fills in what it demands. */
export function writeSettings(body: Json, name: string, { settings }: RequestFacts): void {
  for (const [fact, { kind, at, parts = [], ranges, limits, required }] of Object.entries(factData().request)) {
    const places = at[name];
    if (kind === "coded" || !places) continue;
    const value = settings[fact] ?? required?.[name];
    if (value === undefined) continue;
    const range = ranges?.[name];
    const limit = limits?.[name];
    if (kind === "parts") {
      for (const [i, part] of parts.entries())
        if (isObject(value) && value[part] !== undefined) setAt(body, places[i]!, value[part]);
    } else if (typeof value === "number" && range) setAt(body, places[0]!, clamp(value, range));
    else if (Array.isArray(value) && limit !== undefined) setAt(body, places[0]!, value.slice(0, limit));
    else setAt(body, places[0]!, value);
  }
}

const deepest = 100;

/** Applies a change to a schema and to all schemas within. */
function eachSchema(schema: unknown, change: (schema: Json) => Json, depth = 0): unknown {
  if (!isObject(schema) || depth > deepest) return schema;
  const changed = change(schema);
  const { properties, items } = changed;
  return {
    ...changed,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, eachSchema(one, change, depth + 1)]),
      ),
    }),
    ...(isObject(items) && { items: eachSchema(items, change, depth + 1) }),
  };
}

const narrowKeywords = [
  ...["type", "description", "enum", "example", "nullable", "format", "items", "properties", "required"],
  ...["minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"],
];

/** A schema in the dialect of few keywords, with types in capitals and `nullable`. */
export const narrowSchema = (schema: unknown): unknown =>
  eachSchema(schema, (one) => {
    const known = Object.fromEntries(narrowKeywords.flatMap((name) => (name in one ? [[name, one[name]]] : [])));
    const all = Array.isArray(one["type"]) ? one["type"] : [one["type"]];
    const types = all.filter((type): type is string => typeof type === "string" && type !== "null");
    return {
      ...known,
      ...(types[0] !== undefined && { type: types[0].toUpperCase() }),
      ...(all.includes("null") && { nullable: true }),
    };
  });

/** A schema in the dialect of JSON Schema, with types in small letters and a type for null. */
export const wideSchema = (schema: unknown): unknown =>
  eachSchema(schema, ({ nullable, ...one }) => {
    const { type } = one;
    const types = (Array.isArray(type) ? type : [type]).map((name) =>
      typeof name === "string" ? name.toLowerCase() : name,
    );
    if (type === undefined) return nullable === undefined ? one : { ...one, nullable };
    return { ...one, type: nullable === true ? [...types, "null"] : Array.isArray(type) ? types : types[0] };
  });

/** A call's arguments as an object; an empty one where they are none. */
export function argumentsObject(text: string): Json {
  const json = parseJson(text);
  return json.ok && isObject(json.value) ? json.value : {};
}

/** A medium as a data URL, or its address; undefined where there is neither. */
export const urlOf = ({ data, url, mediaType }: MediaPart): string | undefined =>
  data === undefined ? url : `data:${mediaType ?? "application/octet-stream"};base64,${data}`;

const efforts: readonly (readonly [string, number])[] = [
  ["low", 1_024],
  ["medium", 8_192],
  ["high", 24_576],
];

/** The budget of tokens for a wish: its own, or one for its effort. */
export const budgetOf = ({ budget, effort }: ThinkingWish): number =>
  budget ?? efforts.find(([name]) => name === effort)?.[1] ?? efforts[1]![1];

/** The effort for a wish: its own, or the least whose budget suffices. */
export const effortOf = ({ budget, effort }: ThinkingWish): string =>
  effort ?? (budget === undefined ? "medium" : (efforts.find(([, most]) => budget <= most)?.[0] ?? "high"));

/** The word that an interface has for the plainest meaning of an end. */
export const wordFor = (
  { means }: Finish,
  words: Readonly<Partial<Record<FinishReason, string>>>,
  plain: string,
): string => words[means[0]!] ?? plain;

/** Tokens of the request with cached ones, or without; likewise those of the reply with thoughts. */
export function countsOf(usage: UsageFacts, as: UsageFacts["includes"]): { input: number; output: number } {
  const { input = 0, output = 0, cached = 0, stored = 0, thinking = 0, includes } = usage;
  return {
    input: input + (includes.cached === as.cached ? 0 : as.cached ? cached + stored : -Math.min(input, cached)),
    output: output + (includes.thinking === as.thinking ? 0 : as.thinking ? thinking : -Math.min(output, thinking)),
  };
}

/** Something that an answer says, as its stream brings it. */
export type AnswerPiece =
  | { readonly kind: "start"; readonly id?: string; readonly model?: string; readonly usage?: UsageFacts }
  | { readonly kind: "text" | "thinking" | "refusal"; readonly choice: number; readonly text: string }
  /** A call begins; its arguments follow. */
  | {
      readonly kind: "call";
      readonly choice: number;
      readonly call: number;
      readonly id?: string;
      readonly name?: string;
    }
  | { readonly kind: "arguments"; readonly choice: number; readonly call: number; readonly text: string }
  | { readonly kind: "medium"; readonly choice: number; readonly medium: MediaPart }
  | {
      readonly kind: "logs";
      readonly choice: number;
      readonly logs: readonly { readonly token: string; readonly logProbability: number }[];
    }
  | { readonly kind: "sources"; readonly choice: number; readonly sources: readonly string[] }
  | { readonly kind: "finish"; readonly choice: number; readonly finish: Finish }
  | { readonly kind: "usage"; readonly usage: UsageFacts }
  | { readonly kind: "error"; readonly error: ErrorFacts }
  | { readonly kind: "end" };

/** When a reply says that it was made, and what it calls itself where nobody named it. */
export interface Written {
  /** In seconds since 1970. */
  readonly created: number;
  readonly id: string;
  readonly model: string;
  /** What the client asked. */
  readonly asked: Pick<RequestFacts, "settings" | "usesFunctions">;
}

/** A failure as its interface writes it. */
export interface WrittenError {
  readonly status: number;
  readonly body: unknown;
}

/** The status that says each class of failure. */
export const statusOf: Readonly<Record<ErrorFacts["class"], number>> = {
  "bad-request": 400,
  key: 401,
  permission: 403,
  "not-found": 404,
  "too-large": 413,
  rate: 429,
  server: 500,
  overloaded: 503,
  unknown: 500,
};

/** Choices in the order of their numbers. */
export const inOrder = <T extends { readonly index: number }>(choices: readonly T[]): readonly T[] =>
  [...choices].sort((a, b) => a.index - b.index);

/** Reads what each event of a stream brings; made anew for each stream. */
export type StreamDecoder = (data: string) => readonly AnswerPiece[];

/** Writes pieces as the text of events; made anew for each stream. */
export type StreamEncoder = (piece: AnswerPiece) => string;
