/** Compares a stored request with the one that should have been sent, ignoring credentials. */
import type { Exchange, WireRequest } from "../../wire/exchange.ts";

const isMasked = (text: string): boolean => text.includes("[redacted]") || text.includes("%5Bredacted%5D");

/** Whether two texts agree, or a credential was taken out of one. */
const agree = (kept: string, wanted: string): boolean => kept === wanted || isMasked(kept) || isMasked(wanted);

/** The bytes with what was masked in either body made alike. */
function blanked({ body }: WireRequest, places: readonly string[]): Buffer {
  const bytes = Buffer.from(body);
  for (const place of places) {
    const [, from, to] = /^\/body\/(\d+)-(\d+)$/.exec(place) ?? [];
    if (Number(from) < bytes.length) bytes.fill(0, Number(from), Math.min(Number(to), bytes.length));
  }
  return bytes;
}

/**
 * How a kept request differs from the one that was to be sent, in words; undefined where it does not.
 * @param wanted the request as a run makes it, its credentials taken out as from what is kept
 */
export function differenceFrom(
  wanted: Pick<Exchange, "origin" | "request">,
  { origin, request }: Pick<Exchange, "origin" | "request">,
): string | undefined {
  const places = [...(request.redacted ?? []), ...(wanted.request.redacted ?? [])];
  if (origin !== wanted.origin && !places.includes("/origin")) return `its origin is ${origin}, not ${wanted.origin}`;
  if (request.method !== wanted.request.method) return `its method is ${request.method}, not ${wanted.request.method}`;
  const [path, query = ""] = request.target.split("?", 2) as [string, string?];
  const [wantedPath, wantedQuery = ""] = wanted.request.target.split("?", 2) as [string, string?];
  if (path !== wantedPath && !places.includes("/path")) return `its path is ${path}, not ${wantedPath}`;
  const pairs = query.split("&");
  const wantedPairs = wantedQuery.split("&");
  if (pairs.length !== wantedPairs.length || !pairs.every((pair, i) => agree(pair, wantedPairs[i]!)))
    return "its query is another";
  for (const [i, [name, value]] of wanted.request.headers.entries()) {
    const own = request.headers[i];
    if (!own || own[0] !== name || !agree(own[1], value)) return `its header ${name} is another, or in another place`;
  }
  if (request.headers.length !== wanted.request.headers.length)
    return `its header ${request.headers[wanted.request.headers.length]![0]} is one too many`;
  if (places.includes("/body")) return undefined;
  const [kept, right] = [blanked(request, places), blanked(wanted.request, places)];
  if (kept.equals(right)) return undefined;
  const at = kept.findIndex((byte, i) => byte !== right[i]);
  return `its body is another from byte ${at < 0 ? Math.min(kept.length, right.length) : at} on`;
}
