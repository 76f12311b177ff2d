/** Lists which schema applies to which part of an exchange. */

import { searchOf } from "../wire/target.ts";
import type { Original } from "./body.ts";
import type { Grade } from "./clause.ts";
import { formValue } from "./multipart-value.ts";
import type { Operation, Spelling } from "./operation.ts";
import type { ShapePlace } from "./shape.ts";
import type { Subject } from "./subject.ts";

/** A value to be judged by a schema, and the place findings about it name. */
export interface Part {
  readonly schema: string;
  readonly value: unknown;
  readonly place: ShapePlace;
  /** Pointers into `value` of integers written with a fraction or exponent, where there are any. */
  readonly fractions?: readonly string[] | undefined;
  /** From a pointer into `value` to the pointer a finding shows, where `value` was made from what was sent. */
  readonly original?: Original | undefined;
  /** Grades members the value lacks, where only a part of it need be there. */
  readonly missing?: Grade | undefined;
}

/** Several values of one form field stand in an array; a finding names the field. */
const fieldOf = (pointer: string): string => pointer.split("/", 2).join("/");

/** Tokens of a pointer among which members may be respelled. */
const maxRespelled = 400;

/** Pointers into what was sent as pointers into its canonical spelling; what stands there in both spellings is left out. */
function inCanonical(
  sent: readonly string[] | undefined,
  spelling: Spelling | undefined,
): readonly string[] | undefined {
  if (!sent || !spelling) return sent;
  const names = new Map(spelling.aliases.map(({ pointer, camel, both }) => [pointer, both ? undefined : camel]));
  const singles = new Set(spelling.singles);
  return sent.flatMap((pointer) => {
    let canonical = "";
    let end = 0;
    for (let left = maxRespelled; left > 0 && end < pointer.length; left--) {
      const from = end;
      end = pointer.indexOf("/", from + 1);
      if (end < 0) end = pointer.length;
      const prefix = pointer.slice(0, end);
      if (names.has(prefix)) {
        const name = names.get(prefix);
        if (name === undefined) return [];
        canonical += `/${name}`;
      } else canonical += pointer.slice(from, end);
      if (singles.has(prefix)) canonical += "/0";
    }
    return [canonical + pointer.slice(end)];
  });
}

/** Headers, path, query and body of the request. */
export function requestParts(subject: Subject): Part[] {
  const { operation, request, path, query, exchange, credentialsKept } = subject;
  const { schemas, parameters } = operation;
  const parts: Part[] = [];
  const { body } = request;
  for (const [schema, place, read] of [
    [schemas.headers, "headers", () => parameters?.headers?.read(request.headers, credentialsKept) ?? request.headers],
    [schemas.path, "path", () => parameters?.path?.read(path)],
    [schemas.query, "query", () => parameters?.query?.read(searchOf(exchange.request.target)) ?? query],
  ] as const) {
    const value = schema && read();
    if (schema && value) parts.push({ schema, value, place: { side: "request", in: place } });
  }
  if (schemas.request && body.kind === "json")
    parts.push({
      schema: schemas.request,
      value: body.value,
      place: { side: "request", in: "body" },
      fractions: inCanonical(body.lexicalIssues?.fractions, body.spelling),
    });
  const form = formValue(operation, body);
  if (form?.schema)
    parts.push({
      schema: form.schema,
      value: form.value,
      place: { side: "request", in: "form" },
      original: fieldOf,
    });
  return parts;
}

/** The headers of a reply, and its body, whole or failed, or every event of a stream. */
export function* responseParts({ operation, response }: Subject): Generator<Part, void> {
  if (!response) return;
  const headers = operation.replyHeaders?.(response.status);
  const place = { side: "response", in: "headers" } as const;
  if (headers) yield { schema: headers.schema, value: headers.read(response.headers), place };
  yield* replyParts(operation, response);
}

function* replyParts(
  { schemas, partialEvents }: Operation,
  response: NonNullable<Subject["response"]>,
): Generator<Part, void> {
  const { body } = response;
  if (body.kind === "json") {
    const ofSuccess =
      typeof schemas.response === "function" ? schemas.response(body.value, response.status) : schemas.response;
    const ofFailure = typeof schemas.error === "function" ? schemas.error(response.status) : schemas.error;
    const schema = response.ok ? ofSuccess : response.status >= 400 ? ofFailure : undefined;
    if (!schema) return;
    const { value, lexicalIssues, spelling } = body;
    const fractions = inCanonical(lexicalIssues?.fractions, spelling);
    yield { schema, value, place: { side: "response", in: "body" }, fractions };
    return;
  }
  if (body.kind !== "stream" || !response.ok) return;
  for (const { kind, value, event, position, lexicalIssues, spelling } of body.events) {
    if (kind !== "json") continue;
    const schema = typeof schemas.event === "function" ? schemas.event(value, event) : schemas.event;
    if (!schema) continue;
    const place = { side: "response", in: "stream", event: position } as const;
    const fractions = inCanonical(lexicalIssues?.fractions, spelling);
    yield { schema, value, place, fractions, missing: partialEvents };
  }
}
