/** Derives what documents say of parameters: texts in path, query, headers and cookies, which stand for values of other types. */
import type { Operation, ParameterReadings } from "../check/operation.ts";
import type { Schema, Section } from "./clauses.ts";
import { fieldFor, typesOfTexts } from "./form-fields.ts";
import { allTypes } from "./json-types.ts";
import { type Node, nameProblem, nodeOf } from "./node.ts";
import { isOpenValue } from "./open-values.ts";
import type { DescribedOperation, Parameter } from "./operations.ts";
import { headersReading, type KeyedParameter, openCookies, pathReading, queryReading } from "./parameter-readings.ts";
import { asText, type Reader, spread, type Way, wayOf } from "./parameter-ways.ts";
import { readableIn } from "./paths.ts";
import type { Shape } from "./shape.ts";
import { redacted } from "./text-values.ts";
import type { Translator } from "./translate.ts";
import { memberOf, type Path } from "./words.ts";

/** Where parameters stand that are judged, and what has them. */
const owners: Readonly<Record<Parameter["in"], string>> = {
  path: "the path",
  query: "the query",
  header: "the request headers",
  cookie: "the cookies",
};

/** Headers that OpenAPI has documents describe elsewhere. */
const elsewhere = /^(?:accept|content-type|authorization)$/i;

/** A parameter that is judged, or whose text at least is known to be its. */
export interface ReadParameter extends Parameter, KeyedParameter {
  /** As it is looked up: headers in small letters. */
  readonly key: string;
  readonly node: Node | undefined;
  /** Where the document says that it is required. */
  readonly requiredAt: string;
}

/** Takes a parameter, or what is in one, that cannot be judged. */
export type Leave = (
  parameter: Pick<ReadParameter, "name" | "pointer" | "within">,
  keyword: string,
  pointer: string,
  reason: string,
) => void;

