/** Facts of an image read from its bytes: format, size in pixels, transparency. */

export interface ImageFacts {
  /** `png`, `jpeg`, `webp`, `gif` by their signatures, or `unknown`. */
  readonly format: "png" | "jpeg" | "webp" | "gif" | "unknown";
  /** Pixels; absent where the header does not say or is damaged. */
  readonly width?: number;
  readonly height?: number;
  /** Whether pixels can be transparent at all (alpha channel or tRNS); PNG only. */
  readonly alpha?: boolean;
}

/** Reads signature and header; never throws. */
export function imageFacts(bytes: Uint8Array): ImageFacts {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length >= 26 && view.readUInt32BE(0) === 0x89504e47) {
    const color = view[25]!;
    return {
      format: "png",
      width: view.readUInt32BE(16),
      height: view.readUInt32BE(20),
      alpha: color === 4 || color === 6 || view.includes("tRNS"),
    };
  }
  return { format: "unknown" };
}
