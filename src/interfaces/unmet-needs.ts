/** Tells what a reply with success did not give although its request asked for it: a target that answers so does not offer it. */
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { isObject, parseJson } from "../wire/json.ts";
import { parseForm } from "../wire/multipart.ts";

/** A need that a reply ignored. */
export interface UnmetNeed {
  readonly need: string;
  /** The clause that such a reply violates, where the need is offered. */
  readonly clause: string;
  /** The reading that decides between the two: its strict form keeps the violation. */
  readonly reading: string;
  /** What came, as the end of `POST /v1/images/edits was answered with ...`. */
  readonly came: string;
}

/** The form in which images are asked for; an address unless the request names another (reading I-URL-B64). */
function imageForm({ body, headers }: WireRequest): unknown {
  const json = parseJson(Buffer.from(body).toString("utf8"));
  if (json.ok) return (isObject(json.value) ? json.value["response_format"] : undefined) ?? "url";
  const form = parseForm(body, headerValue(headers, "content-type"));
  return form.ok ? (form.parts.find(({ name }) => name === "response_format")?.text ?? "url") : undefined;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether every image of a reply comes as base64 alone. */
function isBase64Alone(reply: unknown): boolean {
  const data = isObject(reply) ? reply["data"] : undefined;
  return (
    Array.isArray(data) &&
    data.length > 0 &&
    data.every((image) => isObject(image) && isThere(image["b64_json"]) && !isThere(image["url"]))
  );
}

/** @param replies the JSON of the reply, or of each event of its stream */
export function unmetNeed(of: string, request: WireRequest, replies: readonly unknown[]): UnmetNeed | undefined {
  if (of !== "images" || !replies.some(isBase64Alone) || imageForm(request) !== "url") return undefined;
  return {
    need: "url",
    clause: "images.response.url-present",
    reading: "I-URL-B64",
    came: "b64_json, where the address of an image was asked for",
  };
}
