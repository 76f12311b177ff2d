/** Rules on the tools a request declares and on how it lets the model choose among them. */

import { warns } from "../../check/clause.ts";
import { formatList, quoted } from "../../check/format-list.ts";
import type { Rule } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { editHeader, editJson } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { schemaProblem } from "../common/schema-problem.ts";

type Data = Record<string, unknown>;

export interface DeclaredTool {
  readonly name: string;
  readonly position: number;
  readonly custom: boolean;
  /** The schema of a custom tool, if it is an object. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

export interface Declared {
  readonly tools: readonly DeclaredTool[];
  /** False where some tool is too ill-shaped to know its name. */
  readonly complete: boolean;
}

function readTools(subject: Subject): Declared {
  const { tools } = subject.requestJson;
  if (tools === undefined || tools === null) return { tools: [], complete: subject.request.body.kind === "json" };
  if (!Array.isArray(tools)) return { tools: [], complete: false };
  const known = tools.flatMap((tool: unknown, position): DeclaredTool[] => {
    if (!isObject(tool) || typeof tool["name"] !== "string") return [];
    const custom = (tool["type"] ?? "custom") === "custom";
    const inputSchema = tool["input_schema"];
    return [{ name: tool["name"], position, custom, ...(custom && isObject(inputSchema) && { inputSchema }) }];
  });
  return { tools: known, complete: known.length === tools.length };
}

/** The tools of a request. */
export const declaredTools: (subject: Subject) => Declared = remember(readTools);

const inputSchemaValid: Rule = {
  clause: "messages.tools.input-schema-valid",
  applies: (subject) => declaredTools(subject).tools.some(({ inputSchema }) => inputSchema),
  *check(subject) {
    for (const { inputSchema, position } of declaredTools(subject).tools) {
      const problem = inputSchema && schemaProblem(inputSchema);
      if (problem)
        yield { side: "request", in: "body", ...problem, pointer: `/tools/${position}/input_schema${problem.pointer}` };
    }
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: { tools: Data[] }) => {
      for (const tool of body.tools)
        if (isObject(tool["input_schema"])) tool["input_schema"] = { ...tool["input_schema"], type: "record" };
    }),
};

const builtIn = /^(?:computer|bash|text_editor)_/;

/** Reading M-BUILTIN-BETA: the document does not say so, hence nothing is found unless asked for. */
const builtInBeta: Rule = {
  clause: "messages.tools.built-in-beta",
  applies: (subject) => builtInAt(subject) >= 0,
  *check(subject) {
    if (subject.request.headers["partner-beta"] === undefined)
      yield {
        side: "request",
        in: "headers",
        pointer: "/partner-beta",
        expected: "a beta name along with a built-in tool",
        actual: undefined,
        reading: { id: "M-BUILTIN-BETA", default: "off", strict: "note" },
      };
  },
  spoil: (exchange) => editHeader(exchange, "request", "partner-beta", undefined),
};

function builtInAt(subject: Subject): number {
  const { tools } = subject.requestJson;
  return Array.isArray(tools)
    ? tools.findIndex((tool) => isObject(tool) && typeof tool["type"] === "string" && builtIn.test(tool["type"]))
    : -1;
}

export interface Choice {
  readonly type: "auto" | "any" | "tool";
  /** Only where `type` is `tool` and the name is a string. */
  readonly name?: string;
  /** Parallel tool use is disabled. */
  readonly single: boolean;
}

/** The tool choice of a request, or undefined where there is none of a documented type. */
export function choiceOf(subject: Subject): Choice | undefined {
  const { tool_choice: choice } = subject.requestJson;
  if (!isObject(choice)) return undefined;
  const { type, name } = choice;
  if (type !== "auto" && type !== "any" && type !== "tool") return undefined;
  return {
    type,
    single: choice["disable_parallel_tool_use"] === true,
    ...(type === "tool" && typeof name === "string" && { name }),
  };
}

const grade = warns("M-TC");
const noTools = (subject: Subject): boolean => {
  const { tools, complete } = declaredTools(subject);
  return complete && tools.length === 0;
};

const choiceWithTools: Rule = {
  clause: "messages.tools.choice-with-tools",
  applies: (subject) => choiceOf(subject) !== undefined,
  *check(subject) {
    if (noTools(subject))
      yield {
        side: "request",
        in: "body",
        pointer: "/tool_choice",
        expected: "tools beside tool_choice",
        actual: subject.requestJson["tool_choice"],
        reading: grade,
      };
  },
  spoil: (exchange) => editJson(exchange, "request", (body: Data) => void delete body["tools"]),
};

const choiceNameDeclared: Rule = {
  clause: "messages.tools.choice-name-declared",
  applies: (subject) => choiceOf(subject)?.name !== undefined && !noTools(subject),
  *check(subject) {
    const { tools, complete } = declaredTools(subject);
    const name = choiceOf(subject)?.name;
    if (complete && !tools.some((tool) => tool.name === name))
      yield {
        side: "request",
        in: "body",
        pointer: "/tool_choice/name",
        expected: `one of ${formatList(tools, ", ", (tool) => quoted(tool.name))}`,
        actual: name,
        reading: grade,
      };
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: { tool_choice: Data }) => void (body.tool_choice["name"] = "unheard_of")),
};

export const toolRules: readonly Rule[] = [inputSchemaValid, builtInBeta, choiceWithTools, choiceNameDeclared];
