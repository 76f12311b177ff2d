/** Reads failures as classes, from their status and from the words of their bodies. */
import type { StreamEvent } from "../../../check/body.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import type { ErrorClass, ErrorFacts } from "./model.ts";
import { type Json, known, textAt } from "./read.ts";

const ofStatus: Readonly<Record<number, ErrorClass>> = {
  401: "key",
  402: "permission",
  403: "permission",
  404: "not-found",
  413: "too-large",
  429: "rate",
  503: "overloaded",
  529: "overloaded",
};

const ofWords: readonly (readonly [RegExp, ErrorClass])[] = [
  [/rate_?limit|resource_exhausted|too_many|quota|\b429\b/i, "rate"],
  [/overloaded|unavailable|\b(?:503|529)\b/i, "overloaded"],
  [/authentication|unauthenticated|api_?key|\b401\b/i, "key"],
  [/permission|\b403\b/i, "permission"],
  [/not_?found|\b404\b/i, "not-found"],
  [/too_?large|\b413\b/i, "too-large"],
  [/invalid|precondition|bad_request|\b400\b/i, "bad-request"],
  [/server|internal|api_error|deadline|timeout|\b5\d\d\b/i, "server"],
];

export function classOfStatus(status: number): ErrorClass {
  return ofStatus[status] ?? (status >= 500 ? "server" : status >= 400 ? "bad-request" : "unknown");
}

/** Characters of an error's own words that are looked at. */
const longest = 200;

function classOfWords(error: Json | undefined): ErrorClass {
  if (!error) return "unknown";
  const words = [error["type"], error["status"], error["code"]]
    .map((one) => (typeof one === "string" || typeof one === "number" ? String(one).slice(0, longest) : ""))
    .join(" ");
  return ofWords.find(([pattern]) => pattern.test(words))?.[1] ?? "unknown";
}

/** The error object of a body, or of an event's data; a text alone is its message. */
function errorIn(value: unknown): Json | undefined {
  const body = Array.isArray(value) ? value[0] : value;
  if (!isObject(body)) return undefined;
  const { error } = body;
  if (typeof error === "string") return { message: error };
  return isObject(error) ? error : undefined;
}

const messageOf = (error: Json | undefined, otherwise?: string): string | undefined =>
  (error && textAt(error, "message")) ?? otherwise;

function failureOf({ response }: Subject): ErrorFacts | undefined {
  if (!response) return undefined;
  const { body, status, headers } = response;
  const value = body.kind === "json" ? body.value : undefined;
  const error = errorIn(value);
  if (status < 400)
    return error ? { class: classOfWords(error), status, ...known({ message: messageOf(error) }) } : undefined;
  const text =
    body.kind === "text" ? body.text.slice(0, 2_000) : body.kind === "json" ? body.text().slice(0, 2_000) : undefined;
  return {
    class: classOfStatus(status),
    status,
    ...known({ message: messageOf(error, text), retryAfter: headers["retry-after"] }),
  };
}

const isError = ({ kind }: StreamEvent): boolean => kind === "error";

/** An error object amid a stream. */
export const classOfError = (error: Json): ErrorFacts => ({
  class: classOfWords(error),
  ...known({ message: messageOf(error) }),
});

/** Why a request failed; undefined where it did not. */
export function errorOf(subject: Subject): ErrorFacts | undefined {
  const event = subject.streamEvents?.find(isError);
  if (!event) return failureOf(subject);
  return classOfError(errorIn(event.value) ?? {});
}
