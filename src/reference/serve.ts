/** Puts the reference implementation on a socket. */
import type { Catalogue } from "../check/catalogue.ts";
import { type Names, namesFrom } from "../check/names.ts";
import type { WireRequest } from "../wire/exchange.ts";
import type { Listening, Reply } from "../wire/listen.ts";
import { openServer, type ServerOptions } from "../wire/open-server.ts";
import { ownAnswers } from "./own.ts";
import { createReference, sdkHeaders } from "./reference.ts";

export interface ServeOptions extends ServerOptions {
  /** The names for neutral names; the headers of the vendors' SDKs, by default. */
  readonly names?: Names;
  /** Clauses to break. The values of those that compare exchanges repeat in every reply; `change` breaks the others. */
  readonly break?: readonly string[] | undefined;
  /** Changes a reply before it is sent, as a breaker of clauses does. */
  readonly change?: (request: WireRequest, reply: Reply) => Reply;
  /** Milliseconds before each piece of a reply. */
  readonly pace?: number;
}

/** Serves all four interfaces until it is closed; UserError where it cannot listen there. */
export async function serveReference(catalogue: Catalogue, options: ServeOptions = {}): Promise<Listening> {
  const { names = namesFrom(sdkHeaders), change = (_request, reply) => reply, pace = 0, break: broken = [] } = options;
  let base = "";
  const own = catalogue.own.size > 0 ? await ownAnswers(catalogue, broken) : undefined;
  const reference = createReference(catalogue, () => base, names, own);
  const answer = (request: WireRequest): Reply => {
    const reply = change(request, reference(request));
    return pace > 0 ? { ...reply, pieces: reply.pieces.map((piece) => ({ ...piece, after: pace })) } : reply;
  };
  const server = await openServer(answer, options);
  base = server.url;
  return server;
}
