/** Derives what documents say of parameters: texts in path, query and headers, which stand for values of other types. */
import type { Operation, ParameterPlace } from "../check/operation.ts";
import type { Section } from "./clauses.ts";
import { allTypes, type TypeName } from "./json-types.ts";
import { type Node, nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { DescribedOperation, Parameter } from "./operations.ts";
import { readableIn, textsIn } from "./paths.ts";
import type { Shape } from "./shape.ts";
import { redacted, valueBehind } from "./text-values.ts";
import type { Translator } from "./translate.ts";
import { type Schema, typesIn } from "./unions.ts";
import { memberOf, type Path } from "./words.ts";

/** Where parameters stand that are judged, by the word for it in documents. */
const places = { path: "path", query: "query", header: "headers" } as const;
type PlaceInDocument = keyof typeof places;

const owners: Readonly<Record<PlaceInDocument, string>> = {
  path: "the path",
  query: "the query",
  header: "the request headers",
};

/** Headers that OpenAPI has documents describe elsewhere. */
const elsewhere = /^(?:accept|content-type|authorization)$/i;

/** A parameter whose text can be read, with what it has to be. */
export interface ReadParameter extends Parameter {
  /** As it is looked up: headers in small letters. */
  readonly key: string;
  readonly node: Node | undefined;
  readonly types: ReadonlySet<TypeName>;
}

/** The types of a parameter that one text can stand for; a reason where it can stand for others. */
export function scalarTypes(own: Shape, shape: (node: Node) => Shape): ReadonlySet<TypeName> | string {
  if (own.unions.length > 0) return "alternatives of a parameter are not told apart";
  const isListed = own.demands.has("enum") || own.demands.has("const");
  const names = typesIn(own, shape)?.names ?? (isListed ? own.implied : undefined);
  if (!names) return own.demands.size > 0 ? "it says no type" : new Set(allTypes);
  return names.has("array") || names.has("object") ? "lists and objects in parameters are not read" : names;
}

/** Why the text of a parameter in the path cannot be read; undefined where it can. */
function unreadable(doc: OpenApi, { in: place, name, pointer }: Parameter, path: string): string | undefined {
  if (place !== "path") return undefined;
  const style = doc.at(`${pointer}/style`);
  if (style === "label" || style === "matrix") return `the style ${style} is not read`;
  return readableIn(path).includes(name) ? undefined : "it does not stand alone between two slashes of the path";
}

/** The parameters of a place that are judged. @param leave told of those whose schema cannot be */
export function parametersAt(
  doc: OpenApi,
  { parameters, path }: DescribedOperation,
  place: PlaceInDocument,
  shape: (node: Node) => Shape,
  leave: (parameter: Parameter, reason: string) => void = () => {},
): ReadParameter[] {
  return parameters.flatMap((parameter): ReadParameter[] => {
    if (parameter.in !== place || (place === "header" && elsewhere.test(parameter.name))) return [];
    const key = place === "header" ? parameter.name.toLowerCase() : parameter.name;
    const node = parameter.schema === undefined ? undefined : nodeOf(doc, [parameter.schema]);
    const types = node ? scalarTypes(shape(node), shape) : new Set(allTypes);
    const reason = typeof types === "string" ? types : unreadable(doc, parameter, path);
    if (typeof types !== "string" && reason === undefined) return [{ ...parameter, key, node, types }];
    leave(parameter, reason!);
    // A list or an object may be sent under other names, such as `filter[a]`.
    return [{ ...parameter, required: false, key, node: undefined, types: new Set(allTypes) }];
  });
}

interface ParametersOptions {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
  readonly section: Section;
  readonly translator: Translator;
  readonly file: (name: string, content: Schema) => string;
  /** What ids of the operation begin with; empty where there is no other. */
  readonly steps: readonly string[];
}

/** How texts of a table are named, and whose clauses they own. */
interface Naming {
  readonly section: Section;
  readonly translator: Translator;
  readonly pathOf: (one: ReadParameter) => Path;
  /** Whether no text can be empty or absent, as in a path. */
  readonly isWhole?: boolean;
}

/** The schema of a table of texts; undefined where nothing is said of them. */
export function schemaOfTexts(
  texts: readonly ReadParameter[],
  { section, translator, pathOf, isWhole = false }: Naming,
): Schema | undefined {
  const properties: Record<string, Schema> = {};
  const required: Record<string, string> = {};
  for (const one of texts) {
    const path = pathOf(one);
    // Whatever is sent is a text.
    const known = { types: one.types.has("string"), isNotEmpty: isWhole };
    const own = one.node ? translator.value(one.node, path, known) : {};
    if (Object.keys(own).length > 0) properties[one.key] = { if: redacted, else: own };
    const parent = { ...path, steps: path.steps.slice(0, -1), members: "" };
    const isDemanded = one.required && !isWhole;
    const owner = isDemanded ? section.own(parent, "required", one.name, `${one.pointer}/required`) : undefined;
    if (owner !== undefined) required[one.key] = owner;
  }
  const names = Object.keys(required);
  if (names.length + Object.keys(properties).length === 0) return undefined;
  return { properties, ...(names.length > 0 && { required: names, clause: { required } }) };
}

/** Whether a place is one of the whole document's, which no operation names. */
const isShared = (pointer: string): boolean => pointer.startsWith("/components/");

/** How a parameter or a header is named. @param steps those before it, unless others share it */
export const pathOfText = (
  { name, pointer }: Pick<Parameter, "name" | "pointer">,
  steps: readonly string[],
  place: string,
  of: string,
): Path => memberOf({ steps: [...(isShared(pointer) ? [] : steps), place], members: "", of, named: true }, name);

/** Writes the schemas of an operation's parameters; nothing where it has none. */
export function parameterSchemas(
  described: DescribedOperation,
  { doc, shape, section, translator, file, steps }: ParametersOptions,
): {
  readonly schemas: Pick<Operation["schemas"], ParameterPlace>;
  readonly valueIn?: NonNullable<Operation["valueIn"]>;
  readonly inPath?: NonNullable<Operation["inPath"]>;
} {
  const types: Record<ParameterPlace, Map<string, ReadonlySet<TypeName>>> = {
    path: new Map(),
    query: new Map(),
    headers: new Map(),
  };
  const schemas: { [place in ParameterPlace]?: string } = {};
  for (const place of Object.keys(places) as PlaceInDocument[]) {
    const pathOf = (one: Parameter): Path => pathOfText(one, steps, place, owners[place]);
    const leave = (one: Parameter, reason: string): void =>
      section.leave(pathOf(one), "schema", one.schema ?? one.pointer, reason);
    const read = parametersAt(doc, described, place, shape, leave);
    for (const one of read) types[places[place]].set(one.key, one.types);
    // A path without one of its parameters is another path.
    const schema = schemaOfTexts(read, { section, translator, pathOf, isWhole: place === "path" });
    if (schema) schemas[places[place]] = file([...steps, place].join("-"), schema);
  }
  const isTyped = Object.values(types).some((own) => [...own.values()].some((names) => !names.has("string")));
  return {
    schemas,
    ...(schemas.path !== undefined && { inPath: textsIn(described.path, [...types.path.keys()]) }),
    ...(isTyped && {
      valueIn: (place, name, text) => {
        const own = types[place].get(name);
        return own ? valueBehind(text, own) : text;
      },
    }),
  };
}
