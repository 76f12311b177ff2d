/** Rules that both form operations share: the body is a form, its text fields are texts. */

import { editForm } from "../../../check/edit-form.ts";
import { isFile } from "../../../check/multipart-value.ts";
import type { Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { inWords } from "../../../check/unquoted.ts";
import { utf8 } from "../../../wire/build.ts";
import { editHeader } from "../../../wire/edit.ts";
import { mediaType } from "../../../wire/headers.ts";
import { isOperation, type OperationName } from "../reading/fields.ts";

/** The request is multipart form data that can be read (reading I-MULTIPART-CT: no other media type will do). */
export function isMultipart(operation: OperationName): Rule {
  return {
    clause: `images.${operation}.multipart`,
    applies: (subject) => isOperation(subject, operation) && subject.request.body.kind !== "unreadable",
    *check({ request: { headers, body } }) {
      const type = headers["content-type"];
      if (mediaType(type) !== "multipart/form-data")
        return yield {
          side: "request",
          in: "headers",
          pointer: "/content-type",
          expected: "multipart/form-data",
          actual: type,
        };
      const problem = body.kind === "form" ? body.problem : body.kind === "empty" ? "an empty body" : "no form";
      if (problem) yield { side: "request", in: "form", expected: "a form that can be read", actual: problem };
    },
    spoil: (exchange) => ({
      ...editHeader(exchange, "request", "Content-Type", "application/json"),
      request: {
        ...editHeader(exchange, "request", "Content-Type", "application/json").request,
        body: utf8(JSON.stringify({ prompt: "A red kite over the sea" })),
      },
    }),
  };
}

/** A text field is sent as text, not as a file. */
export function isText(operation: OperationName, field: string): Rule {
  const partsOf = ({ request }: Subject) =>
    request.body.kind === "form" ? request.body.parts.filter(({ name }) => name === field) : [];
  return {
    clause: `images.${operation}.${field.replaceAll("_", "-")}-type`,
    applies: (subject) => isOperation(subject, operation) && partsOf(subject).length > 0,
    *check(subject) {
      const file = partsOf(subject).find(isFile);
      if (file)
        yield {
          side: "request",
          in: "form",
          pointer: `/${field}`,
          expected: "text",
          actual: inWords(`a file of ${file.bytes.length} bytes`),
        };
    },
    spoil: (exchange) =>
      editForm(exchange, (fields) =>
        fields.map(([name, value]) =>
          name === field && typeof value === "string"
            ? [name, { filename: `${name}.txt`, contentType: "text/plain", bytes: utf8(value) }]
            : [name, value],
        ),
      ),
  };
}
