/** Follows a stream event by event: its blocks, and where its order departs from the documented one. */

import type { StreamEvent } from "../../../check/body.ts";
import type { Fault } from "../../../check/rule.ts";
import { inWords } from "../../../check/unquoted.ts";
import { isObject } from "../../../wire/json.ts";
import type { Spot } from "./blocks.ts";

/** Names of the ordering clauses below `messages.streaming`. */
export type OrderClause =
  | "starts-with-message-start"
  | "message-start-once"
  | "block-stopped"
  | "delta-in-block"
  | "delta-index"
  | "stop-in-block"
  | "stop-index"
  | "index-sequence"
  | "blocks-before-message-delta"
  | "message-delta-present"
  | "message-delta-once"
  | "message-stop-present"
  | "message-stop-last";

/** The type of an event's data, or undefined where it cannot be read. */
export function typeOf({ kind, value }: StreamEvent): string | undefined {
  return kind === "json" && isObject(value) && typeof value["type"] === "string" ? value["type"] : undefined;
}

export interface OpenBlock {
  readonly type: unknown;
  readonly index: unknown;
  readonly at: Spot;
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
  text: string | undefined;
  textAt: Spot;
  pieces: string | undefined;
  lastPiece: { readonly event: number; readonly text: string } | undefined;
  /** Already reported as not stopped, or never started: its stop is not demanded. */
  excused: boolean;
}

/** The six described event types. */
export const eventTypes: ReadonlySet<unknown> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
]);

export class StreamReader {
  readonly faults: (Fault & { clause: OrderClause })[] = [];
  readonly blocks: OpenBlock[] = [];
  readonly textDeltas: { event: number; delta: Readonly<Record<string, unknown>> }[] = [];
  readonly types = new Set<string>();
  model: { event: number; name: unknown } | undefined;
  messageDelta: { event: number; value: Readonly<Record<string, unknown>> } | undefined;
  /** Blocks not yet stopped, by index; several only where a stop is missing or blocks are interleaved. */
  private readonly open = new Map<unknown, OpenBlock>();
  private current: OpenBlock | undefined;
  private nextIndex = 0;
  private stopped = false;
  private readonly blamed = new Set<OrderClause>();

  blame(clause: OrderClause, event: number, pointer: string, expected: string, actual: unknown): void {
    this.faults.push({ clause, side: "response", in: "stream", event, pointer, expected, actual });
  }

  /** For a stream without message_stop: its last event is not one, or there is none. */
  blameEnd(last: StreamEvent | undefined): void {
    const type = last && typeOf(last);
    this.faults.push({
      clause: "message-stop-present",
      side: "response",
      in: "stream",
      ...(last && { event: last.position }),
      pointer: type === undefined ? "" : "/type",
      expected: '"message_stop" at the end',
      actual: type ?? last?.data ?? inWords("no event at all"),
    });
  }

  /** For departures that every later event repeats. */
  private blameOnce(clause: OrderClause, event: number, pointer: string, expected: string, actual: unknown): void {
    if (this.blamed.has(clause)) return;
    this.blamed.add(clause);
    this.blame(clause, event, pointer, expected, actual);
  }

  read(type: string, value: Readonly<Record<string, unknown>>, event: number): void {
    const late = this.messageDelta !== undefined || this.stopped;
    if (this.stopped) this.blameOnce("message-stop-last", event, "/type", "nothing after message_stop", type);
    else if (this.types.size === 0 && type !== "message_start")
      this.blame("starts-with-message-start", event, "/type", '"message_start"', type);
    else if (type === "message_start" && this.types.has("message_start"))
      this.blame("message-start-once", event, "/type", "one message_start", type);
    else if (late && type.startsWith("content_block"))
      this.blameOnce("blocks-before-message-delta", event, "/type", "message_stop after message_delta", type);
    this.types.add(type);
    if (type === "message_start" && isObject(value["message"]))
      this.model ??= { event, name: value["message"]["model"] };
    if (type === "content_block_start") this.start(value, event, late);
    else if (type === "content_block_delta") this.delta(value, event, late);
    else if (type === "content_block_stop") this.stop(value, event, late);
    else if (type === "message_delta") this.end(value, event);
    else if (type === "message_stop") this.finish(event);
  }

