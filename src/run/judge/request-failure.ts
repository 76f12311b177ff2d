/** Separates answers that can be judged from those that show nothing: none, cut off, unreadable, or an unexpected refusal. */
import type { Incident } from "../../verdict/run-results.ts";
import { decodeContent } from "../../wire/encoding.ts";
import type { Exchange, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { headerValue, isEventStream } from "../../wire/headers.ts";
import { parseJson, parseJsonBytes } from "../../wire/json.ts";
import { isJsonLines, parseJsonLines } from "../../wire/json-lines.ts";
import { isStream } from "../../wire/read.ts";
import { parseEvents } from "../../wire/sse.ts";
import { saysLater } from "../send/retry.ts";

const succeeded = ({ status }: WireResponse): boolean => status >= 200 && status < 300;

/** A response's body without its content encoding. */
export function plainBody(response: WireResponse): ReturnType<typeof decodeContent> {
  return decodeContent(response.body, headerValue(response.headers, "content-encoding"));
}

/** The JSON of a response, undefined where it is none. */
export function jsonOf(response: WireResponse): unknown {
  const decoded = plainBody(response);
  const json = decoded.ok ? parseJsonBytes(decoded.bytes) : undefined;
  return json?.ok ? json.value : undefined;
}

const typeOf = ({ headers }: WireResponse): string | undefined => headerValue(headers, "content-type");

/** Whether a response is read as a stream of events or JSON lines: it says so, or it begins as events, whatever its headers say. */
export function isStreamed(response: WireResponse | null): response is WireResponse {
  if (!response || isEventStream(response) || isJsonLines(typeOf(response))) return response !== null;
  const decoded = plainBody(response);
  return decoded.ok && isStream(decoded.bytes);
}

/** The JSON values that a reply holds: its own, or those of its events. */
export function valuesIn({ response }: Pick<Exchange, "response">): unknown[] {
  const decoded = response && plainBody(response);
  if (!decoded?.ok) return [];
  if (isStreamed(response)) return eventsIn(decoded.bytes, response).filter((value) => value !== undefined);
  const json = parseJsonBytes(decoded.bytes);
  return json.ok ? [json.value] : [];
}

/** The events of a stream as JSON, by position; undefined where one is none. */
function eventsIn(bytes: Uint8Array, response: WireResponse): unknown[] {
  const type = typeOf(response);
  const { events } = isJsonLines(type) ? parseJsonLines(bytes, type) : parseEvents(bytes);
  return events.map(({ data }) => {
    const json = parseJson(data);
    return json.ok ? json.value : undefined;
  });
}

/** The same of an answer; nothing where it is no stream. */
export function streamedValues(response: WireResponse | null): unknown[] {
  const decoded = isStreamed(response) && response ? plainBody(response) : undefined;
  return decoded?.ok && response ? eventsIn(decoded.bytes, response) : [];
}

/** Statuses of what is not there: no such path, no such method, nothing behind it. */
const isUnknown = (status: number): boolean => status === 404 || status === 405 || status === 501;

const unsupported = /not (?:yet |currently )?(?:supported|implemented)|unsupported|(?:does not|doesn't) support/i;

/** Whether an answer says that something is not supported. */
export const saysUnsupported = (response: WireResponse): boolean => unsupported.test(excerptOf(response, 2000));

/** Whether an answer says that the target does not have what was asked for, rather than that it failed. */
export const saysAbsent = (response: WireResponse | null): boolean => response !== null && isUnknown(response.status);

/** The beginning of what an answer says, on one line; an ellipsis stands for what is left out. */
export function excerptOf(response: WireResponse, maxLength: number): string {
  const decoded = plainBody(response);
  if (!decoded.ok) return "";
  const said = Buffer.from(decoded.bytes.subarray(0, 2000)).toString("utf8").replace(/\s+/g, " ").trim();
  const characters = Array.from(said);
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join("").trimEnd()}…` : said;
}

/** Errors that say "later", as rate limits do with a status. */
const saysBusy = /overloaded|rate[_ ]?limit|resource_exhausted|\bunavailable\b/i;

/**
 * Why an answer with success is an error all the same: a stream that ends in one, or an error object. A stream that is nothing but the word that
 * streams are not supported refuses them.
 * @param hasContent whether it gave anything before the error
 */
export function errorDespiteSuccess(
  { method, target }: WireRequest,
  response: WireResponse,
  hasContent: boolean,
): ExplainedFailure {
  const asked = `${method} ${target.split("?", 1)[0]}`;
  const error = valuesIn({ response }).at(-1);
  const said = JSON.stringify(error) ?? "";
  const came = isStreamed(response) ? "a stream that ends in an error event" : "an error";
  const problem = `${asked} was answered with status ${response.status}, and ${came}: ${Array.from(said).slice(0, 200).join("")}`;
  if (!hasContent && unsupported.test(said)) return { kind: "refused", problem, notOffered: true };
  return { kind: saysBusy.test(said) ? "rate-limited" : "server-error", problem };
}

type ExplainedFailure = Pick<Incident, "kind" | "problem" | "notOffered">;

/** A request that was refused with "later" to the last. */
export function rateLimited({ method, target }: WireRequest, { status }: WireResponse): ExplainedFailure {
  const asked = `${method} ${target.split("?", 1)[0]}`;
  return {
    kind: "rate-limited",
    problem: `rate limited: ${asked} was answered with status ${status} however often it was asked`,
  };
}

/**
 * Why an answer cannot show what the recording shows; undefined where it can.
 * @param failure what went wrong on the wire, if anything did
 * @param before the recorded response
 * @param negative whether the request is broken on purpose: a refusal is then what is wanted
 */
export function incidentOf(
  request: WireRequest,
  response: WireResponse | null,
  failure: string | undefined,
  before: WireResponse | null,
  negative: boolean,
): ExplainedFailure | undefined {
  const asked = `${request.method} ${request.target.split("?", 1)[0]}`;
  if (failure !== undefined || !response)
    return { kind: "unanswered", problem: `${asked} was not answered in full: ${failure ?? "no answer came"}` };
  if (saysLater(response) && !(before && saysLater(before))) return rateLimited(request, response);
  const decoded = plainBody(response);
  if (!decoded.ok)
    return { kind: "unanswered", problem: `${asked} was answered with a body nobody can read: ${decoded.problem}` };
  if (negative || !before || !succeeded(before) || succeeded(response)) return undefined;
  const { status } = response;
  const excerpt = excerptOf(response, 200);
  const notOffered = isUnknown(status) || saysUnsupported(response);
  return {
    kind: status >= 500 && !notOffered ? "server-error" : "refused",
    problem: `${asked} was answered with status ${status}, and with ${before.status} when it was recorded${excerpt && `: ${excerpt}`}`,
    ...(notOffered && { notOffered }),
  };
}
