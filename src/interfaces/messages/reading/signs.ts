/** Signs of what requests of this interface ask for and replies give, told by their members. */

import type { ReplySigns, RequestSigns } from "../../../check/interface-signs.ts";
import { parseJson } from "../../../wire/json.ts";
import { endings } from "../../common/endings.ts";
import { itemsAt, memberOf } from "../../common/members.ts";
import { cost } from "./cost.ts";

export const requests: RequestSigns = {
  needs: [
    ["cache-control", /\/cache_control\b/],
    ["computer-use", /^tools\/\*\/type=(?!custom$)/],
    ["documents", /^messages\/\*\/content\/\*(?:\/content\/\*)?\/type=document$/],
    ["image-input", /^messages\/\*\/content\/\*(?:\/content\/\*)?\/type=image$/],
    ["streaming", /^stream\b/],
    ["thinking", /^thinking\/(?!type=disabled$)|^thinking=/],
    ["tools", /^(?:tools|tool_choice)\b|^messages\/\*\/content\/\*\/type=tool_(?:use|result)$/],
    ["top-k", /^top_k\b/],
  ],
  toolChoices: [
    ["tool-choice", /^tool_choice\/type=(?!auto$)/],
    ["tool-choice-any", /^tool_choice\/type=any$/],
    ["tool-choice-named", /^tool_choice\/type=tool$/],
    ["tool-choice-none", /^tool_choice\/type=none$/],
  ],
  replyBounds: ["max_tokens"],
  cost,
  otherThings: /\/content\/\d+\/type$/,
  plainModel: "messages-model",
  essential: ["model", "messages", "stream", "max_tokens"],
  options: [["system", /^messages\/\*\/role=system$/]],
};

/** Closing braces of a reply at which a begun JSON text may end. */
const maxEnds = 20;

/** Whether a reply completes a JSON text that the request's last message began: what began anew would not fit behind it. */
function completesJson(begun: string, reply: string): boolean {
  for (let at = reply.indexOf("}"), ends = 0; at >= 0 && ends < maxEnds; at = reply.indexOf("}", at + 1), ends++)
    if (parseJson(begun + reply.slice(0, at + 1)).ok) return !parseJson(begun).ok;
  return false;
}

/** The text of a message, or of the pieces of a streamed one. */
const textIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : (Array.isArray(content) ? (content as unknown[]) : [])
        .map((block) => memberOf(block, "text"))
        .filter((text) => typeof text === "string")
        .join("");

const block = String.raw`^content(?:\/\*|_block)\/type=`;

export const replies: ReplySigns = {
  members: ["content", "role"],
  holds: [
    ["text", /^(?:content\/\*|delta)\/text=./],
    ["call", new RegExp(`${block}tool_use`)],
    ["thinking", new RegExp(`${block}(?:redacted_)?thinking`)],
  ],
  calls: (reply) =>
    [...itemsAt(reply, "content"), memberOf(reply, "content_block")]
      .filter((one) => memberOf(one, "type") === "tool_use")
      .map((one) => memberOf(one, "id")),
  answers: { messages: "messages", toolResult: /^content\/\*\/type=tool_result$/ },
  continues(asked, all) {
    const last = itemsAt(asked, "messages").at(-1);
    const reply = all.map((one) => textIn(memberOf(one, "content")) || textIn([memberOf(one, "delta")])).join("");
    return memberOf(last, "role") === "assistant" && completesJson(textIn(memberOf(last, "content")), reply);
  },
  actions: {
    holders: ["message", "delta", "content", "content_block"],
    callType: "tool_use",
    ending: "stop_reason",
    endings,
  },
  usage: {
    at: [["usage"], ["message", "usage"], ["delta", "usage"]],
    input: ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
    output: ["output_tokens"],
  },
};
