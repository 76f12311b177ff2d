/** Makes interfaces of an OpenAPI file alone: one for each tag, or for what paths begin with. */
import { basename } from "node:path";
import type { Example } from "../check/example.ts";
import { didYouMean } from "../check/suggest.ts";
import { UserError } from "../user-error.ts";
import type { WrittenClause } from "./clauses.ts";
import { type DerivedInterface, deriveInterface, targetOf } from "./derive.ts";
import { examplesOf } from "./examples.ts";
import type { Description } from "./interface-file.ts";
import { minExampleBytes, type OpenApi } from "./openapi.ts";
import {
  basePath,
  type DescribedOperation,
  type OperationPlace,
  operationPlaces,
  pathIn,
  queryIn,
  readOperation,
} from "./operations.ts";
import type { OwnInterface } from "./own.ts";
import { noteRepeated, openOpenApi, readOpenApi } from "./read-openapi.ts";
import { kebab } from "./words.ts";

/** What findings call a document that says no name of its own: that of its file. */
export const documentName = (file: string): string => kebab(basename(file).replace(/\.[^.]+$/, "")) || "document";

/** The interfaces of a file, named after its tags. UserError for what cannot be read. */
export async function fromOpenApiFile(file: string): Promise<OwnInterface[]> {
  const read = await readOpenApi(file);
  const document = documentName(file);
  const doc = openOpenApi(read, document);
  const room = { bytes: Math.max(minExampleBytes, 3 * read.size) };
  return [...byInterface(operationPlaces(doc))].map(([name, places], i) => {
    // Each collects the contradictions of its own operations, and the first those of the whole document.
    const own = openOpenApi(read, document, room);
    if (i === 0) noteRepeated(own, read);
    return ownInterface(own, deriveFrom(own, name, document, places), [{ name: basename(file), digest: read.digest }]);
  });
}

/** Groups operations by the name of their interface. */
export function byInterface(places: readonly OperationPlace[]): Map<string, OperationPlace[]> {
  const groups = new Map<string, OperationPlace[]>();
  for (const place of places) {
    const name = interfaceNameOf(place);
    const group = groups.get(name);
    if (group) group.push(place);
    else groups.set(name, [place]);
  }
  return groups;
}

/** The first tag of an operation, or the first step of its path that is no version. */
function interfaceNameOf(place: OperationPlace): string {
  const [tag] = place.tags;
  const step = pathIn(place)
    .split("/")
    .find((one) => one !== "" && !/^v\d+\w*$/.test(one) && !one.includes("{"));
  return asName(kebab(tag ?? "") || kebab(step ?? "")) || "root";
}

/** Names of interfaces begin with a letter. `constructor` is one of every object's own. */
const asName = (text: string): string =>
  /^[a-z]/.test(text) && !(text in Object.prototype) ? text : text && `x-${text}`;

/** All paths of a document, with the queries that it writes behind them and their methods. */
interface DocumentPaths {
  readonly paths: readonly string[];
  readonly queries: ReadonlyMap<string, readonly string[]>;
  readonly methods: ReadonlyMap<string, ReadonlySet<string>>;
}

const read = new WeakMap<object, DocumentPaths>();

/** The paths of a document; read once, though each of its interfaces asks for them. */
function pathsOf(doc: OpenApi): DocumentPaths {
  const known = read.get(doc.root);
  if (known) return known;
  const all = operationPlaces(doc);
  const queries = new Map<string, string[]>();
  for (const place of all)
    if (queryIn(place) !== "") queries.set(pathIn(place), [...(queries.get(pathIn(place)) ?? []), queryIn(place)]);
  const methods = new Map<string, Set<string>>();
  for (const place of all)
    methods.set(pathIn(place), (methods.get(pathIn(place)) ?? new Set<string>()).add(place.method));
  const found = { paths: [...methods.keys()], queries, methods };
  read.set(doc.root, found);
  return found;
}

