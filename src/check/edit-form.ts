/** Changes the fields of a form that a request sends. */
import { type FormField, formRequest } from "../wire/build.ts";
import type { Exchange } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { parseForm } from "../wire/multipart.ts";
import { isFile } from "./multipart-value.ts";

/** Changes the fields of a form; undefined where the request is none. */
export function editForm(
  exchange: Exchange,
  change: (fields: readonly FormField[]) => readonly FormField[] | undefined,
): Exchange | undefined {
  const { request } = exchange;
  const form = parseForm(request.body, headerValue(request.headers, "content-type"));
  if (!form.ok) return undefined;
  const fields = form.parts.map((part): FormField => {
    const { name, filename, contentType, bytes } = part;
    if (!isFile(part)) return [name, part.text ?? ""];
    return [name, { filename: filename ?? name, ...(contentType !== undefined && { contentType }), bytes }];
  });
  const changed = change(fields);
  if (!changed) return undefined;
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== "content-type");
  return { ...exchange, request: formRequest(request.target, headers, changed) };
}
