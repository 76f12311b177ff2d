/** Bytes as a Buffer over the same memory. */

/** Nothing is copied: what is written to the one shows in the other. */
export const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
