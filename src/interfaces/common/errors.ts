/** Rules on failed replies that several interfaces share, and the error body that two of them share. */

import type { Finding } from "../../check/clause.ts";
import { accepts, warns } from "../../check/clause.ts";
import type { RefusalReason } from "../../check/interface.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { editJson, editStatus } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";

/** The signs that tell error bodies and success bodies of an interface apart. */
export interface BodyKinds {
  readonly isError: (body: Readonly<Record<string, unknown>>) => boolean;
  readonly isSuccess: (body: Readonly<Record<string, unknown>>) => boolean;
  /** A body of each kind, for counterexamples. */
  readonly error: unknown;
  readonly success: unknown;
  /** Whether a redirection with an error body fails too, where no other clause says so. */
  readonly redirections?: boolean;
}

/** A body for a counterexample, made when the exchange was: a time of its own would break another clause. */
export function madeThen(body: unknown, { started }: Exchange): unknown {
  return isObject(body) && "created" in body && started ? { ...body, created: Math.floor(started / 1000) } : body;
}

/** Status and body agree: no error body with 2xx, no success body with 400 or above (reading X-STATUS). */
export function statusFitsBody(clause: string, kinds: BodyKinds): Rule {
  return {
    clause,
    applies: ({ response }) => response?.body.kind === "json" && isObject(response.body.value),
    check({ response }) {
      if (response?.body.kind !== "json" || !isObject(response.body.value)) return undefined;
      const { value } = response.body;
      const { status: actual } = response;
      const noFailure = kinds.redirections ? actual < 400 : response.ok;
      if (noFailure && kinds.isError(value) && !kinds.isSuccess(value))
        return [{ side: "response", in: "status", expected: "400 or above with an error body", actual }];
      if (actual >= 400 && kinds.isSuccess(value) && !kinds.isError(value))
        return [{ side: "response", in: "status", expected: "200 to 299 with a successful body", actual }];
      return undefined;
    },
    spoil: (exchange) =>
      exchange.response && exchange.response.status >= 400
        ? editJson(exchange, "response", () => madeThen(kinds.success, exchange))
        : editJson(exchange, "response", () => kinds.error),
  };
}

/**
 * The fault of a request that should have been refused (reading X-ENFORCE: accepting it is unenforced; an answer that neither
 * accepts nor refuses it warns).
 */
export function notRefused(expected: string, actual: number, hint?: string): Fault {
  const reading = actual < 300 ? accepts : warns(accepts.id);
  return { side: "response", in: "status", expected, actual, ...(hint && { hint }), reading };
}

/** Rules that a request breaks, without those on its key: what becomes of a missing one is the business of clauses of its own. */
export const faultsBesideKey = ({ requestFaults }: Subject): readonly string[] =>
  requestFaults.filter((clause) => clause.split(".")[1] !== "auth");

/** A request sent broken on purpose is refused (reading X-ENFORCE). */
export function invalidRequestRefused(clause: string): Rule {
  return {
    clause,
    applies: (subject) => subject.probe && faultsBesideKey(subject).length > 0 && subject.response !== null,
    *check(subject) {
      const status = subject.response?.status ?? 0;
      if (status >= 400 && status < 500) return;
      yield notRefused("400 to 499", status, `the request breaks ${faultsBesideKey(subject)[0]}`);
    },
    spoil: (exchange) => editStatus(exchange, 200),
  };
}

/** A request sent broken on purpose is the client's fault, not a failure of the server, which clients would ask again (reading X-CLIENTS). */
export function badRequestStatus(clause: string): Rule {
  return {
    clause,
    applies: ({ probe, requestFaults, response }) =>
      probe && requestFaults.length > 0 && response !== null && response.status >= 400,
    *check({ response, requestFaults }) {
      if (response?.status !== 500) return;
      const hint = `the request breaks ${requestFaults[0]}`;
      const reading = warns("X-CLIENTS");
      yield { side: "response", in: "status", expected: "400 to 499", actual: response.status, hint, reading };
    },
    spoil: (exchange) => editStatus(exchange, 500),
  };
}

/** The member a finding speaks about, as `messages[0].role`; null where it speaks about none. */
function memberOf({ in: place, pointer }: Finding): string | null {
  if ((place !== "body" && place !== "form") || pointer === "") return null;
  const path = pointer.slice(1).replaceAll("/", ".");
  return path
    .replace(/\.(\d+)(?=\.|$)/g, "[$1]")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

export const refusalNamingMember = ({ message, finding }: RefusalReason): object => ({
  error: { message, type: "invalid_request_error", param: memberOf(finding), code: finding.clause },
});
