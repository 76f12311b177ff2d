/** Reads what a request of messages asks. */
import type { Subject } from "../../../check/subject.ts";
import { resolvePointer } from "../../../wire/pointer.ts";
import type { RequestFacts, ThinkingWish, Tool, ToolChoice } from "../../common/facts/model.ts";
import { countOf, type Json, known, numberAt, objectAt, objectsIn, textAt } from "../../common/facts/read.ts";
import { settingsOf } from "../../common/facts/settings.ts";
import { conversationOf, isMarked } from "./content.ts";

const isCustom = (tool: Json): boolean => (tool["type"] ?? "custom") === "custom";

function toolsOf(tools: readonly Json[]): readonly Tool[] | undefined {
  const custom = tools.filter(isCustom);
  if (custom.length === 0) return undefined;
  return custom.map((one) => ({
    name: textAt(one, "name") ?? "",
    ...known({ description: textAt(one, "description"), parameters: one["input_schema"] ?? undefined }),
    ...(isMarked(one) && { cache: true as const }),
  }));
}

function choiceOf(choice: Json | undefined): ToolChoice | undefined {
  if (!choice) return undefined;
  const name = textAt(choice, "name");
  switch (choice["type"]) {
    case "auto":
      return { mode: "auto" };
    case "any":
      return { mode: "required" };
    // No document has it; services do.
    case "none":
      return { mode: "none", under: "none" };
    case "tool":
      return name === undefined ? { mode: "other" } : { mode: "named", names: [name] };
    default:
      return { mode: "other", names: [textAt(choice, "type") ?? ""] };
  }
}

function thinkingOf(thinking: Json | undefined): ThinkingWish | undefined {
  if (!thinking) return undefined;
  return { on: thinking["type"] !== "disabled", ...known({ budget: numberAt(thinking, "budget_tokens") }) };
}

/** The facts of a request; undefined if its body is no JSON. */
export function requestFacts(subject: Subject): RequestFacts | undefined {
  if (subject.request.body.kind !== "json") return undefined;
  const body: Json = subject.requestJson;
  const tools = objectsIn(body["tools"]);
  const builtIn = tools.filter((tool) => !isCustom(tool));
  const choice = objectAt(body, "tool_choice");
  const single = choice?.["disable_parallel_tool_use"];
  const marks = countOf([body["messages"], body["system"], body["tools"]], "cache_control");
  const read = settingsOf(subject.interface, (at) => resolvePointer(body, at));
  return {
    ...read,
    settings: {
      ...read.settings,
      ...(builtIn.length > 0 && { "tools.built-in": builtIn }),
      ...(marks > 0 && { "cache-control": marks }),
    },
    stream: body["stream"] === true,
    ...conversationOf(body),
    ...known({
      model: textAt(body, "model"),
      tools: toolsOf(tools),
      choice: choiceOf(choice),
      parallel: typeof single === "boolean" ? !single : undefined,
      thinking: thinkingOf(objectAt(body, "thinking")),
    }),
  };
}
