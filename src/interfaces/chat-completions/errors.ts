/** Rules on failed chat requests; the document shows no error body, so only failing itself is judged. */

import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { jsonResponse } from "../../wire/build.ts";
import { editStatus } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import {
  type BodyKinds,
  badRequestStatus,
  faultsBesideKey,
  madeThen,
  notRefused,
  statusFitsBody,
} from "../common/errors.ts";

export const kinds: BodyKinds = {
  isError: ({ error }) => isObject(error) || typeof error === "string",
  isSuccess: ({ choices, object, data }) => Array.isArray(choices) || (object === "list" && Array.isArray(data)),
  error: { error: { message: "The engine stopped.", type: "server_error", param: null, code: null } },
  success: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_735_689_600,
    model: "chat-1",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Hello.", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
};

const carriesError = ({ response }: Subject): boolean =>
  response?.ok === false &&
  response.body.kind === "json" &&
  isObject(response.body.value) &&
  kinds.isError(response.body.value);

const failureStatus: Rule = {
  clause: "chat-completions.errors.failure-status",
  applies: carriesError,
  *check({ response }) {
    if (response && response.status < 400)
      yield { side: "response", in: "status", expected: "400 or above with an error body", actual: response.status };
  },
  spoil: (exchange) => editStatus(exchange, 302),
};

/** Reading X-ENFORCE: the document names no status, so any failure refuses. */
const refused: Rule = {
  clause: "chat-completions.errors.invalid-request-refused",
  applies: (subject) => subject.probe && faultsBesideKey(subject).length > 0 && subject.response !== null,
  *check(subject) {
    const { response } = subject;
    if (response?.ok)
      yield notRefused("a failure", response.status, `the request breaks ${faultsBesideKey(subject)[0]}`);
  },
  spoil: (exchange) => ({ ...exchange, response: jsonResponse(madeThen(kinds.success, exchange)) }),
};

export const rules: readonly Rule[] = [
  statusFitsBody("chat-completions.errors.no-error-in-success", kinds),
  failureStatus,
  refused,
  badRequestStatus("chat-completions.errors.bad-request-status"),
];
