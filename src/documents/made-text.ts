/** Makes a text that obeys what a schema demands of texts. */

import { textFor } from "../check/pattern-text.ts";
import type { Demand } from "./demands.ts";
import { obeys } from "./obeys.ts";

/** Texts of each format, the usual one first, and among them the shortest. */
const formatted: Readonly<Record<string, readonly string[]>> = {
  date: ["2024-12-31"],
  "date-time": ["2024-12-31T23:59:59Z", "2024-12-31T23:59:59.000Z", "2024-12-31T23:59:59+00:00"],
  time: ["23:59:59Z", "23:59:59.000Z", "23:59:59+00:00"],
  email: ["name@example.com", "a@b.c"],
  hostname: ["example.com", "a"],
  ipv4: ["192.0.2.1", "1.1.1.1"],
  ipv6: ["2001:db8::1", "::"],
  uri: ["https://example.com/", "http://a", "a:b"],
  uuid: ["123e4567-e89b-42d3-a456-426614174000"],
  byte: ["dGV4dA==", "dGV4", "dGU"],
};

const textsOf = (format: string): readonly string[] => formatted[format === "url" ? "uri" : format] ?? [];

/** The text of a format with as many further characters as fit its kind. */
const lengthened: Readonly<Record<string, (text: string, count: number) => string>> = {
  email: (text, count) => "n".repeat(count) + text,
  hostname: (text, count) => "a.".repeat(count / 2) + (count % 2 === 1 ? "a" : "") + text,
  uri: (text, count) => text + "x".repeat(count),
  byte: (text, count) => "dGV4".repeat(Math.ceil(count / 4)) + text,
};

/** Texts that may obey a format along with other demands. */
function* candidates(format: string, pattern: string | undefined, least: number, most: number): Generator<string> {
  const texts = textsOf(format);
  yield* texts;
  const lengthen = lengthened[format === "url" ? "uri" : format];
  if (lengthen) for (const text of texts) if (text.length < least) yield lengthen(text, least - text.length);
  const made = pattern === undefined ? undefined : textFor(pattern, least, most);
  if (made === undefined) return;
  yield made;
  for (const text of texts) yield* [`${text}${made}`, `${made}${text}`];
  // A pattern often speaks of the end of an address alone.
  yield `name${made}`;
}

/** Characters of a text that is made. */
const maxText = 100_000;

/** A text of which each demand holds, as far as one is found. @param index how many were made beside it, so that they may differ */
export function makeText(demands: ReadonlyMap<string, Demand>, index: number): string {
  const bound = (keyword: string, otherwise: number): number =>
    (demands.get(keyword)?.value as number | undefined) ?? otherwise;
  const least = bound("minLength", 0);
  const most = bound("maxLength", Number.POSITIVE_INFINITY);
  const pattern = demands.get("pattern")?.value as string | undefined;
  const format = demands.get("format")?.value as string | undefined;
  const all = [...demands.values()];
  if (format !== undefined) {
    for (const one of candidates(format, pattern, Math.min(least, maxText), most))
      if (all.every((demand) => obeys(one, demand))) return one;
    if (pattern === undefined) return textsOf(format)[0] ?? "text";
  }
  if (pattern !== undefined) return textFor(pattern, least, most) ?? "text";
  const text = index === 0 ? "text" : `text ${index}`;
  return text.padEnd(Math.min(least, maxText), "x").slice(0, most);
}

/** Whether a text can be made, or one of these obeys all that is demanded. */
export function hasText(demands: ReadonlyMap<string, Demand>, samples: readonly unknown[]): boolean {
  const all = [...demands.values()];
  return [makeText(demands, 0), ...samples].some(
    (text) => typeof text === "string" && all.every((demand) => obeys(text, demand)),
  );
}
