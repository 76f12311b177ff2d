/** Lists the operations of an OpenAPI document: their paths, parameters and the schemas of their bodies. */
import type { FormType } from "../check/operation.ts";
import { isObject } from "../wire/json.ts";
import { isJsonLines } from "../wire/json-lines.ts";
import { escapeToken } from "../wire/pointer.ts";
import { follow, type OpenApi } from "./openapi.ts";
import { type StreamEvents, streamEventsBeside, streamEventsOf } from "./streams.ts";
import { kebab } from "./words.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly pointer: string;
  /** Pointer of its schema, where it has one. */
  readonly schema: string | undefined;
  /** Whether its text is JSON. */
  readonly isJson: boolean;
}

/** A media type of a body that is a form. */
export interface FormMedia {
  readonly type: FormType;
  /** Pointer of the media type. */
  readonly pointer: string;
  /** Pointer of its schema. */
  readonly schema: string;
  readonly examples: readonly string[];
}

/** What one status, or a range of them, is answered with. */
export interface Reply {
  /** As the document writes it, in capitals: `200`, `4XX`, `DEFAULT`; `2XX` for a default beside no success. */
  readonly status: string;
  readonly pointer: string;
  /** Pointer of the schema of a whole JSON body. */
  readonly json: string | undefined;
  /** Pointers of schemas of the data of stream events, which obey one of several. */
  readonly stream: readonly string[];
  /** The kinds of these events. */
  readonly events: readonly StreamEvents[];
  /** The media type of JSON lines, where the events come as these. */
  readonly lines: string | undefined;
  /** All media types that the document lists. */
  readonly types: readonly string[];
  /** Whether nothing but JSON is described. */
  readonly onlyJson: boolean;
  /** Pointers of examples of the JSON body. */
  readonly examples: readonly string[];
  readonly headers: readonly Header[];
}

/** A header of a reply. */
export type Header = Omit<Parameter, "in"> & { readonly in: "header" };

/** Names of security schemes. The names of one alternative belong together; an empty one needs no key. */
export type Security = readonly (readonly string[])[];

/** The alternatives of a `security` list; no list, or what is no alternative, demands nothing. */
export const securityIn = (list: unknown): Security =>
  Array.isArray(list) ? list.map((alternative) => (isObject(alternative) ? Object.keys(alternative) : [])) : [];

