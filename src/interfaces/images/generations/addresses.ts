/** The law that an address which was handed out works. */
import type { Grade } from "../../../check/clause.ts";
import type { Fetched, Law, Member } from "../../../check/law.ts";
import { inWords } from "../../../check/unquoted.ts";
import type { Exchange, WireResponse } from "../../../wire/exchange.ts";
import { headerValue } from "../../../wire/headers.ts";
import { imageFacts } from "../../../wire/image.ts";
import { pointer } from "../../../wire/pointer.ts";
import { pathOf } from "../../../wire/target.ts";
import { isPlainText } from "../reading/pictures.ts";
import { at, imagesOf } from "../reading/reply.ts";

const reading: Grade = { id: "I-URL-LIFE", default: "warning", strict: "error" };

/** Statuses that say nothing of an address: elsewhere, for others, or later. */
const isOpen = (status: number): boolean =>
  (status >= 300 && status <= 399) || [401, 403, 407, 429, 503].includes(status);

/** The fault in an address's answer; undefined if there is none, or nothing can be said. */
function deadIn({ response, aborted }: Exchange): string | undefined {
  if (!response || isOpen(response.status)) return undefined;
  if (response.status < 200 || response.status > 299) return `status ${response.status}`;
  return aborted === undefined || response.body.length > 0 ? otherThanImage(response) : undefined;
}

function otherThanImage({ headers, body }: WireResponse): string | undefined {
  if (headerValue(headers, "content-encoding") !== undefined) return undefined;
  if (body.length === 0) return "no bytes";
  const isText = imageFacts(body).format === "unknown" && isPlainText(body);
  return isText ? `the text ${JSON.stringify(Buffer.from(body.subarray(0, 40)).toString("latin1"))}` : undefined;
}

/** The target of an address, without its query: credentials may have been taken out of that. */
const placeOf = (address: unknown): string | undefined => {
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
};

/** Each image with an address that was fetched, and what came. */
function* fetchedImages(members: readonly Member[], fetched: readonly Fetched[]) {
  const came = new Map(
    fetched
      .filter(({ exchange }) => exchange.request.method === "GET" && exchange.origin !== undefined)
      .map(({ exchange }) => [exchange.origin + pathOf(exchange.request.target), exchange]),
  );
  for (const member of members)
    for (const [i, image] of imagesOf(member.subject)) {
      const exchange = came.get(placeOf(image["url"]) ?? "");
      if (exchange) yield { member, i, image, exchange };
    }
}

/** An address that was just handed out gives an image. */
const addressWorks: Law = {
  clause: "images.generations.url-lifetime",
  applies: (members, fetched) =>
    [...fetchedImages(members, fetched)].some(
      ({ exchange: { response } }) => response !== null && !isOpen(response.status),
    ),
  *check(members, fetched) {
    for (const { member, i, image, exchange } of fetchedImages(members, fetched)) {
      const dead = deadIn(exchange);
      if (dead === undefined) continue;
      const actual = inWords(`${dead} from ${String(image["url"])}`);
      yield {
        of: member,
        ...at(pointer("data", i, "url"), { expected: "an address that gives the image", actual, reading }),
      };
    }
  },
  spoil: (exchanges) =>
    exchanges.some(({ request }) => request.method === "GET")
      ? exchanges.map((one) =>
          one.request.method === "GET" && one.response ? { ...one, response: { ...one.response, status: 404 } } : one,
        )
      : undefined,
};

export const laws: readonly Law[] = [addressWorks];
