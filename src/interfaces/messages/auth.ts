/** Rules on the API key. */
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { editHeader, editStatus } from "../../wire/edit.ts";

const key = "x-api-key";
const keyOf = ({ request }: Subject): string | undefined => request.headers[key];
const needs = "a recording that keeps credentials, or at least their names";

function hint({ request }: Subject): string | undefined {
  return request.headers["authorization"] === undefined ? undefined : "authorization is not the documented header";
}

const keyRequired: Rule = {
  clause: "messages.auth.key-required",
  applies: () => true,
  *check(subject) {
    if (keyOf(subject) !== undefined) return;
    if (!subject.names.credentialsKept) return yield { needs };
    const said = hint(subject);
    yield {
      side: "request",
      in: "headers",
      pointer: `/${key}`,
      expected: "this header to be present",
      actual: undefined,
      ...(said && { hint: said }),
    };
  },
  spoil: (exchange) => editHeader(exchange, "request", key, undefined),
};

const keyNotEmpty: Rule = {
  clause: "messages.auth.key-not-empty",
  applies: (subject) => keyOf(subject) !== undefined,
  *check(subject) {
    if (keyOf(subject)?.trim() !== "") return;
    if (!subject.names.credentialsKept) return yield { needs };
    yield { side: "request", in: "headers", pointer: `/${key}`, expected: "an API key", actual: keyOf(subject) };
  },
  spoil: (exchange) => editHeader(exchange, "request", key, ""),
};

/** Other faults of a request, too many requests and failing servers may come first; acceptance counts where it was asked for. */
const missingKeyRefused: Rule = {
  clause: "messages.auth.missing-key-refused",
  applies: ({ names, probe, request, response, requestFaults }) =>
    names.credentialsKept &&
    request.headers[key] === undefined &&
    response !== null &&
    (probe || !response.ok) &&
    response.status < 500 &&
    response.status !== 429 &&
    requestFaults.every((clause) => clause.startsWith("messages.auth.")),
  *check({ response }) {
    if (response?.status !== 401)
      yield { side: "response", in: "status", expected: "401 without an API key", actual: response?.status };
  },
  spoil: (exchange) => editStatus(exchange, 403),
};

export const authRules: readonly Rule[] = [keyRequired, keyNotEmpty, missingKeyRefused];
