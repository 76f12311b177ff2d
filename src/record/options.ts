/** Reads what `record` was told: where to forward to, what to keep, what to take out. */

import type { RecordArgs } from "../cli/record.ts";
import { UserError } from "../user-error.ts";

export interface Upstreams {
  readonly default?: URL;
  readonly byInterface: Readonly<Record<string, URL>>;
}

/** An upstream's base URL, and what was changed about it. */
function upstreamUrl(text: string, notes: string[]): URL {
  const remedy = "Give a base URL such as https://api.example.com.";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UserError(`${text} is not a URL`, remedy);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new UserError(`${text} is not an HTTP URL`, remedy);
  if (url.username || url.password)
    throw new UserError(
      `the upstream ${url.protocol}//${url.host} has a user or a password in its URL`,
      "Let the client send its credentials itself.",
    );
  if (url.search || url.hash)
    throw new UserError(`the upstream ${url.protocol}//${url.host} has a query or a fragment in its URL`, remedy);
  // People copy base URLs of clients, whose paths begin behind the version; ours begin before it.
  const version = /\/(v1|v1beta)\/?$/.exec(url.pathname);
  if (version) {
    url.pathname = url.pathname.slice(0, version.index);
    notes.push(`Clients send /${version[1]} themselves, so requests go to ${url.href}.`);
  }
  return url;
}

/** The upstreams; UserError for what is no URL, no known interface, or nothing at all. */
export function upstreamsFrom(
  { url, upstream = [] }: Pick<RecordArgs, "url" | "upstream">,
  interfaces: readonly string[],
  notes: string[],
): Upstreams {
  const byInterface: Record<string, URL> = {};
  for (const text of upstream) {
    const [, name, base] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
    if (!name || !base || !interfaces.includes(name))
      throw new UserError(
        `--upstream ${text} is not INTERFACE=URL`,
        `Interfaces are ${interfaces.join(", ")}: --upstream messages=https://api.example.com.`,
      );
    byInterface[name] = upstreamUrl(base, notes);
  }
  if (url === undefined && upstream.length === 0)
    throw new UserError(
      "no upstream is given",
      "Name the service to record: touchstone record https://api.example.com.",
    );
  return { ...(url !== undefined && { default: upstreamUrl(url, notes) }), byInterface };
}

const units: Readonly<Record<string, number>> = { "": 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 };

/** `64M` as bytes; UserError where it is no size. */
export function bytesFrom(text: string): number {
  const [, count, unit = ""] = /^(\d+)([kmg]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(count) * units[unit.toLowerCase()]!;
  if (!Number.isSafeInteger(bytes)) throw new UserError(`--max-body ${text} is not a size`, "Write for example 64M.");
  return bytes;
}

/** Checks `--redact`; UserError for what is no regular expression. */
export function patternsFrom(sources: readonly string[]): readonly string[] {
  for (const source of sources)
    try {
      new RegExp(source, "i");
    } catch (error) {
      throw new UserError(`--redact ${(error as Error).message}`, "Give a JavaScript regular expression.");
    }
  return sources;
}

/** A cassette's name from the time: `touchstone-20260102-030405.jsonl`. */
export function cassetteName(now: Date): string {
  const [day, time] = now
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .split("T");
  return `touchstone-${day}-${time}.jsonl`;
}