/** Characters of a name that is sent: servers take some 8,000 for a whole request line or header. */
export const maxNameLength = 4_000;
export const nameTooLong = `a name of more than ${maxNameLength.toLocaleString("en")} characters is not sent`;
/** Names of headers (RFC 9110 section 5.6.2), and those of cookies that servers read. */
const nameForms: Readonly<Partial<Record<Parameter["in"], RegExp>>> = {
  header: /^[\w!#$%&'*+.^`|~-]+$/,
  cookie: /^(?! )[ -:<>-~]+(?<! )$/,
};

/** Why no message can carry a parameter of this name, or nobody can judge it; undefined if all is well. */
function parameterProblem(name: string, place: Parameter["in"]): string | undefined {
  if (name.length > maxNameLength) return nameTooLong;
  if (nameForms[place]?.test(name) === false) return `no ${place} can have this name`;
  return nameProblem(name);
}

/** A parameter as it is read; several where its members are parameters of their own. */
export function readParameter(parameter: Parameter, reader: Reader, leave: Leave = () => {}): ReadParameter[] {
  const { doc } = reader;
  const { in: place, name, pointer } = parameter;
  const key = place === "header" ? name.toLowerCase() : name;
  const unread: ReadParameter = {
    ...parameter,
    key,
    node: undefined,
    types: new Set(allTypes),
    way: asText,
    field: undefined,
    within: undefined,
    requiredAt: `${pointer}/required`,
  };
  const problem = parameterProblem(key, place);
  if (problem !== undefined) {
    leave(unread, "schema", parameter.schema ?? pointer, problem);
    if (parameter.required) leave(unread, "required", unread.requiredAt, problem);
    return [];
  }
  if (parameter.schema === undefined) return [unread];
  const node = nodeOf(doc, [parameter.schema]);
  const way = wayOf(parameter, reader);
  if (way === spread) return spreadOf(unread, node, reader, leave);
  if ("reason" in way) {
    leave(unread, "schema", parameter.schema, way.reason);
    // What is not read may be sent under other names.
    return [{ ...unread, required: false }];
  }
  const own = reader.shape(node);
  // An object without members is sent as nothing.
  const isSent = way.kind !== "deep" || !mayBeEmpty(own, reader.shape);
  return [{ ...unread, ...readingOf(node, way, reader), required: parameter.required && isSent }];
}

const mayBeEmpty = (own: Shape, shape: Reader["shape"]): boolean =>
  typesOfTexts(own, shape)?.has("object") === true && own.required.size === 0 && !own.demands.has("minProperties");

type Reading = Pick<ReadParameter, "node" | "way" | "types" | "field" | "isOpen">;

function readingOf(node: Node, way: Way, reader: Reader): Reading {
  const { doc, shape } = reader;
  const spelling = {
    style: way.kind === "deep" ? "deepObject" : undefined,
    explode: undefined,
    contentType: undefined,
  };
  return {
    node,
    way,
    types: typesOfTexts(shape(node), shape) ?? new Set(allTypes),
    field: fieldFor(node, { doc, shape }, spelling),
    isOpen: (value) => isOpenValue(value, node, reader),
  };
}

/** The members of an object as parameters of their own. */
function spreadOf(whole: ReadParameter, node: Node, reader: Reader, leave: Leave): ReadParameter[] {
  const { doc, shape } = reader;
  const own = shape(node);
  const beside = "other parameters may stand among its members";
  for (const keyword of ["minProperties", "maxProperties", "dependentRequired"]) {
    const demand = own.demands.get(keyword);
    if (demand) leave(whole, keyword, demand.pointer, beside);
  }
  if (own.closed !== undefined) leave(whole, "closed", own.closed, beside);
  for (const one of [own.additional, ...own.patterns.values()])
    if (one) leave(whole, "additionalProperties", one.sources[0]!, beside);
  return [...own.properties].flatMap(([name, member]): ReadParameter[] => {
    const schema = member.sources[0]!;
    const problem = parameterProblem(name, whole.in);
    if (problem !== undefined) {
      leave({ ...whole, name, within: whole.name }, "schema", schema, problem);
      return [];
    }
    const asked: Parameter = { ...whole, name, schema };
    const demanded = own.required.get(name);
    const one: ReadParameter = {
      ...whole,
      name,
      key: name,
      within: whole.name,
      schema,
      required: whole.required && demanded?.described === true && !shape(member).nullable,
      requiredAt: demanded?.pointer ?? whole.requiredAt,
    };
    const way = member.sources.length > 1 || member.either ? partsWay(member, reader) : wayOf(asked, reader, true);
    if (way !== spread && !("reason" in way)) return [{ ...one, ...readingOf(member, way, { doc, shape }) }];
    leave(one, "schema", schema, way === spread ? "it is an object within an object" : way.reason);
    return [{ ...one, required: false }];
  });
}

/** Of a member that several schemas describe, a plain text is read. */
function partsWay(node: Node, { shape }: Reader): Way | { readonly reason: string } {
  const names = typesOfTexts(shape(node), shape);
  const isPlain = names && !names.has("array") && !names.has("object");
  return isPlain ? asText : { reason: "several schemas describe it" };
}

/** Parameters of one place of an operation: each is tried along with all others. */
const maxParameters = 1_000;
const tooManyParameters = `the operation has more than ${maxParameters.toLocaleString("en")} parameters of this kind`;
const parameterLeft = ({ name, pointer }: Parameter) => ({ name, pointer, within: undefined });

/** The parameters of a place, as they are read. @param leave told of what cannot be judged */
export function parametersAt(
  { parameters, path }: DescribedOperation,
  place: Parameter["in"],
  reader: Reader,
  leave: Leave = () => {},
): ReadParameter[] {
  const own = parameters.filter((one) => one.in === place && !(place === "header" && elsewhere.test(one.name)));
  const names = new Set(own.map(({ name }) => name));
  const readable = new Set(readableIn(path));
  return own.flatMap((parameter, i): ReadParameter[] => {
    if (i >= maxParameters) {
      leave(parameterLeft(parameter), "schema", parameter.schema ?? parameter.pointer, tooManyParameters);
      return [];
    }
    const read = readParameter(parameter, reader, leave);
    if (read.length === 0) return [];
    if (place === "path" && parameter.schema !== undefined && !readable.has(parameter.name)) {
      const reason = "it does not stand alone between two slashes of the path";
      leave(read[0]!, "schema", parameter.schema, reason);
      return [];
    }
    return read.filter((one) => {
      const isTaken = one.within !== undefined && names.has(one.name);
      if (isTaken) leave(one, "schema", one.schema!, "another parameter has its name");
      return !isTaken;
    });
  });
}

/** Translators of what stands in texts. */
export interface TextTranslators {
  /** Of values that texts stand for. */
  readonly ofTexts: Translator;
  /** Of JSON. */
  readonly translator: Translator;
}

interface ParametersOptions extends Reader, TextTranslators {
  readonly section: Section;
  readonly file: (name: string, content: Schema) => string;
  /** What ids of the operation begin with; empty where there is no other. */
  readonly steps: readonly string[];
}

/** How texts of a table are named, and whose clauses they own. */
interface Naming extends TextTranslators {
  readonly section: Section;
  readonly pathOf: (one: Pick<ReadParameter, "name" | "pointer" | "within">) => Path;
  /** Whether no text can be empty or absent, as in a path. */
  readonly isWhole?: boolean;
}

/** The schema of a table of texts; undefined where nothing is said of them. */
export function schemaOfTexts(
  texts: readonly ReadParameter[],
  { section, translator, ofTexts, pathOf, isWhole = false }: Naming,
): Schema | undefined {
  const properties: Record<string, Schema> = {};
  const required: Record<string, string> = {};
  for (const one of texts) {
    const path = pathOf(one);
    const own = one.node ? valueSchema(one, one.node, path) : {};
    if (Object.keys(own).length > 0) properties[one.key] = own;
    const parent = { ...path, steps: path.steps.slice(0, -1), members: one.within ?? "" };
    const isDemanded = one.required && !isWhole;
    const owner = isDemanded ? section.own(parent, "required", one.name, one.requiredAt) : undefined;
    if (owner !== undefined) required[one.key] = owner;
  }
  const names = Object.keys(required);
  if (names.length + Object.keys(properties).length === 0) return undefined;
  return { properties, ...(names.length > 0 && { required: names, clause: { required } }) };

  function valueSchema(one: ReadParameter, node: Node, path: Path): Schema {
    const { way } = one;
    // What stands for no object is unknown.
    const isNested = [...one.types].every((type) => type === "object" || type === "null");
    const isObject = way.kind === "object" || (way.kind === "deep" && isNested);
    if (way.kind !== "json") return ofTexts.value(node, path, { isNotEmpty: isWhole, types: isObject });
    const value = translator.value(node, path);
    return Object.keys(value).length > 0 ? { if: redacted, else: value } : {};
  }
}

/** Whether a place is one of the whole document's, which no operation names. */
const isShared = (pointer: string): boolean => pointer.startsWith("/components/");

/** How a parameter or a header is named. @param steps those before it, unless others share it */
export function pathOfText(
  { name, pointer, within }: Pick<ReadParameter, "name" | "pointer" | "within">,
  steps: readonly string[],
  place: string,
  of: string,
): Path {
  const root: Path = { steps: [...(isShared(pointer) ? [] : steps), place], members: "", of, named: true };
  return memberOf(within === undefined ? root : memberOf(root, within), name);
}

/** Writes the schemas of an operation's parameters, and says how they are read; nothing where it has none. */
export function parameterSchemas(
  described: DescribedOperation,
  { doc, shape, section, translator, ofTexts, file, steps }: ParametersOptions,
): { readonly schemas: Pick<Operation["schemas"], "path" | "query" | "headers"> } & Pick<Operation, "parameters"> {
  const naming = (place: Parameter["in"]): Naming => ({
    section,
    translator,
    ofTexts,
    pathOf: (one) => pathOfText(one, steps, place, owners[place]),
    // A path without one of its parameters is another path.
    isWhole: place === "path",
  });
  const readAt = (place: Parameter["in"]): ReadParameter[] => {
    const { pathOf } = naming(place);
    return parametersAt(described, place, { doc, shape }, (one, keyword, pointer, reason) =>
      section.leave(pathOf(one), keyword, pointer, reason),
    );
  };
  const [path, query, header, cookie] = [readAt("path"), readAt("query"), readAt("header"), readAt("cookie")];
  const ofPath = schemaOfTexts(path, naming("path"));
  const ofQuery = schemaOfTexts(query, naming("query"));
  const ofHeaders = schemaOfTexts(header, naming("header"));
  const ofCookies = schemaOfTexts(cookie, naming("cookie"));
  const withCookies: Schema | undefined = ofCookies && {
    ...ofHeaders,
    properties: { ...(ofHeaders?.["properties"] as object | undefined), cookie: { if: redacted, else: ofCookies } },
  };
  const headers = withCookies ?? ofHeaders;
  const called = (place: string, schema: Schema): string => file([...steps, place].join("-"), schema);
  const parameters: ParameterReadings = {
    ...(path.length > 0 && { path: pathReading(path, described.path) }),
    ...(query.length > 0 && { query: queryReading(query) }),
    ...(header.length + cookie.length > 0 && { headers: headersReading(header, cookie) }),
    ...(cookie.length > 0 && { openCookies: openCookies(cookie) }),
  };
  return {
    schemas: {
      ...(ofPath && { path: called("path", ofPath) }),
      ...(ofQuery && { query: called("query", ofQuery) }),
      ...(headers && { headers: called("header", headers) }),
    },
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
}
