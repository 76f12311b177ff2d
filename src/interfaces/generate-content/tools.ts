/** Rules of generate-content's `tools` section: declared functions, calling modes, and the calls a reply makes. */

import { strictOnly, warns } from "../../check/clause.ts";
import { formatList } from "../../check/format-list.ts";
import type { Rule } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { schemaProblem } from "../common/schema-problem.ts";
import { editCandidate, editRequest, type Loose } from "./examples/spoil.ts";
import { callsOf, type Found, faultAt, finished, itemsOf, memberOf, objectsIn, replyOf } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.tools.${name}`;
const linkage = warns("G-CALL-DECLARED");

function computeDeclared(subject: Subject): ReadonlySet<string> {
  // A single tool where the array should be is a fault of its own; what it declares is declared all the same.
  const tools = [subject.requestJson["tools"]].flat();
  return new Set(
    objectsIn(tools).flatMap(({ value }) =>
      objectsIn(value["functionDeclarations"]).flatMap(({ value: { name } }) =>
        typeof name === "string" ? [name] : [],
      ),
    ),
  );
}

const declaredIn: (subject: Subject) => ReadonlySet<string> = remember(computeDeclared);
const callingConfig = (subject: Subject) =>
  memberOf(memberOf(subject.requestJson, "toolConfig"), "functionCallingConfig");
const allowedIn = (subject: Subject) =>
  itemsOf(callingConfig(subject)["allowedFunctionNames"]).flatMap((name, position) =>
    typeof name === "string" ? [{ name, position }] : [],
  );
const repliedCalls = (subject: Subject): Found<string>[] => replyOf(subject)?.candidates.flatMap(callsOf) ?? [];

const spoilCallName =
  (name: string): Rule["spoil"] =>
  (exchange) =>
    editCandidate(exchange, ({ content }) => {
      const part = content?.parts?.find(({ functionCall }: Loose) => functionCall);
      if (part) part.functionCall.name = name;
      return part !== undefined;
    });

const allowedDeclared: Rule = {
  clause: id("allowed-names-declared"),
  applies: (subject) => allowedIn(subject).length > 0,
  *check(subject) {
    for (const { name, position } of allowedIn(subject))
      if (!declaredIn(subject).has(name))
        yield {
          side: "request",
          in: "body",
          pointer: `/toolConfig/functionCallingConfig/allowedFunctionNames/${position}`,
          expected: "the name of a declared function",
          actual: name,
          reading: linkage,
        };
  },
  spoil: (exchange) =>
    editRequest(exchange, ({ toolConfig }: Loose) => {
      const names = toolConfig?.functionCallingConfig?.allowedFunctionNames;
      if (!names?.length) return false;
      names.push("never_declared");
    }),
};

const callDeclared: Rule = {
  clause: id("call-declared"),
  applies: (subject) => repliedCalls(subject).length > 0,
  *check(subject) {
    for (const call of repliedCalls(subject))
      if (call.value !== "" && !declaredIn(subject).has(call.value))
        yield { ...faultAt(call), expected: "the name of a declared function", actual: call.value, reading: linkage };
  },
  spoil: spoilCallName("never_declared"),
};

const callAllowed: Rule = {
  clause: id("call-allowed"),
  applies: (subject) => allowedIn(subject).length > 0 && repliedCalls(subject).length > 0,
  *check(subject) {
    const allowed = new Set(allowedIn(subject).map(({ name }) => name));
    const expected = formatList([...allowed], " or ", (name) => name);
    for (const call of repliedCalls(subject))
      if (!allowed.has(call.value) && declaredIn(subject).has(call.value))
        yield { ...faultAt(call), expected, actual: call.value, reading: linkage };
  },
  spoil(exchange) {
    // Another declared function, so that the call is declared though not allowed.
    let other: string | undefined;
    editRequest(exchange, ({ tools, toolConfig }: Loose) => {
      const allowed: unknown[] = toolConfig?.functionCallingConfig?.allowedFunctionNames ?? [];
      for (const { functionDeclarations } of tools ?? [])
        for (const { name } of functionDeclarations ?? []) if (!allowed.includes(name)) other = name;
    });
    return other === undefined ? undefined : spoilCallName(other)(exchange);
  },
};

const modeAny: Rule = {
  clause: id("mode-any"),
  applies: (subject) =>
    callingConfig(subject)["mode"] === "ANY" &&
    declaredIn(subject).size > 0 &&
    replyOf(subject)?.complete === true &&
    replyOf(subject)!.candidates.some(finished),
  *check(subject) {
    // A call of the wrong type is a matter of shape.
    for (const candidate of replyOf(subject)?.candidates ?? [])
      if (finished(candidate) && !candidate.parts.some(({ value }) => value["functionCall"]))
        yield { ...faultAt(candidate.seen[0]!), expected: "a functionCall part", actual: candidate.seen[0]!.value };
  },
  spoil: (exchange) =>
    editCandidate(exchange, (candidate) => {
      if (!candidate.content?.parts?.some(({ functionCall }: Loose) => functionCall)) return false;
      candidate.content.parts = [{ text: "I would rather not." }];
      return true;
    }),
};

const modeNone: Rule = {
  clause: id("mode-none"),
  applies: (subject) => callingConfig(subject)["mode"] === "NONE" && (replyOf(subject)?.candidates.length ?? 0) > 0,
  *check(subject) {
    for (const { parts } of replyOf(subject)?.candidates ?? [])
      for (const found of parts)
        if (isObject(found.value["functionCall"]))
          yield {
            ...faultAt(found, "/functionCall"),
            expected: "no function call",
            actual: found.value["functionCall"],
          };
  },
  spoil(exchange) {
    let name: unknown;
    editRequest(exchange, ({ tools }: Loose) => void (name = tools?.[0]?.functionDeclarations?.[0]?.name));
    return editCandidate(exchange, ({ content }) => content?.parts?.push({ functionCall: { name: name ?? "f" } }) > 0);
  },
};

/** Names a level of a tool's parameters that lacks its type; only what JSON Schema itself nests is looked into. */
function* untyped(schema: unknown, pointer: string, depth: number): Generator<string> {
  if (!isObject(schema) || depth > 50) return;
  if (schema["type"] === undefined) yield pointer;
  yield* untyped(schema["items"], `${pointer}/items`, depth + 1);
  for (const [name, property] of Object.entries(memberOf(schema, "properties")))
    yield* untyped(property, `${pointer}/properties/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1);
}

