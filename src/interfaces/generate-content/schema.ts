/** Rules of generate-content's `schema` section: members of a Schema that only some types have. */

import type { Rule } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { isObject } from "../../wire/json.ts";
import { escapeToken } from "../../wire/pointer.ts";
import { editRequest, type Loose } from "./examples/spoil.ts";
import { typeOf } from "./reading/output-schema.ts";
import { memberOf } from "./reading/reply.ts";

interface Level {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly pointer: string;
}

function collect(schema: unknown, pointer: string, into: Level[], depth: number): Level[] {
  if (!isObject(schema) || depth > 100) return into;
  into.push({ schema, pointer });
  collect(schema["items"], `${pointer}/items`, into, depth + 1);
  for (const [name, property] of Object.entries(memberOf(schema, "properties")))
    collect(property, `${pointer}/properties/${escapeToken(name)}`, into, depth + 1);
  return into;
}

function computeLevels(subject: Subject): readonly Level[] {
  return collect(
    memberOf(subject.requestJson, "generationConfig")["responseSchema"],
    "/generationConfig/responseSchema",
    [],
    0,
  );
}

const levelsOf = remember(computeLevels);

function onlyFor(clause: string, member: string, type: string): Rule {
  const concerned = (subject: Subject): Level[] =>
    levelsOf(subject).filter(({ schema }) => schema[member] !== undefined && typeOf(schema) !== undefined);
  return {
    clause,
    applies: (subject) => concerned(subject).length > 0,
    *check(subject) {
      for (const { schema, pointer } of concerned(subject))
        if (typeOf(schema) !== type)
          yield {
            side: "request",
            in: "body",
            pointer: `${pointer}/${member}`,
            expected: `a schema of type ${type} around it`,
            actual: schema["type"],
          };
    },
    spoil: (exchange) =>
      editRequest(exchange, ({ generationConfig }: Loose) => {
        if (!isObject(generationConfig?.responseSchema)) return false;
        const { schema } =
          collect(generationConfig.responseSchema, "", [], 0).find((level) => level.schema[member]) ?? {};
        if (!schema) return false;
        (schema as Loose).type = "NUMBER";
      }),
  };
}

export const schemaRules: readonly Rule[] = [
  onlyFor("generate-content.schema.enum-for-strings", "enum", "STRING"),
  onlyFor("generate-content.schema.items-for-arrays", "items", "ARRAY"),
  onlyFor("generate-content.schema.properties-for-objects", "properties", "OBJECT"),
];
