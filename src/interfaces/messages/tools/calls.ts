/** Rules on the tools a reply uses: as declared, as chosen, in the shape asked for. */

import { TooMuch } from "../../../check/budget.ts";
import { warns } from "../../../check/clause.ts";
import { formatList, quoted } from "../../../check/format-list.ts";
import type { Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { inWords } from "../../../check/unquoted.ts";
import { type EditableEvent, editEvents, editJson } from "../../../wire/edit.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { isEventStream } from "../../../wire/headers.ts";
import { isObject } from "../../../wire/json.ts";
import { resolvePointer } from "../../../wire/pointer.ts";
import { matchOf } from "../../common/schema-match.ts";
import { hasUnknownBlocks, type Reply, toolUses } from "../reading/blocks.ts";
import { replyOf } from "../reading/reply.ts";
import { choiceOf, type Declared, type DeclaredTool, declaredTools } from "../tools.ts";

type Data = Record<string, unknown>;

/** The reply of a request whose tools are in order; to one at fault, a reply can only be a guess. */
function answered(subject: Subject): Reply | undefined {
  const { body } = subject.request;
  const clear = body.kind === "json" && isObject(body.value) && !subject.requestFaults.some(onTools);
  return clear ? replyOf(subject) : undefined;
}

const onTools = (clause: string): boolean => clause.startsWith("messages.tools.");

const callsTools = (subject: Subject): boolean => {
  const reply = answered(subject);
  return reply !== undefined && toolUses(reply).length > 0;
};

/** Changes every content block of a reply that is a tool use; of a stream, the start of each. */
export function editToolUses(exchange: Exchange, change: (block: Data) => void): Exchange {
  const isUse = (block: unknown): block is Data => isObject(block) && block["type"] === "tool_use";
  if (!isEventStream(exchange.response))
    return editJson(exchange, "response", (body: { content: unknown[] }) => {
      for (const block of body.content) if (isUse(block)) change(block);
    });
  return editEvents(exchange, (events) => {
    for (const { data } of events) if (isObject(data) && isUse(data["content_block"])) change(data["content_block"]);
  });
}

const calledToolDeclared: Rule = {
  clause: "messages.tools.called-tool-declared",
  applies: (subject) => callsTools(subject) && declaredTools(subject).complete,
  *check(subject) {
    const names = new Set(declaredTools(subject).tools.map(({ name }) => name));
    const reply = answered(subject);
    const expected = names.size
      ? `one of ${formatList([...names], ", ", quoted)}`
      : "no tool use, since no tool is declared";
    for (const { name, at } of reply ? toolUses(reply) : [])
      if (typeof name === "string" && name !== "" && !names.has(name))
        yield {
          side: "response",
          in: at.in,
          ...(at.event !== undefined && { event: at.event }),
          pointer: `${at.pointer}/name`,
          expected,
          actual: name,
        };
  },
  spoil: (exchange) => editToolUses(exchange, (block) => void (block["name"] = "unheard_of")),
};

/** Schemas by name; of several tools of a name, the first's. */
function schemasIn({ tools }: Declared): ReadonlyMap<unknown, DeclaredTool["inputSchema"]> {
  return new Map(tools.toReversed().map(({ name, inputSchema }) => [name, inputSchema]));
}

const inputFitsSchema: Rule = {
  clause: "messages.tools.input-fits-schema",
  applies: (subject) => callsTools(subject) && declaredTools(subject).tools.some((tool) => tool.inputSchema),
  *check(subject) {
    const reply = answered(subject);
    // The model is not blamed for what the token limit, a break or an unreadable event cut off.
    const cut = subject.interrupted || (subject.streamed && reply?.stopReason === undefined);
    if (!reply || reply.stopReason === "max_tokens" || cut) return;
    const schemas = schemasIn(declaredTools(subject));
    const match = matchOf(subject);
    for (const {
      name,
      input,
      beyond,
      inputAt: { piece, ...inputAt },
    } of toolUses(reply)) {
      if (beyond) throw new TooMuch();
      const schema = schemas.get(name);
      const problem = schema && isObject(input) && match(schema, input);
      if (problem)
        yield {
          side: "response",
          ...inputAt,
          ...(piece === undefined
            ? {
                expected: problem.expected,
                actual: resolvePointer(input, problem.pointer),
                pointer: `${inputAt.pointer}${problem.pointer}`,
              }
            : {
                expected: `${problem.expected} at ${problem.pointer || "the root"} of the input`,
                actual: piece,
                hint: "the last piece of the input is quoted",
              }),
          reading: warns("M-INPUT-SCHEMA"),
        };
    }
  },
  spoil: (exchange) =>
    isEventStream(exchange.response)
      ? undefined
      : editJson(exchange, "response", (body: { content: Data[] }) => {
          for (const block of body.content)
            if (block["type"] === "tool_use")
              block["input"] = Object.fromEntries(Object.keys(block["input"] as Data).map((key) => [key, [[null]]]));
        }),
};

/** Only a natural end or a call shows what the model chose; a cut reply shows nothing. */
function decided(subject: Subject): Reply | undefined {
  const reply = answered(subject);
  return reply && (reply.stopReason === "end_turn" || reply.stopReason === "tool_use") && !hasUnknownBlocks(reply)
    ? reply
    : undefined;
}

/** A whole reply that talks instead of calling. */
function talks(exchange: Exchange): Exchange | undefined {
  if (isEventStream(exchange.response)) return undefined;
  return editJson(exchange, "response", (body: Data) => {
    body["content"] = [{ type: "text", text: "I would rather talk." }];
    body["stop_reason"] = "end_turn";
  });
}

const anyUsesTool: Rule = {
  clause: "messages.tools.choice-any-uses-tool",
  applies: (subject) => choiceOf(subject)?.type === "any" && decided(subject) !== undefined,
  *check(subject) {
    const reply = decided(subject);
    if (reply && toolUses(reply).length === 0)
      yield { side: "response", ...reply.stopReasonAt, expected: "a tool_use block", actual: reply.stopReason };
  },
  spoil: talks,
};

const toolUsesNamed: Rule = {
  clause: "messages.tools.choice-tool-uses-named",
  applies: (subject) => choiceOf(subject)?.name !== undefined && decided(subject) !== undefined,
  *check(subject) {
    const reply = decided(subject);
    const name = choiceOf(subject)?.name;
    if (!reply || toolUses(reply).some((use) => use.name === name || typeof use.name !== "string")) return;
    const [first] = toolUses(reply);
    yield {
      side: "response",
      ...(first?.at ?? reply.stopReasonAt),
      expected: `a tool_use block named ${JSON.stringify(name)}`,
      actual: first?.name ?? reply.stopReason,
    };
  },
  spoil: talks,
};

function singleRule(type: "auto" | "any" | "tool", name: string, expected: string): Rule {
  const asked = (subject: Subject): boolean => {
    const choice = choiceOf(subject);
    return choice?.type === type && choice.single;
  };
  return {
    clause: `messages.tools.${name}`,
    applies: (subject) => asked(subject) && answered(subject) !== undefined,
    *check(subject) {
      const reply = answered(subject);
      const uses = reply ? toolUses(reply) : [];
      if (uses.length > 1)
        yield { side: "response", ...uses[1]!.at, expected, actual: inWords(`${uses.length} tool_use blocks`) };
    },
    spoil: (exchange) => (isEventStream(exchange.response) ? editEvents(exchange, callTwice) : callAgain(exchange)),
  };
}

function callAgain(exchange: Exchange): Exchange | undefined {
  let found = false;
  const changed = editJson(exchange, "response", (body: { content: Data[] }) => {
    const use = body.content.find(({ type }) => type === "tool_use");
    if (use) body.content.push({ ...use, id: `${String(use["id"])}_again` });
    found = use !== undefined;
  });
  return found ? changed : undefined;
}

/** The last content block once more, under the next index. */
function callTwice(events: EditableEvent[]): void {
  const typeAt = (i: number): unknown => (events[i]?.data as Data | undefined)?.["type"];
  let from = events.length - 1;
  while (from > 0 && typeAt(from) !== "content_block_start") from--;
  let to = from;
  while (to < events.length && typeAt(to) !== "content_block_stop") to++;
  const again = structuredClone(events.slice(from, to + 1));
  for (const { data } of again) {
    const one = data as Data;
    one["index"] = Number(one["index"]) + 1;
    if (isObject(one["content_block"])) one["content_block"]["id"] = `${String(one["content_block"]["id"])}_again`;
  }
  events.splice(to + 1, 0, ...again);
}

export const toolCallRules: readonly Rule[] = [
  calledToolDeclared,
  inputFitsSchema,
  singleRule("auto", "choice-auto-at-most-one", "at most one tool_use block"),
  anyUsesTool,
  singleRule("any", "choice-any-exactly-one", "exactly one tool_use block"),
  toolUsesNamed,
  singleRule("tool", "choice-tool-exactly-one", "exactly one tool_use block"),
];
