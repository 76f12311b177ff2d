/** Exchanges to HAR 1.2, for the viewers and tools that read it. */
import { isUtf8 } from "node:buffer";
import { decodeContent } from "../wire/encoding.ts";
import type { Exchange, HeaderPairs, WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { isTime } from "./write.ts";

type Json = Readonly<Record<string, unknown>>;

const named = (pairs: HeaderPairs): Json[] => pairs.map(([name, value]) => ({ name, value }));

/** A body after content decoding, as HAR has it; as it came where that cannot be undone, which `_encoded` then says. */
function contentOf({ headers, body, cut }: WireRequest | WireResponse): Json {
  const decoded = decodeContent(body, headerValue(headers, "content-encoding"));
  const undone = decoded.ok && !decoded.partial;
  const bytes = Buffer.from(undone ? decoded.bytes : body);
  const text = undone && isUtf8(bytes);
  return {
    mimeType: headerValue(headers, "content-type") ?? "",
    text: bytes.toString(text ? "utf8" : "base64"),
    ...(!text && { encoding: "base64" }),
    ...(!undone && { _encoded: true }),
    ...(cut && { _cut: cut }),
  };
}

function queryOf(target: string): Json[] {
  const at = target.indexOf("?");
  return at < 0 ? [] : [...new URLSearchParams(target.slice(at + 1))].map(([name, value]) => ({ name, value }));
}

const unsized = { headersSize: -1, cookies: [] };

function requestOf({ origin = "http://localhost", request }: Exchange): Json {
  const { method, target, headers, body, cut, redacted, judged } = request;
  return {
    method,
    url: `${origin}${target}`,
    httpVersion: "HTTP/1.1",
    headers: named(headers),
    queryString: queryOf(target),
    ...(body.length + (cut ?? 0) > 0 && { postData: contentOf(request) }),
    bodySize: body.length + (cut ?? 0),
    ...unsized,
    ...(redacted && { _redacted: redacted }),
    ...(judged && { _judged: judged }),
  };
}

function responseOf({ response }: Exchange): Json {
  const common = { httpVersion: "HTTP/1.1", redirectURL: "", ...unsized };
  if (!response)
    return { status: 0, statusText: "", headers: [], content: { size: 0, mimeType: "" }, bodySize: -1, ...common };
  const content = contentOf(response);
  return {
    status: response.status,
    statusText: response.reason ?? "",
    headers: named(response.headers),
    content: { size: response.body.length + (response.cut ?? 0), ...content },
    bodySize: response.body.length,
    ...common,
    ...(response.redacted && { _redacted: response.redacted }),
    ...(response.judged && { _judged: response.judged }),
  };
}

/**
 * A HAR 1.2 document. HAR has no place for chunk boundaries, trailers and the like. Members with an underscore hold what a
 * judge needs of the rest, as HAR allows. `version` is that of the creator.
 */
export function toHar(exchanges: Iterable<Exchange>, version: string): Json {
  const entries = Array.from(exchanges, (exchange) => {
    const time = exchange.response?.time ?? 0;
    return {
      startedDateTime: new Date(isTime(exchange.started) ? exchange.started : 0).toISOString(),
      time,
      request: requestOf(exchange),
      response: responseOf(exchange),
      cache: {},
      timings: { send: 0, wait: time, receive: 0 },
      ...(exchange.aborted && { _aborted: exchange.aborted }),
      ...(exchange.imported && { _imported: exchange.imported }),
    };
  });
  return { log: { version: "1.2", creator: { name: "touchstone", version }, entries } };
}
