/** Rules of generate-content's `errors` section: statuses, their strings, and bodies that agree with both. */
import type { Rule } from "../../check/rule.ts";
import { isObject, type Subject } from "../../check/subject.ts";
import { utf8 } from "../../wire/build.ts";
import { editStatus } from "../../wire/edit.ts";
import { memberOf } from "./reply.ts";
import { editError } from "./spoil.ts";

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
    if (!body || body.kind === "json") return;
    const actual = body.kind === "text" ? body.text : body.kind === "empty" ? "an empty body" : "a stream of events";
    yield { side: "response", in: "body", expected: "JSON that holds error", actual };
  },
  spoil: ({ request, response }) =>
    response ? { request, response: { ...response, body: utf8("<h1>Not now</h1>") } } : undefined,
};

const codeIsStatus: Rule = {
  clause: id("code-is-status"),
  applies: (subject) => Number.isInteger(errorOf(subject)["code"]),
  *check(subject) {
    const { code } = errorOf(subject);
    const status = subject.response?.status;
    if (code !== status)
      yield { side: "response", in: "body", pointer: "/error/code", expected: String(status), actual: code };
  },
  spoil: (exchange) => editError(exchange, (error) => void (error.code += 1)),
};

/** A status string comes with its HTTP status. */
function stringFits([status, name]: readonly [number, string]): Rule {
  return {
    clause: id(`${name.toLowerCase().replaceAll("_", "-")}-status`),
    applies: (subject) => errorOf(subject)["status"] === name,
    *check({ response }) {
      if (response?.status !== status)
        yield { side: "response", in: "status", expected: `${status} with ${name}`, actual: response?.status };
    },
    spoil: (exchange) => {
      const other = status === 409 ? 422 : 409;
      const changed = editError(exchange, (error) => void (error.code = other));
      return changed && editStatus(changed, other);
    },
  };
}

export const errorRules: readonly Rule[] = [bodyJson, codeIsStatus, ...failures.map(stringFits)];
