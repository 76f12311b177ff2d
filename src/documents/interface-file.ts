/** Parses `interface.json`: name, operations, and the places of key, model and stream in requests. */
import type { KeyPlace } from "../check/interface.ts";
import type { Operation } from "../check/operation.ts";
import { didYouMean } from "../check/suggest.ts";
import { UserError } from "../user-error.ts";
import { isObject } from "../wire/json.ts";

/** An operation without an OpenAPI document. */
export interface WrittenOperation {
  /** `POST /v1/things/{id}` */
  readonly name: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Names of schema files by place. */
  readonly schemas: Readonly<Partial<Record<keyof Operation["schemas"], string>>>;
}

/** How a request selects a stream, and how the stream ends. */
export interface StreamPlace {
  /** JSON Pointer to a member of the body that is `true` for streams. */
  readonly body?: string;
  /** Suffix of paths for streams. */
  readonly path?: string;
  /** Data of the last event, such as `[DONE]`. */
  readonly end?: string;
}

/** A parsed `interface.json`. */
export interface Description {
  readonly name: string;
  readonly document?: string;
  /** Path of an OpenAPI document relative to the folder, and its operations; all by default. */
  readonly openapi?: { readonly file: string; readonly operations?: readonly string[] };
  /** Operations without an OpenAPI document; empty with `openapi`. */
  readonly operations: readonly WrittenOperation[];
  readonly key?: KeyPlace & { readonly optional?: boolean };
  /** Pointer into the body, or the name of a parameter in paths. */
  readonly model?: { readonly body?: string; readonly path?: string };
  readonly stream?: StreamPlace;
  /** Separator after the name of an implementor in types, such as `:` in `acme:note`. */
  readonly extensions?: string;
}

const remedies: Readonly<Record<string, string>> = {
  name: `Write a name such as "embeddings": lower-case letters, digits and dashes.`,
  document: `Write what findings are to call the document, such as "our API, version 2".`,
  openapi: `Write the path of the document from here, or {"file": "openapi.yaml", "operations": ["POST /embeddings"]}.`,
  operations: `Write {"name": "POST /embeddings", "schemas": {"request": "request.schema.json"}} for each.`,
  key: `Write {"header": "x-api-key"}, {"query": "key"} or {"cookie": "session"}.`,
  model: `Write {"body": "/model"} for a member of the body, or {"path": "model"} for a parameter such as {model} in paths.`,
  stream: `Write {"body": "/stream"} for a member that is true, or {"path": ":stream"} for the end of paths; "end" is the data of the last event.`,
  extensions: `Write what separates the name of an implementor from its own types, such as ":" for "acme:note".`,
};

const general = `Write for example {"name": "embeddings", "openapi": "openapi.yaml", "operations": ["POST /embeddings"]}.`;

/** Places that an operation may have a schema for. */
const schemaPlaces = ["headers", "query", "request", "form", "response", "event", "error"] as const;

const isPointer = (value: unknown): value is string =>
  typeof value === "string" && /^(?:\/(?:[^~/]|~[01])*)+$/.test(value);

const isHeaderName = (value: unknown): value is string =>
  typeof value === "string" && /^[!#$%&'*+.^_`|~\w-]+$/.test(value);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** Throws a UserError for a member of the file. */
type Refuse = (member: string, what: string, hint?: string) => never;

/**
 * Parses an `interface.json`. Throws UserError for a mistake.
 * @param content its JSON; undefined if the file is missing
 * @param file its name in error messages
 */
export function descriptionIn(content: unknown, file: string): Description {
  const refuse: Refuse = (member, what, hint = "") => {
    throw new UserError(`${file}: "${member}" ${what}`, hint + (remedies[member.split(/[.[]/)[0]!] ?? general));
  };
  if (content === undefined) throw new UserError(`${file} is missing`, general);
  if (!isObject(content)) throw new UserError(`${file} is not a JSON object`, general);
  onlyMembers(content, "", Object.keys(remedies), refuse);
  const { name, document, key, model, stream, extensions } = content;
  if (name === undefined) return refuse("name", "is missing");
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]*$/.test(name) || name in Object.prototype)
    return refuse("name", "is no name of an interface");
  if (document !== undefined && !isText(document)) return refuse("document", "is no name of a document");
  if (extensions !== undefined && !isText(extensions)) return refuse("extensions", "is no text that separates names");
  return {
    name,
    ...(document !== undefined && { document }),
    ...sourceIn(content, refuse),
    ...(key !== undefined && { key: keyIn(key, refuse) }),
    ...(model !== undefined && { model: modelIn(model, refuse) }),
    ...(stream !== undefined && { stream: streamIn(stream, refuse) }),
    ...(extensions !== undefined && { extensions }),
  };
}

/** Rejects unknown members. */
function onlyMembers(content: object, of: string, known: readonly string[], refuse: Refuse): void {
  const stranger = Object.keys(content).find((name) => !known.includes(name) && !/^(?:x-|\$schema$)/.test(name));
  if (stranger === undefined) return;
  refuse(of === "" ? stranger : `${of}.${stranger}`, "is no member that is read", didYouMean(stranger, known));
}

