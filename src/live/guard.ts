/** Decides who may ask the page's server: this machine's browser, at our own address, by whoever was told the token. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Guard {
  /** Why a request is refused, in one sentence; undefined where it is not. */
  readonly refusalOf: (request: Pick<IncomingMessage, "url" | "headers" | "headersDistinct">) => string | undefined;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * A page of another site may have its own name point here (DNS rebinding), or send requests without reading the answers. Names
 * and origins must therefore be our own, and no answer names another that may read it.
 * @param port the one that is listened on
 */
export function createGuard(port: number, token: string): Guard {
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  const origins = hosts.map((host) => `http://${host}`);
  const wanted = digest(token);
  return {
    refusalOf({ url = "", headers, headersDistinct }) {
      const { host: named = [], origin: from = [] } = headersDistinct;
      // Readers of addresses take a backslash for a slash.
      if (!/^\/(?![/\\])/.test(url)) return "the address is not of this server";
      if (named.length !== 1 || !hosts.includes(named[0]!.toLowerCase())) return "Host is not this server";
      if (from.some((one) => !origins.includes(one.toLowerCase()))) return "pages of other origins may not ask here";
      const { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": destination } = headers;
      // The file that opens the page leads a browser here from elsewhere. Others may, too: they do not know the token, and read nothing.
      const leads = mode === "navigate" && destination === "document" && from.length === 0;
      if (site !== undefined && site !== "same-origin" && site !== "none" && !leads)
        return "pages of other sites may not ask here";
      const given = new URL(url, origins[0]).searchParams.getAll("token");
      if (given.length !== 1 || !timingSafeEqual(digest(given[0]!), wanted))
        return "the token is missing or wrong: open the address that touchstone record printed";
      return undefined;
    },
  };
}
