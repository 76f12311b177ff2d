/** A request's conversation read once: its blocks, who called which tool, and which results answer. */

import type { Fault } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";

export interface ToolUse {
  readonly id: string;
  readonly turn: number;
  readonly role: unknown;
  readonly pointer: string;
  /** Results that answer it, in order. */
  readonly answers: ToolResult[];
}

export interface ToolResult {
  readonly id: string;
  readonly turn: number;
  readonly message: number;
  readonly role: unknown;
  readonly pointer: string;
  /** The latest earlier tool use of that id. */
  readonly use: ToolUse | undefined;
}

export interface SeenBlock {
  readonly type: unknown;
  readonly value: Readonly<Record<string, unknown>>;
  readonly pointer: string;
}

export interface Conversation {
  /** Every block, those inside tool results included. */
  readonly blocks: readonly SeenBlock[];
  readonly uses: readonly ToolUse[];
  readonly results: readonly ToolResult[];
  /** Position of the first message that is or may be a tool use without an id; a later result may be meant for it. */
  readonly firstNameless: number;
  /** Turns with a result whose tool_use_id is unreadable or answers nothing. */
  readonly unclear: ReadonlySet<number>;
  /** Number of the last turn; messages of one role in a row are one turn. */
  readonly lastTurn: number;
}

function readConversation(subject: Subject): Conversation {
  const { messages } = subject.requestJson;
  const blocks: SeenBlock[] = [];
  const uses: ToolUse[] = [];
  const results: ToolResult[] = [];
  const unclear = new Set<number>();
  const latest = new Map<string, ToolUse>();
  let turn = -1;
  let firstNameless = Number.POSITIVE_INFINITY;
  let previous: unknown;
  const nameless = (message: number): void => void (firstNameless = Math.min(firstNameless, message));
  const seen = (value: unknown, pointer: string): Readonly<Record<string, unknown>> => {
    if (!isObject(value)) return {};
    blocks.push({ type: value["type"], value, pointer });
    return value;
  };
  for (const [i, message] of (Array.isArray(messages) ? (messages as unknown[]) : []).entries()) {
    if (!isObject(message)) {
      nameless(i);
      continue;
    }
    const { role, content } = message;
    if (role !== previous || turn < 0) turn++;
    previous = role;
    if (!Array.isArray(content)) {
      if (typeof content !== "string") nameless(i);
      continue;
    }
    for (const [j, item] of (content as unknown[]).entries()) {
      const pointer = `/messages/${i}/content/${j}`;
      const block = seen(item, pointer);
      if (block["type"] === "tool_use") {
        if (typeof block["id"] !== "string") {
          nameless(i);
          continue;
        }
        const use: ToolUse = { id: block["id"], turn, role, pointer, answers: [] };
        uses.push(use);
        latest.set(use.id, use);
      } else if (block["type"] === "tool_result") {
        if (Array.isArray(block["content"]))
          for (const [k, inner] of (block["content"] as unknown[]).entries()) seen(inner, `${pointer}/content/${k}`);
        const id = block["tool_use_id"];
        const use = typeof id === "string" ? latest.get(id) : undefined;
        if (!use) unclear.add(turn);
        if (typeof id !== "string") continue;
        const result: ToolResult = { id, turn, message: i, role, pointer, use };
        results.push(result);
        use?.answers.push(result);
      } else if (typeof block["type"] !== "string") nameless(i);
    }
  }
  return { blocks, uses, results, firstNameless, unclear, lastTurn: turn };
}

/** A request's conversation. */
export const conversationOf: (subject: Subject) => Conversation = remember(readConversation);

/** A fault in the request's body. */
export const bodyFault = (pointer: string, expected: string, actual: unknown): Fault => ({
  side: "request",
  in: "body",
  pointer,
  expected,
  actual,
});