export interface DescribedOperation {
  /** Its `operationId`, or method and path, as ids spell them. */
  readonly id: string;
  readonly pointer: string;
  readonly method: string;
  /** The path with its parameters in braces, behind the path of the server. */
  readonly path: string;
  /** The query that the document writes behind the path; mostly empty. */
  readonly query: string;
  /** The path of the server, e.g. `/v1`. */
  readonly base: string;
  readonly tags: readonly string[];
  readonly operationId: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body:
    | {
        readonly json: string | undefined;
        /** Schemas of further operations of the same method and path. */
        readonly others: readonly string[];
        readonly forms: readonly FormMedia[];
        /** All media types that the document lists. */
        readonly types: readonly string[];
        readonly required: boolean;
        readonly pointer: string;
        readonly examples: readonly string[];
      }
    | undefined;
  readonly replies: readonly Reply[];
  /** The statuses that the document lists, as it writes them, in capitals: `200`, `4XX`, `DEFAULT`. */
  readonly statuses: readonly string[];
  /** Its own, or that of the document. */
  readonly security: Security;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** An operation's place, before anything of it is read. */
export interface OperationPlace {
  readonly pointer: string;
  readonly method: string;
  /** As the document writes it, with what it is told apart by behind `#` or `?`. */
  readonly written: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
}

/** Characters of a path: servers take some 8,000. */
const maxPathLength = 64 << 10;

/** The places of all operations, in the document's order. */
export function operationPlaces(doc: OpenApi): OperationPlace[] {
  const { paths } = doc.root;
  if (!isObject(paths)) return [];
  return Object.keys(paths).flatMap((written) => {
    if (written.length > maxPathLength) {
      doc.contradict("/paths", `A path of ${written.length} characters is longer than any request has.`);
      return [];
    }
    const item = follow(doc, `/paths/${escapeToken(written)}`);
    return methods.flatMap((method): OperationPlace[] => {
      const operation = item?.value[method];
      if (!item || !isObject(operation) || !written.startsWith("/")) return [];
      const { operationId, tags } = operation;
      return [
        {
          pointer: `${item.pointer}/${method}`,
          method: method.toUpperCase(),
          written,
          operationId: typeof operationId === "string" ? operationId : undefined,
          tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
        },
      ];
    });
  });
}

/** The path of a place without what only tells it from another of the same path. */
export const pathIn = ({ written }: OperationPlace): string => written.replace(/[#?].*$/s, "");

/** The query of a place, which only documents have that tell operations of one path apart by it: `beta=true`. */
export const queryIn = ({ written }: OperationPlace): string => /^[^#?]*\?([^#]*)/.exec(written)?.[1] ?? "";

/**
 * The path of the first server of an operation, of its path, or of the document, without the slash at its end: `/v1`. Variables
 * have their default.
 */
export function basePath(doc: OpenApi, { pointer }: Pick<OperationPlace, "pointer">): string {
  const item = pointer.slice(0, pointer.lastIndexOf("/"));
  const lists = [pointer, item, ""].map((place) => doc.at(`${place}/servers`));
  const servers = lists.find((one): one is unknown[] => Array.isArray(one) && one.length > 0);
  const [first] = servers ?? [];
  if (!isObject(first) || typeof first["url"] !== "string") return "";
  const { url, variables } = first;
  const written = url.replace(/\{([^}]*)\}/g, (whole, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && variable["default"] !== undefined ? String(variable["default"]) : whole;
  });
  const path = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/]*)?(\/[^?#]*)?/i.exec(written)?.[1] ?? "";
  return path.replace(/\/+$/, "");
}

/** Reads an operation. */
export function readOperation(doc: OpenApi, place: OperationPlace): DescribedOperation {
  const operation = doc.at(place.pointer) as Readonly<Record<string, unknown>>;
  const item = place.pointer.slice(0, place.pointer.lastIndexOf("/"));
  const { method, operationId, tags, pointer } = place;
  const replies = repliesOf(doc, pointer, operation);
  return {
    id: kebab(operationId ?? `${method} ${pathIn(place).replace(/[{}]/g, " ")}`),
    pointer,
    method,
    path: pathIn(place),
    query: queryIn(place),
    base: basePath(doc, place),
    tags,
    operationId,
    parameters: [...parametersIn(doc, `${pointer}/parameters`), ...parametersIn(doc, `${item}/parameters`)].filter(
      (one, i, all) => all.findIndex((other) => other.name === one.name && other.in === one.in) === i,
    ),
    body: bodyOf(doc, pointer),
    replies,
    statuses: statusesIn(operation),
    security: securityIn("security" in operation ? operation["security"] : doc.root["security"]),
  };
}

function parametersIn(doc: OpenApi, place: string): Parameter[] {
  const list = doc.at(place);
  if (!Array.isArray(list)) return [];
  return [...list.keys()].flatMap((i): Parameter[] => {
    const found = follow(doc, `${place}/${i}`);
    if (!found) return [];
    const { name, in: where, required } = found.value;
    if (typeof name !== "string" || !isPlace(where)) return [];
    const isRequired = required === true || where === "path";
    return [{ name, in: where, required: isRequired, pointer: found.pointer, ...schemaOfText(doc, found.pointer) }];
  });
}

const isPlace = (place: unknown): place is Parameter["in"] =>
  place === "path" || place === "query" || place === "header" || place === "cookie";

/** The schema of a parameter or header, which stands in it or in its media type. */
function schemaOfText(doc: OpenApi, pointer: string): Pick<Parameter, "schema" | "isJson"> {
  if (doc.at(`${pointer}/schema`) !== undefined) return { schema: `${pointer}/schema`, isJson: false };
  const media = contentIn(doc, pointer).find(({ type }) => isNamedJson(type));
  return { schema: schemaIn(doc, media), isJson: media !== undefined };
}

const isJson = (type: string): boolean => /^(?:application\/(?:[\w.+-]+\+)?json|\*\/\*)\s*(?:;|$)/i.test(type);
/** A media type of JSON, but not one that stands for all. */
const isNamedJson = (type: string): boolean => isJson(type) && !type.startsWith("*");
const formTypes: readonly FormType[] = ["multipart/form-data", "application/x-www-form-urlencoded"];
const isEvents = (type: string): boolean => /^text\/event-stream\s*(?:;|$)/i.test(type);

/** The places of the media types of a body or reply. */
function contentIn(doc: OpenApi, pointer: string): { readonly type: string; readonly pointer: string }[] {
  const content = doc.at(`${pointer}/content`);
  if (!isObject(content)) return [];
  return Object.keys(content).map((type) => ({ type, pointer: `${pointer}/content/${escapeToken(type)}` }));
}

const schemaIn = (doc: OpenApi, media: { readonly pointer: string } | undefined): string | undefined =>
  media && doc.at(`${media.pointer}/schema`) !== undefined ? `${media.pointer}/schema` : undefined;

/** Pointers of the examples that stand beside the schema of a media type or of a parameter. */
export function examplesIn(doc: OpenApi, media: { readonly pointer: string } | undefined): string[] {
  if (!media) return [];
  const { pointer } = media;
  const one = doc.at(`${pointer}/example`) === undefined ? [] : [`${pointer}/example`];
  const several = doc.at(`${pointer}/examples`);
  if (!isObject(several)) return one;
  const named = Object.keys(several).flatMap((name) => {
    const found = follow(doc, `${pointer}/examples/${escapeToken(name)}`);
    return found && found.value["value"] !== undefined ? [`${found.pointer}/value`] : [];
  });
  return [...one, ...named];
}

function bodyOf(doc: OpenApi, pointer: string): DescribedOperation["body"] {
  const found = follow(doc, `${pointer}/requestBody`);
  if (!found) return undefined;
  const media = contentIn(doc, found.pointer);
  const json = media.find(({ type }) => isJson(type));
  return {
    json: schemaIn(doc, json),
    others: [],
    forms: formTypes.flatMap((type): FormMedia[] => {
      const own = media.find((one) => one.type.replace(/;.*$/s, "").trim().toLowerCase() === type);
      const schema = schemaIn(doc, own);
      return own && schema !== undefined
        ? [{ type, pointer: own.pointer, schema, examples: examplesIn(doc, own) }]
        : [];
    }),
    types: media.map(({ type }) => type),
    required: found.value["required"] === true,
    pointer: found.pointer,
    examples: examplesIn(doc, json),
  };
}

/** The statuses and ranges of statuses that an operation lists, in capitals. */
function statusesIn({ responses }: Readonly<Record<string, unknown>>): string[] {
  const names = isObject(responses) ? Object.keys(responses).map((name) => name.toUpperCase()) : [];
  return names.filter((name) => /^(?:\d{3}|[1-5]XX|DEFAULT)$/.test(name));
}

function repliesOf(doc: OpenApi, pointer: string, operation: Readonly<Record<string, unknown>>): Reply[] {
  const { responses } = operation;
  if (!isObject(responses)) return [];
  const statuses = Object.keys(responses);
  // The default of a document that names no success is what success brings: of failures it says nothing then.
  const isOfSuccess = !statuses.some((status) => status.startsWith("2"));
  return statuses.flatMap((status): Reply[] => {
    const found = follow(doc, `${pointer}/responses/${escapeToken(status)}`);
    if (!found) return [];
    const media = contentIn(doc, found.pointer);
    const json = media.find(({ type }) => isJson(type));
    const events = media.find(({ type }) => isEvents(type)) ?? media.find(({ type }) => isJsonLines(type));
    const lines = isJsonLines(events?.type) ? events?.type : undefined;
    const called = isOfSuccess && status === "default" ? "2XX" : status.toUpperCase();
    const beside = called.startsWith("2") && !events ? streamEventsBeside(doc, pointer) : [];
    const kinds = events ? streamEventsOf(doc, events.pointer, lines === undefined) : beside;
    return [
      {
        status: called,
        pointer: found.pointer,
        json: schemaIn(doc, json),
        stream: [...new Set(kinds.flatMap(({ data }) => data ?? []))],
        events: kinds,
        lines,
        types: media.map(({ type }) => type).concat(media.length > 0 && beside.length > 0 ? "text/event-stream" : []),
        onlyJson: media.length > 0 && beside.length === 0 && media.every(({ type }) => isNamedJson(type)),
        examples: examplesIn(doc, json),
        headers: headersOf(doc, found.pointer),
      },
    ];
  });
}

/** The headers that are described of a reply. */
function headersOf(doc: OpenApi, reply: string): Header[] {
  const headers = doc.at(`${reply}/headers`);
  return Object.keys(isObject(headers) ? headers : {}).flatMap((name): Header[] => {
    const found = follow(doc, `${reply}/headers/${escapeToken(name)}`);
    if (!found) return [];
    const isRequired = found.value["required"] === true;
    return [{ name, in: "header", required: isRequired, pointer: found.pointer, ...schemaOfText(doc, found.pointer) }];
  });
}
