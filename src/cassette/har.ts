/** HAR 1.2 to exchanges, lenient about what exporters really write. */

import { isUtf8 } from "node:buffer";
import { UserError } from "../user-error.ts";
import { type FormField, formRequest } from "../wire/build.ts";
import { fittingHeaders, isStillEncoded } from "../wire/encoding.ts";
import type { Exchange, HeaderPairs, MaskedVerdict, WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue, mediaType } from "../wire/headers.ts";
import { isObject } from "../wire/json.ts";
import { percentEncoded } from "../wire/percent.ts";
import { judged } from "./decode.ts";
import type { Recorded } from "./format.ts";

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown): Members => (isObject(value) ? value : {});
const items = (value: unknown): Members[] => (Array.isArray(value) ? value.map(members) : []);
const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
const positive = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;

/** Lists of `{ name, value }`, or a map; without the pseudo-headers that HTTP/2 exporters add. */
function headersOf(value: unknown): [string, string][] {
  const pairs = Array.isArray(value)
    ? items(value).map((item) => [item["name"], item["value"]])
    : Object.entries(members(value));
  return pairs
    .filter((pair): pair is [string, unknown] => typeof pair[0] === "string" && !pair[0].startsWith(":"))
    .map(([name, text]) => [name, typeof text === "string" ? text : String(text ?? "")]);
}

/**
 * Origin and target of a URL that may also be relative, or have a placeholder where a recorder masked the host:
 * `<HOST>/path?x`.
 */