function sourceIn(
  content: Readonly<Record<string, unknown>>,
  refuse: Refuse,
): Pick<Description, "openapi" | "operations"> {
  const { openapi, operations } = content;
  if (openapi === undefined) {
    if (operations === undefined) return refuse("operations", `is missing, and so is "openapi"`);
    if (!Array.isArray(operations) || operations.length === 0) return refuse("operations", "is no list of operations");
    const written = operations.map((one: unknown, i) => operationIn(one, `operations[${i}]`, refuse));
    const twice = written.find((one, i) => written.findIndex(({ name }) => name === one.name) !== i);
    if (twice) return refuse("operations", `has ${twice.name} twice`);
    return { operations: written };
  }
  const source = isObject(openapi) ? openapi : { file: openapi };
  onlyMembers(source, "openapi", ["file", "operations"], refuse);
  const { file, operations: taken = operations } = source as Record<string, unknown>;
  if (!isText(file)) return refuse("openapi", "names no file");
  if (taken !== undefined && (!isTexts(taken) || taken.length === 0))
    return refuse(operations === undefined ? "openapi.operations" : "operations", "is no list of names of operations");
  return { openapi: { file, ...(taken !== undefined && { operations: taken }) }, operations: [] };
}

function operationIn(content: unknown, at: string, refuse: Refuse): WrittenOperation {
  if (!isObject(content)) return refuse(at, "is no object");
  onlyMembers(content, at, ["name", "schemas"], refuse);
  const { name, schemas = {} } = content;
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(String(name)) ?? [];
  if (method === undefined || path === undefined) return refuse(`${at}.name`, "is no method and path");
  if (!isObject(schemas)) return refuse(`${at}.schemas`, "is no object");
  onlyMembers(schemas, `${at}.schemas`, schemaPlaces, refuse);
  for (const [place, file] of Object.entries(schemas))
    if (typeof file !== "string" || !/^[^/\\]+\.schema\.json$/.test(file))
      return refuse(`${at}.schemas.${place}`, "names no *.schema.json of this folder");
  return { name: `${method} ${path}`, method, path, schemas: schemas as WrittenOperation["schemas"] };
}

function keyIn(content: unknown, refuse: Refuse): NonNullable<Description["key"]> {
  if (!isObject(content)) return refuse("key", "is no object");
  onlyMembers(content, "key", ["header", "query", "cookie", "otherHeaders", "optional"], refuse);
  const { header, query, cookie, otherHeaders, optional } = content;
  if ([header, query, cookie].filter((one) => one !== undefined).length !== 1)
    return refuse("key", `has to have one of "header", "query" and "cookie"`);
  if (header !== undefined && !isHeaderName(header)) return refuse("key.header", "is no name of a header");
  if (query !== undefined && !isText(query)) return refuse("key.query", "is no name of a parameter");
  if (cookie !== undefined && !isHeaderName(cookie)) return refuse("key.cookie", "is no name of a cookie");
  if (otherHeaders !== undefined && !(Array.isArray(otherHeaders) && otherHeaders.every(isHeaderName)))
    return refuse("key.otherHeaders", "is no list of names of headers");
  if (optional !== undefined && typeof optional !== "boolean")
    return refuse("key.optional", "is neither true nor false");
  return {
    ...(header !== undefined && { header: header.toLowerCase() }),
    ...(query !== undefined && { query }),
    ...(cookie !== undefined && { cookie }),
    ...(otherHeaders !== undefined && { otherHeaders: otherHeaders.map((name) => name.toLowerCase()) }),
    ...(optional !== undefined && { optional }),
  };
}

function modelIn(content: unknown, refuse: Refuse): NonNullable<Description["model"]> {
  if (!isObject(content)) return refuse("model", "is no object");
  onlyMembers(content, "model", ["body", "path"], refuse);
  const { body, path } = content;
  if (body === undefined && path === undefined) return refuse("model", `has neither "body" nor "path"`);
  if (body !== undefined && !isPointer(body)) return refuse("model.body", "is no JSON Pointer");
  if (path !== undefined && (!isText(path) || /[{}/]/.test(path)))
    return refuse("model.path", "is no name of a parameter");
  return { ...(body !== undefined && { body }), ...(path !== undefined && { path }) };
}

function streamIn(content: unknown, refuse: Refuse): StreamPlace {
  if (!isObject(content)) return refuse("stream", "is no object");
  onlyMembers(content, "stream", ["body", "path", "end"], refuse);
  const { body, path, end } = content;
  if (body !== undefined && !isPointer(body)) return refuse("stream.body", "is no JSON Pointer");
  if (path !== undefined && !isText(path)) return refuse("stream.path", "is no end of a path");
  if (end !== undefined && !isText(end)) return refuse("stream.end", "is no text");
  return {
    ...(body !== undefined && { body }),
    ...(path !== undefined && { path }),
    ...(end !== undefined && { end }),
  };
}
