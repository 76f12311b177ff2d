/** Reads an OpenAPI document from a file, as JSON or YAML, with the files below its folder that it refers to. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readNamedFile, readPlainFile } from "../plain-file.ts";
import { reasonOf, UserError } from "../user-error.ts";
import { isObject, parseJson, withinBounds } from "../wire/json.ts";
import { duplicateKeys } from "../wire/json-issues.ts";
import { percentEncoded } from "../wire/percent.ts";
import { escapeToken } from "../wire/pointer.ts";
import { type Contradiction, type OpenApi, openApiOf } from "./openapi.ts";

export interface ReadOpenApi {
  readonly root: Readonly<Record<string, unknown>>;
  /** SHA-256 of the file, or of it and the files that it refers to. */
  readonly digest: string;
  /** Bytes of these files. */
  readonly size: number;
  /** The files that it refers to, as paths below its folder. */
  readonly others: readonly string[];
  /** Keys that stand twice in one object, of which the last one counts. */
  readonly repeated: readonly Contradiction[];
}

/** A parsed document, before its content is checked. */
type Parsed = Omit<ReadOpenApi, "digest" | "size" | "others">;

/** Bytes of a document that is read: the largest that people publish have some 10 MB. */
const maxBytes = 64 << 20;

const remedy = "Name an OpenAPI document of version 3.0, 3.1 or 3.2, as JSON or YAML.";

/** Documents that were read, by digest: parsing a large one takes a second, and a command asks for it more than once. */
const parsed = new Map<string, Parsed>();

/** Reads a file. UserError where it is no OpenAPI document of version 3. */
export async function readOpenApi(file: string): Promise<ReadOpenApi> {
  const bytes = readNamedFile(file, file, remedy);
  if (bytes.length > maxBytes) throw new UserError(`${file} has more than the 64 MiB that are read`, remedy);
  const digest = createHash("sha256").update(bytes).digest("hex");
  refuseOtherEncodings(bytes, file);
  const text = bytes.toString("utf8");
  const own = parsed.get(digest) ?? (await parse(text, file));
  parsed.set(digest, own);
  const size = bytes.length;
  return refersElsewhere.test(text) ? withOthers(file, size, digest, own) : { ...own, digest, size, others: [] };
}

