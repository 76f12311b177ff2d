/** Judges exchanges by an OpenAPI document with Prism, another validator of HTTP messages. */
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Exchange, HeaderPairs } from "../../wire/exchange.ts";
import { headerValue, mediaType } from "../../wire/headers.ts";
import { parseJsonBytes } from "../../wire/json.ts";
import { installPackages } from "../install-packages.ts";

const packageName = "@stoplight/prism-http";

/** The packages that are installed for the comparison, at exact versions. */
const packages = { [packageName]: "5.16.0" };

/** One objection of Prism. */
export interface Diagnostic {
  /** The part of the message, then the tokens of the place: `["body", "items", "0"]`. */
  readonly path?: readonly (string | number)[];
  /** The keyword of JSON Schema where it is one. */
  readonly code?: string | number;
  readonly message: string;
}

export interface Prism {
  /** @returns objections; undefined if no operation of the document has the path */
  readonly judge: (exchange: Exchange) => readonly Diagnostic[] | undefined;
}

/** A value, or the objections to it, as fp-ts has them. */
type Outcome<T> =
  | { readonly _tag: "Right"; readonly right: T }
  | { readonly _tag: "Left"; readonly left: readonly Diagnostic[] };

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly servers?: readonly { readonly url: string }[];
}

type Validate = (subject: { readonly resource: Operation; readonly element: unknown }) => Outcome<unknown>;

/** The functions of Prism's packages that are called here. */
export interface Library {
  getHttpOperationsFromSpec(file: string): Promise<readonly Operation[]>;
  readonly validateInput: Validate;
  readonly validateOutput: Validate;
  readonly validateSecurity: Validate;
  route(question: {
    readonly resources: readonly Operation[];
    readonly input: unknown;
  }):
    | { readonly _tag: "Right"; readonly right: Operation }
    | { readonly _tag: "Left"; readonly left: { readonly name: string; readonly detail: string } };
}

/** Installs Prism into a folder, and loads it. */
export async function loadPrism(folder: string): Promise<Library> {
  await installPackages(folder, packageName, packages);
  const require = createRequire(join(folder, "package.json"));
  return {
    ...require(packageName),
    ...require(`${packageName}/dist/validator`),
    route: require(`${packageName}/dist/router`).default,
  };
}

const headersOf = (headers: HeaderPairs): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

/** A body as Prism's own server and proxy read it: JSON as a value, anything else as text. */
function bodyOf({ headers, body }: { readonly headers: HeaderPairs; readonly body: Uint8Array }): unknown {
  if (body.length === 0) return undefined;
  const type = mediaType(headerValue(headers, "content-type"));
  const json = /^application\/(?:json|.*\+json)$/.test(type ?? "") ? parseJsonBytes(body) : undefined;
  return json?.ok ? json.value : Buffer.from(body).toString("utf8");
}

const faultsOf = (outcome: Outcome<unknown>): readonly Diagnostic[] =>
  outcome._tag === "Right" ? [] : outcome.left.filter(({ code }) => code !== "deprecated");

/** Whether a response is of events or lines, whose schemas describe one of them: Prism judges the whole text by these. */
const isOfEvents = (headers: HeaderPairs): boolean =>
  /^(?:text\/event-stream|application\/(?:x-ndjson|jsonl|json-seq))$/.test(
    mediaType(headerValue(headers, "content-type")) ?? "",
  );

/** The path of an operation behind that of its first server, which Prism leaves out. */
const wholePath = ({ path, servers: [first] = [] }: Operation): string =>
  `${first ? new URL(first.url, "http://localhost").pathname.replace(/\/$/, "") : ""}${path}`;

/** Has Prism read a document. */
export async function openPrism(library: Library, file: string): Promise<Prism> {
  const operations = await library.getHttpOperationsFromSpec(file);
  const resources = operations.map((operation) => ({ ...operation, path: wholePath(operation) }));
  const routed = new Map<string, ReturnType<Library["route"]>>();
  return {
    judge({ request, response }) {
      const [path = "", query = ""] = request.target.split("?", 2);
      const method = request.method.toLowerCase();
      const key = `${method} ${path}`;
      const route = routed.get(key) ?? library.route({ resources, input: { method, url: { path } } });
      routed.set(key, route);
      if (route._tag === "Left")
        return route.left.name.includes("NO_METHOD_MATCHED")
          ? [{ path: ["method"], message: route.left.detail }]
          : undefined;
      const headers = { "content-length": String(request.body.length), ...headersOf(request.headers) };
      const input = {
        resource: route.right,
        element: { method, url: { path, query: queryOf(query) }, headers, body: bodyOf(request) },
      };
      const output = response && {
        resource: route.right,
        element: { statusCode: response.status, headers: headersOf(response.headers), body: bodyOf(response) },
      };
      return [
        ...faultsOf(library.validateInput(input)),
        ...faultsOf(library.validateSecurity(input)),
        ...(output ? faultsOf(library.validateOutput(output)) : []).filter(
          ({ path: [part] = [] }) => part !== "body" || !isOfEvents(response!.headers),
        ),
      ];
    },
  };
}

function queryOf(query: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const before = found[name];
    found[name] = before === undefined ? value : [before, value].flat();
  }
  return found;
}
