/** Rules on lists of chat completions and of their messages, wherever such a list is met. */

import type { Operation } from "../../check/operation.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { editJson } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { kinds } from "./errors.ts";
import type { Loose } from "./examples/spoil.ts";
import { faultAt } from "./reading/reply.ts";

const completions = "/chat-completions/list.schema.json";
const messages = "/chat-completions/message-list.schema.json";

const isList = (body: unknown): body is Record<string, unknown> =>
  isObject(body) && (body["object"] === "list" || (Array.isArray(body["data"]) && !("choices" in body)));

/** Lists are judged wherever they are met, by what they hold; an error body under a success status by its status alone. */
export function replySchema(body: unknown): string | undefined {
  if (isObject(body) && kinds.isError(body) && !("choices" in body)) return undefined;
  if (!isList(body)) return "/chat-completions/response.schema.json";
  const [entry] = Array.isArray(body["data"]) ? (body["data"] as unknown[]) : [];
  return isObject(entry) && "role" in entry && !("choices" in entry) ? messages : completions;
}

/** The document does not describe what returns lists. These operations owe only that a list they return is one. */
export const listOperations: readonly Operation[] = [
  {
    name: "GET /v1/chat/completions",
    method: "GET",
    at: (path) => path.search(/\/chat\/completions\/?$/),
    schemas: { response: (body) => (isList(body) ? completions : undefined) },
  },
  {
    name: "GET /v1/chat/completions/{id}/messages",
    method: "GET",
    at: (path) => path.search(/\/chat\/completions\/[^/]+\/messages\/?$/),
    schemas: { response: (body) => (isList(body) ? messages : undefined) },
  },
];

/** Ids of a list's first and last entry; undefined where it is empty or its ends have no id. */
function endsOf(subject: Subject): { first: string; last: string } | undefined {
  const body = subject.replyJson;
  const data = body?.["data"];
  if (body?.["object"] !== "list" || !Array.isArray(data)) return undefined;
  const ids = [data[0], data.at(-1)].map((entry: unknown) => (isObject(entry) ? entry["id"] : undefined));
  const [first, last] = ids;
  return typeof first === "string" && typeof last === "string" ? { first, last } : undefined;
}

function endId(clause: string, member: "first_id" | "last_id", end: "first" | "last"): Rule {
  return {
    clause: `chat-completions.lists.${clause}`,
    applies: (subject) => endsOf(subject) !== undefined && typeof subject.replyJson?.[member] === "string",
    *check(subject) {
      const wanted = endsOf(subject)?.[end];
      const named = subject.replyJson?.[member];
      if (named !== wanted)
        yield faultAt({ in: "body", pointer: `/${member}` }, `${JSON.stringify(wanted)}, the ${end} entry's id`, named);
    },
    spoil: (exchange) => editJson(exchange, "response", (body: Loose) => void (body[member] += "-other")),
  };
}

export const rules: readonly Rule[] = [
  endId("first-id-value", "first_id", "first"),
  endId("last-id-value", "last_id", "last"),
];
