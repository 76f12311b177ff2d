/** The address of what is shown: the part of the URL behind `#`, which works in a file as well. */

import { useEffect, useState } from "preact/hooks";
import { percentEncoded } from "../../wire/percent.ts";

export interface Route {
  /** `["clause", "messages.response.id"]` of `#/clause/messages.response.id`; empty at the beginning. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** The link to a place; members of the query that are empty are left out. */
export function hrefTo(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, value.toWellFormed()])).toString();
  return `#/${path.map((step) => percentEncoded(step)).join("/")}${search && `?${search}`}`;
}

/** The route in a hash; the beginning if nobody wrote it. */
export function routeOf(hash: string): Route {
  const [path = "", ...search] = hash.replace(/^#\/?/, "").split("?");
  const query = new URLSearchParams(search.join("?"));
  try {
    return { path: path === "" ? [] : path.split("/").map(decodeURIComponent), query };
  } catch {
    return { path: [], query };
  }
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener("hashchange", changed);
    // It may have changed between being read and being listened to.
    changed();
    return () => removeEventListener("hashchange", changed);
  }, []);
  return routeOf(hash);
}

/** Goes to a place without a further step of the history: for what is typed. */
export function replaceRoute(href: string): void {
  history.replaceState(null, "", href);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
