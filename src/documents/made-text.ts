/** Makes a text that obeys what a schema demands of texts. */
import type { Demand } from "./demands.ts";
import { obeys } from "./obeys.ts";
import { textFor } from "./pattern-text.ts";

const formatted: Readonly<Record<string, string>> = {
  date: "2024-12-31",
  "date-time": "2024-12-31T23:59:59Z",
  time: "23:59:59Z",
  email: "name@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  byte: "dGV4dA==",
};

/** A text of which each demand holds, as far as one is found. @param index how many were made beside it, so that they may differ */
export function makeText(demands: ReadonlyMap<string, Demand>, index: number): string {
  const bound = (keyword: string, otherwise: number): number =>
    (demands.get(keyword)?.value as number | undefined) ?? otherwise;
  const least = bound("minLength", 0);
  const most = bound("maxLength", Number.POSITIVE_INFINITY);
  const pattern = demands.get("pattern")?.value as string | undefined;
  const format = demands.get("format")?.value as string | undefined;
  if (pattern !== undefined) return textFor(pattern, least, most) ?? "text";
  if (format !== undefined) return formatted[format] ?? "text";
  const text = index === 0 ? "text" : `text ${index}`;
  return text.padEnd(Math.min(least, 100_000), "x").slice(0, most);
}

/** Whether a text can be made, or one of these obeys all that is demanded. */
export function hasText(demands: ReadonlyMap<string, Demand>, samples: readonly unknown[]): boolean {
  const all = [...demands.values()];
  return [makeText(demands, 0), ...samples].some(
    (text) => typeof text === "string" && all.every((demand) => obeys(text, demand)),
  );
}
