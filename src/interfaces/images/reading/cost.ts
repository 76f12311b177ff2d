/** The cost of this interface's requests, and how they ask for less. */
import type { RequestCost } from "../../../check/interface-signs.ts";
import { type FormField, formRequest, utf8 } from "../../../wire/build.ts";
import { utf8Text } from "../../../wire/bytes.ts";
import { editBody } from "../../../wire/edit.ts";
import type { Exchange, WireRequest } from "../../../wire/exchange.ts";
import { headerValue } from "../../../wire/headers.ts";
import { parseForm } from "../../../wire/multipart.ts";
import { isAbove, jsonOf } from "../../common/cost.ts";

const isLarge = (size: unknown): boolean => typeof size === "string" && /^(?:1792x|1536x|1024x1[57])/.test(size);
const isFine = (quality: unknown): boolean => quality === "hd" || quality === "high";

/** The cheapest value that image models take, in place of a dearer one. */
const cheapest = (name: string, value: unknown): unknown =>
  name === "n" && Number(value) > 1
    ? typeof value === "string"
      ? "1"
      : 1
    : name === "size" && isLarge(value)
      ? "1024x1024"
      : name === "quality" && isFine(value)
        ? value === "hd"
          ? "standard"
          : "low"
        : value;

/** A form that asks for one image, small and plain. */
function withOneImage(exchange: Exchange): Exchange {
  const { request } = exchange;
  if (!isCostly(request)) return exchange;
  const form = parseForm(request.body, headerValue(request.headers, "content-type"));
  if (!form.ok) return exchange;
  const fields = form.parts.map(({ name, filename, contentType, bytes }): FormField => {
    if (filename !== undefined) return [name, { filename, ...(contentType && { contentType }), bytes }];
    return [name, String(cheapest(name, utf8Text(bytes)))];
  });
  const others = request.headers.filter(([name]) => !/^content-(type|length)$/i.test(name));
  return { ...exchange, request: formRequest(request.target, others, fields) };
}

function isCostly(request: WireRequest): boolean {
  const form = parseForm(request.body, headerValue(request.headers, "content-type"));
  if (form.ok) {
    const fields = form.parts.map(({ name, bytes }) => [name, Buffer.from(bytes.subarray(0, 20)).toString()]);
    const { n, size, quality } = Object.fromEntries(fields) as Record<string, unknown>;
    return Number(n) > 1 || isLarge(size) || isFine(quality);
  }
  const { n, size, quality, model } = jsonOf(request) ?? {};
  // The plainest model does not have what it is asked for.
  return isAbove(n, 1) || isLarge(size) || (isFine(quality) && model !== "image-v2");
}

export const cost: RequestCost = {
  bounded(exchange) {
    const body = jsonOf(exchange.request);
    if (!body) return withOneImage(exchange);
    const changed = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, cheapest(name, value)]));
    return editBody(exchange, "request", utf8(JSON.stringify(changed)));
  },
  isCostly,
};
