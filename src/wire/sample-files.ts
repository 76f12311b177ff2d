/** Small files for exchanges made by hand, in base64. */

/** A PNG of one pixel. */
export const pixelPng =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const smallWebp = "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=";

export const smallJpeg =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=";

/** Two hundredths of a second of silence, as WAV. */
export const silentWav = Buffer.concat([
  Buffer.from("UklGRsQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YaAAAAA=", "base64"),
  Buffer.alloc(160, 0x80),
]).toString("base64");

/** A PDF of one empty page. */
export const emptyPdf = pdfOf([
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >>",
]).toString("base64");

function pdfOf(objects: readonly string[]): Buffer {
  let text = "%PDF-1.4\n";
  const rows = ["0000000000 65535 f "];
  for (const [i, object] of objects.entries()) {
    rows.push(`${String(text.length).padStart(10, "0")} 00000 n `);
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = `xref\n0 ${rows.length}\n${rows.join("\n")}\n`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${rows.length} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}
