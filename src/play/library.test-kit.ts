/** Requests and libraries made by hand, for tests of what plays. */
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import type { HeaderPairs, WireRequest } from "../wire/exchange.ts";
import { createLibrary, type Library } from "./library.ts";

export const chat = (body: unknown, target = "/v1/x", headers: HeaderPairs = []): WireRequest =>
  jsonRequest(target, headers, body);
export const get = (target: string, headers: HeaderPairs = []): WireRequest => ({
  method: "GET",
  target,
  headers,
  body: new Uint8Array(0),
});

/** A library of requests, each answered with its position. */
export function libraryOf(requests: readonly WireRequest[], headers: readonly string[] = []): Library {
  const library = createLibrary(headers);
  for (const [i, request] of requests.entries()) library.add({ request, response: jsonResponse(i) }, "session", i);
  return library;
}
