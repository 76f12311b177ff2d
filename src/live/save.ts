/** Makes a cassette for `recordings/` of exchanges of a session. */
import type { CassetteHeader, Recorded } from "../cassette/format.ts";
import { formatCassette } from "../cassette/write.ts";
import type { Interface } from "../check/interface.ts";
import { routeOfExchange } from "../check/route.ts";
import { needsShownBy } from "../interfaces/needs.ts";
import { UserError } from "../user-error.ts";
import { bindsOf } from "./captures.ts";

/** Exchanges of a session, and their positions there. */
export interface Chosen {
  readonly exchange: number;
  readonly recorded: Recorded;
}

/** Bytes of bodies in one cassette: a run reads it whole. */
const maxBytes = 64 << 20;

/**
 * The text of a `.json` cassette, and what is worth knowing of it. Throws UserError for what a run could not send.
 * @param of the interface it is saved under
 * @param interfaces those that the exchanges may be of
 * @param known what is known of it beside its exchanges; where all of them were refused, they break `violates` on purpose
 */
export function cassetteOf(
  chosen: readonly Chosen[],
  of: string,
  interfaces: readonly Interface[],
  { bindings, violates = [] }: Pick<CassetteHeader, "bindings" | "violates">,
): { readonly text: string; readonly notes: readonly string[] } {
  const spans: string[] = [];
  const needs = new Set<string>();
  const notes: string[] = [];
  let bytes = 0;
  let refused = true;
  for (const { exchange, recorded } of chosen) {
    const { request, response } = recorded.exchange;
    const route = routeOfExchange(interfaces, recorded.exchange);
    if (!route)
      throw new UserError(
        `exchange ${exchange} is of no operation of the documents`,
        "Leave it out: a run sends what the documents describe.",
      );
    if (request.cut !== undefined)
      throw new UserError(`of the request of exchange ${exchange} only the beginning was kept`, "Leave it out.");
    if (request.redacted?.some((place) => place.startsWith("/body")))
      notes.push(`In the body of exchange ${exchange} credentials were overwritten, so a run sends x in their place.`);
    refused &&= (response?.status ?? 0) >= 400;
    if (!response) notes.push(`Exchange ${exchange} got no answer.`);
    bytes += request.body.length + (response?.body.length ?? 0);
    spans.push(route.interface.name);
    for (const need of needsShownBy(request, route.interface)) needs.add(need);
  }
  if (bytes > maxBytes)
    throw new UserError(`these exchanges have more than ${maxBytes >> 20} MiB together`, "Choose fewer of them.");
  const header: CassetteHeader = {
    interface: of,
    ...(spans.some((one) => one !== of) && { spans }),
    ...(needs.size > 0 && { needs: [...needs].sort() }),
    ...(refused && violates.length > 0 && { violates }),
    ...(bindings && { bindings }),
  };
  const binds = bindsOf(chosen.map(({ recorded }) => recorded.exchange));
  const exchanges = chosen.map(({ recorded }, i): Recorded => {
    const { origin: _origin, ...exchange } = recorded.exchange;
    return { exchange, ...(binds[i]!.length > 0 && { bind: binds[i]! }) };
  });
  for (const [i, { exchange }] of chosen.entries())
    if (binds[i]!.length > 0)
      notes.push(`Exchange ${exchange} carries ids that answers before it gave: a run puts those of its target there.`);
  return { text: formatCassette({ header, exchanges }), notes };
}
