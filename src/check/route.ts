/** Which operation a request is for. */
import { pathOf } from "../wire/target.ts";
import type { Interface } from "./interface.ts";
import type { Operation } from "./operation.ts";

export interface Route {
  readonly interface: Interface;
  readonly operation: Operation;
}

/** The operation an exchange belongs to, or undefined. */
export function routeOf(interfaces: readonly Interface[], method: string, target: string): Route | undefined {
  const path = pathOf(target);
  for (const one of interfaces)
    for (const operation of one.operations)
      if (operation.method === method && operation.at(path) >= 0) return { interface: one, operation };
  // A wrong method on a known path is still that operation's business; preflights and probes of a cache are nobody's.
  if (method === "OPTIONS" || method === "HEAD") return undefined;
  for (const one of interfaces)
    for (const operation of one.operations) if (operation.at(path) >= 0) return { interface: one, operation };
  return undefined;
}
