/** Small pictures, sounds and documents that sessions send. */
import { crc32, deflateSync } from "node:zlib";

/** A square RGBA PNG whose left half is fully transparent. */
export const squarePng = (side) => png(side, side, 6, (x) => (x < side / 2 ? [0, 0, 0, 0] : [200, 80, 40, 255]));

/**
 * A PNG of one sample after the other.
 * @param kind 0: grey; 6: RGBA
 * @param sampleAt the bytes of the sample in a column
 */
function png(width, height, kind, sampleAt) {
  const row = () => [0, ...Array.from({ length: width }, (_, x) => sampleAt(x)).flat()];
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length);
    body.copy(frame, 4);
    frame.writeUInt32BE(checksum(body), body.length + 4);
    return frame;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, kind, 0, 0, 0], 8);
  const samples = deflateSync(Buffer.concat(Array.from({ length: height }, () => Buffer.from(row()))));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", samples), chunk("IEND", Buffer.alloc(0))]);
}

/** Bytes that look random, and are the same each time. */
function* noise() {
  for (let seed = 1; ; ) {
    seed = (seed * 48_271) % 0x7fffffff;
    yield (seed >> 8) & 255;
  }
}

/** CRC-32 as PNG has it; node:zlib brings it only since 22.2. */
function checksum(bytes) {
  if (crc32) return crc32(bytes);
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

/** Silence as WAV in base64, a tenth of a second unless told. */
export function silence(seconds = 0.1) {
  const samples = Buffer.alloc(16_000 * seconds);
  const head = Buffer.from("RIFF....WAVEfmt ....................data....", "latin1");
  head.writeUInt32LE(36 + samples.length, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]).toString("base64");
}

/** A PDF of one page in base64. */
function page(comment, ...content) {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]${content.length > 0 ? " /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>" : ""} >>`,
    ...content,
  ];
  let text = `%PDF-1.4\n${comment}`;
  const places = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join("")}`;
  const end = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, "latin1").toString("base64");
}

const sentence = "It is mild in Paris today, and the market by the river is open until noon.";
/** Many words: whoever reads them counts more than of a few. */
export const manyWords = Array(12).fill(sentence).join(" ");
export const fewWords = sentence;

/*
 * Of two pictures and of two documents, the one that says more has fewer bytes: whoever takes their base64 for text counts less of it.
 */

const bytes = noise();
const hex = Array.from(
  { length: 12 },
  () => `% ${Array.from({ length: 32 }, () => bytes.next().value.toString(16)).join("")}\n`,
);

/** An empty page with a comment that nobody sees. */
export const emptyPage = () => page(hex.join(""));

/** A page full of words. */
export function fullPage() {
  const lines = Array(12).fill(`(${sentence}) Tj T*`).join("\n");
  const stream = deflateSync(Buffer.from(`BT /F1 12 Tf 14 TL 72 720 Td\n${lines}\nET`)).toString("latin1");
  return page(
    "",
    `<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  );
}

/** A square of eight pixels, as PNG in base64. */
export const pixels = squarePng(8).toString("base64");
/** A small picture of noise, and a large one of one colour. */
export const smallPicture = png(24, 24, 6, () => [
  bytes.next().value,
  bytes.next().value,
  bytes.next().value,
  255,
]).toString("base64");
export const largePicture = png(768, 512, 0, () => [200]).toString("base64");
