/** Which schema judges which part of an exchange. */
import type { Grade } from "./clause.ts";
import { formValue } from "./form.ts";
import type { ShapePlace } from "./shape.ts";
import type { Original, Subject } from "./subject.ts";

/** A value to be judged by a schema, and the place findings about it name. */
export interface Part {
  readonly schema: string;
  readonly value: unknown;
  readonly place: ShapePlace;
  /** Pointers of integers written with a fraction or exponent, where there are any. */
  readonly fractions?: readonly string[] | undefined;
  /** From a pointer into `value` to the pointer a finding shows, where `value` was made from what was sent. */
  readonly original?: Original | undefined;
  /** Grades members the value lacks, where only a part of it need be there. */
  readonly missing?: Grade | undefined;
}

/** Several values of one form field stand in an array; a finding names the field. */
const fieldOf = (pointer: string): string => pointer.split("/", 2).join("/");

/** Headers, query and body of the request. */
export function requestParts({ operation: { schemas }, request, query }: Subject): Part[] {
  const parts: Part[] = [];
  const { body } = request;
  if (schemas.headers)
    parts.push({ schema: schemas.headers, value: request.headers, place: { side: "request", in: "headers" } });
  if (schemas.query) parts.push({ schema: schemas.query, value: query, place: { side: "request", in: "query" } });
  if (schemas.request && body.kind === "json")
    parts.push({
      schema: schemas.request,
      value: body.value,
      place: { side: "request", in: "body" },
      fractions: body.hidden?.fractions,
    });
  if (schemas.form && body.kind === "form" && body.problem === undefined)
    parts.push({
      schema: schemas.form,
      value: formValue(body.parts),
      place: { side: "request", in: "form" },
      original: fieldOf,
    });
  return parts;
}

/** The body of a whole or failed reply, or every event of a stream. */
export function responseParts({ operation: { schemas, partialEvents }, response }: Subject): Part[] {
  if (!response) return [];
  const { body } = response;
  if (body.kind === "json") {
    const ofSuccess = typeof schemas.response === "function" ? schemas.response(body.value) : schemas.response;
    const schema = response.ok ? ofSuccess : response.status >= 400 ? schemas.error : undefined;
    if (!schema) return [];
    const { value, hidden } = body;
    return [{ schema, value, place: { side: "response", in: "body" }, fractions: hidden?.fractions }];
  }
  if (body.kind !== "stream" || !response.ok) return [];
  const parts: Part[] = [];
  for (const { kind, value, position, hidden } of body.events) {
    if (kind !== "json") continue;
    const schema = typeof schemas.event === "function" ? schemas.event(value) : schemas.event;
    if (!schema) continue;
    const place = { side: "response", in: "stream", event: position } as const;
    parts.push({ schema, value, place, fractions: hidden?.fractions, missing: partialEvents });
  }
  return parts;
}
