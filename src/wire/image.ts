/** Facts of an image read from its bytes: format, size in pixels, whether it can be transparent. */
import { viewOf } from "./bytes.ts";
import { pngHeader } from "./png.ts";

export { encodePng, type PngPixels, transparentPixel, unpackedSize } from "./png.ts";

export interface ImageFacts {
  /** `png`, `jpeg`, `webp`, `gif` by their signatures, or `unknown`. */
  readonly format: "png" | "jpeg" | "webp" | "gif" | "unknown";
  /** Pixels; absent where the header does not say or is damaged. */
  readonly width?: number;
  readonly height?: number;
  /** Whether pixels can be transparent at all (alpha channel or tRNS); absent for GIF and damaged headers. */
  readonly alpha?: boolean;
}

const sized = (format: ImageFacts["format"], width: number, height: number, alpha?: boolean): ImageFacts => ({
  format,
  ...(width > 0 && height > 0 && { width, height }),
  ...(alpha !== undefined && { alpha }),
});

/** Walks the marker segments to the frame header (ITU T.81 annex B). */
function jpegFacts(view: Buffer): ImageFacts {
  let at = 2;
  while (at + 9 <= view.length && view[at] === 0xff) {
    const marker = view[at + 1]!;
    if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (marker === 0xd9 || marker === 0xda) break;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return sized("jpeg", view.readUInt16BE(at + 7), view.readUInt16BE(at + 5), false);
    else at += 2 + view.readUInt16BE(at + 2);
  }
  return { format: "jpeg", alpha: false };
}

/** Reads the first chunk of the container: lossy, lossless or extended. */
function webpFacts(view: Buffer): ImageFacts {
  const kind = view.toString("latin1", 12, 16);
  if (kind === "VP8 " && view.length >= 30 && view.readUIntBE(23, 3) === 0x9d012a)
    return sized("webp", view.readUInt16LE(26) & 0x3fff, view.readUInt16LE(28) & 0x3fff, false);
  if (kind === "VP8L" && view.length >= 25 && view[20] === 0x2f) {
    const bits = view.readUInt32LE(21);
    return sized("webp", 1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff), ((bits >>> 28) & 1) === 1);
  }
  if (kind === "VP8X" && view.length >= 30)
    return sized("webp", 1 + view.readUIntLE(24, 3), 1 + view.readUIntLE(27, 3), (view[20]! & 0x10) !== 0);
  return { format: "webp" };
}

/** Reads signature and header; never throws. */
export function imageFacts(bytes: Uint8Array): ImageFacts {
  const view = viewOf(bytes);
  const png = pngHeader(view);
  if (png) return png.width === undefined ? { format: "png" } : sized("png", png.width, png.height, png.alpha);
  if (view.length >= 3 && view.readUIntBE(0, 3) === 0xffd8ff) return jpegFacts(view);
  const start = view.toString("latin1", 0, 12);
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return webpFacts(view);
  if (/^GIF8[79]a/.test(start))
    return view.length >= 10 ? sized("gif", view.readUInt16LE(6), view.readUInt16LE(8)) : { format: "gif" };
  return { format: "unknown" };
}
