/** The content of a request, as one JSON value without accidents of spelling: requests with the same content have equal ones. */

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { decodeContent } from "../wire/encoding.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue, headerValues, mediaType } from "../wire/headers.ts";
import { parseJson } from "../wire/json.ts";
import { type FormPart, parseForm } from "../wire/multipart.ts";
import { exactly } from "./exact.ts";

/** Members that are absent were not sent. At most one of `body`, `form`, `text` and `bytes` is there. */
export interface CanonicalRequest {
  readonly method: string;
  /** Percent-encodings undone where that keeps the meaning. */
  readonly path: string;
  /** A list where a name is repeated. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Only those that were asked for, names in lower case. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** A JSON body. */
  readonly body?: unknown;
  /** A multipart or URL-encoded form: fields by name. */
  readonly form?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly bytes?: { readonly length: number; readonly sha256: string };
}

/** The members a body may stand in. */
export const bodyMembers = ["body", "form", "text", "bytes"] as const;

/** JSON that nests deeper is compared as text: walking it takes a level of the stack each. */
const maxDepth = 300;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && !isShallow(item, levels - 1)) return false;
  } else {
    const members = value as Readonly<Record<string, unknown>>;
    for (const name in members)
      if (typeof members[name] === "object" && !isShallow(members[name], levels - 1)) return false;
  }
  return true;
}

/** Values by name; a list where there are several of one name, in their order. */
function grouped(pairs: Iterable<readonly [string, unknown]>): { [name: string]: unknown } | undefined {
  const lists = new Map<string, unknown[]>();
  for (const [name, value] of pairs) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  if (lists.size === 0) return undefined;
  return Object.fromEntries(Array.from(lists, ([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll("/", "%2F");
  } catch {
    return segment;
  }
}

const digestOf = (bytes: Uint8Array): { length: number; sha256: string } => ({
  length: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** The content of a part. The name a file has on the client's disk is no part of it. Bytes with the marker are represented by the marker alone. */
function partOf({ filename, contentType, bytes, text }: FormPart, marker: string | undefined): unknown {
  if (filename === undefined && text !== undefined) return text;
  if (marker !== undefined && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(marker))
    return { [marker]: true };
  return { ...(contentType && { type: contentType }), ...digestOf(bytes) };
}

function bodyOf({ headers, body: raw }: WireRequest, marker: string | undefined): Partial<CanonicalRequest> {
  if (raw.length === 0) return {};
  const undone = decodeContent(raw, headerValue(headers, "content-encoding"));
  const body = undone.ok ? undone.bytes : raw;
  const contentType = headerValue(headers, "content-type");
  const media = mediaType(contentType);
  if (media === "multipart/form-data") {
    const read = parseForm(body, contentType);
    const form = read.ok ? grouped(read.parts.map((part) => [part.name, partOf(part, marker)])) : undefined;
    if (form) return { form };
  }
  const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isUtf8(view)) return { bytes: digestOf(body) };
  const text = view.toString("utf8");
  const parsed = parseJson(text);
  if (parsed.ok && isShallow(parsed.value, maxDepth)) return { body: exactly(text, parsed.value) };
  if (media === "application/x-www-form-urlencoded") {
    const form = grouped(new URLSearchParams(text));
    if (form) return { form };
  }
  return { text };
}

/**
 * A request in its canonical form: query and JSON members in any order, multipart by its parts, content encodings undone.
 * @param headers names of headers that are part of what is asked, in lower case
 * @param marker what stands in place of redacted parts of a file
 */
export function canonicalRequest(
  request: WireRequest,
  headers: readonly string[] = [],
  marker?: string,
): CanonicalRequest {
  const target = request.target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  const query = at < 0 ? undefined : grouped(new URLSearchParams(target.slice(at + 1)));
  const named = grouped(
    headers.flatMap((name) => {
      const values = headerValues(request.headers, name);
      return values.length > 0 ? [[name, values.join(", ")] as const] : [];
    }),
  );
  return {
    method: request.method.toUpperCase(),
    path: path.split("/").map(decoded).join("/"),
    ...(query && { query }),
    ...(named && { headers: named }),
    ...bodyOf(request, marker),
  };
}
