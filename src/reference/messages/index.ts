/** The embedded reference implementation of messages: whom it refuses, and how its replies go onto the wire. */

import type { Answer, IncomingRequest } from "../../check/answer.ts";
import type { Subject } from "../../check/subject.ts";
import { choiceOf, declaredTools } from "../../interfaces/messages/tools.ts";
import { sseEvent } from "../../wire/build.ts";
import type { Reply } from "../../wire/listen.ts";
import { jsonReply, streamReply } from "../answer.ts";
import { composeMessage, type Message, promptOf } from "./message.ts";

type Data = Record<string, unknown>;

function failure(status: number, type: string, message: string, code: string): Reply {
  return jsonReply(status, { type: "error", error: { type, message, code } });
}

const failures: Readonly<Record<string, Reply>> = {
  "400": failure(400, "invalid_request_error", "refused because a directive says so", "refused"),
  "401": failure(401, "authentication_error", "refused because a directive says so", "refused"),
  "429": failure(429, "rate_limit_error", "refused because a directive says so", "too_many_requests"),
  "500": failure(500, "server_error", "failed because a directive says so", "failed"),
};

/** Why a request is not served, or undefined. */
function refusal({ subject, faults }: IncomingRequest & { subject: Subject }): Reply | undefined {
  const key = subject.request.headers["x-api-key"]?.trim();
  if (!key) return failure(401, "authentication_error", "x-api-key: header is missing", "missing_key");
  if (key === "wrong-key") return failure(401, "authentication_error", "x-api-key: unknown key", "invalid_key");
  const [fault] = faults;
  if (fault) return failure(400, "invalid_request_error", fault.message, fault.clause.split(".").at(-1)!);
  const { model } = subject.requestJson;
  if (String(model).startsWith("unknown-"))
    return failure(404, "invalid_request_error", `model: there is no ${model}`, "unknown_model");
  const choice = choiceOf(subject);
  const { tools } = declaredTools(subject);
  if (choice && choice.type !== "auto" && !tools.some(({ name }) => choice.name === undefined || name === choice.name))
    return failure(400, "invalid_request_error", "tool_choice: no such tool is declared", "unknown_tool");
  return failures[promptOf(subject).directives.get("fail") ?? ""];
}

/** Pieces of a text, about `size` characters each. */
function slices(text: string, size: number): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, i) =>
    characters.slice(i * size, (i + 1) * size).join(""),
  );
}

function* blockEvents(block: Data, index: number): Generator<Data> {
  const delta = (change: Data): Data => ({ type: "content_block_delta", index, delta: change });
  const start = (content_block: Data): Data => ({ type: "content_block_start", index, content_block });
  const { type, text, thinking, signature } = block;
  if (type === "tool_use") {
    yield start({ ...block, input: {} });
    for (const partial_json of ["", ...slices(JSON.stringify(block["input"]), 12)])
      yield delta({ type: "input_json_delta", partial_json });
  } else if (type === "thinking") {
    yield start({ type, thinking: "", signature: "" });
    for (const piece of slices(String(thinking), 12)) yield delta({ type: "thinking_delta", thinking: piece });
    yield delta({ type: "signature_delta", signature });
  } else {
    yield start({ type, text: "" });
    for (const piece of slices(String(text), 12)) yield delta({ type: "text_delta", text: piece });
  }
  yield { type: "content_block_stop", index };
}

/** The events of a message; usage stands where the document puts it and where clients look for it. */
export function* messageEvents(message: Message, pings: boolean): Generator<Data> {
  const { content, stop_reason, stop_sequence, usage } = message;
  yield {
    type: "message_start",
    message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
  };
  if (pings) yield { type: "ping" };
  for (const [index, block] of content.entries()) yield* blockEvents(block, index);
  yield { type: "message_delta", delta: { stop_reason, stop_sequence, usage }, usage };
  yield { type: "message_stop" };
}

export const answer: Answer = (asked) => {
  const { subject } = asked;
  if (subject?.interface !== "messages") return undefined;
  const refused = refusal({ ...asked, subject });
  if (refused) return refused;
  const message = composeMessage(subject);
  if (!subject.streamed) return jsonReply(200, message);
  const events = messageEvents(message, promptOf(subject).directives.has("ping"));
  return streamReply([...events].map((event) => sseEvent(event, String(event["type"]))));
};
