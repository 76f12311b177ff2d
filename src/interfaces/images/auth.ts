/** Rules on credentials of image requests. */

import { strictOnly } from "../../check/clause.ts";
import type { KeyClauses } from "../../check/interface.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { jsonResponse } from "../../wire/build.ts";
import { editHeader } from "../../wire/edit.ts";
import { acceptedWithoutKey, cameInAnother, missing } from "../common/auth.ts";
import { madeThen } from "../common/errors.ts";
import { success } from "./errors.ts";

const needsCredentials = { needs: "a recording that keeps credentials" };
const headerOf = ({ request }: Subject): string | undefined => request.headers["authorization"];

const present: Rule = {
  clause: "images.auth.authorization-present",
  applies: () => true,
  check(subject) {
    if (headerOf(subject) !== undefined) return cameInAnother(subject, "authorization");
    return missing(subject, {
      side: "request",
      in: "headers",
      pointer: "/authorization",
      expected: "Bearer and a key",
      actual: undefined,
    });
  },
  spoil: (exchange) => editHeader(exchange, "request", "Authorization", undefined),
};

/** Bearer, one space, a key; the scheme in any case unless reading X-HEADER-CASE is strict. */
const bearer: Rule = {
  clause: "images.auth.bearer",
  applies: (subject) => headerOf(subject) !== undefined,
  *check(subject) {
    const value = headerOf(subject)!;
    if (/^Bearer \S+$/.test(value)) return;
    if (!subject.credentialsKept) return yield needsCredentials;
    yield {
      side: "request",
      in: "headers",
      pointer: "/authorization",
      expected: "Bearer, one space and a key",
      // The key itself is nobody's business.
      actual: value.replace(/^(\S*\s*).*$/s, (_, scheme: string) => (/\s/.test(scheme) ? `${scheme}...` : "...")),
      ...(/^Bearer \S+$/i.test(value) && {
        reading: strictOnly("X-HEADER-CASE"),
      }),
    };
  },
  spoil: (exchange) => editHeader(exchange, "request", "Authorization", "Basic a2V5OmtleQ=="),
};

/** A request sent without a key on purpose fails. */
const missingKey: Rule = {
  clause: "images.auth.missing-key",
  applies: (subject) => subject.probe && headerOf(subject) === undefined && subject.response !== null,
  *check({ response }) {
    if (response?.ok) yield acceptedWithoutKey("a failure status", response);
  },
  spoil: (exchange) => ({ ...exchange, response: jsonResponse(madeThen(success, exchange)) }),
};

export const rules: readonly Rule[] = [present, bearer, missingKey];

export const keyClauses: KeyClauses = {
  onRequests: ["images.auth.authorization-present", "images.auth.bearer"],
  missing: "images.auth.missing-key",
  unknown: "images.auth.invalid-key",
  scheme: "images.auth.bearer",
};
