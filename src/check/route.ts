/** Finds the operation of a request. */
import type { Exchange } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { pathOf } from "../wire/target.ts";
import type { Interface } from "./interface.ts";
import type { Operation } from "./operation.ts";

export interface Route {
  readonly interface: Interface;
  readonly operation: Operation;
}

/** The operation a request is for, or undefined. */
export function routeOf(interfaces: readonly Interface[], method: string, target: string): Route | undefined {
  const path = pathOf(target);
  const isFor = (operation: Operation): boolean =>
    operation.at(path) >= 0 && operation.takes?.(new URLSearchParams(target.slice(path.length))) !== false;
  const likely = ({ operations, operationsAt }: Interface): readonly Operation[] =>
    operationsAt ? operationsAt(path).map((i) => operations[i]!) : operations;
  for (const one of interfaces)
    for (const operation of likely(one))
      if (operation.method === method && isFor(operation)) return { interface: one, operation };
  // A wrong method on a known path is still that operation's business; preflights and probes of a cache are nobody's.
  if (method === "OPTIONS" || method === "HEAD") return undefined;
  for (const one of interfaces)
    for (const operation of likely(one)) {
      if (!isFor(operation)) continue;
      const found = operation.withMethod ? operation.withMethod(method) : operation;
      if (found) return { interface: one, operation: found };
    }
  return undefined;
}

/** The operation an exchange belongs to. One that became a WebSocket belongs to none, whatever path it was asked for at. */
export function routeOfExchange(interfaces: readonly Interface[], { request, response }: Exchange): Route | undefined {
  const { method, target, headers } = request;
  const switched = response?.status === 101 && method === "GET";
  if (switched && headerValue(headers, "upgrade")?.toLowerCase() === "websocket") return undefined;
  return routeOf(interfaces, method, target);
}
