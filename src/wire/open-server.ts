/** Opens a server where people say, for the callers they allow. */
import { UserError } from "../user-error.ts";
import { forCallers } from "./callers.ts";
import { type Listening, type LiveHandler, listen } from "./listen.ts";
import { parseListen } from "./listen-address.ts";

export interface ServerOptions {
  /** `HOST:PORT`; port 0 takes a free one, which is the default, on 127.0.0.1. */
  readonly listen?: string | undefined;
  /** On a loopback address: further names that requests may give as their Host; `*` is any. */
  readonly allowHost?: readonly string[] | undefined;
  /** On a loopback address: origins whose pages may send requests; `*` is any. */
  readonly allowOrigin?: readonly string[] | undefined;
}

/** Listens, and resolves once requests are answered; UserError where it cannot listen there. */
export async function openServer(handler: LiveHandler, options: ServerOptions = {}): Promise<Listening> {
  const { listen: text = "127.0.0.1:0", allowHost: hosts, allowOrigin: origins } = options;
  const at = parseListen(text);
  return listen(forCallers(handler, { host: at.host, hosts, origins }), at).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`cannot listen on ${text}: ${error.message}`, "Choose another --listen HOST:PORT.");
  });
}
