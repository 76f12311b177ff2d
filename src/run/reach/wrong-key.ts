/** Copies the target with an invalid key, and classifies refusals of that key. */
import type { Catalogue } from "../../check/catalogue.ts";
import type { Names } from "../../check/names.ts";
import { routeOf } from "../../check/route.ts";
import { readSubject } from "../../check/subject.ts";
import { saidOfKey } from "../../interfaces/common/auth.ts";
import { withCookie } from "../../wire/cookies.ts";
import type { Exchange, HeaderPairs } from "../../wire/exchange.ts";
import type { Target } from "../plan/target.ts";
import { isKeyHeader } from "../send/retarget.ts";
import { isSecretHeader } from "../send/secrets.ts";

/** An invalid key. The reference refuses it. */
const wrongKey = "wrong-key";

/** Whether a header carries the key of any interface of the target. */
const isKeyHeaderOf = ({ places }: Target, name: string): boolean =>
  isKeyHeader(name) || Object.values(places).some(({ key }) => isKeyHeader(name, key));

/** The headers of a target without those that carry the key of any interface. */
const otherHeaders = (target: Target): HeaderPairs =>
  Object.values(target.places)
    .flatMap(({ key }) => key?.cookie ?? [])
    .reduce(
      (headers, cookie) => withCookie(headers, cookie, undefined),
      target.headers.filter(([name]) => !isKeyHeaderOf(target, name)) as HeaderPairs,
    );

/** Returns the target with the wrong key in place of its own keys, including those in its headers. */
export const withWrongKey = (target: Target): Target => ({
  ...target,
  keys: { "*": wrongKey },
  headers: otherHeaders(target),
});

/** Whether another header of the target carries a credential. The documented key then decides nothing. */
export const hasOwnCredential = (target: Target): boolean =>
  otherHeaders(target).some(([name, value]) => isSecretHeader(name, value));

/** Statuses that may refuse the caller or the request. */
const unspecific = new Set([400, 403, 407]);

/** Whether a refusal with a status other than 401 is about the key, or gives no reason (reading X-MISSING-KEY). */
export function isOtherwiseRefused(exchange: Exchange, catalogue: Catalogue, names: Names): boolean {
  const { request, response } = exchange;
  const route = routeOf(catalogue.interfaces, request.method, request.target);
  if (!route || !response || !unspecific.has(response.status)) return false;
  return saidOfKey(readSubject(exchange, route, names)) !== "other";
}
