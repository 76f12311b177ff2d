/** The content of a reply of messages, for people who read it. */
import type { ReplyPart, ReplyPlace } from "../../../check/reply-parts.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { isErrorBody } from "./reply.ts";

type Json = Readonly<Record<string, unknown>>;

const kinds: Readonly<Record<string, ReplyPart["kind"]>> = { text: "text", thinking: "thinking", tool_use: "call" };

/** Members that carry a block's words, in the block itself and in its deltas. */
const carriers = ["text", "thinking", "partial_json", "input"] as const;

type Block = Omit<ReplyPart, "pieces"> & { readonly pieces: ReplyPlace[] };

/** A block, and the place of what it says at its start. */
function blockOf(value: Json, at: ReplyPlace): Block | undefined {
  const kind = typeof value["type"] === "string" ? kinds[value["type"]] : undefined;
  if (!kind) return undefined;
  const { name, id } = value;
  const block: Block = {
    kind,
    reply: 0,
    ...(typeof name === "string" && { name }),
    ...(typeof id === "string" && { id }),
    pieces: [],
  };
  addPiece(block, value, at);
  return block;
}

/** Adds what a block or a delta says; the input of a call that comes in pieces begins empty. */
function addPiece({ pieces }: Block, value: Json, { event, pointer }: ReplyPlace): void {
  const member = carriers.find((name) => value[name] !== undefined && value[name] !== "");
  if (member === undefined || (member === "input" && event !== undefined && isEmpty(value["input"]))) return;
  pieces.push({ ...(event !== undefined && { event }), pointer: `${pointer}/${member}` });
}

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

function wholeParts(body: Json): ReplyPart[] {
  const content: readonly unknown[] = Array.isArray(body["content"]) ? body["content"] : [];
  const blocks = content.flatMap((block, i) =>
    isObject(block) ? (blockOf(block, { pointer: `/content/${i}` }) ?? []) : [],
  );
  return typeof body["stop_reason"] === "string"
    ? [...blocks, { kind: "end", reply: 0, pieces: [{ pointer: "/stop_reason" }] }]
    : blocks;
}

function streamedParts(events: NonNullable<Subject["streamEvents"]>): ReplyPart[] {
  const parts: ReplyPart[] = [];
  const open = new Map<unknown, Block>();
  for (const { kind, value, position: event } of events) {
    if (kind !== "json" || !isObject(value)) continue;
    const { type, index, content_block: started, delta } = value;
    if (type === "content_block_start" && isObject(started)) {
      const block = blockOf(started, { event, pointer: "/content_block" });
      if (!block) continue;
      open.set(index, block);
      parts.push(block);
    } else if (type === "content_block_delta" && isObject(delta)) {
      const block = open.get(index);
      if (block) addPiece(block, delta, { event, pointer: "/delta" });
    } else if (type === "message_delta" && isObject(delta) && typeof delta["stop_reason"] === "string")
      parts.push({ kind: "end", reply: 0, pieces: [{ event, pointer: "/delta/stop_reason" }] });
  }
  return parts;
}

/** Blocks in the order in which they start, and why the reply ended. */
export function replyParts({ replyJson, streamEvents }: Subject): ReplyPart[] {
  if (replyJson) return isErrorBody(replyJson) ? [] : wholeParts(replyJson);
  return streamEvents ? streamedParts(streamEvents) : [];
}
