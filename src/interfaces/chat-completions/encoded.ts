/** Base64 texts and data addresses inside content parts (readings X-BASE64 and C-IMAGE-B64). */

/** `standard`: RFC 4648 alphabet and padding; `loose`: decodable all the same; `broken`: empty or not decodable. */
export type Base64Kind = "standard" | "loose" | "broken";

/** Judges a base64 text of any size in one pass. */
export function base64Kind(text: string): Base64Kind {
  const body = text.replace(/={1,2}$/, "");
  if (body === "" || body.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(body)) return "broken";
  if (text.length % 4 !== 0 || /[_-]/.test(body)) return "loose";
  // Bits that no byte needs must be zero in the last character.
  const last = body.at(-1)!;
  const spare = body.length % 4 === 2 ? "AQgw" : body.length % 4 === 3 ? "AEIMQUYcgkosw048" : last;
  return spare.includes(last) ? "standard" : "loose";
}

/** The media type and base64 text of a `data:` address, or undefined for another text. */
export function dataAddress(text: string): { readonly base64?: string } | undefined {
  const head = /^data:[^,]{0,200},/i.exec(text)?.[0];
  if (head === undefined) return undefined;
  return /;base64,$/i.test(head) ? { base64: text.slice(head.length) } : {};
}
