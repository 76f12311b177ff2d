/** Rules on values of a message that cannot be right, though their types are. */

import type { Rule } from "../../check/rule.ts";
import { editEvents, editJson } from "../../wire/edit.ts";
import { isEventStream } from "../../wire/headers.ts";
import { isObject } from "../../wire/json.ts";
import { idsNotEmpty } from "../common/plausible.ts";
import { toolUses } from "./reading/blocks.ts";
import { replyOf } from "./reading/reply.ts";
import { editToolUses } from "./tools/calls.ts";

export const rules: readonly Rule[] = [
  idsNotEmpty(
    "messages.plausible.id-not-empty",
    (subject) => {
      if (!replyOf(subject)) return [];
      const whole = subject.replyJson?.["id"];
      if (typeof whole === "string") return [{ value: whole, spot: { in: "body", pointer: "/id" } }];
      const start = subject.streamEvents?.find(({ value }) => isObject(value) && value["type"] === "message_start");
      const message = isObject(start?.value) ? start.value["message"] : undefined;
      return start && isObject(message) && typeof message["id"] === "string"
        ? [{ value: message["id"], spot: { in: "stream", event: start.position, pointer: "/message/id" } }]
        : [];
    },
    (exchange) =>
      isEventStream(exchange.response)
        ? editEvents(exchange, (events) => {
            for (const { data } of events) if (isObject(data) && isObject(data["message"])) data["message"]["id"] = "";
          })
        : editJson(exchange, "response", (body: Record<string, unknown>) => void (body["id"] = "")),
  ),
  idsNotEmpty(
    "messages.plausible.tool-use-id-not-empty",
    (subject) => {
      const reply = replyOf(subject);
      return (reply ? toolUses(reply) : []).flatMap(({ id, at }) =>
        typeof id === "string" ? [{ value: id, spot: { ...at, pointer: `${at.pointer}/id` } }] : [],
      );
    },
    (exchange) => editToolUses(exchange, (block) => void (block["id"] = "")),
  ),
];
