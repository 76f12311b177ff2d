/** Chooses the tools that the reference implementation calls, and their arguments. */
import { isObject } from "../../wire/json.ts";
import { namedIn } from "../directives.ts";
import { sampleOf } from "../sample.ts";

type Json = Readonly<Record<string, unknown>>;

export interface PlannedCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The messages of a request, as far as they are objects. */
export function messagesOf({ messages }: Json): Json[] {
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

/** Whether the last word is a tool's, so that calling once more could go on for ever. */
function hasResult(body: Json): boolean {
  const role = messagesOf(body).at(-1)?.["role"];
  return role === "tool" || role === "function";
}

/** Names of the declared tools, or deprecated functions, with their parameters. */
function declared(list: unknown, inner: boolean): { name: string; parameters: unknown }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const one = inner && isObject(item) ? item["function"] : item;
    return isObject(one) && typeof one["name"] === "string"
      ? [{ name: one["name"], parameters: one["parameters"] ?? {} }]
      : [];
  });
}

export function argumentsFor(parameters: unknown): string {
  const sample = sampleOf(parameters);
  return JSON.stringify(isObject(sample) ? sample : {});
}

/** A demand that cannot be met, and the member that makes it. */
export interface Problem {
  readonly problem: string;
  readonly param: string;
}

/**
 * Tools to call, in order; a problem where the choice cannot be met.
 * @param said the last user text: tools it names are called
 */
export function chosenTools(
  body: Json,
  directives: ReadonlyMap<string, string>,
  said: string,
): { name: string; parameters: unknown }[] | Problem {
  const tools = declared(body["tools"], true);
  const choice = body["tool_choice"] ?? (tools.length ? "auto" : "none");
  const wanted = Math.min(16, Math.max(1, Number(directives.get("calls") ?? 1) || 1));
  const count = body["parallel_tool_calls"] === false ? 1 : wanted;
  if (isObject(choice)) {
    const { function: forced } = choice;
    const found = tools.find(({ name }) => isObject(forced) && name === forced["name"]);
    return found
      ? [found]
      : { problem: "tool_choice names a function that tools does not hold.", param: "tool_choice" };
  }
  if (choice === "required" && tools.length === 0)
    return { problem: "tool_choice requires a call, and there are no tools.", param: "tool_choice" };
  if (tools.length === 0 || choice === "none") return [];
  const isOpen = !hasResult(body);
  const spokenOf = isOpen
    ? namedIn(
        said,
        tools.map(({ name }) => name),
      )
    : [];
  const isAsked = isOpen && (directives.has("call") || directives.has("calls"));
  if (!isAsked && spokenOf.length > 0)
    return tools.filter(({ name }) => spokenOf.includes(name)).slice(0, body["parallel_tool_calls"] === false ? 1 : 16);
  if (choice !== "required" && !isAsked) return [];
  const named = tools.find(({ name }) => name === directives.get("call"));
  return Array.from({ length: count }, (_, i) => named ?? tools[i % tools.length]!);
}

export function chosenFunction(
  body: Json,
  directives: ReadonlyMap<string, string>,
): PlannedCall["function"] | undefined | Problem {
  const functions = declared(body["functions"], false);
  const choice = body["function_call"];
  const forced = isObject(choice) ? functions.find(({ name }) => name === choice["name"]) : undefined;
  if (isObject(choice) && !forced)
    return { problem: "function_call names a function that functions does not hold.", param: "function_call" };
  const found = forced ?? (choice !== "none" && directives.has("call") && !hasResult(body) ? functions[0] : undefined);
  return found && { name: found.name, arguments: argumentsFor(found.parameters) };
}
