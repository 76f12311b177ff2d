/** Tells bytes that cannot be an image. */

/** Bytes that are a text cannot be an image, apart from SVG; other unknown bytes may be a format we do not know. */
export function isPlainText(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  return /^[\t\n\r\x20-\x7e]*$/.test(head) && !/<svg/i.test(head);
}
