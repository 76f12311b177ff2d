/** The addresses that a reply hands out for its caller to fetch. */
import { isObject } from "../wire/json.ts";

/** Each address of an image, once, in order; other interfaces hand out none. */
export function addressesIn(of: string, reply: unknown): string[] {
  const data = of === "images" && isObject(reply) ? reply["data"] : undefined;
  const urls = (Array.isArray(data) ? data : []).map((image: unknown) => (isObject(image) ? image["url"] : undefined));
  return [...new Set(urls.filter((url) => typeof url === "string"))];
}
