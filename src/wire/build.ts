/** Writes exchanges by hand: for examples, counterexamples and the reference implementation. */

import type { Exchange, HeaderPairs, WireRequest, WireResponse } from "./exchange.ts";
import { mediaType } from "./headers.ts";
import type { FormPart } from "./multipart.ts";

const encoder = new TextEncoder();

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A request with a JSON body. */
export function jsonRequest(target: string, headers: HeaderPairs, body: unknown, method = "POST"): WireRequest {
  return {
    method,
    target,
    headers: [...headers, ["Content-Type", "application/json"]],
    body: utf8(JSON.stringify(body)),
  };
}

/** One multipart field: a text, or a file. */
export type FormField = readonly [name: string, value: string | FormUpload];
export interface FormUpload {
  /** Left out where the part is no file. */
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes: Uint8Array;
}

const boundary = "touchstone-7f3a9c51e2";

/** A name inside quotes, as browsers write it (WHATWG HTML, multipart/form-data). */
const quoted = (name: string): string =>
  `"${name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")}"`;

/** A request with a multipart form; no value may contain the fixed boundary `touchstone-7f3a9c51e2` on a line of its own. */
export function formRequest(target: string, headers: HeaderPairs, fields: readonly FormField[]): WireRequest {
  const pieces: Uint8Array[] = [];
  for (const [name, value] of fields) {
    const file = typeof value !== "string";
    pieces.push(
      utf8(
        `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}${file && value.filename !== undefined ? `; filename=${quoted(value.filename)}` : ""}\r\n` +
          `${file && value.contentType ? `Content-Type: ${value.contentType}\r\n` : ""}\r\n`,
      ),
      file ? value.bytes : utf8(value),
      utf8("\r\n"),
    );
  }
  pieces.push(utf8(`--${boundary}--\r\n`));
  return {
    method: "POST",
    target,
    headers: [...headers, ["Content-Type", `multipart/form-data; boundary=${boundary}`]],
    body: Buffer.concat(pieces),
  };
}

/** A request whose body is a form of these parts. */
export function formOf(
  type: "multipart/form-data" | "application/x-www-form-urlencoded",
  head: Pick<WireRequest, "method" | "target" | "headers">,
  parts: readonly FormPart[],
): WireRequest {
  if (type === "application/x-www-form-urlencoded") {
    const pairs = parts.map(({ name, text, bytes }): [string, string] => [name, text ?? Buffer.from(bytes).toString()]);
    const body = utf8(new URLSearchParams(pairs).toString());
    return { ...head, headers: [...head.headers, ["Content-Type", type]], body };
  }
  const fields = parts.map(({ name, text, ...upload }): FormField => {
    const isPlain = upload.filename === undefined && upload.contentType === undefined;
    return [name, isPlain && text !== undefined ? text : upload];
  });
  return { ...formRequest(head.target, head.headers, fields), method: head.method };
}

/** A whole JSON reply. */
export function jsonResponse(body: unknown, status = 200): WireResponse {
  return { status, headers: [["content-type", "application/json"]], body: utf8(JSON.stringify(body)) };
}

/** One server-sent event: data as JSON unless it is text already, with an `event:` line where named. */
export function sseEvent(data: unknown, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** A streamed reply, one chunk an event; `events` as `sseEvent` writes them. */
export function streamResponse(events: readonly string[]): WireResponse {
  const pieces = events.map(utf8);
  return {
    status: 200,
    headers: [["content-type", "text/event-stream"]],
    body: Buffer.concat(pieces),
    chunks: pieces.map((piece, i) => [i, piece.length] as const),
  };
}

/** One line of JSON, text as it is; a record of a JSON text sequence where that is the media type. */
export const jsonLine = (data: unknown, type: string | undefined): string =>
  `${mediaType(type) === "application/json-seq" ? "\x1e" : ""}${typeof data === "string" ? data : JSON.stringify(data)}\n`;

/** A reply of JSON lines, one chunk each. */
export function linesResponse(values: readonly unknown[], type: string): WireResponse {
  const { body, chunks } = streamResponse(values.map((value) => jsonLine(value, type)));
  return { status: 200, headers: [["content-type", type]], body, ...(chunks && { chunks }) };
}

export function exchangeOf(request: WireRequest, response: WireResponse | null): Exchange {
  return { request, response };
}
