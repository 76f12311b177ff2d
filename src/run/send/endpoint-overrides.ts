/** Describes how an interface is reached when its base path or the place of its key differs from the documents. */
import type { Interface } from "../../check/interface.ts";
import type { EndpointOverride } from "../../verdict/run-results.ts";
import { joinUrl } from "../../wire/send.ts";

/** The step of a path that says its version, where a path begins with one. */
const version = /^\/v1(?:beta)?(?=\/)/;

/** A documented path, as this way has it. */
export const pathOn = ({ version: own }: EndpointOverride, target: string): string =>
  own === undefined ? target : target.replace(version, own);

/**
 * Other addresses at which a documented path may be: its version left out, or that of the base address, or another one's.
 * @param target path of a request, as documented
 */
export function otherAddresses(url: string, target: string): EndpointOverride[] {
  const ways: EndpointOverride[] = [{ version: "" }];
  const stripped = url.replace(/\/v1(?:beta)?$/, "");
  // `http://host/v1` is what clients of one interface are given; the others of the same server are beside it.
  if (stripped !== url) ways.unshift({ base: stripped });
  if (version.exec(target)?.[0] === "/v1beta") ways.push({ version: "/v1" });
  const address = (way: EndpointOverride): string => {
    const { origin, target: path } = joinUrl(way.base ?? url, pathOn(way, target));
    return origin + path;
  };
  const known = new Set([address({})]);
  return ways.filter((way) => {
    const isNew = !known.has(address(way));
    known.add(address(way));
    return isNew;
  });
}

/** The header in which an interface that is reached this way takes its key; undefined where that is in the query. */
export const keyHeaderOf = (of: Interface | undefined, { keyHeader }: EndpointOverride): string | undefined =>
  keyHeader ?? of?.key?.header;
