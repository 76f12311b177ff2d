/** How a secret may be spelled where it is repeated. */
import { isKeyLike } from "./looks.ts";

/** Base64 texts of a secret inside longer data, one for each way it may fall on the groups of three bytes. */
function inBase64(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), secret])
      .toString("base64")
      .replace(/=+$/, "");
    // Characters that also hold bits of neighbours vary; the rest is the same wherever the secret stands.
    const from = Math.ceil((shift * 8) / 6);
    const inner = text.slice(from, Math.floor(((shift + secret.length) * 8) / 6));
    // If it ends the data, the last character is known, too.
    return [...new Set([inner, text.slice(from)])];
  });
}

/** Percent-encoded: RFC 3986, as `encodeURIComponent` has it, as forms have it. Capitals do not matter in searching. */
function inUrls(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const encode = (plain: RegExp): string =>
    Array.from(bytes, (byte) => {
      const character = String.fromCharCode(byte);
      return plain.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
    }).join("");
  const texts = [encode(/[A-Za-z0-9\-._~]/), encode(/[A-Za-z0-9\-._~!*'()]/), encode(/[A-Za-z0-9\-._*]/)];
  return texts.flatMap((text) => [text, text.replaceAll("%20", "+")]);
}

/** Inside a JSON string, and inside JSON within a JSON string, as tool arguments are. */
function inJson(secret: string): string[] {
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const code = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const once = escaped(secret);
  const texts = [
    once,
    once.replace(/[^\x20-\x7e]/g, code),
    once.replaceAll("/", "\\/"),
    once.replace(/[<>&'=]/g, code),
  ];
  return [...texts, ...texts.map(escaped)];
}

/** A base64 text as URLs have it. */
const forUrls = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");

/** The separators between the bytes of a key that fingerprints, dumps and programs write in hexadecimal digits. */
const betweenHex = [":", " ", "-", ", ", ",", ", 0x", ",0x", " 0x"];

/** Bytes that Node prints of a buffer. */
const printedBytes = 50;

/** Lists of decimal byte values, the beginning of a buffer as Node prints it, and base64 of UTF-16 as PowerShell has it. */
function inBytes(secret: Buffer): string[] {
  const hex = secret.toString("hex").match(/../g)!;
  const wide = Buffer.from(secret.toString("utf8"), "utf16le");
  return [
    ...[", ", ",", " "].map((between) => [...secret].join(between)),
    ...(hex.length > printedBytes ? [hex.slice(0, printedBytes).join(" ")] : []),
    ...inBase64(wide),
    ...inBase64(wide.swap16()),
  ];
}

/** Hexadecimal digits of a secret byte by byte, and in groups of two bytes. */
const inHex = (digits: string): string[] => [
  ...betweenHex.map((between) => digits.match(/../g)!.join(between)),
  ...[" ", ":"].map((between) => digits.match(/.{1,4}/g)!.join(between)),
];

/** Every spelling of a secret; `plain` leaves out what only those use that hide it. */
export function spellingsOf(secret: string, plain = false): Buffer[] {
  const raw = Buffer.from(secret, "utf8");
  const base64 = inBase64(raw);
  const texts = new Set([secret, ...base64, ...base64.map(forUrls)]);
  if (!/^[\w.~-]+$/.test(secret)) for (const text of [...inUrls(secret), ...inJson(secret)]) texts.add(text);
  // Header values that are not ASCII were read as Latin-1.
  if (!/^[\x20-\x7e]*$/.test(secret)) texts.add(Buffer.from(secret, "latin1").toString("utf8"));
  if (!plain) {
    texts.add(raw.toString("hex"));
    if (isKeyLike(secret)) for (const text of [...inHex(raw.toString("hex")), ...inBytes(raw)]) texts.add(text);
    texts.add([...secret].reverse().join(""));
    for (const text of base64) for (const twice of inBase64(Buffer.from(text, "latin1"))) texts.add(twice);
  }
  return Array.from(texts, (text) => Buffer.from(text, "utf8"));
}
