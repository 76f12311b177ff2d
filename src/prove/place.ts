/** Puts a mutated part back into an exchange: header, path, query, form, body or event. */

import type { FormType } from "../check/operation.ts";
import type { Part } from "../check/schema-targets.ts";
import type { Subject } from "../check/subject.ts";
import { type FormField, formOf, formRequest, utf8 } from "../wire/build.ts";
import { editBody, editEvents, editHeader, editTarget } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { pathOf, searchOf } from "../wire/target.ts";

type Table = Readonly<Record<string, unknown>>;

function withQuery(exchange: Exchange, { operation }: Subject, query: Table): Exchange | undefined {
  const reading = operation.parameters?.query;
  const search = reading ? reading.write(query, searchOf(exchange.request.target)) : textsIn(query, searchOfTexts);
  return search === undefined ? undefined : editTarget(exchange, (target) => pathOf(target) + (search && `?${search}`));
}

const searchOfTexts = (texts: Readonly<Record<string, string>>): string => new URLSearchParams(texts).toString();

/** What is made of a table of texts; undefined where something else is among them. */
function textsIn<T>(table: Table, of: (texts: Readonly<Record<string, string>>) => T): T | undefined {
  // The stray member that a `closed` schema must notice is a number.
  const isText = (entry: unknown): boolean => typeof entry === "string" || entry === 1;
  if (!Object.values(table).every(isText)) return undefined;
  return of(Object.fromEntries(Object.entries(table).map(([name, value]) => [name, String(value)])));
}

function withHeaders(
  exchange: Exchange,
  side: "request" | "response",
  subject: Subject,
  values: Table,
): Exchange | undefined {
  const { operation, response } = subject;
  const before = subject[side]?.headers ?? {};
  const reading = side === "request" ? operation.parameters?.headers : operation.replyHeaders?.(response?.status ?? 0);
  const after = reading ? reading.write(values, before) : textsIn(values, (texts) => texts);
  if (!after) return undefined;
  let changed = exchange;
  const texts = new Map(Object.entries(after));
  for (const name of new Set([...Object.keys(before), ...texts.keys()]))
    if (texts.get(name) !== before[name]) changed = editHeader(changed, side, name, texts.get(name));
  return changed;
}

/** Fields of the changed form value; files keep the bytes of the file that stood at their place. */
function withForm(
  exchange: Exchange,
  subject: Subject,
  after: Readonly<Record<string, unknown>>,
): Exchange | undefined {
  const { body } = subject.request;
  if (body.kind !== "form") return undefined;
  const { request } = exchange;
  const others = request.headers.filter(
    ([name]) => !["content-type", "content-length", "content-encoding"].includes(name.toLowerCase()),
  );
  const reading = subject.operation.forms?.[body.type as FormType];
  if (reading) {
    const parts = reading.write(after, body.parts);
    return { ...exchange, request: formOf(body.type as FormType, { ...request, headers: others }, parts) };
  }
  const fields: FormField[] = [];
  for (const [name, values] of Object.entries(after)) {
    if (!Array.isArray(values)) {
      // The stray member that a `closed` schema must notice.
      if (typeof values !== "string" && typeof values !== "number") return undefined;
      fields.push([name, String(values)]);
      continue;
    }
    const files = body.parts.filter((part) => part.name === name && part.filename !== undefined);
    for (const value of values) {
      if (typeof value === "string") fields.push([name, value]);
      else {
        const file = files.shift() ?? body.parts.find((part) => part.name === name && part.filename !== undefined);
        if (!file || typeof value !== "object" || value === null || !("file" in value)) return undefined;
        const { contentType, filename, bytes } = file;
        fields.push([name, { filename: filename ?? "", ...(contentType && { contentType }), bytes }]);
      }
    }
  }
  return { ...exchange, request: formRequest(request.target, others, fields) };
}

/** The exchange with other texts in its path; undefined where that is no longer a path of its operation. */
function withPath(exchange: Exchange, { operation, path }: Subject, after: Table): Exchange | undefined {
  const changed = operation.parameters?.path?.write(after, path);
  const isOwn = changed !== undefined && operation.at(changed) >= 0;
  return isOwn ? editTarget(exchange, (target) => changed + target.slice(path.length)) : undefined;
}

/** The exchange with one part's value replaced; undefined where the wire cannot carry it. */
export function putBack(exchange: Exchange, subject: Subject, part: Part, value: unknown): Exchange | undefined {
  const { place } = part;
  if (place.in === "stream")
    return editEvents(exchange, (events) => {
      const event = events[place.event ?? 0];
      // Text would be written as it stands, which is no JSON.
      if (event) event.data = typeof value === "string" ? JSON.stringify(value) : value;
    });
  if (place.in === "body") return editBody(exchange, place.side, utf8(JSON.stringify(value)));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const table = value as Table;
  if (place.in === "form") return withForm(exchange, subject, table);
  if (place.in === "query") return withQuery(exchange, subject, table);
  if (place.in === "path") return withPath(exchange, subject, table);
  return place.in === "headers" ? withHeaders(exchange, place.side, subject, table) : undefined;
}
