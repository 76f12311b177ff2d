/** Sends what is meant for given hosts to servers of a test instead: through the global fetch, and through undici. */
import { UserError } from "../user-error.ts";

/** A server of this machine, or its base URL. */
export type Destination = string | { readonly url: string };

/** Host names, with a port or whole origins where one needs that, and the servers that answer in their place. */
export type InterceptedHosts = Readonly<Record<string, Destination>>;

interface Dispatcher {
  dispatch(options: { readonly origin?: string | URL | null }, handler: unknown): boolean;
}

/** An object with a `fetch`, and places where copies of undici share their dispatcher: `globalThis`. */
type Scope = { fetch: typeof fetch } & Record<symbol, Dispatcher | undefined>;

/** Undici, Node's own as well, keeps the dispatcher of all its copies under these. */
const dispatchers = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];

function originOf(host: string, destination: Destination): string {
  const url = typeof destination === "string" ? destination : destination.url;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UserError(`intercept() cannot send ${host} to ${url}`, "Give a server that was started, or its URL.");
  return new URL(url).origin;
}

/** The origin that a URL is sent to instead; undefined if it is left alone. */
type Redirect = (url: URL) => string | undefined;

function redirectOf(hosts: InterceptedHosts): Redirect {
  const origins = new Map(Object.entries(hosts).map(([host, to]) => [host.toLowerCase(), originOf(host, to)]));
  return ({ origin, host, hostname }) => origins.get(origin) ?? origins.get(host) ?? origins.get(hostname);
}

function fetchWith(fetch: Scope["fetch"], redirect: Redirect): Scope["fetch"] {
  return async (input, init) => {
    const asked = input instanceof Request ? input.url : String(input);
    const url = URL.canParse(asked) ? new URL(asked) : undefined;
    const origin = url && redirect(url);
    if (!url || origin === undefined) return fetch(input, init);
    const moved = origin + url.pathname + url.search;
    const response = await fetch(input instanceof Request ? new Request(moved, input) : moved, init);
    return Object.defineProperty(response, "url", { value: asked, configurable: true });
  };
}

/** A dispatcher that does all else as before: each copy of undici speaks to its own kind. */
function dispatcherWith(dispatcher: Dispatcher, redirect: Redirect): Dispatcher {
  const dispatch: Dispatcher["dispatch"] = (options, handler) => {
    const from = options.origin ? new URL(options.origin) : undefined;
    const origin = from && redirect(from);
    return dispatcher.dispatch(origin === undefined ? options : { ...options, origin }, handler);
  };
  return new Proxy(dispatcher, {
    get(target, name) {
      if (name === "dispatch") return dispatch;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/**
 * As `intercept()` of the library, in several global scopes: jest gives each test file one of its own.
 * @returns puts everything back; whoever has patched it later keeps what they have, and nothing is redirected any more
 */
export function interceptIn(scopes: readonly object[], hosts: InterceptedHosts): () => void {
  const chosen = redirectOf(hosts);
  let active = true;
  const redirect: Redirect = (url) => (active ? chosen(url) : undefined);
  const undo: (() => void)[] = [];
  function replace<Key extends keyof Scope>(scope: Scope, key: Key, before: Scope[Key], now: Scope[Key]): void {
    scope[key] = now;
    undo.push(() => {
      if (scope[key] === now) scope[key] = before;
    });
  }
  // Node loads its undici with the first of these that is used.
  void globalThis.Response;
  for (const scope of scopes as readonly Scope[]) {
    const { fetch } = scope;
    if (fetch) replace(scope, "fetch", fetch, fetchWith(fetch, redirect));
    for (const name of dispatchers) {
      const before = scope[name];
      if (before) replace(scope, name, before, dispatcherWith(before, redirect));
    }
  }
  return () => {
    active = false;
    for (const one of undo.splice(0)) one();
  };
}
