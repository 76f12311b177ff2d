/** Rules of generate-content's `auth` section: the key, and what becomes of requests without a good one. */

import { warns } from "../../check/clause.ts";
import type { KeyClauses } from "../../check/interface.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { editHeader, editStatus, editTarget } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import {
  acceptedWithoutKey,
  keyHeaders,
  mayHaveDropped,
  missing,
  refusedWithoutKey,
  refuses,
  saidOfKey,
} from "../common/auth.ts";
import { editError } from "./examples/spoil.ts";
import { memberOf, objectsIn } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.auth.${name}`;

/** The place of another credential than the documented one, or undefined. */
function otherCredential({ request, query }: Subject): string | undefined {
  if (query["access_token"]) return "the query parameter access_token";
  const name = keyHeaders.find((header) => request.headers[header]?.replace(/^\s*bearer\b/i, "").trim());
  return name && `the header ${name}`;
}

const withoutKey = (exchange: Exchange): Exchange =>
  editTarget(
    keyHeaders.reduce((changed, name) => editHeader(changed, "request", name, undefined), exchange),
    (target) => target.replace(/([?&])key=[^&]*&?/, "$1").replace(/[?&]$/, ""),
  );

const key: Rule = {
  clause: id("key"),
  applies: ({ query }) => query["key"] !== "",
  check(subject) {
    if (subject.query["key"] !== undefined) return undefined;
    const other = otherCredential(subject);
    return missing(subject, {
      side: "request",
      in: "query",
      pointer: "/key",
      expected: "the API key",
      actual: undefined,
      ...(other && {
        hint: `${other} holds one`,
        reading: warns("G-KEY"),
      }),
    });
  },
  spoil: withoutKey,
};

const keyNotEmpty: Rule = {
  clause: id("key-not-empty"),
  applies: ({ query }) => query["key"] !== undefined,
  *check({ query, credentialsKept }) {
    if (query["key"]?.trim() !== "") return;
    if (!credentialsKept) yield { needs: "a recording that keeps credentials: this one may have emptied it" };
    else yield { side: "request", in: "query", pointer: "/key", expected: "a key", actual: query["key"] };
  },
  spoil: (exchange) => editTarget(exchange, (target) => target.replace(/([?&]key=)[^&]*/, "$1")),
};

const keyless = (subject: Subject): boolean => !subject.query["key"]?.trim() && !otherCredential(subject);

const others = ({ requestFaults }: Subject): readonly string[] =>
  requestFaults.filter((clause) => !clause.startsWith("generate-content.auth."));

/** The reply's message about a missing key counts even if a recording may have dropped one. */
const missingStatus: Rule = {
  clause: id("missing-key-status"),
  applies: (subject) =>
    keyless(subject) && subject.response !== null && (!mayHaveDropped(subject) || saidOfKey(subject) === "missing"),
  check(subject) {
    const { probe, response } = subject;
    if (refuses(subject)) return refusedWithoutKey(subject, others(subject));
    // In recorded traffic the key may have come by a way nobody sees; a probe knows that it sent none.
    if (!probe || !response?.ok) return undefined;
    return [acceptedWithoutKey("401 without an API key", response)];
  },
  spoil(exchange) {
    const refusal = { code: 403, status: "PERMISSION_DENIED", message: "No API key." };
    const changed = editError(exchange, (error) => void Object.assign(error, refusal));
    return changed && editStatus(changed, 403);
  },
};

/** Texts by which services say that it is the key they refuse. */
const keyRefused = /\bapi key (?:is |was )?(?:not valid|invalid|expired|not found)\b|\b(?:invalid|expired) api key\b/i;

function speaksOfKey({ response }: Subject): boolean {
  if (!response || response.status < 400 || response.body.kind !== "json" || !isObject(response.body.value))
    return false;
  const error = memberOf(response.body.value, "error");
  return (
    (typeof error["message"] === "string" && keyRefused.test(error["message"])) ||
    objectsIn(error["details"]).some(
      ({ value: { reason } }) => reason === "API_KEY_INVALID" || reason === "API_KEY_EXPIRED",
    )
  );
}

const invalidStatus: Rule = {
  clause: id("invalid-key-status"),
  applies: speaksOfKey,
  *check({ response }) {
    if (response?.status !== 401) yield { side: "response", in: "status", expected: "401", actual: response?.status };
  },
  spoil(exchange) {
    const changed = editError(
      exchange,
      (error) => void Object.assign(error, { code: 400, status: "INVALID_ARGUMENT" }),
    );
    return changed && editStatus(changed, 400);
  },
};

export const authRules: readonly Rule[] = [key, keyNotEmpty, missingStatus, invalidStatus];

export const keyClauses: KeyClauses = {
  onRequests: ["generate-content.auth.key", "generate-content.auth.key-not-empty"],
  missing: "generate-content.auth.missing-key-status",
  unknown: "generate-content.auth.invalid-key-status",
  place: "generate-content.auth.key",
};
