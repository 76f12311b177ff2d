/** Undoes content encodings (gzip, deflate, br, zstd), with a bound on what a small body may grow to. */
import * as zlib from "node:zlib";
import { decompress as zstdDecompress } from "fzstd";

export type Decoded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: string };

/** Decodes `body` by a Content-Encoding value such as `gzip` or `gzip, br`. Never throws. */
export function decodeContent(body: Uint8Array, contentEncoding: string | undefined, limit = 256 << 20): Decoded {
  const codings = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((c) => c !== "" && c !== "identity");
  let bytes = body;
  try {
    for (const coding of codings.reverse()) {
      if (coding === "gzip" || coding === "x-gzip") bytes = zlib.gunzipSync(bytes, { maxOutputLength: limit });
      else if (coding === "deflate") bytes = zlib.inflateSync(bytes, { maxOutputLength: limit });
      else if (coding === "br") bytes = zlib.brotliDecompressSync(bytes, { maxOutputLength: limit });
      else if (coding === "zstd") bytes = zstdDecompress(bytes);
      else return { ok: false, problem: `unknown content encoding ${coding}` };
    }
    return { ok: true, bytes };
  } catch (error) {
    return { ok: false, problem: `content encoding ${contentEncoding}: ${(error as Error).message}` };
  }
}