/** Finds references that are not to the same file. */
const refersElsewhere = /\$ref["']?\s*:\s*(?=\S)(?!["']?#)/;

/** Files that one document may refer to. */
const maxFiles = 2_000;

/** Members of schemas and of other objects whose content is data, in which nothing is a reference. */
const dataMembers = new Set(["example", "default", "const", "enum", "value"]);

/** Members whose own members have names of the document's making. */
const nameMaps = new Set(
  `properties patternProperties $defs definitions dependentSchemas schemas responses parameters examples requestBodies headers
securitySchemes links callbacks pathItems paths webhooks content encoding variables`.split(/\s+/),
);

/** One file of a document. */
interface OwnFile {
  /** Path below the folder of the document, with slashes; empty for the document itself. */
  readonly name: string;
  readonly path: string;
}

/** The member of the whole document that has the content of another file. */
const keyOf = (name: string): string => `./${name}`;

const elsewhere = "Save the file in the folder of the document or below it, and refer to it by its relative path.";

const quoted = (ref: string): string => JSON.stringify(ref.length > 200 ? `${ref.slice(0, 200)}…` : ref);

/** Collects the ids of schemas: a reference to one is to no file. */
function idsIn(root: unknown, ids: Set<string>): void {
  const seen = new Set<unknown>();
  const next = [root];
  for (let value = next.pop(); value !== undefined; value = next.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const { $id } = value as { readonly $id?: unknown };
    if (typeof $id === "string") ids.add($id);
    for (const member of Object.values(value)) if (typeof member === "object") next.push(member);
  }
}

/** Rewrites the references in one file. @param refer returns what a reference becomes. */
function rewritten(root: unknown, refer: (ref: string, pointer: string) => string): unknown {
  // Anchors of YAML put one value into many places.
  const known = [new Map<object, unknown>(), new Map<object, unknown>()] as const;
  const copy = (value: unknown, pointer: string, isMap: boolean): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const copies = known[isMap ? 1 : 0];
    if (copies.has(value)) return copies.get(value);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      copies.set(value, items);
      for (const [i, item] of value.entries()) items.push(copy(item, `${pointer}/${i}`, false));
      return items;
    }
    const members: Record<string, unknown> = {};
    copies.set(value, members);
    const isMapping = !isMap && /\/discriminator\/mapping$/.test(pointer);
    for (const [name, member] of Object.entries(value)) {
      const place = `${pointer}/${escapeToken(name)}`;
      const isData =
        !isMap && (dataMembers.has(name) || name.startsWith("x-") || (name === "examples" && Array.isArray(member)));
      const isReference =
        typeof member === "string" && (isMapping ? /\.(?:json|ya?ml)(?:#|$)/.test(member) : name === "$ref" && !isMap);
      // A name such as __proto__ is a member, too.
      Object.defineProperty(members, name, {
        value: isReference
          ? refer(member as string, place)
          : isData
            ? member
            : copy(member, place, !isMap && nameMaps.has(name)),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return members;
  };
  return copy(root, "", false);
}

/** The document with the files that it refers to. They become members of it, and references lead there. */
async function withOthers(file: string, size: number, digest: string, own: Parsed): Promise<ReadOpenApi> {
  const whole: OwnFile = { name: "", path: resolve(file) };
  const folder = realpathSync(dirname(whole.path));
  const ids = new Set<string>();
  idsIn(own.root, ids);
  const files = new Map<string, OwnFile>([[join(folder, relative(dirname(whole.path), whole.path)), whole]]);
  const left: OwnFile[] = [];

  const fileOf = (ref: string, from: OwnFile, pointer: string): OwnFile => {
    const refuse = (why: string): never => {
      throw new UserError(`${from.path}: ${pointer} refers to ${quoted(ref)}, ${why}`, elsewhere);
    };
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(ref)) refuse("and nothing is read over the network");
    let name = ref;
    try {
      name = decodeURIComponent(ref);
    } catch {
      refuse("which is no path");
    }
    const path = resolve(dirname(join(folder, from.name || "document")), name);
    const isBelow = (one: string): boolean => one.startsWith(folder.endsWith(sep) ? folder : folder + sep);
    if (isAbsolute(name) || name.includes("\0") || !isBelow(path))
      refuse("which is not below the folder of the document");
    let real = path;
    try {
      real = realpathSync(path);
    } catch (error) {
      refuse(`which cannot be read: ${reasonOf(error)}`);
    }
    if (!isBelow(real)) refuse("which is a link out of the folder of the document");
    const known = files.get(real);
    if (known) return known;
    const found: OwnFile = { name: relative(folder, path).split(sep).join("/"), path: real };
    files.set(real, found);
    if (files.size > maxFiles) refuse(`and to more than ${maxFiles} files in all`);
    left.push(found);
    return found;
  };

  const rewrite = (root: unknown, from: OwnFile): unknown =>
    rewritten(root, (ref, pointer) => {
      const at = ref.indexOf("#");
      const [other, fragment] = at < 0 ? [ref, ""] : [ref.slice(0, at), ref.slice(at + 1)];
      if (other !== "" && (ids.has(other) || ids.has(ref))) return ref;
      const target = other === "" ? from : fileOf(other, from, pointer);
      const isAnchor = fragment !== "" && !fragment.startsWith("/");
      return target.name === "" || isAnchor
        ? `#${fragment}`
        : `#/${percentEncoded(escapeToken(keyOf(target.name)))}${fragment}`;
    });

  const root = rewrite(own.root, whole) as Record<string, unknown>;
  const repeated = [...own.repeated];
  const digests = [digest];
  const others: string[] = [];
  let total = size;
  for (let next = left.shift(); next; next = left.shift()) {
    const { name, path } = next;
    const bytes = readPlainFile(path, elsewhere, maxBytes);
    total += bytes.length;
    if (total > maxBytes)
      throw new UserError(`${file} and the files it refers to have more than the 64 MiB that are read`, remedy);
    refuseOtherEncodings(bytes, path);
    const content = await contentOf(bytes.toString("utf8"), path);
    if (typeof content.root !== "object" || content.root === null)
      throw new UserError(`${path} has nothing to refer to: it is neither an object nor a list`, remedy);
    idsIn(content.root, ids);
    const key = keyOf(name);
    root[key] = rewrite(content.root, next);
    repeated.push(...content.repeated.map(({ place, says }) => ({ place: `/${escapeToken(key)}${place}`, says })));
    digests.push(`${name} ${createHash("sha256").update(bytes).digest("hex")}`);
    others.push(name);
  }
  const all = createHash("sha256").update(digests.sort().join("\n")).digest("hex");
  return { root, repeated, digest: others.length > 0 ? all : digest, size: total, others };
}

/** A file that is no text, or a text in another encoding, would be read as one odd word. */
function refuseOtherEncodings(bytes: Uint8Array, file: string): void {
  const [a, b] = bytes;
  const isUtf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  if (isUtf16 || bytes.subarray(0, 1_000).includes(0))
    throw new UserError(`${file} is ${isUtf16 ? "a text in UTF-16" : "no text in UTF-8"}`, "Save it as UTF-8.");
  if (a === 0x1f && b === 0x8b) throw new UserError(`${file} is compressed`, "Decompress it, e.g. with gunzip.");
}

async function parse(text: string, file: string): Promise<Parsed> {
  const { root, repeated } = await contentOf(text, file);
  if (!isObject(root)) throw new UserError(`${file} is no OpenAPI document: it is no object`, remedy);
  const openapi = versionIn(root["openapi"]);
  const swagger = versionIn(root["swagger"]);
  if (openapi === undefined && swagger !== undefined)
    throw new UserError(
      `${file} is an OpenAPI document of version ${swagger.slice(0, 20)}`,
      "Convert it to version 3, e.g. with swagger2openapi.",
    );
  if (!openapi?.startsWith("3."))
    throw new UserError(`${file} is no OpenAPI document: it has no "openapi" of version 3`, remedy);
  if (!isObject(root["paths"]) || Object.keys(root["paths"]).length === 0)
    throw new UserError(`${file} describes no operation: its "paths" are empty`, remedy);
  return { root, repeated };
}

async function contentOf(text: string, file: string): Promise<Content> {
  if (text.trim() === "") throw new UserError(`${file} is empty`, remedy);
  return /^\s*\{/.test(text) ? fromJson(text, file) : fromYaml(text, file);
}

/** A version as a text: without quotes YAML reads 3.0 as the number 3. */
const versionIn = (value: unknown): string | undefined =>
  typeof value === "number" ? value.toFixed(1) : typeof value === "string" ? value : undefined;

/** Whatever a file holds, with the keys that it repeats. */
interface Content {
  readonly root: unknown;
  readonly repeated: readonly Contradiction[];
}

const repeatedKey = (line: number | undefined): string =>
  `Its key stands twice in one object${line === undefined ? "" : `, again in line ${line}`}: the last one counts.`;

function fromJson(text: string, file: string): Content {
  const json = withinBounds(text, parseJson(text, maxBytes));
  // A YAML document may begin with a brace, too, but then its own complaint helps less.
  if (!json.ok) throw new UserError(`${file} is not JSON: ${json.problem}`, remedy);
  return { root: json.value, repeated: duplicateKeys(text).map((place) => ({ place, says: repeatedKey(undefined) })) };
}

/** Places that one anchor, or all that are nested in it, may be put: documents repeat an anchor some hundred times. */
const maxAliasCount = 100_000;

/** Repeated keys that are named. */
const maxRepeated = 100;

/** The parser is loaded only here: most commands need none. */
async function fromYaml(text: string, file: string): Promise<Content> {
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import("yaml");
  try {
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { logLevel: "error", uniqueKeys: false, merge: true, lineCounter });
    const [error] = document.errors;
    if (error) throw error;
    const repeated: Contradiction[] = [];
    const next: [node: unknown, pointer: string][] = [[document.contents, ""]];
    for (let one = next.pop(); one !== undefined && repeated.length < maxRepeated; one = next.pop()) {
      const [node, pointer] = one;
      if (isSeq(node)) for (const [i, item] of node.items.entries()) next.push([item, `${pointer}/${i}`]);
      if (!isMap(node)) continue;
      const names = new Set<string>();
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined || name === "<<") continue;
        const place = `${pointer}/${escapeToken(name)}`;
        const at = isScalar(key) ? key.range?.[0] : undefined;
        if (names.has(name)) repeated.push({ place, says: repeatedKey(at && lineCounter.linePos(at).line) });
        names.add(name);
        next.push([value, place]);
      }
    }
    return { root: document.toJS({ maxAliasCount }) as unknown, repeated };
  } catch (error) {
    const [problem = ""] = (error as Error).message.split("\n", 1);
    if (problem.startsWith("Source contains multiple documents"))
      throw new UserError(
        `${file} holds several YAML documents`,
        "Put each into a file of its own: a line of --- parts them.",
      );
    throw new UserError(`${file} is not YAML: ${problem.replace(/:$/, "")}`, remedy);
  }
}

/** A document as a value that collects its own contradictions. @param name what findings call it */
export const openOpenApi = ({ root }: Pick<ReadOpenApi, "root">, name: string, room?: OpenApi["room"]): OpenApi =>
  openApiOf(root, name, room);

/** Has a document name the keys that stand twice in it. */
export function noteRepeated(doc: OpenApi, { repeated }: ReadOpenApi): void {
  for (const { place, says } of repeated) doc.contradict(place, says);
}
