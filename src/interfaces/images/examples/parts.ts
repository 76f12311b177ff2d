/** The parts of image examples: requests, files, replies. */

import type { Example } from "../../../check/example.ts";
import {
  exchangeOf,
  type FormField,
  type FormUpload,
  formRequest,
  jsonRequest,
  jsonResponse,
} from "../../../wire/build.ts";
import type { Exchange, HeaderPairs, WireResponse } from "../../../wire/exchange.ts";
import { imageFacts } from "../../../wire/image.ts";
import { smallJpeg, smallWebp } from "../../../wire/sample-files.ts";
import { plainPng } from "./small-png.ts";

const key: HeaderPairs = [["Authorization", "Bearer sk-example"]];
export const created = 1_735_689_600;

/** An example whose exchange is made when first asked for: some weigh megabytes. */
export function example(name: string, make: () => Exchange): Example {
  let made: Exchange | undefined;
  return {
    name,
    get exchange() {
      return (made ??= make());
    },
  };
}

/** The same request before anything came back. */
export function unanswered({ name, ...of }: Example): Example {
  return example(`${name}, not answered yet`, () => ({ ...of.exchange, response: null }));
}

export function generation(body: object, response: WireResponse | null = urls(1)): Exchange {
  return exchangeOf(jsonRequest("/v1/images/generations", key, body), response);
}

export function edit(fields: readonly FormField[], response: WireResponse | null = urls(1)): Exchange {
  return exchangeOf(formRequest("/v1/images/edits", key, fields), response);
}

export function variation(fields: readonly FormField[], response: WireResponse | null = urls(1)): Exchange {
  return exchangeOf(formRequest("/v1/images/variations", key, fields), response);
}

/** An upload with the name and media type its bytes deserve. */
export function file(bytes: Uint8Array): FormUpload {
  const { format } = imageFacts(bytes);
  return { filename: `picture.${format === "jpeg" ? "jpg" : format}`, contentType: `image/${format}`, bytes };
}

/** Opaque, square. */
export const opaque = file(plainPng({ width: 4, height: 4 }));
/** Half of it fully transparent, square. */
export const transparent = file(plainPng({ width: 4, height: 4, alpha: true }));
/** Opaque and not square. */
export const wide = file(plainPng({ width: 6, height: 4 }));
export const wideMask = file(plainPng({ width: 6, height: 4, alpha: true }));
export const webp = file(Buffer.from(smallWebp, "base64"));
export const jpeg = file(Buffer.from(smallJpeg, "base64"));

export const usage = {
  total_tokens: 1_120,
  input_tokens: 64,
  output_tokens: 1_056,
  input_tokens_details: { text_tokens: 14, image_tokens: 50 },
};

/** A reply with so many addresses. */
export function urls(count: number, more: object = {}): WireResponse {
  const data = Array.from({ length: count }, (_, i) => ({ url: `https://images.example/picture-${i}.png?until=3600` }));
  return jsonResponse({ created, data, ...more });
}

/** A reply with so many pictures of a size. */
export function pictures(count: number, width: number, height: number, more: object = {}): WireResponse {
  const b64_json = Buffer.from(plainPng({ width, height })).toString("base64");
  return jsonResponse({ created, data: Array.from({ length: count }, () => ({ b64_json })), ...more });
}

/** A reply whose one image has a revised prompt. */
export function revised(image: object): WireResponse {
  return jsonResponse({ created, data: [{ ...image, revised_prompt: "A red paper kite above a calm sea at dusk" }] });
}

/** A failure as the field reports it. */
export function failure(status: number, message: string, param: string | null = null): WireResponse {
  return jsonResponse({ error: { message, type: "invalid_request_error", param, code: null } }, status);
}
