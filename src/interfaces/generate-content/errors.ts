/** Rules of generate-content's `errors` section: statuses, their strings, and bodies that agree with both. */

import type { RefusalReason } from "../../check/interface.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { utf8 } from "../../wire/build.ts";
import { editBody, editStatus } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { notUtf8 } from "../common/json.ts";
import { editError } from "./examples/spoil.ts";
import { memberOf } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.errors.${name}`;

/** HTTP status and status string of every documented failure. */
export const failures = [
  [400, "INVALID_ARGUMENT"],
  [400, "FAILED_PRECONDITION"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [413, "PAYLOAD_TOO_LARGE"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
] as const;

/** A refusal as this interface writes it. */
export const refusalBody = ({ status, message }: RefusalReason): object => ({
  error: { code: status, message, status: status === 401 ? "UNAUTHENTICATED" : "INVALID_ARGUMENT" },
});

const failed = ({ response }: Subject): boolean => response !== null && response.status >= 400;

/** The error object of a failed reply; an empty one where there is none. */
function errorOf(subject: Subject): Readonly<Record<string, unknown>> {
  const body = subject.response?.body;
  return failed(subject) && body?.kind === "json" && isObject(body.value) ? memberOf(body.value, "error") : {};
}

const bodyJson: Rule = {
  clause: id("body-json"),
  applies: (subject) => failed(subject) && !subject.interrupted && subject.response?.body.kind !== "unreadable",
  *check({ response }) {
    const body = response?.body;
    if (!body) return;
    if (body.kind === "json") {
      if (!body.utf8) yield { side: "response", ...notUtf8 };
      return;
    }
    const actual =
      body.kind === "text" ? body.text : inWords(body.kind === "empty" ? "an empty body" : "a stream of events");
    yield { side: "response", in: "body", expected: "JSON that holds error", actual };
  },
  spoil: (exchange) => editBody(exchange, "response", utf8("<h1>Not now</h1>")),
};

const isPair = (code: unknown, name: unknown): boolean =>
  failures.some(([status, known]) => status === code && known === name);

/** If the string agrees with the code, the HTTP status is the odd one out of the three. */
const codeIsStatus: Rule = {
  clause: id("code-is-status"),
  applies: (subject) => Number.isInteger(errorOf(subject)["code"]),
  *check(subject) {
    const { code, status: name } = errorOf(subject);
    const status = subject.response?.status;
    if (code === status) return;
    if (isPair(code, name))
      yield { side: "response", in: "status", expected: `${code} as in error.code`, actual: status };
    else yield { side: "response", in: "body", pointer: "/error/code", expected: String(status), actual: code };
  },
  spoil: (exchange) => editError(exchange, (error) => void (error.code += 1)),
};

/** A status string comes with its HTTP status; that this and the code differ is said elsewhere. */
function stringFits([status, name]: readonly [number, string]): Rule {
  return {
    clause: id(`${name.toLowerCase().replaceAll("_", "-")}-status`),
    applies: (subject) => errorOf(subject)["status"] === name,
    *check(subject) {
      const sent = subject.response?.status;
      const { code } = errorOf(subject);
      if (sent !== status && code !== status)
        yield {
          side: "response",
          in: "body",
          pointer: "/error/status",
          expected: `${name} with ${status} only`,
          actual: inWords(`${name} with ${sent}`),
        };
    },
    spoil: (exchange) => {
      // Any other 4xx would also break what is said of a missing key.
      const other = status === 401 ? 500 : status === 409 ? 422 : 409;
      const changed = editError(exchange, (error) => void (error.code = other));
      return changed && editStatus(changed, other);
    },
  };
}

export const errorRules: readonly Rule[] = [bodyJson, codeIsStatus, ...failures.map(stringFits)];
