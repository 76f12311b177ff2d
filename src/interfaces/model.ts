/** Reads and replaces the model id of a request, wherever its operation carries it: JSON body, multipart field or path. */

import { utf8 } from "../wire/build.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue, mediaParameter, mediaType } from "../wire/headers.ts";
import { isObject, parseJson } from "../wire/json.ts";
import { percentEncoded } from "../wire/percent.ts";

/** The image models that the documents speak of. */
export const imageKinds = ["image-v2", "image-v3", "image-multi"] as const;

const classes = ["reasoning", "third-generation"];
const kinds: ReadonlySet<string> = new Set([...imageKinds, ...classes.flatMap((name) => [name, `not-${name}`])]);

/** Whether a model id is no model's, but what the documents call a kind of models. */
export const isKind = (model: string | undefined): model is string => model !== undefined && kinds.has(model);

const pathModel = /(\/models\/)([^/:?]+)(?=:)/;

const textOf = (body: Uint8Array): string => Buffer.from(body).toString("utf8");

/** The model id a request names, or undefined. */
export function modelOf(request: WireRequest): string | undefined {
  const inPath = pathModel.exec(request.target)?.[2];
  if (inPath !== undefined) return decode(inPath);
  const field = formField(request);
  if (field) return Buffer.from(request.body.subarray(...field)).toString("utf8");
  const json = parseJson(textOf(request.body));
  const model = json.ok && isObject(json.value) ? json.value["model"] : undefined;
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
export function withModel(request: WireRequest, model: string): WireRequest {
  const before = modelOf(request);
  if (before === undefined || before === model) return request;
  if (pathModel.test(request.target))
    return { ...request, target: request.target.replace(pathModel, (_all, lead) => lead + percentEncoded(model)) };
  const field = formField(request);
  if (field) {
    const [from, to] = field;
    return {
      ...request,
      body: Buffer.concat([request.body.subarray(0, from), utf8(model), request.body.subarray(to)]),
    };
  }
  return withJson(request, (body) => ({ ...body, model }));
}

/** The request with its JSON object changed; a body that is no JSON object stays as it is. */
export function withJson(
  request: WireRequest,
  change: (body: Readonly<Record<string, unknown>>) => unknown,
): WireRequest {
  const json = parseJson(textOf(request.body));
  return json.ok && isObject(json.value) ? { ...request, body: utf8(JSON.stringify(change(json.value))) } : request;
}

/** First and last byte (exclusive) of the multipart field `model`. */
function formField(request: WireRequest): [from: number, to: number] | undefined {
  const type = headerValue(request.headers, "content-type");
  const boundary = mediaType(type) === "multipart/form-data" ? mediaParameter(type, "boundary") : undefined;
  if (!boundary) return undefined;
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  const delimiter = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(delimiter); at >= 0; ) {
    const next = body.indexOf(delimiter, at + delimiter.length);
    if (next < 0) return undefined;
    const head = body.indexOf("\r\n\r\n", at);
    if (head >= 0 && head < next && /;\s*name="?model"?\s*(?:;|\r\n|$)/i.test(body.toString("latin1", at, head)))
      return [head + 4, next - 2];
    at = next;
  }
  return undefined;
}
