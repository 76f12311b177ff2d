/** The content of an answer, read from the wire without trust: text and tool calls, of each interface that has them. */
import { type Loose, objectsIn, parsed } from "./trial.ts";

/** A tool call: the tool's name, and its input as JSON without spaces. */
export interface HeldCall {
  readonly name: string;
  readonly input: string;
}

/** How answers of one interface are read. */
export interface Held {
  readonly interface: string;
  /** The text of a whole answer. */
  readonly text: (body: Loose) => string;
  readonly calls: (body: Loose) => readonly HeldCall[];
  readonly streamedText: (events: readonly Loose[]) => string;
  readonly streamedCalls: (events: readonly Loose[]) => readonly HeldCall[];
  /** Whether a bound on tokens cut a whole answer, or a stream. */
  readonly isCut: (bodies: readonly Loose[]) => boolean;
}

/** One JSON text without spaces; as it is where it is none. */
export const minified = (text: string): string => JSON.stringify(parsed(text)) ?? text;

/** A text, or one that comes in parts. */
const joinedText = (value: unknown): string =>
  typeof value === "string"
    ? value
    : objectsIn(value)
        .map(({ text }) => (typeof text === "string" ? text : ""))
        .join("");

/** The pieces of an answer's first choice: nothing asked for more. */
const choicesIn = (events: readonly Loose[]): Loose[] =>
  events.flatMap((event) => objectsIn(event?.choices)).filter(({ index }) => typeof index !== "number" || index === 0);

/** The changes that pieces bring. A whole answer in their place is one change. */
const deltasIn = (events: readonly Loose[]): Loose[] =>
  choicesIn(events).flatMap(({ delta, message }) => objectsIn([delta ?? message]));

/** The text of a stream of chat completions. */
export const chatText = (events: readonly Loose[]): string =>
  deltasIn(events)
    .map(({ content }) => (Array.isArray(content) ? joinedText(content) : (content ?? "")))
    .join("");

/** The pieces of tool calls in a stream of chat completions. */
export const chatPieces = (events: readonly Loose[]): Loose[] =>
  deltasIn(events).flatMap(({ tool_calls: calls }) => objectsIn(calls));

/**
 * Calls put together from their pieces. A piece with a name begins a call, unless it repeats the name of the call under way, by
 * its id. A piece belongs to the last call of its index.
 */
export function chatCalls(pieces: readonly Loose[]): readonly { readonly name: string; readonly arguments: string }[] {
  const calls: { index: unknown; id: unknown; name: string; arguments: string }[] = [];
  for (const { index, id, function: of } of pieces) {
    const before = calls.findLast((call) => call.index === index);
    const isAgain = before !== undefined && id !== undefined && before.id === id;
    if (of?.name && !isAgain) calls.push({ index, id, name: of.name, arguments: "" });
    const own = calls.findLast((call) => call.index === index) ?? calls.at(-1);
    if (own) own.arguments += of?.arguments ?? "";
  }
  return calls;
}

/** The text of a stream of messages: what blocks begin with, and what deltas add. */
export function messageText(events: readonly Loose[]): string {
  const begun = textBlocks(events.flatMap(({ content_block: block }) => objectsIn([block])));
  return events
    .map(({ content, content_block: block, delta }) => {
      const begins = begun.includes(block) ? block.text : undefined;
      return wholeText({ content }) || (begins ?? delta?.text ?? "");
    })
    .join("");
}

/** The calls of a stream of messages: a piece belongs to the call of its index, or else to the last that began. */
export function messageCalls(events: readonly Loose[]): readonly HeldCall[] {
  const calls: { index: unknown; name: string; input: string }[] = [];
  for (const { type, index, content, content_block: block, delta } of events) {
    // A whole answer in place of pieces.
    for (const { name, input } of wholeCalls({ content }))
      calls.push({ index: undefined, name, input: JSON.stringify(input ?? {}) });
    if (type === "content_block_start" && block?.type === "tool_use")
      calls.push({ index, name: block.name, input: "" });
    if (delta?.partial_json === undefined) continue;
    const own = calls.findLast((call) => call.index === index) ?? calls.at(-1);
    if (own) own.input += delta.partial_json;
    else calls.push({ index, name: "", input: `${delta.partial_json}` });
  }
  return calls.map(({ name, input }) => ({ name, input: minified(input || "{}") }));
}

/** The parts of the first candidate of a generated content. */
export const contentParts = (reply: Loose): readonly Loose[] =>
  objectsIn(objectsIn(reply?.candidates)[0]?.content?.parts);

/** The text of parts, without the model's thoughts. */
export const contentText = (parts: readonly Loose[]): string =>
  parts.map(({ text, thought }) => (thought ? "" : (text ?? ""))).join("");

export const contentCalls = (parts: readonly Loose[]): Loose[] =>
  parts.flatMap(({ functionCall }) => functionCall ?? []);

const contentHeldCalls = (parts: readonly Loose[]): HeldCall[] =>
  contentCalls(parts).map(({ name, args }) => ({ name, input: JSON.stringify(args ?? {}) }));

/** The blocks that tell text: any, where none says that it does. */
function textBlocks(blocks: readonly Loose[]): readonly Loose[] {
  const own = blocks.filter(({ type }) => type === "text");
  return own.length > 0 ? own : blocks;
}

/** The text of a whole message. */
function wholeText(body: Loose): string {
  return textBlocks(objectsIn(body?.content))
    .map(({ text }) => joinedText(text))
    .join("");
}

function wholeCalls(body: Loose): readonly Loose[] {
  return objectsIn(body?.content).filter(({ type }) => type === "tool_use");
}

const firstChoices = (events: readonly Loose[]): Loose[] =>
  events.map((event) => ({
    choices: objectsIn(event?.choices)
      .slice(0, 1)
      .map((choice) => ({ ...choice, index: 0 })),
  }));

export const heldByChat: Held = {
  interface: "chat-completions",
  text: (body) => joinedText(objectsIn(body?.choices)[0]?.message?.content),
  calls: (body) =>
    objectsIn(objectsIn(body?.choices)[0]?.message?.tool_calls).map(({ function: of }) => ({
      name: of?.name,
      input: minified(joinedText(of?.arguments)),
    })),
  // Callers that ask for one choice read the first of each chunk, whatever its index.
  streamedText: (events) => chatText(firstChoices(events)),
  streamedCalls: (events) =>
    chatCalls(chatPieces(firstChoices(events))).map((call) => ({ name: call.name, input: minified(call.arguments) })),
  isCut: (bodies) => choicesIn(bodies).some(({ finish_reason: end }) => end === "length"),
};

export const heldByMessages: Held = {
  interface: "messages",
  text: wholeText,
  calls: (body) => wholeCalls(body).map(({ name, input }) => ({ name, input: JSON.stringify(input ?? {}) })),
  streamedText: messageText,
  streamedCalls: messageCalls,
  isCut: (bodies) => bodies.some((body) => (body?.delta ?? body)?.stop_reason === "max_tokens"),
};

export const heldByContent: Held = {
  interface: "generate-content",
  text: (body) => contentText(contentParts(body)),
  calls: (body) => contentHeldCalls(contentParts(body)),
  streamedText: (events) => contentText(events.flatMap(contentParts)),
  streamedCalls: (events) => contentHeldCalls(events.flatMap(contentParts)),
  isCut: (bodies) =>
    bodies.some((body) => objectsIn(body?.candidates).some(({ finishReason }) => finishReason === "MAX_TOKENS")),
};
