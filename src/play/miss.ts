/** Tells a client, and whoever reads the summary, which recording came nearest to a request and where it differs. */
import { diffString } from "json-diff";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import type { Reply } from "../wire/listen.ts";
import { pointer, resolvePointer, tokensOf } from "../wire/pointer.ts";
import { canonicalRequest } from "./canonical-request.ts";
import type { Difference } from "./differences.ts";
import { writeExact } from "./exact.ts";
import type { Library } from "./library.ts";
import type { Nearest } from "./nearest.ts";
import { nameOf } from "./recording.ts";

/** All of it without credentials, since it is shown. */
export interface Miss {
  readonly method: string;
  readonly target: string;
  readonly nearest: (Nearest & { readonly target: string }) | undefined;
}

/** Characters shown of one value. */
const widest = 120;

/** Takes credentials out of an exchange. */
export type Redact = (exchange: Exchange) => Exchange;

/**
 * Finds what came nearest.
 * @param headers names of headers that requests must agree in, in lower case
 */
export function missOf(request: WireRequest, library: Library, headers: readonly string[], redact: Redact): Miss {
  const withoutKeys = (one: WireRequest): WireRequest => redact({ request: one, response: null }).request;
  const nearest = library.nearest(request);
  const safe = withoutKeys(request);
  const miss = { method: safe.method, target: safe.target };
  if (!nearest) return { ...miss, nearest };
  // Compared as they are, since otherwise nothing redacted could match; shown as a cassette would keep them.
  const recorded = withoutKeys(nearest.recording.exchange.request);
  const [before, after] = [canonicalRequest(recorded, headers), canonicalRequest(safe, headers)];
  const shown = (side: unknown, place: string): unknown => resolvePointer(side, place) ?? "[redacted]";
  const differences = nearest.differences.map((difference) => ({
    pointer: placeIn("after" in difference ? after : before, difference.pointer),
    ...("before" in difference && { before: shown(before, difference.pointer) }),
    ...("after" in difference && { after: shown(after, difference.pointer) }),
  }));
  return { ...miss, nearest: { ...nearest, differences, target: recorded.target } };
}

/** A pointer as far as it leads in a request without credentials: a name below may be one itself. */
function placeIn(request: unknown, place: string): string {
  const tokens = tokensOf(place);
  let value = request;
  for (const [depth, token] of tokens.entries()) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, token))
      return pointer(...tokens.slice(0, depth), "[redacted]");
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return place;
}

const cap = (text: string, from: number): string => {
  const start = from > widest / 2 ? from - 20 : 0;
  const end = start + widest;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
};

/** The two sides as short texts, each from a little before where they part; JSON where they are not both texts. */
function sidesOf(difference: Difference): { recorded?: string; asked?: string } {
  const { before, after } = difference;
  const plain = typeof before === "string" && typeof after === "string";
  const text = (value: unknown): string => (plain ? String(value) : writeExact(value));
  const [a, b] = [text(before), text(after)];
  let from = 0;
  if (plain) while (from < a.length && a[from] === b[from]) from++;
  return {
    ...("before" in difference && { recorded: cap(a, from) }),
    ...("after" in difference && { asked: cap(b, from) }),
  };
}

interface Place {
  readonly pointer: string;
  readonly recorded?: string;
  readonly asked?: string;
}

const placesOf = ({ differences }: Pick<Nearest, "differences">): Place[] =>
  differences.map((difference) => ({ pointer: difference.pointer, ...sidesOf(difference) }));

/** One sentence. */
export function sentenceOf({ method, target, nearest }: Miss): string {
  const what = `no recording answers ${method} ${target}`;
  if (!nearest) return `${what}: nothing is recorded`;
  const { recording, differences, more } = nearest;
  if (differences.length === 0) return `${what} again: ${nameOf(recording)} was played already`;
  const places = differences.slice(0, 3).map(({ pointer }) => pointer);
  const rest = differences.length - places.length + more;
  return `${what}; the nearest, ${nameOf(recording)}, differs at ${places.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/**
 * The differences as lines with `-` for the recording and `+` for the request. json-diff gets only flat objects of short texts,
 * keyed by pointers: its time grows with the square of lists, and built-in names mislead it.
 */
export function linesOf({ nearest }: Miss): string {
  if (!nearest || nearest.differences.length === 0) return "";
  const places = placesOf(nearest);
  const side = (of: "recorded" | "asked"): Record<string, string> =>
    Object.fromEntries(places.flatMap((place) => (place[of] === undefined ? [] : [[place.pointer || "/", place[of]]])));
  return diffString(side("recorded"), side("asked"), { color: false }).trimEnd();
}

/** Status 404 and the miss, in a body that the official SDKs find their message in. */
export function missReply(miss: Miss): Reply {
  const { nearest } = miss;
  const body = {
    type: "error",
    error: { type: "no_recording", code: "no_recording", status: "NOT_FOUND", message: sentenceOf(miss) },
    request: { method: miss.method, target: miss.target },
    nearest: nearest
      ? {
          source: nearest.recording.source,
          exchange: nearest.recording.position,
          method: nearest.recording.exchange.request.method,
          target: nearest.target,
          differences: placesOf(nearest),
          more: nearest.more,
        }
      : null,
  };
  return {
    status: 404,
    headers: [
      ["Content-Type", "application/json"],
      ["X-Should-Retry", "false"],
    ],
    pieces: [{ bytes: Buffer.from(`${JSON.stringify(body, null, 2)}\n`) }],
  };
}
