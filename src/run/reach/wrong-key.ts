/** Makes a copy of the target with an invalid key, and reads what the refusal of that key shows. */
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

/** No service gives it out, and the reference refuses it. */
const wrongKey = "wrong-key";

/** Whether any interface has its key in a header. */
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

/** The target without its own keys, wherever a run would have sent them. */
export const withWrongKey = (target: Target): Target => ({
  ...target,
  keys: { "*": wrongKey },
  headers: otherHeaders(target),
});

/** Whether a target is opened by a header of its own, so that the documented key says nothing. */
export const hasOwnCredential = (target: Target): boolean =>
  otherHeaders(target).some(([name, value]) => isSecretHeader(name, value));

/** Statuses that refuse who asks, or refuse without saying why. */
const unspecific = new Set([400, 403, 407]);

/** Whether a refusal speaks of the key, or of nothing, under another status than 401 (reading X-MISSING-KEY). */
export function isOtherwiseRefused(exchange: Exchange, catalogue: Catalogue, names: Names): boolean {
  const { request, response } = exchange;
  const route = routeOf(catalogue.interfaces, request.method, request.target);
  if (!route || !response || !unspecific.has(response.status)) return false;
  return saidOfKey(readSubject(exchange, route, names)) !== "other";
}
