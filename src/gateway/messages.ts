/** The four messages of a trip as short excerpts: asked, arrived, answered, got. */
import { decodeContent } from "../wire/encoding.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import type { Trip } from "./trip.ts";

/** Characters of a message that are shown. */
const maxShown = 160;

function bodyExcerpt({ body, headers }: WireRequest | WireResponse): string {
  const decoded = decodeContent(body, headerValue(headers, "content-encoding"));
  if (!decoded.ok) return "a body that nobody can read";
  const text = Buffer.from(decoded.bytes.subarray(0, 4 * maxShown))
    .toString("utf8")
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(text);
  return characters.length > maxShown ? `${characters.slice(0, maxShown).join("").trimEnd()}…` : text;
}

const requestExcerpt = (request: WireRequest): string =>
  `${request.method} ${request.target.split("?", 1)[0]} ${bodyExcerpt(request)}`.trimEnd();

const responseExcerpt = (response: WireResponse | null): string =>
  response ? `${response.status} ${bodyExcerpt(response)}`.trimEnd() : "no answer";

/** Each message in one line. The last one is shown if several arrived. */
export function messagesOf({ client, upstream }: Trip): Record<"asked" | "arrived" | "answered" | "got", string> {
  const last = upstream.at(-1);
  return {
    asked: requestExcerpt(client.request),
    arrived: last ? requestExcerpt(last.request) : "nothing arrived",
    answered: last ? responseExcerpt(last.response) : "nothing was asked",
    got: responseExcerpt(client.response),
  };
}
