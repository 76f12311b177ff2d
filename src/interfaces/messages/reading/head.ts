/** The id of a message, whole or streamed. */
import type { Fault } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { replyOf } from "./reply.ts";

/** An id, and where it stands. */
export interface Head {
  readonly value: string;
  readonly spot: Pick<Fault, "in" | "event"> & { readonly pointer: string };
}

/** The id that a successful reply brings; undefined where it brings none. */
export const headOf: (subject: Subject) => Head | undefined = remember((subject) => {
  if (!replyOf(subject)) return undefined;
  const whole = subject.replyJson?.["id"];
  if (typeof whole === "string") return { value: whole, spot: { in: "body", pointer: "/id" } };
  const start = subject.streamEvents?.find(({ value }) => isObject(value) && value["type"] === "message_start");
  const message = isObject(start?.value) ? start.value["message"] : undefined;
  return start && isObject(message) && typeof message["id"] === "string"
    ? { value: message["id"], spot: { in: "stream", event: start.position, pointer: "/message/id" } }
    : undefined;
});