export function deriveFrom(
  doc: OpenApi,
  name: string,
  document: string,
  places: readonly OperationPlace[],
  written?: ReadonlyMap<string, WrittenClause>,
): DerivedInterface {
  const ofPaths = pathsOf(doc);
  const operations = joinTwins(places.map((place) => readOperation(doc, place)));
  return deriveInterface(doc, { name, document, operations, ...ofPaths, ...(written && { written }) });
}

/** Operations of one method and path, told apart by a fragment, are one: the second mostly describes the stream of the first. */
function joinTwins(operations: readonly DescribedOperation[]): DescribedOperation[] {
  const joined = new Map<string, DescribedOperation>();
  for (const one of operations) {
    const key = `${one.method} ${targetOf(one)}`;
    const before = joined.get(key);
    joined.set(
      key,
      before
        ? {
            ...before,
            body: bodyOfBoth(before, one),
            replies: [...before.replies, ...one.replies],
            statuses: [...new Set([...before.statuses, ...one.statuses])],
            // A request of the one that demands no key needs none.
            security:
              before.security.length > 0 && one.security.length > 0 ? [...before.security, ...one.security] : [],
          }
        : one,
    );
  }
  return [...joined.values()];
}

/** A body that is one of two, or that of the one operation that has any. */
function bodyOfBoth({ body }: DescribedOperation, { body: other }: DescribedOperation): DescribedOperation["body"] {
  // What only one of them demands, a request need not keep.
  const both = { required: body?.required === true && other?.required === true };
  const types = [...new Set([...(body?.types ?? []), ...(other?.types ?? [])])];
  const first = body?.json === undefined ? (other ?? body) : body;
  if (!first) return undefined;
  const others = first === body && other?.json !== undefined ? [...first.others, other.json] : first.others;
  return { ...first, ...both, types, others };
}

export function ownInterface(
  doc: OpenApi,
  { interface: described, sources, bodies, keyDemand, noteFaultySamples }: DerivedInterface,
  files: OwnInterface["files"],
  places: Pick<Description, "stream"> = {},
  recordings: OwnInterface["recordings"] = async () => [],
): OwnInterface {
  let made: readonly Example[] | undefined;
  const unexampled = new Map<string, string>();
  const examples = (): readonly Example[] =>
    (made ??= bodies.flatMap((one) =>
      examplesOf(doc, one, { key: described.key, streamAt: places.stream?.body ?? "/stream" }, unexampled),
    ));
  return {
    described,
    sources,
    examples,
    unexampled() {
      examples();
      return unexampled;
    },
    conversations: [],
    recordings,
    files,
    ...(keyDemand && { keyDemand }),
    contradictions() {
      noteFaultySamples();
      return doc.contradictions;
    },
  };
}

/**
 * The operations that somebody asks for, by `operationId`, or method and path with or without that of the server.
 * UserError for one that there is not.
 * @param file what the complaint calls the document
 */
export function selectOperations(doc: OpenApi, wanted: readonly string[], file: string): OperationPlace[] {
  const all = operationPlaces(doc);
  const namesOf = (place: OperationPlace): string[] => {
    const base = basePath(doc, place);
    const { operationId, method, written } = place;
    const path = written.replace(/#.*$/s, "");
    const paths = [...new Set([written, path, base + written, base + path])];
    return [...(operationId === undefined ? [] : [operationId]), ...paths.map((path) => `${method} ${path}`)];
  };
  return wanted.flatMap((name) => {
    const asked = name.replace(/^[a-z]+ /, (method) => method.toUpperCase());
    const found = all.filter((place) => namesOf(place).includes(asked));
    if (found.length > 0) return found;
    const known = all.flatMap((place) => namesOf(place).slice(0, 1));
    throw new UserError(
      `${file} has no operation ${name}`,
      `${didYouMean(name, known)}Name an operationId, or a method and path such as POST /embeddings.`,
    );
  });
}
