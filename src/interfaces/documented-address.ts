/** Gives a request its documented address where it was sent to another one that a vendor has (reading X-ALTERNATIVES). */
import type { Interface } from "../check/interface.ts";
import { type Names, namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { pathOf } from "../wire/target.ts";
import { readPreset } from "./judging.ts";

/** The request with the version of its path as the document has it; the same where that is no known alternative. */
export function atDocumentedAddress<R extends Pick<WireRequest, "method" | "target">>(
  request: R,
  { alternatives }: Pick<Names, "alternatives">,
  interfaces: readonly Interface[],
): R {
  const { method, target } = request;
  const route = routeOf(interfaces, method, target);
  const [documented] = /\/v\d+[a-z]*\d*(?=\/)/.exec(route?.operation.name ?? "") ?? [];
  if (!route || documented === undefined) return request;
  const path = pathOf(target);
  const from = route.operation.at(path);
  const start = path.lastIndexOf("/", from - 1);
  const version = start < 0 ? "" : path.slice(start, from);
  if (!alternatives(route.interface.name).prefixes?.includes(version)) return request;
  const at = target.indexOf(path);
  return { ...request, target: target.slice(0, at + start) + documented + target.slice(at + from) };
}

/** The same by what the preset of the vendors knows. */
export function ofVendors(interfaces: readonly Interface[]): (request: WireRequest) => WireRequest {
  const { alternatives } = readPreset("vendors");
  const names = namesFrom({ ...(alternatives && { alternatives }) });
  return (request) => atDocumentedAddress(request, names, interfaces);
}
