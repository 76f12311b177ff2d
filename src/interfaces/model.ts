/** Reads and replaces the model id of a request, wherever its operation carries it: JSON body, multipart field or path. */

import type { ModelPlace } from "../check/interface.ts";
import { utf8 } from "../wire/build.ts";
import { utf8Text } from "../wire/bytes.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue, mediaParameter, mediaType } from "../wire/headers.ts";
import { isObject, parseJsonBytes } from "../wire/json.ts";
import { percentEncoded } from "../wire/percent.ts";
import { replaceAt, resolvePointer } from "../wire/pointer.ts";

/** The place of the model in requests, unless their interface says otherwise. */
const usual: ModelPlace = { body: "/model" };

/** The model id that a request names; undefined where it names none. @param place where its interface has it */
export function modelOf(request: WireRequest, { body, target }: ModelPlace = usual): string | undefined {
  const inTarget = target?.exec(request.target)?.[2];
  if (inTarget !== undefined) return decode(inTarget);
  if (body === undefined) return undefined;
  const field = formField(request, body);
  if (field) return utf8Text(request.body.subarray(...field));
  const json = parseJsonBytes(request.body);
  const model = json.ok ? resolvePointer(json.value, body) : undefined;
  return typeof model === "string" ? model : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The request with another model id, all else as it was. A request without one stays without. */
export function withModel(request: WireRequest, model: string, place: ModelPlace = usual): WireRequest {
  const before = modelOf(request, place);
  if (before === undefined || before === model) return request;
  const { body = "", target } = place;
  if (target?.test(request.target))
    return { ...request, target: request.target.replace(target, (_all, lead) => lead + percentEncoded(model)) };
  const field = formField(request, body);
  if (field) {
    const [from, to] = field;
    return {
      ...request,
      body: Buffer.concat([request.body.subarray(0, from), utf8(model), request.body.subarray(to)]),
    };
  }
  return withJson(request, (value) => replaceAt(value, body, model));
}

/** The request with its JSON object changed; a body that is no JSON object stays as it is. */
export function withJson(
  request: WireRequest,
  change: (body: Readonly<Record<string, unknown>>) => unknown,
): WireRequest {
  const json = parseJsonBytes(request.body);
  return json.ok && isObject(json.value) ? { ...request, body: utf8(JSON.stringify(change(json.value))) } : request;
}

/** The name of a form field, in lower case; undefined where its head says none. */
const nameIn = (head: string): string | undefined =>
  /;\s*name="?([^";\r\n]*?)"?\s*(?:;|\r\n|$)/i.exec(head)?.[1]?.toLowerCase();

/** First and last byte (exclusive) of the multipart field that a pointer of one step names. */
function formField(request: WireRequest, pointer: string): [from: number, to: number] | undefined {
  const type = headerValue(request.headers, "content-type");
  const boundary = mediaType(type) === "multipart/form-data" ? mediaParameter(type, "boundary") : undefined;
  if (!boundary) return undefined;
  const wanted = pointer.slice(1).toLowerCase();
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  const delimiter = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(delimiter); at >= 0; ) {
    const next = body.indexOf(delimiter, at + delimiter.length);
    if (next < 0) return undefined;
    const head = body.indexOf("\r\n\r\n", at);
    if (head >= 0 && head < next && nameIn(body.toString("latin1", at, head)) === wanted) return [head + 4, next - 2];
    at = next;
  }
  return undefined;
}