  private demandStop(event: number, before: string): void {
    if (!this.current || this.current.excused) return;
    this.blame("block-stopped", event, "/type", `content_block_stop of block ${show(this.current.index)}`, before);
    this.current.excused = true;
  }

  private begin(index: unknown, content: Readonly<Record<string, unknown>>, at: Spot, excused: boolean): OpenBlock {
    const { type, id, name, input, text } = content;
    const block: OpenBlock = {
      type,
      index,
      at,
      id,
      name,
      input,
      text: typeof text === "string" ? text : undefined,
      textAt: { ...at, pointer: `${at.pointer}/text` },
      pieces: undefined,
      lastPiece: undefined,
      excused,
    };
    this.blocks.push(block);
    this.open.set(index, block);
    this.current = block;
    return block;
  }

  private start(value: Readonly<Record<string, unknown>>, event: number, late: boolean): void {
    const index = value["index"];
    if (!late) this.demandStop(event, "content_block_start");
    const content = isObject(value["content_block"]) ? value["content_block"] : {};
    this.begin(index, content, { in: "stream", event, pointer: "/content_block" }, late);
    if (typeof index !== "number" || !Number.isInteger(index) || late) return;
    if (index !== this.nextIndex) this.blameOnce("index-sequence", event, "/index", String(this.nextIndex), index);
    this.nextIndex = index + 1;
  }

  /** The open block that an event names by its index; blames the event where there is none. */
  private blockOf(
    value: Readonly<Record<string, unknown>>,
    event: number,
    late: boolean,
    clauses: { none: OrderClause; other: OrderClause },
  ): OpenBlock | undefined {
    const index = value["index"];
    const own = this.open.get(index);
    if (own) return own;
    const { current } = this;
    if (!current && !late) this.blame(clauses.none, event, "/type", "a content block in progress", value["type"]);
    // An index of the wrong kind is a matter of shape.
    if (current && Number.isInteger(index) && Number.isInteger(current.index))
      this.blame(clauses.other, event, "/index", String(current.index), index);
    return current;
  }

  private delta(value: Readonly<Record<string, unknown>>, event: number, late: boolean): void {
    const index = value["index"];
    let block = this.blockOf(value, event, late, { none: "delta-in-block", other: "delta-index" });
    if (!block) {
      // One missing start is one fault: the deltas that follow belong to the same block.
      block = this.begin(index, {}, { in: "stream", event, pointer: "" }, true);
      if (typeof index === "number") this.nextIndex = Math.max(this.nextIndex, index + 1);
    }
    const delta = value["delta"];
    if (!isObject(delta)) return;
    if (block.type === "text") this.textDeltas.push({ event, delta });
    if (typeof delta["text"] === "string") {
      block.text = (block.text ?? "") + delta["text"];
      if (delta["text"] !== "") block.textAt = { in: "stream", event, pointer: "/delta/text" };
    }
    if (typeof delta["partial_json"] === "string") {
      block.pieces = (block.pieces ?? "") + delta["partial_json"];
      block.lastPiece = { event, text: delta["partial_json"] };
    }
  }

  private stop(value: Readonly<Record<string, unknown>>, event: number, late: boolean): void {
    const block = this.blockOf(value, event, late, { none: "stop-in-block", other: "stop-index" });
    if (!block) return;
    this.open.delete(block.index);
    if (block === this.current) this.current = undefined;
  }

  private finish(event: number): void {
    if (!this.messageDelta && !this.stopped) {
      this.demandStop(event, "message_stop");
      this.blame("message-delta-present", event, "/type", '"message_delta" before the end', "message_stop");
    }
    this.stopped = true;
  }

  private end(value: Readonly<Record<string, unknown>>, event: number): void {
    if (this.stopped) return;
    if (this.messageDelta) {
      this.blame("message-delta-once", event, "/type", "one message_delta", "message_delta");
      return;
    }
    this.demandStop(event, "message_delta");
    this.messageDelta = { event, value };
  }
}

function show(index: unknown): string {
  return typeof index === "number" ? String(index) : "in progress";
}
