/** Measures all routes through gateways of others, and holds each against the losses that are expected of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../../home.ts";
import { lossesIn, unlikeExpected } from "./expected.ts";
import { routes } from "./list.ts";
import { type Reasons, routeTable, writeRoutes } from "./page.ts";
import { type TriedRoute, tryRoute } from "./try-route.ts";

/** Routes at a time: much of a route is waiting. */
const atATime = 2;

export interface CheckRoutesOptions {
  /** Names of routes, or `gateways` for all; all where there are no words. */
  readonly words: readonly string[];
  readonly temporary: string;
  /** The folder in which the results are left; undefined if they go. */
  readonly kept: string | undefined;
  readonly isWrite: boolean;
}

/** @returns whether every route loses what is expected, and nothing else; what differs is printed */
export async function checkRoutes({ words, temporary, kept, isWrite }: CheckRoutesOptions): Promise<boolean> {
  const isAll = words.length === 0 || words.includes("gateways");
  const chosen = routes.filter(
    ({ name }) => isAll || words.some((word) => name === word || name.startsWith(`${word}:`)),
  );
  if (chosen.length === 0) return true;
  const reasons: Reasons = JSON.parse(
    readFileSync(join(home, "src", "dev", "servers", "gateways", "outcomes.json"), "utf8"),
  );
  const tried: TriedRoute[] = [];
  const left = chosen.entries();
  const tryAll = async (): Promise<void> => {
    for (const [i, route] of left) tried[i] = await tryRoute(route, temporary, kept);
  };
  await Promise.all(Array.from({ length: atATime }, tryAll));
  console.log(routeTable(tried));
  const unlike = tried.flatMap(({ route: { name }, document }) =>
    unlikeExpected(lossesIn(document), reasons[name] ?? []).map((line) => `${name}: ${line}`),
  );
  for (const line of unlike) console.log(line);
  if (isWrite && isAll) writeRoutes(tried, reasons);
  return unlike.length === 0;
}
