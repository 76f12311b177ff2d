/** Bytes as a Buffer over the same memory. */

/** Nothing is copied: what is written to the one shows in the other. */
export const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Bytes as UTF-8 text; what is no UTF-8 becomes U+FFFD. */
export const utf8Text = (bytes: Uint8Array): string => viewOf(bytes).toString("utf8");
