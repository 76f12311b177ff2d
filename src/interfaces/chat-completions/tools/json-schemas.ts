/** Rules on the JSON Schemas a chat request sends: the parameters of its tools, the format of the reply. */

import type { Fault, Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { editJson } from "../../../wire/edit.ts";
import { isObject } from "../../../wire/json.ts";
import { schemaProblem } from "../../common/schema-problem.ts";
import type { Loose } from "../examples/spoil.ts";

type Data = Readonly<Record<string, unknown>>;
type Sent = readonly [pointer: string, schema: Data];

function parametersOf({ requestJson: { tools } }: Subject): readonly Sent[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, position): Sent[] => {
    const called = isObject(tool) ? tool["function"] : undefined;
    const parameters = isObject(called) ? called["parameters"] : undefined;
    return isObject(parameters) ? [[`/tools/${position}/function/parameters`, parameters]] : [];
  });
}

function formatOf({ requestJson: { response_format: format } }: Subject): readonly Sent[] {
  const wanted = isObject(format) && format["type"] === "json_schema" ? format["json_schema"] : undefined;
  const schema = isObject(wanted) ? wanted["schema"] : undefined;
  return isObject(schema) ? [["/response_format/json_schema/schema", schema]] : [];
}

function sentSchema(clause: string, sent: (subject: Subject) => readonly Sent[], at: (body: Loose) => Loose[]): Rule {
  return {
    clause: `chat-completions.${clause}`,
    applies: (subject) => sent(subject).length > 0,
    *check(subject): Iterable<Fault> {
      for (const [pointer, schema] of sent(subject)) {
        const problem = schemaProblem(schema);
        if (problem) yield { side: "request", in: "body", ...problem, pointer: pointer + problem.pointer };
      }
    },
    spoil: (exchange) =>
      editJson(exchange, "request", (body: Loose) => {
        for (const schema of at(body)) schema.type = "record";
      }),
  };
}

export const rules: readonly Rule[] = [
  sentSchema("tools.tool-parameters-valid", parametersOf, (body) =>
    body.tools.flatMap((tool: Loose) => tool.function?.parameters ?? []),
  ),
  sentSchema("request.json-schema-schema-valid", formatOf, (body) => [body.response_format.json_schema.schema]),
];
