/** `touchstone serve --gateway`: the reference translator in front of an upstream. */
import { didYouMean } from "../check/suggest.ts";
import type { Breakage } from "../gateway/translate/breakage.ts";
import type { Change } from "../gateway/translate/translate.ts";
import type { FactSide, Route } from "../gateway/trip.ts";
import { type JudgingArgs, judgingFrom } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import { parseListen } from "../wire/listen-address.ts";
import { type CallerArgs, tellAddress } from "./options.ts";

interface GatewayArgs extends JudgingArgs, CallerArgs {
  readonly listen: string;
  readonly gateway?: string | undefined;
  readonly upstream?: string | undefined;
  readonly breakFact?: readonly string[] | undefined;
}

const sides: readonly FactSide[] = ["request", "answer"];

async function routeOf(text: string | undefined): Promise<Route> {
  const { provenRoutes } = await import("../gateway/prove-facts.ts");
  const [from = "", to = ""] = text?.split("=") ?? [];
  const route = provenRoutes.find((one) => one.from === from && one.to === to);
  if (route) return route;
  throw new UserError(
    text === undefined ? "--upstream and --break-fact belong to --gateway" : `--gateway ${text} is no route`,
    `Give one of ${provenRoutes.map((one) => `${one.from}=${one.to}`).join(", ")}.`,
  );
}

/** What breaks the fact that `NAME` or `NAME=HOW` names; a name of both sides means the request's, unless `answer.NAME` is given. */
async function changeOf(text: string): Promise<Change> {
  const { breakagesOf, breakFact } = await import("../gateway/translate/break-fact.ts");
  const { breakages } = await import("../gateway/translate/breakage.ts");
  const { factData } = await import("../interfaces/fact-data.ts");
  const [given = "", how] = text.split("=");
  const prefix = sides.find((one) => given.startsWith(`${one}.`));
  const name = prefix ? given.slice(prefix.length + 1) : given;
  const side = sides.find(
    (one) => (prefix ?? one) === one && factData()[one][name] && breakagesOf(one, name).length > 0,
  );
  if (!side) {
    const known = sides.flatMap((one) =>
      Object.keys(factData()[one]).filter((fact) => breakagesOf(one, fact).length > 0),
    );
    throw new UserError(
      `there is no fact ${given} that can be broken`,
      `${didYouMean(given, known)}Give one of ${[...new Set(known)].join(", ")}.`,
    );
  }
  const ways = breakagesOf(side, name);
  const way = how ?? ways[0]!;
  if (!ways.includes(way as Breakage))
    throw new UserError(
      breakages.includes(way as Breakage) ? `${name} cannot be broken by ${way}` : `${way} is no way to break a fact`,
      `Give --break-fact ${name}=${ways.join(" or ")}.`,
    );
  return breakFact(side, name, way as Breakage);
}

/** Serves the translator until a signal comes; UserError for a route, an upstream or a fact that is none. */
export async function serveGateway(args: GatewayArgs): Promise<void> {
  const route = await routeOf(args.gateway);
  const { upstream } = args;
  if (upstream === undefined || !URL.canParse(upstream))
    throw new UserError(
      upstream === undefined ? "--gateway needs an upstream" : `--upstream ${upstream} is no URL`,
      "Give --upstream URL, such as http://127.0.0.1:4500.",
    );
  const { openCatalogue } = await import("../interfaces/catalogue.ts");
  const { serveTranslator } = await import("../gateway/translate/serve.ts");
  const { combineChanges } = await import("../gateway/translate/break-fact.ts");
  const { sdkHeaders } = await import("../reference/reference.ts");
  const change = combineChanges(await Promise.all((args.breakFact ?? []).map(changeOf)));
  const catalogue = await openCatalogue(args.documents);
  const { names } = judgingFrom(args, catalogue, sdkHeaders);
  const now = (): number => Math.floor(Date.now() / 1000);
  const server = await serveTranslator({ ...args, route, upstream, catalogue, names, change, now });
  const stop = (): void => void server.close().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  tellAddress(server.url, parseListen(args.listen).host);
}
