/** A hunter of canaries: reads texts in every way a thief would. */
import type { Decoded } from "../wire/decoded.ts";
import { decodeContent } from "../wire/encoding.ts";

/** The readable part of gzip with a damaged end. */
function gunzipped(bytes: Buffer): Decoded {
  return decodeContent(bytes[0] === 0x1f ? bytes.subarray(10, -8) : bytes, bytes[0] === 0x1f ? "deflate" : "gzip");
}

/** Everything a text says, read as it is and with its codes undone, a few deep. */
function readings(text: string, deep = 3): string[] {
  const found = [text];
  if (deep === 0) return found;
  const plain = text
    .replace(/\\+u00([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  if (plain !== text) found.push(...readings(plain, deep - 1));
  const runs = text.match(/[\w+/-]{20,}/g) ?? [];
  const decoded = runs.flatMap((run) => [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64")));
  if (decoded.length > 0) found.push(...decoded.map((bytes) => bytes.toString("latin1")));
  for (const bytes of runs.filter(({ length }) => length > 80).map((run) => Buffer.from(run, "base64")))
    for (const coding of ["gzip", "deflate", "br", "zstd"]) {
      const undone = coding === "gzip" ? gunzipped(bytes) : decodeContent(bytes, coding);
      if (undone.ok && undone.bytes.length > 0)
        found.push(...readings(Buffer.from(undone.bytes).toString("latin1"), deep - 1));
    }
  return found;
}

/** The short strings and the bytes of JSON texts, put together as a client puts a stream together. */
function joined(text: string): string[] {
  const strings = (name: string): string =>
    Array.from(text.matchAll(new RegExp(`\\\\*"${name}\\\\*":\\s*\\\\*"(.*?)\\\\*"`, "g")), ([, value]) => value).join(
      "",
    );
  const bytes = Array.from(text.matchAll(/\\*"bytes\\*":\[([\d,]*)\]/g), ([, list]) =>
    String.fromCharCode(...list!.split(",").map(Number)),
  ).join("");
  const turns = strings("content").replaceAll("other", "");
  return [...["content", "text", "token", "arguments"].map(strings), turns, bytes];
}

/** The secrets that stand in a text, wholly or by half, read in any way. */
export function hunt(text: string, secrets: readonly string[]): string[] {
  const all = [text, ...joined(text)].flatMap((one) => readings(one)).join("\n");
  return secrets.filter((secret) => [secret.slice(-14), secret.slice(8, 24)].some((part) => all.includes(part)));
}
