/** Serves the reference to many trials at once, each under a path of its own, its answers changed as that trial wants. */
import type { Catalogue } from "../../check/catalogue.ts";
import { namesFrom } from "../../check/names.ts";
import { createReference, sdkHeaders } from "../../reference/reference.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { listen, type Reply } from "../../wire/listen.ts";

export type Change = (request: WireRequest, good: Reply) => Reply;

export interface TrialServer {
  /** The reference's answer. */
  answer(request: WireRequest): Reply;
  /**
   * Calls `use` with the base URL of a reference of its own.
   * @param change makes the reply that is sent of the good one
   */
  with<T>(change: Change, use: (url: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function serveTrials(catalogue: Catalogue): Promise<TrialServer> {
  const changes = new Map<string, Change>();
  let url = "";
  let trials = 0;
  const reference = createReference(catalogue, () => url, namesFrom(sdkHeaders));
  const server = await listen((request) => {
    const [, name = "", target = ""] = /^\/([^/]+)(\/.*)$/.exec(request.target) ?? [];
    const change = changes.get(name);
    // A client that was given up may still ask.
    if (!change) return { status: 410, headers: [], pieces: [] };
    const own = { ...request, target };
    return change(own, reference(own));
  });
  url = server.url;
  return {
    answer: reference,
    async with(change, use) {
      const name = `trial-${++trials}`;
      changes.set(name, change);
      try {
        return await use(`${url}/${name}`);
      } finally {
        changes.delete(name);
      }
    },
    close: server.close,
  };
}