function placeOf(url: string, query: readonly Members[]): { origin?: string; target: string } {
  const [, origin, tail = ""] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*|<[^>]*>(?::\d+)?|[\w.-]+:\d+(?=[/?#]|$))?([^#]*)/i.exec(url)!;
  let target = tail.startsWith("/") ? tail : `/${tail}`;
  if (!target.includes("?") && query.length > 0)
    target += `?${query.map(({ name, value }) => `${percentEncoded(String(name))}=${percentEncoded(String(value ?? ""))}`).join("&")}`;
  return { ...(origin && { origin }), target };
}

/** A member that should be text; exporters also write the JSON itself there. */
function contentText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface Content {
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  readonly cut?: number;
}

/** How some exporters write a byte that is not UTF-8: as half of a surrogate pair. */
const strayByte = /[\udc80-\udcff]/;

const binary = /^(?:multipart|image|audio|video)\/|octet-stream/i;

/**
 * The bytes of a text that should be as long as `size`. Some exporters read what names no charset as Latin-1; then the text has
 * as many characters as the body had bytes. If the media type means text, those bytes must be UTF-8 as well.
 */
function bytesOf(text: string, size: number | undefined, type: string): Buffer {
  if (size === text.length && !/[^\0-\xff]/.test(text)) {
    const bytes = Buffer.from(text, "latin1");
    if (binary.test(type) || isUtf8(bytes)) return bytes;
  }
  if (!strayByte.test(text)) return Buffer.from(text, "utf8");
  return Buffer.concat(
    text
      .split(/((?<![\ud800-\udbff])[\udc80-\udcff])/)
      .map((piece, i) => (i % 2 === 1 ? Buffer.from([piece.charCodeAt(0) & 0xff]) : Buffer.from(piece, "utf8"))),
  );
}

/**
 * Bytes and headers that fit each other. HAR holds bodies after content decoding while the headers speak of the wire. A coding
 * already undone and the length it had are dropped.
 */
function fitted(pairs: HeaderPairs, content: Members, size: number | undefined, complete = false): Content {
  const text = contentText(content["text"]);
  const mime = textOr(content["mimeType"], "");
  let headers = pairs;
  if (!complete && mime.includes("/") && headerValue(pairs, "content-type") === undefined)
    headers = [...headers, ["content-type", mime]];
  // A body that was there and is not in the file cannot be judged; where the exporter knows no size, a header may.
  const missing = size ?? (text === undefined ? positive(Number(headerValue(pairs, "content-length"))) : undefined);
  if (!text && missing !== undefined) return { headers, body: Buffer.alloc(0), cut: missing };
  const inBase64 = content["encoding"] === "base64";
  const body = inBase64
    ? Buffer.from(text ?? "", "base64")
    : bytesOf(text ?? "", size, headerValue(headers, "content-type") ?? mime);
  const coding = headerValue(headers, "content-encoding");
  const kept = content["_encoded"] === true || (inBase64 && coding !== undefined && isStillEncoded(body, coding));
  const cut = positive(content["_cut"]);
  const fitting = fittingHeaders(headers, { undone: !kept, length: cut === undefined ? body.length : undefined });
  return { headers: fitting, body, ...(cut !== undefined && { cut }) };
}

/** A form given as a list of parameters instead of text. */
function fromParams(headers: HeaderPairs, mime: string, params: readonly Members[]): Content {
  const others = headers.filter(([name]) => !/^content-(?:type|length)$/i.test(name));
  if (mediaType(mime) !== "multipart/form-data") {
    const pairs = params.map(({ name, value }): [string, string] => [String(name), String(value ?? "")]);
    const type = ["content-type", mime || "application/x-www-form-urlencoded"] as const;
    return { headers: [...others, type], body: Buffer.from(new URLSearchParams(pairs).toString()) };
  }
  const fields = params.map(({ name, value, fileName, contentType }): FormField => {
    const text = contentText(value) ?? "";
    if (typeof fileName !== "string") return [String(name), text];
    const type = typeof contentType === "string" && { contentType };
    return [String(name), { filename: fileName, bytes: Buffer.from(text, "utf8"), ...type }];
  });
  const form = formRequest("/", others, fields);
  // Exporters leave the contents of files out; what is not there cannot be judged.
  const missing = params.some(({ fileName, value }) => typeof fileName === "string" && !value);
  return { headers: form.headers, body: form.body, ...(missing && { cut: 1 }) };
}

/** The masked places of a message and the verdict on them, as our own export says them. */
function redactedOf({ _redacted: places, _judged: verdict }: Members): Pick<WireRequest, "redacted" | "judged"> {
  if (!Array.isArray(places) || !places.every((place) => typeof place === "string")) return {};
  const judged = verdict === undefined ? undefined : verdictIn(verdict);
  return { redacted: places, ...(judged && { judged }) };
}

/** Returns undefined for what is no verdict of ours. */
function verdictIn(value: unknown): MaskedVerdict | undefined {
  try {
    return judged(value);
  } catch {
    return undefined;
  }
}

function requestOf(entry: Members): { origin?: string; request: WireRequest } {
  const request = members(entry["request"]);
  const { origin, target } = placeOf(textOr(request["url"], ""), items(request["queryString"]));
  const headers = headersOf(request["headers"]);
  const post = members(request["postData"]);
  const params = items(post["params"]);
  const content =
    !post["text"] && params.length > 0
      ? fromParams(headers, textOr(post["mimeType"], ""), params)
      : // Whoever lists headers lists those the client sent, and not to send a content type is a fault of its own.
        fitted(headers, post, positive(request["bodySize"]), Array.isArray(request["headers"]));
  const method = textOr(request["method"], "GET");
  return { ...(origin && { origin }), request: { method, target, ...content, ...redactedOf(request) } };
}

function responseOf(entry: Members): WireResponse | null {
  const response = members(entry["response"]);
  const status = Number(response["status"]);
  if (!(status >= 100 && status <= 999)) return null;
  const content = members(response["content"]);
  const reason = textOr(response["statusText"], "");
  const time = positive(entry["time"]);
  return {
    status,
    ...(reason && { reason }),
    ...fitted(headersOf(response["headers"]), content, positive(content["size"])),
    ...(time !== undefined && { time }),
    ...redactedOf(response),
  };
}

/** Unix milliseconds of an ISO time; exporters also write seconds or milliseconds as a number. */
function startOf(value: unknown): number | undefined {
  if (typeof value === "number") return value > 0 ? (value < 1e11 ? value * 1000 : value) : undefined;
  const time = Date.parse(textOr(value, ""));
  return Number.isNaN(time) ? undefined : time;
}

function abortOf(entry: Members, response: WireResponse | null): Exchange["aborted"] {
  const { _aborted: ours } = entry as { _aborted?: unknown };
  if (ours === "client" || ours === "upstream") return ours;
  if (response) return undefined;
  return textOr(members(entry["response"])["_error"], "").includes("ERR_ABORTED") ? "client" : "upstream";
}

/** The format an entry was imported from: our own export says whether it was recorded live before. */
function importOf({ _imported: ours }: { _imported?: unknown }, creator: unknown): Exchange["imported"] {
  if (members(creator)["name"] !== "touchstone") return "HAR";
  return ours === "HAR" || ours === "VCR" ? ours : undefined;
}

/** The exchanges of a parsed HAR document, one an entry. Throws UserError only where it has no list of entries. */
export function fromHar(document: unknown, name: string): Recorded[] {
  const { entries, creator } = members(members(document)["log"]) as { entries?: unknown; creator?: unknown };
  if (!Array.isArray(entries))
    throw new UserError(`${name}: /log/entries is not a list`, "Export the session again, as HAR 1.2.");
  return entries.map((item, i) => {
    const entry = members(item);
    if (typeof members(entry["request"])["url"] !== "string")
      throw new UserError(
        `${name}: /log/entries/${i}/request/url is not a string`,
        "Remove that entry, or export the session again.",
      );
    const { origin, request } = requestOf(entry);
    const response = responseOf(entry);
    const started = startOf(entry["startedDateTime"]);
    const aborted = abortOf(entry, response);
    const imported = importOf(entry, creator);
    const exchange: Exchange = {
      ...(origin && { origin }),
      ...(started !== undefined && { started }),
      request,
      response,
      ...(aborted && { aborted }),
      ...(imported && { imported }),
    };
    return { exchange };
  });
}
