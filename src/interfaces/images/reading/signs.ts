/** Signs of what requests of this interface ask for and replies give, told by their members. */

import type { ReplySigns, RequestSigns } from "../../../check/interface-signs.ts";
import type { WireRequest } from "../../../wire/exchange.ts";
import { headerValue } from "../../../wire/headers.ts";
import { isObject, parseJsonBytes } from "../../../wire/json.ts";
import { parseForm } from "../../../wire/multipart.ts";
import { itemsAt, memberOf } from "../../common/members.ts";
import { cost } from "./cost.ts";

export const requests: RequestSigns = {
  needs: [
    ["image-multi", /^model=image-multi$/],
    ["image-v3", /^model=image-v3$/],
    ["url", /^response_format=url$/],
  ],
  cost,
  plainModel: "my-model",
  essential: ["model", "prompt", "image", "stream"],
  // Two forms in which images are asked for, of which a target may offer one and not the other.
  options: [["b64_json", /^response_format=b64_json$/]],
};

/** The form in which images are asked for; an address unless the request names another (reading I-URL-B64). */
function imageForm({ body, headers }: WireRequest): unknown {
  const json = parseJsonBytes(body);
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

export const replies: ReplySigns = {
  members: ["data", "created"],
  holds: [["picture", /^data\/\*\/(?:url|b64_json)=./]],
  addresses: ["data", "*", "url"],
  usage: { at: [["usage"]], input: ["input_tokens"], output: ["output_tokens"] },
  images: (reply) => (Array.isArray(memberOf(reply, "data")) ? itemsAt(reply, "data").length : undefined),
  unmetNeed: (request, all) =>
    all.some(isBase64Alone) && imageForm(request) === "url"
      ? {
          need: "url",
          clause: "images.response.url-present",
          reading: "I-URL-B64",
          came: "b64_json, where the address of an image was asked for",
        }
      : undefined,
};
