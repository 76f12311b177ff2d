/** Rules on failed image requests; the shape of errors is not shown, so none is demanded. */

import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { jsonResponse } from "../../wire/build.ts";
import { editStatus } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import {
  type BodyKinds,
  badRequestStatus,
  faultsBesideKey,
  madeThen,
  notRefused,
  statusFitsBody,
} from "../common/errors.ts";

/** The least a success says. */
export const success = { created: 1_735_689_600, data: [{ url: "https://images.example/a.png" }] };

/** Whether a body reports an error, as the field does it; the document shows no shape. */
export const isError = (body: Readonly<Record<string, unknown>>): boolean =>
  body["error"] !== undefined && body["error"] !== null;

const kinds: BodyKinds = {
  isError,
  isSuccess: (body) => Array.isArray(body["data"]),
  error: { error: { message: "The image could not be made.", type: "server_error", param: null, code: null } },
  success,
};

const ofFile = /^images\.(?:edits|variations)\.(?:image|mask)-.*(?:format|size|square|dimensions)$/;

/** Whether a request is at fault, and through its files; a missing key is the business of another clause. */
function faultsOf(subject: Subject, byFile: boolean): readonly string[] {
  const own = faultsBesideKey(subject);
  const files = own.filter((clause) => ofFile.test(clause));
  return byFile ? files : files.length === 0 ? own : [];
}

/** A request broken on purpose is not answered with success (reading X-ENFORCE; no failure status is written down). */
function refused(clause: string, byFile: boolean): Rule {
  return {
    clause,
    applies: (subject) => subject.probe && subject.response !== null && faultsOf(subject, byFile).length > 0,
    *check(subject) {
      const { response } = subject;
      if (response?.ok)
        yield notRefused("a failure status", response.status, `the request breaks ${faultsOf(subject, byFile)[0]}`);
    },
    spoil: (exchange: Exchange) =>
      exchange.response ? { ...exchange, response: jsonResponse(madeThen(success, exchange)) } : undefined,
  };
}

/** A body that reports an error and is no success has a status of 400 or above (reading C-ERRORS: a warning at most). */
const failureStatus: Rule = {
  clause: "images.errors.failure-status",
  applies: ({ response }) =>
    response?.ok === false &&
    response.body.kind === "json" &&
    isObject(response.body.value) &&
    isError(response.body.value),
  *check({ response }) {
    if (response && response.status < 400)
      yield {
        side: "response",
        in: "status",
        expected: "400 or above",
        actual: response.status,
        reading: { id: "C-ERRORS", default: "warning", strict: "warning" },
      };
  },
  spoil: (exchange) => editStatus(exchange, 302),
};

export const rules: readonly Rule[] = [
  failureStatus,
  statusFitsBody("images.errors.status", kinds),
  refused("images.errors.file-limits", true),
  refused("images.errors.invalid-refused", false),
  badRequestStatus("images.errors.bad-request-status"),
];
