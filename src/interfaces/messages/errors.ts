/** Rules on failed replies: their status, their body, and how the two fit. */

import type { RefusalReason } from "../../check/interface.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { utf8 } from "../../wire/build.ts";
import { editBody, editStatus } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { invalidRequestRefused, statusFitsBody } from "../common/errors.ts";
import { notUtf8 } from "../common/json.ts";
import { failureSample, messageSample } from "./examples/samples.ts";
import { isErrorBody } from "./reading/reply.ts";

/** A refusal as this interface writes it. */
export const refusalBody = ({ status, message, finding }: RefusalReason): object => ({
  type: "error",
  error: { type: status === 401 ? "authentication_error" : "invalid_request_error", message, code: finding.clause },
});

function errorOf({ response }: Subject): Readonly<Record<string, unknown>> | undefined {
  if (!response || response.ok || response.body.kind !== "json" || !isObject(response.body.value)) return undefined;
  const { error } = response.body.value;
  return isObject(error) ? error : undefined;
}

/** A redirection is no failed request, unless it carries an error. */
const statusRange: Rule = {
  clause: "messages.errors.status-range",
  applies: (subject) => {
    const status = subject.response?.status ?? 0;
    return status >= 400 || (status >= 300 && errorOf(subject) !== undefined);
  },
  *check({ response }) {
    const status = response?.status ?? 0;
    if (status < 400 || status > 599) yield { side: "response", in: "status", expected: "400 to 599", actual: status };
  },
  spoil: (exchange) => editStatus(exchange, 600),
};

const bodyJson: Rule = {
  clause: "messages.errors.body-json",
  applies: ({ response, interrupted }) =>
    response !== null && response.status >= 400 && response.body.kind !== "unreadable" && !interrupted,
  *check({ response }) {
    const body = response?.body;
    if (!body) return;
    if (body.kind === "json") {
      if (!body.utf8) yield { side: "response", ...notUtf8 };
      return;
    }
    const actual = inWords(
      body.kind === "text" ? body.problem : body.kind === "stream" ? "a stream of events" : "an empty body",
    );
    yield { side: "response", in: "body", expected: "a JSON text", actual };
  },
  spoil: (exchange) => editBody(exchange, "response", utf8("<h1>Bad Request</h1>")),
};

export const errorRules: readonly Rule[] = [
  statusRange,
  bodyJson,
  statusFitsBody("messages.errors.status-fits-body", {
    isError: isErrorBody,
    isSuccess: (body) => body["type"] === "message" || (Array.isArray(body["content"]) && "stop_reason" in body),
    error: failureSample,
    success: messageSample,
  }),
  invalidRequestRefused("messages.errors.invalid-request-refused"),
];
