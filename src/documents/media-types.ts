/** Compares media types of messages with those that documents list. */
import { mediaType } from "../wire/headers.ts";

/** What a media type has in common with others that programs take for it. */
export function familyOf(type: string): string {
  const plain = mediaType(type) ?? "";
  if (/[/+]json$/.test(plain)) return "json";
  if (/[/+]xml$/.test(plain)) return "xml";
  if (plain.startsWith("multipart/") || plain === "application/x-www-form-urlencoded") return "form";
  if (/yaml$/.test(plain)) return "yaml";
  // Programs take a page for a text, and neither for a stream.
  if (plain === "text/event-stream") return plain;
  return /^(?:text|image|audio|video)\//.exec(plain)?.[0] ?? plain;
}

/** Whether anything may be sent under a media type. */
export const takesAll = (type: string): boolean => /\*|octet-stream|^text\/plain\b/i.test(type);
