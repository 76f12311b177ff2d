/** The message that a stream's events add up to, read in one pass. */
import type { Fault } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { isObject, maxValues, parseJson } from "../../../wire/json.ts";
import type { Reply, ReplyBlock, Spot } from "./blocks.ts";
import { eventTypes, type OpenBlock, type OrderClause, StreamReader, typeOf } from "./stream-reader.ts";

export interface StreamReading {
  readonly reply: Reply;
  readonly faults: readonly (Fault & { readonly clause: OrderClause })[];
  /** Deltas of text blocks: their event and what they carry. */
  readonly textDeltas: readonly { readonly event: number; readonly delta: Readonly<Record<string, unknown>> }[];
  /** Tool input in pieces, put together: the block's last event with a piece, that piece, and the whole text. */
  readonly inputs: readonly { readonly event: number; readonly piece: string; readonly text: string }[];
  /** Known event types that came. */
  readonly types: ReadonlySet<string>;
  /** The model the first message_start names, with its event. */
  readonly model: { readonly event: number; readonly name: unknown } | undefined;
}

/** The input that its pieces add up to; the input of the start if no piece came. */
function inputOf({ pieces, input }: OpenBlock): Pick<ReplyBlock, "input" | "beyond"> {
  if (!pieces) return { input };
  const json = parseJson(pieces, maxValues);
  return json.ok ? { input: json.value } : { input: undefined, ...(json.beyond && { beyond: true }) };
}

function inputAt({ at, lastPiece }: OpenBlock): ReplyBlock["inputAt"] {
  return lastPiece
    ? { in: "stream", event: lastPiece.event, pointer: "/delta/partial_json", piece: lastPiece.text }
    : { ...at, pointer: `${at.pointer}/input` };
}

function addUp(reader: StreamReader): Reply {
  const { messageDelta } = reader;
  const value = messageDelta?.value ?? {};
  const delta = isObject(value["delta"]) ? value["delta"] : {};
  const inside = isObject(delta["usage"]);
  const usage = inside ? delta["usage"] : value["usage"];
  const at = (pointer: string): Spot => ({ in: "stream", event: messageDelta?.event ?? 0, pointer });
  return {
    blocks: reader.blocks.map(
      (block): ReplyBlock => ({
        type: block.type,
        at: block.at,
        textAt: block.textAt,
        inputAt: inputAt(block),
        id: block.id,
        name: block.name,
        ...inputOf(block),
        ...(block.text !== undefined && { text: block.text }),
      }),
    ),
    stopReason: delta["stop_reason"],
    stopReasonAt: at("/delta/stop_reason"),
    stopSequence: delta["stop_sequence"],
    stopSequenceAt: at("/delta/stop_sequence"),
    outputTokens: isObject(usage) ? usage["output_tokens"] : undefined,
    outputTokensAt: at(inside ? "/delta/usage/output_tokens" : "/usage/output_tokens"),
  };
}

function readStream(subject: Subject): StreamReading | undefined {
  const events = subject.streamEvents;
  if (!events) return undefined;
  const reader = new StreamReader();
  let readable = true;
  for (const event of events) {
    if (event.kind === "terminator") continue;
    const type = typeOf(event);
    if (type === undefined) {
      // An error, or an event nobody can read: what follows cannot be held against the order.
      readable = false;
      break;
    }
    if (eventTypes.has(type)) reader.read(type, event.value as Record<string, unknown>, event.position);
  }
  if (readable && !subject.interrupted && !reader.types.has("message_stop")) reader.blameEnd(events.at(-1));
  return {
    reply: addUp(reader),
    faults: reader.faults,
    textDeltas: reader.textDeltas,
    inputs: reader.blocks
      .filter(({ type, pieces }) => type === "tool_use" && pieces)
      .map(({ lastPiece, pieces }) => ({ event: lastPiece!.event, piece: lastPiece!.text, text: pieces! })),
    types: reader.types,
    model: reader.model,
  };
}

/** The reading of a successful stream; undefined if the reply is none. */
export const streamOf: (subject: Subject) => StreamReading | undefined = remember(readStream);
