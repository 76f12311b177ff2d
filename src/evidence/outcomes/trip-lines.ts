/** Trips through a gateway as lines of evidence, and back: the client's exchange first, then those at the upstream. */
import type { CassetteHeader, Recorded } from "../../cassette/format.ts";
import { joinBindings } from "../../check/names.ts";
import type { GatewayDocument } from "../../gateway/document.ts";
import type { Trip } from "../../gateway/trip.ts";
import { UserError } from "../../user-error.ts";
import { boundedExchange } from "../evidence-line.ts";

/** What the first line of the exchanges says. */
export const gatewayHeader = ({
  target,
  route: { from, to },
  options,
}: Pick<GatewayDocument, "target" | "route" | "options">): CassetteHeader => ({
  title: `both ends of ${target.url ?? "a gateway"}, ${from} to ${to}`,
  bindings: { ...joinBindings(options.bindings) },
});

export function recordedTrip({ id: source, client, upstream, situation, ended, timing }: Trip): Recorded[] {
  return [
    boundedExchange(client, {
      source,
      exchange: 0,
      part: "client",
      ...(situation !== undefined && { situation }),
      ...(ended !== undefined && { ended }),
      ...(timing !== undefined && { timing }),
    }),
    ...upstream.map((exchange, i) => boundedExchange(exchange, { source, exchange: i + 1, part: "upstream" })),
  ];
}

/** The trips of a folder. UserError for exchanges that say nothing of one. @param path of their file */
export function tripsFrom(kept: readonly Recorded[], path: string, remedy: string): Trip[] {
  const trips = new Map<string, { id: string; client?: Trip; upstream: Recorded["exchange"][] }>();
  for (const [i, { exchange, asked }] of kept.entries()) {
    const refuse = (what: string): never => {
      throw new UserError(`${path}: exchange ${i} ${what}`, remedy);
    };
    if (!asked || (asked.part !== "client" && asked.part !== "upstream"))
      return refuse("does not say on which trip through a gateway it passed");
    const { source: id, exchange: position, part, situation, ended, timing } = asked;
    const trip = trips.get(id) ?? { id, upstream: [] };
    trips.set(id, trip);
    if (part === "client") {
      if (trip.client || position !== 0) return refuse("is a second one of the client on one trip");
      const told = {
        ...(situation !== undefined && { situation }),
        ...(ended !== undefined && { ended }),
        ...(timing !== undefined && { timing }),
      };
      trip.client = { id, client: exchange, upstream: trip.upstream, ...told };
    } else if (position === trip.upstream.length + 1) trip.upstream.push(exchange);
    else return refuse("is not the next one at the upstream of its trip");
  }
  return [...trips.values()].map(({ id, client }) => {
    if (client) return client;
    throw new UserError(`${path}: trip ${id} has no exchange of the client`, remedy);
  });
}
