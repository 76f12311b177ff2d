/** Bindings: what the documents' neutral names are called by the parties of an exchange. */
import { isObject } from "../wire/json.ts";

/** Binding data as it stands in presets, target files and cassettes. */
export interface Bindings {
  /** Neutral name to the party's own name or names: `"partner-version": "anthropic-version"`, `"image-multi": ["gpt-image-1*"]`. */
  readonly names?: Readonly<Record<string, string | readonly string[]>>;
  /** Model classes to model ids; a trailing `*` matches any rest: `"reasoning": ["o1*"]`, `"not-reasoning": ["gpt-4o*"]`. */
  readonly models?: Readonly<Record<string, readonly string[]>>;
  /** Whether credentials may have been dropped on the way: their absence then proves nothing. Else the recording says it. */
  readonly credentials?: "kept" | "may-be-dropped";
}

export interface Names {
  /** The header a neutral name stands for, in lower case. */
  header(neutral: string): string;
  /** Neutral names that are bound to another header name. */
  readonly boundHeaders: readonly string[];
  /** `image-v2`, `image-v3` or `image-multi`; undefined for ids nobody mapped. An absent model is `image-v2`. */
  imageKind(model: string | undefined): string | undefined;
  /** Whether a model belongs to a class; undefined where no binding says so. A class's own name is a model of it. */
  isClass(model: string, modelClass: string): boolean | undefined;
  /** Undefined where nobody said; then what was imported may have lost them. */
  readonly credentials: Bindings["credentials"];
}

function matches(pattern: string, id: string): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : pattern === id;
}

const imageKinds = ["image-v2", "image-v3", "image-multi"];
const headerNames = ["partner-version", "partner-beta"];

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");

/** Whether a value can be read as bindings; it may have other members, which nobody reads. */
export function isBindings(value: unknown): value is Bindings {
  if (!isObject(value)) return false;
  const { names, models, credentials } = value;
  return (
    (names === undefined ||
      (isObject(names) && Object.values(names).every((item) => typeof item === "string" || isTexts(item)))) &&
    (models === undefined || (isObject(models) && Object.values(models).every(isTexts))) &&
    (credentials === undefined || credentials === "kept" || credentials === "may-be-dropped")
  );
}

/** Several layers of bindings as one, as data: what a recording says of its own names. */
export function joinBindings(layers: readonly Bindings[]): Bindings {
  const names = Object.assign({}, ...layers.map((layer) => layer.names ?? {}));
  const models = Object.assign({}, ...layers.map((layer) => layer.models ?? {}));
  const some = (table: object): boolean => Object.keys(table).length > 0;
  return { ...(some(names) && { names }), ...(some(models) && { models }) };
}

/** Reads several layers of bindings as one; later layers win name by name. */
export function namesFrom(...layers: readonly Bindings[]): Names {
  const names: Record<string, readonly string[]> = Object.assign(
    Object.create(null),
    ...layers.map((layer) =>
      Object.fromEntries(Object.entries(layer.names ?? {}).map(([name, value]) => [name, [value].flat()])),
    ),
  );
  const models: Record<string, readonly string[]> = Object.assign(
    Object.create(null),
    ...layers.map((layer) => layer.models ?? {}),
  );
  const credentials = layers.findLast((layer) => layer.credentials !== undefined)?.credentials;
  return {
    boundHeaders: headerNames.filter((neutral) => names[neutral] !== undefined),
    header: (neutral) => (names[neutral]?.[0] ?? neutral).toLowerCase(),
    imageKind: (model) =>
      model === undefined
        ? "image-v2"
        : imageKinds.find((kind) => kind === model || names[kind]?.some((pattern) => matches(pattern, model))),
    isClass(model, modelClass) {
      if (model === modelClass) return true;
      if (model === `not-${modelClass}`) return false;
      if (models[modelClass]?.some((pattern) => matches(pattern, model))) return true;
      return models[`not-${modelClass}`]?.some((pattern) => matches(pattern, model)) ? false : undefined;
    },
    credentials,
  };
}
