/** Rules on the tool round trip within a request: which results answer which tool uses, and where. */
import { warns } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import { editJson } from "../../../wire/edit.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { bodyFault, conversationOf as read } from "../reading/conversation.ts";

type Data = Record<string, unknown>;
interface Body {
  messages: { role: string; content: unknown }[];
}

const grade = warns("M-TOOLRESULT");

/** Changes the message that holds the first tool result, and that result; undefined where there is none. */
function editResult(
  exchange: Exchange,
  change: (result: Data, holder: { content: Data[] }, body: Body) => void,
): Exchange | undefined {
  let found = false;
  const changed = editJson(exchange, "request", (body: Body) => {
    for (const message of body.messages) {
      const content = Array.isArray(message.content) ? (message.content as Data[]) : [];
      const result = content.find(({ type }) => type === "tool_result");
      if (!result) continue;
      found = true;
      change(result, message as { role: string; content: Data[] }, body);
      return;
    }
  });
  return found ? changed : undefined;
}

const fromUser: Rule = {
  clause: "messages.tools.result-from-user",
  applies: (subject) => read(subject).results.length > 0,
  *check(subject) {
    for (const { role, pointer } of read(subject).results)
      if (role === "assistant")
        yield bodyFault(pointer, "a tool_result block in a user message", "an assistant message");
  },
  spoil: (exchange) =>
    editResult(exchange, (result, holder, body) => {
      const at = body.messages.indexOf(holder as never);
      body.messages.splice(at + 1, 0, { role: "assistant", content: [{ ...result }] });
      holder.content.splice(holder.content.indexOf(result), 1, { type: "text", text: "See below." });
    }),
};

const answersUse: Rule = {
  clause: "messages.tools.result-answers-use",
  applies: (subject) => read(subject).results.length > 0,
  *check(subject) {
    const { results, uses, firstNameless } = read(subject);
    const ids = new Set(uses.map(({ id }) => id));
    for (const { id, use, pointer, message } of results) {
      if (use || message > firstNameless) continue;
      const later = ids.has(id);
      yield {
        ...bodyFault(`${pointer}/tool_use_id`, "the id of an earlier tool_use block", id),
        ...(later && { hint: "the tool_use block of that id comes later" }),
      };
    }
  },
  spoil: (exchange) => editResult(exchange, (result) => void (result["tool_use_id"] = "toolu_unheard_of")),
};

const followsUse: Rule = {
  clause: "messages.tools.result-follows-use",
  applies: (subject) => read(subject).results.some(({ use, role }) => use?.role === "assistant" && role === "user"),
  *check(subject) {
    for (const { use, role, turn, pointer } of read(subject).results)
      if (use?.role === "assistant" && role === "user" && turn !== use.turn + 1)
        yield {
          ...bodyFault(pointer, "a tool_result block in the user turn right after its tool_use block", "a later turn"),
          reading: grade,
        };
  },
  spoil: (exchange) =>
    editResult(exchange, (_result, holder, body) => {
      const at = body.messages.indexOf(holder as never);
      body.messages.splice(at, 0, { role: "user", content: "Wait." }, { role: "assistant", content: "I am waiting." });
    }),
};

const useAnswered: Rule = {
  clause: "messages.tools.use-answered",
  applies: (subject) => {
    const { uses, lastTurn } = read(subject);
    return uses.some(({ turn, role }) => role === "assistant" && turn < lastTurn);
  },
  *check(subject) {
    const { uses, unclear, lastTurn } = read(subject);
    // A result that answers nothing is the fault there, and may have been meant for this one.
    for (const { turn, role, answers, id, pointer } of uses)
      if (role === "assistant" && turn < lastTurn && answers.length === 0 && !unclear.has(turn + 1))
        yield {
          ...bodyFault(pointer, `a tool_result block with tool_use_id ${JSON.stringify(id)}`, undefined),
          reading: grade,
        };
  },
  spoil: (exchange) =>
    editResult(exchange, (result, holder) => {
      holder.content.splice(holder.content.indexOf(result), 1, { type: "text", text: "Never mind." });
    }),
};

const answeredOnce: Rule = {
  clause: "messages.tools.use-answered-once",
  applies: (subject) => read(subject).results.some(({ use }) => use),
  *check(subject) {
    for (const { answers } of read(subject).uses)
      for (const { pointer, id } of answers.slice(1))
        yield { ...bodyFault(pointer, `one answer to ${JSON.stringify(id)}`, "a further one"), reading: grade };
  },
  spoil: (exchange) => editResult(exchange, (result, holder) => void holder.content.push({ ...result })),
};

export const toolResultRules: readonly Rule[] = [fromUser, answersUse, followsUse, useAnswered, answeredOnce];
