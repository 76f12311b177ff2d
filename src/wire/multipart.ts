/** Reads forms, multipart and urlencoded: texts and files, in order. */

import { MaxPartsExceededError, parseMultipart } from "@remix-run/multipart-parser";
import { viewOf } from "./bytes.ts";
import { mediaParameter, mediaType } from "./headers.ts";

export interface FormPart {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8 text, for parts without a file name. */
  readonly text?: string;
}

export type FormResult =
  | { readonly ok: true; readonly parts: readonly FormPart[] }
  /** `beyond` where it may be a form, and was not read, since there is too much of it. */
  | { readonly ok: false; readonly problem: string; readonly beyond?: true };

/** Parts of a form that are read; each takes a kilobyte of memory. */
const maxParts = 100_000;
/** RFC 2046 allows this much. Searching for a longer boundary may take its length for every byte of the body. */
const maxBoundaryLength = 70;

/** The body from its first boundary on: RFC 2046 section 5.1.1 allows a preamble before it, the parser does not. */
function withoutPreamble(body: Buffer, boundary: string): Buffer {
  const opening = Buffer.from(`--${boundary}`, "latin1");
  if (body.subarray(0, opening.length).equals(opening)) return body;
  const at = body.indexOf(Buffer.from(`\r\n--${boundary}`, "latin1"));
  return at < 0 ? body : body.subarray(at + 2);
}

/** The value of `filename*` (RFC 8187), where it can be read. */
function extendedValue(value: string | undefined): string | undefined {
  const [, charset, encoded] = /^([^']*)'[^']*'(.*)$/.exec(value ?? "") ?? [];
  if (charset === undefined || encoded === undefined) return undefined;
  const bytes = encoded.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString(/^utf-?8$/i.test(charset) ? "utf8" : "latin1");
}

/** A part's bytes; the parser's own accessor would copy them. */
function bytesOf(content: readonly Uint8Array[]): Uint8Array {
  return content.length === 1 ? viewOf(content[0]!) : Buffer.concat(content);
}

/** Parses a multipart body by its Content-Type's boundary; parts are views into `body`. Never throws. */
export function parseForm(body: Uint8Array, contentType: string | undefined): FormResult {
  const boundary = mediaParameter(contentType, "boundary");
  if (!boundary) return { ok: false, problem: "Content-Type names no boundary" };
  if (boundary.length > maxBoundaryLength)
    return { ok: false, problem: `the boundary is longer than ${maxBoundaryLength} characters`, beyond: true };
  if (body.length === 0) return { ok: false, problem: "the body is empty" };
  try {
    const parts: FormPart[] = [];
    const size = body.length + 1;
    const bounds = { maxFileSize: size, maxTotalSize: size, maxHeaderSize: size, maxParts: maxParts };
    for (const part of parseMultipart(withoutPreamble(viewOf(body), boundary), { boundary, ...bounds })) {
      // Read here, since the parser's own accessors print a warning where a charset is unknown to them.
      const disposition = part.headers["content-disposition"];
      const filename =
        extendedValue(mediaParameter(disposition, "filename*")) ?? mediaParameter(disposition, "filename");
      const type = mediaType(part.headers["content-type"]);
      const bytes = bytesOf(part.content);
      parts.push({
        name: mediaParameter(disposition, "name") ?? "",
        ...(filename !== undefined && { filename }),
        ...(type !== undefined && { contentType: type }),
        bytes,
        ...(filename === undefined && { text: viewOf(bytes).toString("utf8") }),
      });
    }
    return { ok: true, parts };
  } catch (error) {
    const beyond = error instanceof MaxPartsExceededError;
    return { ok: false, problem: (error as Error).message, ...(beyond && { beyond }) };
  }
}

/** Reads an urlencoded body as parts that are texts. Never throws. */
export function parseUrlencoded(body: Uint8Array): FormResult {
  const text = viewOf(body).toString("utf8");
  const parts: FormPart[] = [];
  for (const [name, value] of new URLSearchParams(text)) {
    if (parts.length === maxParts) return { ok: false, problem: `it has more than ${maxParts} fields`, beyond: true };
    parts.push({ name, text: value, bytes: Buffer.from(value, "utf8") });
  }
  return { ok: true, parts };
}
