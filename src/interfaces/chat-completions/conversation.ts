/** Rules on the messages of a chat request. */

import { warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { editJson } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { rules as parts } from "./conversation/parts.ts";
import type { Editable } from "./reading/deprecated.ts";
import { messagesOf, type PlacedMessage } from "./reading/messages.ts";

interface Link extends PlacedMessage {
  readonly id: string;
  readonly known: boolean;
}

/**
 * Tool messages with an id, and whether an assistant message before them made a call of that id.
 * After a call whose id cannot be read every id passes for known.
 */
function readLinks(subject: Subject): readonly Link[] {
  const made = new Set<string>();
  let unreadable = false;
  const links: Link[] = [];
  for (const placed of messagesOf(subject)) {
    const { role, message } = placed;
    if (role === "assistant") {
      const calls: unknown = message["tool_calls"] ?? [];
      for (const call of Array.isArray(calls) ? calls : [calls]) {
        const id: unknown = isObject(call) ? call["id"] : undefined;
        if (typeof id === "string") made.add(id);
        else unreadable = true;
      }
    }
    const id = message["tool_call_id"];
    if (role === "tool" && typeof id === "string") links.push({ ...placed, id, known: unreadable || made.has(id) });
  }
  return links;
}

const linksOf = remember(readLinks);

const toolLink: Rule = {
  clause: "chat-completions.conversation.tool-call-id-known",
  applies: (subject) => linksOf(subject).length > 0,
  *check(subject) {
    for (const { pointer, id, known } of linksOf(subject))
      if (!known)
        yield {
          side: "request",
          in: "body",
          pointer: `${pointer}/tool_call_id`,
          expected: "the id of a tool call in an earlier assistant message",
          actual: id,
          reading: warns("C-TOOL-LINK"),
        };
  },
  spoil: (exchange) =>
    editJson(exchange, "request", ({ messages }: { messages: Editable[] }) => {
      const tool = messages.findLast(({ role }) => role === "tool");
      if (tool) tool["tool_call_id"] = "call_of_nobody";
    }),
};

const functionRole: Rule = {
  clause: "chat-completions.conversation.function-role-deprecated",
  applies: (subject) => messagesOf(subject).some(({ role }) => role === "function" || role === "tool"),
  *check(subject) {
    for (const { pointer, role } of messagesOf(subject))
      if (role === "function")
        yield { side: "request", in: "body", pointer: `${pointer}/role`, expected: '"tool"', actual: role };
  },
  spoil: (exchange) =>
    editJson(exchange, "request", ({ messages }: { messages: Editable[] }) => {
      const at = messages.findLastIndex(({ role }) => role === "tool");
      if (at >= 0) messages[at] = { role: "function", name: "look_up", content: "found" };
    }),
};

const calls = ({ message }: PlacedMessage): boolean =>
  isObject(message["function_call"]) || Array.isArray(message["tool_calls"]);

const assistantFunctionCall: Rule = {
  clause: "chat-completions.conversation.assistant-function-call-deprecated",
  applies: (subject) => messagesOf(subject).some((placed) => placed.role === "assistant" && calls(placed)),
  *check(subject) {
    for (const { pointer, role, message } of messagesOf(subject))
      if (role === "assistant" && isObject(message["function_call"]))
        yield {
          side: "request",
          in: "body",
          pointer: `${pointer}/function_call`,
          expected: "tool_calls instead",
          actual: message["function_call"],
        };
  },
  spoil: (exchange) =>
    editJson(exchange, "request", ({ messages }: { messages: Editable[] }) => {
      const call = messages.find(({ role, tool_calls }) => role === "assistant" && tool_calls !== undefined);
      if (call) call["function_call"] = { name: "look_up", arguments: "{}" };
    }),
};

export const rules: readonly Rule[] = [toolLink, functionRole, assistantFunctionCall, ...parts];
