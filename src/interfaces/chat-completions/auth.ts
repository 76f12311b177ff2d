/** Rules on the credential of a chat request. */

import { strictOnly } from "../../check/clause.ts";
import type { KeyClauses } from "../../check/interface.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { jsonResponse } from "../../wire/build.ts";
import { editHeader } from "../../wire/edit.ts";
import { acceptedWithoutKey, cameInAnother, missing } from "../common/auth.ts";
import { madeThen } from "../common/errors.ts";
import { kinds } from "./errors.ts";

const place = { side: "request", in: "headers", pointer: "/authorization" } as const;

/** The header's value; undefined where it is missing or not to be relied on, because a recorder may have masked it. */
function credential({ request, credentialsKept }: Subject): string | undefined {
  return credentialsKept ? request.headers["authorization"] : undefined;
}

const required: Rule = {
  clause: "chat-completions.auth.authorization-required",
  applies: () => true,
  check(subject) {
    if (subject.request.headers["authorization"] !== undefined) return cameInAnother(subject, "authorization");
    return missing(subject, { ...place, expected: "an Authorization header", actual: undefined });
  },
  spoil: (exchange) => ({ ...editHeader(exchange, "request", "Authorization", undefined), response: null }),
};

const scheme: Rule = {
  clause: "chat-completions.auth.authorization-scheme",
  applies: (subject) => credential(subject) !== undefined,
  check(subject) {
    const value = credential(subject) ?? "";
    if (value.startsWith("Bearer ")) return undefined;
    const given = /^[^\s]*/.exec(value.trim())?.[0] ?? "";
    if (given === "Bearer") return undefined;
    const sameWord = given.toLowerCase() === "bearer";
    return [
      {
        ...place,
        expected: "the scheme Bearer",
        actual: sameWord ? given : inWords("another scheme"),
        ...(sameWord && { reading: strictOnly("X-HEADER-CASE") }),
      },
    ];
  },
  spoil: (exchange) => editHeader(exchange, "request", "Authorization", "Basic c2VjcmV0OnNlY3JldA=="),
};

/** Keys are never repeated in findings. */
const key: Rule = {
  clause: "chat-completions.auth.authorization-key",
  applies: (subject) => /^bearer\b/i.test(credential(subject)?.trim() ?? ""),
  check(subject) {
    const rest = (credential(subject) ?? "").trim().slice("bearer".length);
    if (/^ \S/.test(rest)) return undefined;
    return [
      {
        ...place,
        expected: "exactly one space and a key",
        actual: inWords(rest.trim() === "" ? "no key" : "other white space before the key"),
      },
    ];
  },
  spoil: (exchange) => editHeader(exchange, "request", "Authorization", "Bearer "),
};

/** A request sent without a key on purpose fails; no status is written down (reading C-ERRORS). */
const missingKeyFails: Rule = {
  clause: "chat-completions.auth.missing-key-fails",
  applies: ({ probe, request, response }) =>
    probe && request.headers["authorization"] === undefined && response !== null,
  *check({ response }) {
    if (response?.ok) yield acceptedWithoutKey("a failure", response);
  },
  spoil: (exchange) => ({ ...exchange, response: jsonResponse(madeThen(kinds.success, exchange)) }),
};

export const rules: readonly Rule[] = [required, scheme, key, missingKeyFails];

export const keyClauses: KeyClauses = {
  onRequests: [
    "chat-completions.auth.authorization-required",
    "chat-completions.auth.authorization-scheme",
    "chat-completions.auth.authorization-key",
  ],
  missing: "chat-completions.auth.missing-key-fails",
  unknown: "chat-completions.auth.invalid-key-fails",
  scheme: "chat-completions.auth.authorization-scheme",
};