function parametersIn(subject: Subject): { schema: Readonly<Record<string, unknown>>; pointer: string }[] {
  return objectsIn(subject.requestJson["tools"]).flatMap(({ value: tool, position: t }) =>
    objectsIn(tool["functionDeclarations"]).flatMap(({ value, position: f }) =>
      isObject(value["parameters"])
        ? [
            {
              schema: value["parameters"],
              pointer: `/tools/${t}/functionDeclarations/${f}/parameters`,
            },
          ]
        : [],
    ),
  );
}

/** Edits the first parameters that have a type; undefined where there are none. */
const editParameters = (exchange: Exchange, edit: (parameters: Loose) => void) =>
  editRequest(exchange, ({ tools }: Loose) => {
    const declaration = tools
      ?.flatMap((tool: Loose) => tool.functionDeclarations ?? [])
      .find(({ parameters }: Loose) => parameters?.type);
    if (!declaration) return false;
    edit(declaration.parameters);
    return true;
  });

const parametersSchema: Rule = {
  clause: id("parameters-schema"),
  applies: (subject) => parametersIn(subject).length > 0,
  *check(subject) {
    for (const { schema, pointer } of parametersIn(subject))
      for (const at of untyped(schema, pointer, 0))
        yield {
          side: "request",
          in: "body",
          pointer: at,
          expected: "a schema with its type",
          actual: inWords("none"),
          reading: strictOnly("G-PARAM-SCHEMA"),
        };
  },
  spoil: (exchange) =>
    editParameters(exchange, (parameters) => {
      delete parameters.type;
    }),
};

/** The types of a Schema and those of JSON Schema; reading G-PARAM-SCHEMA allows either case. */
const parameterTypes = new Set(
  ["type_unspecified", "string", "number", "integer", "boolean", "array", "object", "null"].flatMap((name) => [
    name,
    name.toUpperCase(),
  ]),
);

const parametersValid: Rule = {
  clause: id("parameters-valid"),
  applies: (subject) => parametersIn(subject).length > 0,
  *check(subject) {
    for (const { schema, pointer } of parametersIn(subject)) {
      const problem = schemaProblem(schema, (name) => parameterTypes.has(name as string));
      if (problem) yield { side: "request", in: "body", ...problem, pointer: pointer + problem.pointer };
    }
  },
  spoil: (exchange) =>
    editParameters(exchange, (parameters) => {
      parameters.type = "record";
    }),
};

export const toolRules: readonly Rule[] = [
  parametersSchema,
  parametersValid,
  allowedDeclared,
  callDeclared,
  callAllowed,
  modeAny,
  modeNone,
];
