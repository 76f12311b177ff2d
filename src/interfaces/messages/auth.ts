/** Rules on the API key. */
import type { KeyClauses } from "../../check/interface.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { editHeader, editStatus } from "../../wire/edit.ts";
import {
  acceptedWithoutKey,
  cameInAnother,
  mayHaveDropped,
  missing,
  refusedWithoutKey,
  refuses,
  saidOfKey,
} from "../common/auth.ts";

const key = "x-api-key";
const keyOf = ({ request }: Subject): string | undefined => request.headers[key];
const needs = "a recording that keeps credentials, or at least their names";

function hint({ request }: Subject): string | undefined {
  return request.headers["authorization"] === undefined ? undefined : "authorization is not the documented header";
}

const keyRequired: Rule = {
  clause: "messages.auth.key-required",
  applies: () => true,
  check(subject) {
    if (keyOf(subject) !== undefined) return cameInAnother(subject, key);
    const said = hint(subject);
    return missing(subject, {
      side: "request",
      in: "headers",
      pointer: `/${key}`,
      expected: "this header to be present",
      actual: undefined,
      ...(said && { hint: said }),
    });
  },
  spoil: (exchange) => editHeader(exchange, "request", key, undefined),
};

const keyNotEmpty: Rule = {
  clause: "messages.auth.key-not-empty",
  applies: (subject) => keyOf(subject) !== undefined,
  *check(subject) {
    if (keyOf(subject)?.trim() !== "") return;
    if (!subject.credentialsKept) return yield { needs };
    yield { side: "request", in: "headers", pointer: `/${key}`, expected: "an API key", actual: keyOf(subject) };
  },
  spoil: (exchange) => editHeader(exchange, "request", key, ""),
};

const others = ({ requestFaults }: Subject): readonly string[] =>
  requestFaults.filter((clause) => !clause.startsWith("messages.auth."));

/** The reply's message about a missing key counts even if a recording may have dropped one; acceptance counts if it was asked for. */
const missingKeyRefused: Rule = {
  clause: "messages.auth.missing-key-refused",
  applies: (subject) =>
    keyOf(subject) === undefined &&
    subject.response !== null &&
    (subject.probe ? subject.response.ok || refuses(subject) : refuses(subject)) &&
    (!mayHaveDropped(subject) || saidOfKey(subject) === "missing"),
  check(subject) {
    const { response } = subject;
    if (!response?.ok) return refusedWithoutKey(subject, others(subject));
    return [acceptedWithoutKey("401 without an API key", response)];
  },
  spoil: (exchange) => editStatus(exchange, 403),
};

export const authRules: readonly Rule[] = [keyRequired, keyNotEmpty, missingKeyRefused];

export const keyClauses: KeyClauses = {
  onRequests: ["messages.auth.key-required", "messages.auth.key-not-empty"],
  missing: "messages.auth.missing-key-refused",
  unknown: "messages.auth.invalid-key-refused",
};
