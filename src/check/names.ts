/** Bindings: what the documents' neutral names are called by the parties of an exchange. */
import { isObject } from "../wire/json.ts";
import { modelKinds, neutralHeaders } from "./neutral-names.ts";

/** Binding data as it stands in presets, target files and cassettes. */
export interface Bindings {
  /** Neutral name to the party's own name or names: `"partner-version": "anthropic-version"`, `"image-multi": ["gpt-image-1*"]`. */
  readonly names?: Readonly<Record<string, string | readonly string[]>>;
  /** Model classes to model ids; a trailing `*` matches any rest: `"reasoning": ["o1*"]`, `"not-reasoning": ["gpt-4o*"]`. */
  readonly models?: Readonly<Record<string, readonly string[]>>;
  /** The same as `names`, where a message carries the party's own name and nobody bound that neutral one (reading X-NAMES). */
  readonly inferred?: Readonly<Record<string, string | readonly string[]>>;
  /** By interface: what else its operations are reached by. */
  readonly alternatives?: Readonly<Record<string, Alternatives>>;
  /** Whether credentials may have been dropped on the way: their absence then proves nothing. Else the recording says it. */
  readonly credentials?: "kept" | "may-be-dropped";
}

/** Other paths and headers of an interface's operations that its parties use (reading X-ALTERNATIVES). */
export interface Alternatives {
  /** Version prefixes that stand in place of the documented one: `"/v1"`. */
  readonly prefixes?: readonly string[];
  /** The documented header of the key, and others in its place; a scheme stands behind a colon: `"x-api-key": ["authorization: Bearer"]`. */
  readonly credentials?: Readonly<Record<string, readonly string[]>>;
}

export interface Names {
  /** The header a neutral name stands for, in lower case. */
  header(neutral: string): string;
  /** Headers that stand for neutral ones, in lower case: bound, or inferred from the messages that carry them. */
  readonly ownHeaders: readonly { readonly neutral: string; readonly own: string; readonly isInferred: boolean }[];
  /** Whether only inference says that a model is of this kind. */
  isInferred(kind: string, model: string): boolean;
  /** Other paths and headers by which the operations of an interface are reached. */
  alternatives(interfaceName: string): Alternatives;
  /** One of `modelKinds`; undefined for ids nobody mapped. */
  modelKind(model: string): string | undefined;
  /** Whether a model belongs to a class; undefined where no binding says so. A class's own name is a model of it. */
  isClass(model: string, modelClass: string): boolean | undefined;
  /** Undefined where nobody said; then what was imported may have lost them. */
  readonly credentials: Bindings["credentials"];
}

function matches(pattern: string, id: string): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : pattern === id;
}

const none: Alternatives = {};
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");
const isNameTable = (value: unknown): boolean =>
  value === undefined ||
  (isObject(value) && Object.values(value).every((item) => typeof item === "string" || isTexts(item)));
const isListTable = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every(isTexts));
const isAlternatives = (value: unknown): boolean =>
  isObject(value) &&
  (value["prefixes"] === undefined || isTexts(value["prefixes"])) &&
  isListTable(value["credentials"]);

/** Whether a value can be read as bindings; it may have other members, which nobody reads. */
export function isBindings(value: unknown): value is Bindings {
  if (!isObject(value)) return false;
  const { names, inferred, models, alternatives, credentials } = value;
  return (
    isNameTable(names) &&
    isNameTable(inferred) &&
    isListTable(models) &&
    (alternatives === undefined || (isObject(alternatives) && Object.values(alternatives).every(isAlternatives))) &&
    (credentials === undefined || credentials === "kept" || credentials === "may-be-dropped")
  );
}

/** Several layers of bindings as one, as data: what a recording says of its own names. */
export function joinBindings(layers: readonly Bindings[]): Bindings {
  const names = Object.assign({}, ...layers.map((layer) => layer.names ?? {}));
  const models = Object.assign({}, ...layers.map((layer) => layer.models ?? {}));
  const alternatives = Object.assign({}, ...layers.map((layer) => layer.alternatives ?? {}));
  const some = (table: object): boolean => Object.keys(table).length > 0;
  return {
    ...(some(names) && { names }),
    ...(some(models) && { models }),
    ...(some(alternatives) && { alternatives }),
  };
}

/** Reads several layers of bindings as one; later layers win name by name. */
export function namesFrom(...layers: readonly Bindings[]): Names {
  const listed = (of: "names" | "inferred"): Record<string, readonly string[]> =>
    Object.assign(
      Object.create(null),
      ...layers.map((layer) =>
        Object.fromEntries(Object.entries(layer[of] ?? {}).map(([name, value]) => [name, [value].flat()])),
      ),
    );
  const names = listed("names");
  const inferred = listed("inferred");
  const alternatives: Record<string, Alternatives> = Object.assign(
    Object.create(null),
    ...layers.map((layer) => layer.alternatives ?? {}),
  );
  const models: Record<string, readonly string[]> = Object.assign(
    Object.create(null),
    ...layers.map((layer) => layer.models ?? {}),
  );
  const credentials = layers.findLast((layer) => layer.credentials !== undefined)?.credentials;
  const isInferred = (kind: string, model: string): boolean =>
    kind !== model && names[kind] === undefined && inferred[kind]?.some((pattern) => matches(pattern, model)) === true;
  return {
    ownHeaders: neutralHeaders.flatMap((neutral) => {
      const isInferred = names[neutral] === undefined;
      const owns = isInferred ? (inferred[neutral] ?? []) : names[neutral]!.slice(0, 1);
      return owns.map((own) => ({ neutral, own: own.toLowerCase(), isInferred }));
    }),
    isInferred,
    alternatives: (name) => alternatives[name] ?? none,
    header: (neutral) => (names[neutral]?.[0] ?? neutral).toLowerCase(),
    modelKind: (model) =>
      modelKinds.find(
        (kind) => kind === model || names[kind]?.some((pattern) => matches(pattern, model)) || isInferred(kind, model),
      ),
    isClass(model, modelClass) {
      if (model === modelClass) return true;
      if (model === `not-${modelClass}`) return false;
      if (models[modelClass]?.some((pattern) => matches(pattern, model))) return true;
      return models[`not-${modelClass}`]?.some((pattern) => matches(pattern, model)) ? false : undefined;
    },
    credentials,
  };
}
