/** Reads an OpenAPI document from a file, as JSON or YAML. */
import { createHash } from "node:crypto";
import { readNamedFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { isObject, parseJson, withinBounds } from "../wire/json.ts";
import { duplicateKeys } from "../wire/json-issues.ts";
import { escapeToken } from "../wire/pointer.ts";
import { type Contradiction, type OpenApi, openApiOf } from "./openapi.ts";

export interface ReadOpenApi {
  readonly root: Readonly<Record<string, unknown>>;
  /** SHA-256 of the file. */
  readonly digest: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Keys that stand twice in one object, of which the last one counts. */
  readonly repeated: readonly Contradiction[];
}

/** A document that was read, before anybody asks what it says. */
type Parsed = Omit<ReadOpenApi, "digest" | "size">;

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
  const own = parsed.get(digest) ?? (await parse(bytes.toString("utf8"), file));
  parsed.set(digest, own);
  return { ...own, digest, size: bytes.length };
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
  if (text.trim() === "") throw new UserError(`${file} is empty`, remedy);
  const { root, repeated } = /^\s*\{/.test(text) ? fromJson(text, file) : await fromYaml(text, file);
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
