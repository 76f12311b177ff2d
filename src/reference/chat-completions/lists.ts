/** Lists of the reference implementation: what it would have stored, always the same. */
import type { Reply } from "../../wire/listen.ts";
import { jsonReply } from "../answer.ts";
import { completionOf, replyTo } from "./reply.ts";

const asked = ["Hello.", "And again."].map((content) => ({ model: "chat-1", messages: [{ role: "user", content }] }));

function stored(): Readonly<Record<string, unknown>>[] {
  return asked.flatMap((body) => {
    const plan = replyTo(body);
    return "problem" in plan ? [] : [{ ...completionOf(plan), metadata: {}, temperature: 1, tools: null }];
  });
}

function listOf(data: readonly Readonly<Record<string, unknown>>[]): Reply {
  return jsonReply(200, {
    object: "list",
    data,
    first_id: data[0]?.["id"] ?? null,
    last_id: data.at(-1)?.["id"] ?? null,
    has_more: false,
  });
}

export function listReply(): Reply {
  return listOf(stored());
}

/** The messages of the first stored completion's request. */
export function messageListReply(): Reply {
  const [completion] = stored();
  const data = (asked[0]?.messages ?? []).map((message, i) => ({
    id: `${completion?.["id"]}-${i}`,
    ...message,
    name: null,
    refusal: null,
    content_parts: null,
  }));
  return listOf(data);
}
