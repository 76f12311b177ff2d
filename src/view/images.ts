/** Images in what was sent: found by how their base64 begins, shown where they are small enough. */
import { decodeBase64 } from "../wire/base64.ts";
import { imageFacts } from "../wire/image.ts";
import type { Bounds } from "./bounds.ts";
import type { ViewedImage } from "./viewed.ts";

/** Characters of an image's string that stay in the text. */
export const imageStart = 48;

/** How base64 of the four formats begins, behind the head of a data URL where it has one. */
const beginning = /^(?:data:[\w./+-]{0,60};base64,)?(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;

/** Pixels that a browser is asked to draw; a small file may claim to have more. */
const maxPixels = 32_000_000;

/** The facts about an image; undefined if the bytes are none. */
export function viewedImage(bytes: Uint8Array, { image: maxBytes }: Bounds): ViewedImage | undefined {
  const { format, width, height, alpha } = imageFacts(bytes);
  if (format === "unknown") return undefined;
  const isShown =
    bytes.length <= maxBytes && width !== undefined && height !== undefined && width * height <= maxPixels;
  return {
    format,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(alpha !== undefined && { alpha }),
    bytes: bytes.length,
    ...(isShown && { data: Buffer.from(bytes).toString("base64") }),
  };
}

/** The image that a string of JSON holds, between two quotes; undefined where it holds none. */
export function imageIn(text: string, open: number, close: number, bounds: Bounds): ViewedImage | undefined {
  const head = text.slice(open + 1, Math.min(close, open + 200)).replaceAll("\\/", "/");
  const found = beginning.exec(head);
  if (!found) return undefined;
  const written = text.slice(open + 1, close).replaceAll("\\/", "/");
  const bytes = decodeBase64(written.slice(written.startsWith("data:") ? written.indexOf(",") + 1 : 0));
  return bytes && viewedImage(bytes, bounds);
}
