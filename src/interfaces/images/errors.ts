/** Rules on failed image requests; the shape of errors is not shown, so none is demanded. */
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { jsonResponse } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { type BodyKinds, statusFitsBody } from "../common.ts";

/** The least a success says. */
export const success = { created: 1_735_689_600, data: [{ url: "https://images.example/a.png" }] };

const kinds: BodyKinds = {
  isError: (body) => body["error"] !== undefined && body["error"] !== null,
  isSuccess: (body) => Array.isArray(body["data"]),
  error: { error: { message: "The image could not be made.", type: "server_error", param: null, code: null } },
  success,
};

const ofFile = /^images\.(?:edits|variations)\.(?:image|mask)-.*(?:format|size|square|dimensions)$/;

/** Whether a request is at fault, and through its files; a missing key is the business of another clause. */
function faultsOf({ requestFaults }: Subject, byFile: boolean): readonly string[] {
  const own = requestFaults.filter((clause) => !clause.startsWith("images.auth."));
  const files = own.filter((clause) => ofFile.test(clause));
  return byFile ? files : files.length === 0 ? own : [];
}

/** A request at fault is not answered with success (reading X-ENFORCE; no failure status is written down). */
function refused(clause: string, byFile: boolean): Rule {
  return {
    clause,
    applies: (subject) => subject.response !== null && faultsOf(subject, byFile).length > 0,
    *check(subject) {
      const { response } = subject;
      if (response?.ok)
        yield {
          side: "response",
          in: "status",
          expected: "a failure status",
          actual: response.status,
          hint: `the request breaks ${faultsOf(subject, byFile)[0]}`,
          reading: { id: "X-ENFORCE", default: "warning", strict: "error" },
        };
    },
    spoil: (exchange: Exchange) => (exchange.response ? { ...exchange, response: jsonResponse(success) } : undefined),
  };
}

export const rules: readonly Rule[] = [
  statusFitsBody("images.errors.status", kinds),
  refused("images.errors.file-limits", true),
  refused("images.errors.invalid-refused", false),
];
